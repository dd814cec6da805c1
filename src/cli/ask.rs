//! Asking the engine: one search with its reports, and how its numbers are written.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::control::Limits;
use crate::engine::{Answer, Engine, Event, Report, Task};
use crate::game::GameRecord;
use crate::game::opening::{Choice, Opening};
use crate::types::{MATE, MATE_IN_MAX_PLY, Move, Score};

/// Iterations with nothing but proven lines after which a search with no limit but time ends early.
const SETTLED: usize = 3;

/// How long to think.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effort {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    /// Leaves the time to the engine's clock, which answers at once where there is nothing to decide. Otherwise all
    /// of it is used, and forced moves are searched like others.
    pub(super) clocked: bool,
}

/// The options that set up an engine.
#[derive(Debug, clap::Args)]
pub(super) struct Power {
    /// Threads of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Memory that the whole program may use, in MiB [default: 96]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: Option<u64>,
}

impl Power {
    /// An engine with these options.
    pub(super) fn engine(&self) -> Engine {
        let mut engine = Engine::new();
        engine.set_threads(self.threads.into());
        engine.set_max_memory(self.memory.map(|mib| mib << 20));
        engine
    }
}

/// A time on the command line, in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    if (0.001..=1e6).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("a number of seconds from 0.001 to 1000000 is needed".to_owned())
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) best: Move,
    /// The last report of each line, best first. Empty only if the search had nothing to say.
    pub(super) lines: Vec<Report>,
}

impl Found {
    /// The score of the best line, in the mover's view.
    pub(super) fn score(&self) -> Score {
        self.lines.first().map_or(0, |report| report.score)
    }
}

