//! Results added up: of each pairing, of each engine.

use std::collections::BTreeMap;

use super::config::Config;
use super::ending::Reason;
use super::game::PlayedGame;
use super::player::Conduct;
use super::schedule::Job;
use super::statistics::{Counts, Estimate, Games, Pairs};
use crate::types::Color;

/// Faults in words that are kept of each engine.
const KEPT_EXAMPLES: usize = 10;

/// The results of two engines against each other, from the first one's side.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The engines by number.
    pub engines: (usize, usize),
    /// Losses, draws, wins.
    pub games: Games,
    /// Complete pairs by their points.
    pub pairs: Pairs,
    /// Halves of points from the first game of a pair that waits for its second, by pair.
    open: BTreeMap<usize, usize>,
}

impl Pairing {
    /// Strength from pairs when every game is in a complete pair and there are at least two, else from single games;
    /// and whether it is from pairs.
    pub fn estimate(&self) -> Option<(Estimate, bool)> {
        let by_pairs = self.pairs.total() >= 2 && 2 * self.pairs.total() == self.games.total();
        let estimate = if by_pairs { self.pairs.estimate() } else { self.games.estimate() };
        Some((estimate?, by_pairs))
    }
}

/// What one engine did in all its games.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    /// Losses, draws, wins with Black and with White.
    pub by_color: [Games; 2],
    /// Lost games by reason.
    pub lost_by: BTreeMap<Reason, u64>,
    /// Everything else, added up; of maxima the largest.
    pub conduct: Conduct,
    /// Some faults, with the numbers of their games.
    pub examples: Vec<String>,
    /// Games in which it took more memory than it was told.
    pub over_memory: u64,
}

impl EngineTally {
    /// Losses, draws, wins.
    pub fn games(&self) -> Games {
        let [black, white] = &self.by_color;
        let ([l, d, w], [m, e, x]) = (black.0, white.0);
        Counts([l + m, d + e, w + x])
    }

    fn add(&mut self, game: &PlayedGame, color: Color) {
        let engine = game.engine(color);
        let points = game.half_points(engine);
        if let Some(counts) = self.by_color.get_mut(color.index()) {
            counts.add(points);
        }
        if points == 0 {
            *self.lost_by.entry(game.ending.reason).or_default() += 1;
        }
        let (sum, one) = (&mut self.conduct, game.conduct(color));
        sum.moves += one.moves;
        sum.total_ms += one.total_ms;
        sum.max_ms = sum.max_ms.max(one.max_ms);
        sum.over_limit += one.over_limit;
        sum.over_tolerance += one.over_tolerance;
        sum.max_over_ms = sum.max_over_ms.max(one.max_over_ms);
        for (sum, one) in [(&mut sum.depth, one.depth), (&mut sum.nodes, one.nodes)] {
            *sum = (sum.0.saturating_add(one.0), sum.1 + one.1);
        }
        for (kind, count) in &one.faults {
            *sum.faults.entry(kind.clone()).or_default() += count;
        }
        sum.peak_kb = sum.peak_kb.max(one.peak_kb);
        sum.unique_kb = sum.unique_kb.max(one.unique_kb);
        sum.stderr_bytes += one.stderr_bytes;
        self.over_memory += u64::from(one.over_memory);
        let room = KEPT_EXAMPLES.saturating_sub(self.examples.len());
        let texts = one.fault_texts.iter().take(room);
        self.examples.extend(texts.map(|text| format!("game {}, {text}", game.index + 1)));
    }
}

/// All results of a match.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Of each pairing, in the order of the schedule.
    pub pairings: Vec<Pairing>,
    /// Of each engine.
    pub engines: Vec<EngineTally>,
}

impl Tally {
    /// No results yet.
    pub fn new(config: &Config, jobs: &[Job]) -> Tally {
        let mut pairings: Vec<Pairing> = Vec::new();
        for job in jobs {
            if pairings.iter().all(|pairing| pairing.engines != job.engines) {
                let (games, pairs) = (Counts::default(), Counts::default());
                pairings.push(Pairing { engines: job.engines, games, pairs, open: BTreeMap::new() });
            }
        }
        Tally { pairings, engines: vec![EngineTally::default(); config.engines.len()] }
    }

