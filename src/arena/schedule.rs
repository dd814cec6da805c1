//! Who plays whom, with which opening and which colour.

use super::config::{Config, Format};

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Number of the game, from 0.
    pub index: usize,
    /// Number of the pair of games that it belongs to: the same engines and opening, colours swapped.
    pub pair: usize,
    /// The engines of the pair by number, the lower one first.
    pub engines: (usize, usize),
    /// The engine that plays Black (under swap2: that opens).
    pub black: usize,
    /// Number of the opening, before it is wrapped around to those there are.
    pub opening: usize,
}

impl Job {
    /// The other engine.
    pub fn white(&self) -> usize {
        if self.black == self.engines.0 { self.engines.1 } else { self.engines.0 }
    }
}

/// All games of a match. Every pairing plays the same openings; a round lets all of them play one of these, each with
/// both colours, so that a match that is cut short has been fair to all.
pub fn jobs(config: &Config) -> Vec<Job> {
    let count = config.engines.len();
    let pairings: Vec<(usize, usize)> = match config.format {
        Format::Gauntlet => (1..count).map(|other| (0, other)).collect(),
        Format::RoundRobin => (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect(),
    };
    let mut jobs = Vec::new();
    for opening in 0..config.games.div_ceil(2) {
        let both = 2 * opening + 1 < config.games;
        for (number, &engines) in pairings.iter().enumerate() {
            let pair = opening * pairings.len() + number;
            for black in [Some(engines.0), both.then_some(engines.1)].into_iter().flatten() {
                jobs.push(Job { index: jobs.len(), pair, engines, black, opening });
            }
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tally::tests::config;

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let jobs = jobs(&config(2, 4));
        let found: Vec<_> = jobs.iter().map(|job| (job.black, job.white(), job.opening, job.pair)).collect();
        assert_eq!(found, [(0, 1, 0, 0), (1, 0, 0, 0), (0, 1, 1, 1), (1, 0, 1, 1)]);
        assert!(jobs.iter().enumerate().all(|(i, job)| job.index == i));
    }

    #[test]
    fn a_round_robin_has_every_pairing_and_a_gauntlet_those_of_the_first() {
        let mut config = config(4, 2);
        let all = jobs(&config);
        assert_eq!(all.len(), 6 * 2);
        config.format = Format::Gauntlet;
        config.games = 3;
        let some = jobs(&config);
        assert_eq!(some.len(), 3 * 3);
        assert!(some.iter().all(|job| job.engines.0 == 0));
    }
}