/// Searches a position in which the game goes on and hands over each iteration's lines.
///
/// When `watch` fails the search ends, and the error is returned.
///
/// # Errors
/// What `watch` returns, and a search that died.
pub(super) fn ask(
    engine: &mut Engine,
    game: &GameRecord,
    lines: usize,
    effort: Effort,
    mut watch: impl FnMut(&[Report]) -> anyhow::Result<()>,
) -> anyhow::Result<Found> {
    let turn = effort.time.filter(|_| effort.clocked);
    let limits = Limits { turn, depth: effort.depth, nodes: effort.nodes, ..Limits::default() };
    let only_time = effort.depth.is_none() && effort.nodes.is_none();
    let (sender, events) = mpsc::channel();
    let started = Instant::now();
    let handle = engine.go(game, &Task::BestMove { lines }, limits, move |event| {
        // Once nobody listens any more, the search has been told to end.
        let _ = sender.send(event);
    });
    let mut gathered = Gathered::default();
    let mut outcome = Ok(());
    let answer = loop {
        let deadline = effort.time.filter(|_| !effort.clocked);
        let patience = match deadline {
            Some(time) => time.saturating_sub(started.elapsed()),
            None => Duration::from_secs(3600),
        };
        match events.recv_timeout(patience.max(Duration::from_millis(1))) {
            Ok(Event::Report(report)) => {
                if let Some(iteration) = gathered.add(report)
                    && outcome.is_ok()
                {
                    outcome = watch(&iteration);
                }
                if outcome.is_err() || only_time && gathered.proven >= SETTLED {
                    handle.stop();
                }
            }
            Ok(Event::Trying(_) | Event::Tried { .. } | Event::Defence(_)) => {}
            Ok(Event::Done(answer)) => break Some(answer),
            Err(RecvTimeoutError::Timeout) => {
                if deadline.is_some_and(|time| started.elapsed() >= time) {
                    handle.stop();
                }
            }
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    handle.join();
    if let Some(iteration) = gathered.rest() {
        outcome = outcome.and_then(|()| watch(&iteration));
    }
    outcome?;
    match answer {
        Some(Answer::Moves(moves)) if !moves.is_empty() => {
            // The answer is the move of the last iteration.
            let best = moves.into_iter().next().unwrap_or(Move::PASS);
            Ok(Found { best, lines: gathered.last })
        }
        _ => bail!("the search has found no move"),
    }
}

/// What the engine decides in an opening, within one limit for the whole decision.
///
/// # Errors
/// A search that died.
pub(super) fn decide(engine: &mut Engine, opening: &Opening, effort: Effort) -> anyhow::Result<Choice> {
    let limits = Limits { turn: effort.time, depth: effort.depth, nodes: effort.nodes, ..Limits::default() };
    let (sender, events) = mpsc::channel();
    let handle = engine.go(opening.record(), &Task::Opening(opening.clone()), limits, move |event| {
        // The receiver listens until the search is gone.
        let _ = sender.send(event);
    });
    let choice = events.iter().find_map(|event| match event {
        Event::Done(Answer::Choice(choice)) => Some(choice),
        _ => None,
    });
    handle.join();
    choice.context("the search has found no decision")
}

/// Puts the reports of one iteration together.
#[derive(Default)]
struct Gathered {
    now: Vec<Report>,
    /// The lines of the last complete iteration.
    last: Vec<Report>,
    /// How many lines there are, once one iteration is known to be complete.
    width: Option<usize>,
    /// Iterations on end in which all lines were proven.
    proven: usize,
}

impl Gathered {
    /// Takes a report; returns an iteration that is complete by it. Where two are, which happens once with a single
    /// line, the first (of depth nought) is passed over.
    fn add(&mut self, report: Report) -> Option<Vec<Report>> {
        let before = if report.line <= 1 { self.rest() } else { None };
        if let Some(before) = &before {
            self.width = Some(before.len());
        }
        self.now.push(report);
        if self.width == Some(self.now.len()) { self.rest() } else { before }
    }

    /// What has been gathered so far, if anything.
    fn rest(&mut self) -> Option<Vec<Report>> {
        if self.now.is_empty() {
            return None;
        }
        self.last = std::mem::take(&mut self.now);
        let proven = self.last.iter().all(|report| report.score.abs() >= MATE_IN_MAX_PLY);
        self.proven = if proven { self.proven + 1 } else { 0 };
        Some(self.last.clone())
    }
}

/// A score in evaluation units with its sign; `+M7` and `-M8` for a win or loss in that many plies, `won` and `lost`
/// for a game that is over.
pub(super) fn score_text(score: Score) -> String {
    match score {
        MATE => "won".to_owned(),
        _ if score == -MATE => "lost".to_owned(),
        MATE_IN_MAX_PLY.. => format!("+M{}", MATE - score),
        _ if score <= -MATE_IN_MAX_PLY => format!("-M{}", MATE + score),
        0 => "0".to_owned(),
        _ => format!("{score:+}"),
    }
}

/// Plies to a proven end, positive for the side to move, for programs.
pub(super) fn mate_plies(score: Score) -> Option<Score> {
    match score {
        MATE_IN_MAX_PLY.. => Some(MATE - score),
        _ if score <= -MATE_IN_MAX_PLY => Some(-(MATE + score)),
        _ => None,
    }
}

/// Nodes a second.
pub(super) fn speed(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{mate_in, mated_in};

    #[test]
    fn scores_are_written_with_sign_or_plies() {
        let texts = [35, -12, 0, mate_in(7), mated_in(8), MATE, -MATE].map(score_text);
        assert_eq!(texts, ["+35", "-12", "0", "+M7", "-M8", "won", "lost"]);
        assert_eq!([mate_in(7), mated_in(8), 99].map(mate_plies), [Some(7), Some(-8), None]);
    }

    #[test]
    fn reports_are_put_together_by_iteration() {
        let report = |depth, line| Report {
            depth,
            selective_depth: depth,
            line,
            score: MATE - 3,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: Vec::new(),
        };
        let mut gathered = Gathered::default();
        let mut seen = Vec::new();
        for depth in 0..3 {
            for line in 1..=2 {
                seen.extend(gathered.add(report(depth, line)).map(|lines| (lines[0].depth, lines.len())));
            }
        }
        seen.extend(gathered.rest().map(|lines| (lines[0].depth, lines.len())));
        // The width is known after the first iteration only, so that one is told late, with the second.
        assert_eq!(seen, [(0, 2), (1, 2), (2, 2)]);
        assert_eq!(gathered.proven, 3);
    }

    #[test]
    fn times_are_read_with_care() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "-1", "nan", "1e9", "x", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