    /// Adds a game.
    pub fn add(&mut self, job: &Job, game: &PlayedGame) {
        for color in Color::ALL {
            if let Some(engine) = self.engines.get_mut(game.engine(color)) {
                engine.add(game, color);
            }
        }
        let Some(pairing) = self.pairings.iter_mut().find(|pairing| pairing.engines == job.engines) else {
            return;
        };
        let points = game.half_points(job.engines.0);
        pairing.games.add(points);
        match pairing.open.remove(&job.pair) {
            Some(before) => pairing.pairs.add(before + points),
            None => drop(pairing.open.insert(job.pair, points)),
        }
    }

    /// Games so far.
    pub fn total(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.games.total()).sum()
    }

    /// Whether nothing but wins, draws and losses on the board has happened.
    pub fn is_clean(&self) -> bool {
        let clean = |engine: &EngineTally| {
            engine.conduct.faults.is_empty()
                && engine.conduct.over_tolerance == 0
                && engine.over_memory == 0
                && engine.lost_by.keys().all(|reason| !reason.is_misbehaviour())
        };
        self.engines.iter().all(clean)
    }
}

#[cfg(test)]
pub(in crate::arena) mod tests {
    use super::*;
    use crate::arena::config::{EngineSpec, Format, Limits};
    use crate::arena::ending::{Ending, Winner};
    use crate::arena::schedule::jobs;

    pub(in crate::arena) fn config(engines: usize, games: usize) -> Config {
        let spec = |i: usize| EngineSpec {
            name: format!("engine{i}"),
            command: vec!["none".to_owned()],
            cwd: None,
            limits: Limits { turn_ms: 100, ..Limits::default() },
            info: BTreeMap::new(),
        };
        Config {
            engines: (0..engines).map(spec).collect(),
            rule: 0,
            size: 15,
            games,
            format: Format::RoundRobin,
            swap2: false,
            tolerance_ms: 1_000,
            start_ms: 1_000,
            end_ms: 1_000,
            max_moves: 0,
            resign: None,
            strict_memory: false,
            sprt: None,
            concurrency: 1,
            seed: 0,
            log: None,
        }
    }

    pub(in crate::arena) fn game(job: &Job, winner: Winner, reason: Reason) -> PlayedGame {
        PlayedGame {
            index: job.index,
            black: job.black,
            white: job.white(),
            moves: "h8 i9".to_owned(),
            opening: 0,
            steps: Vec::new(),
            ending: Ending { winner, reason, detail: String::new() },
            conduct: [Conduct::default(), Conduct::default()],
            date: "2026.01.01".to_owned(),
            last_lines: Vec::new(),
        }
    }

    #[test]
    fn games_and_pairs_are_counted_from_the_first_engines_side() {
        let config = config(2, 6);
        let jobs = jobs(&config);
        let mut tally = Tally::new(&config, &jobs);
        // Black always wins; then the first engine wins both; then a draw and a loss of the first.
        let winners =
            [Winner::Black, Winner::Black, Winner::Black, Winner::White, Winner::Nobody, Winner::Black];
        for (job, winner) in jobs.iter().zip(winners) {
            tally.add(job, &game(job, winner, Reason::Five));
        }
        let pairing = &tally.pairings[0];
        assert_eq!((pairing.games.0, pairing.pairs.0), ([2, 1, 3], [0, 1, 1, 0, 1]));
        assert!(pairing.estimate().unwrap().1);
        assert_eq!(tally.engines[0].by_color.map(|games| games.0), [[0, 1, 2], [2, 0, 1]]);
        assert_eq!(tally.engines[1].games().0, [3, 1, 2]);
        assert_eq!(tally.total(), 6);
        assert!(tally.is_clean());
    }

    #[test]
    fn an_incomplete_pair_counts_as_single_games() {
        let config = config(2, 4);
        let jobs = jobs(&config);
        let mut tally = Tally::new(&config, &jobs);
        for job in jobs.iter().take(3) {
            tally.add(job, &game(job, Winner::Black, Reason::Time));
        }
        assert!(!tally.pairings[0].estimate().unwrap().1);
        assert!(!tally.is_clean());
    }
}
