//! Playing below full strength, in a way that a person could: searching fewer positions, taking a move for the best
//! that is only nearly as good, and now and then not seeing a point at all.
//!
//! Everything is integer arithmetic, and chance is drawn from the position and a seed: the same settings play the same
//! game.

use crate::search::Line;
use crate::selfplay::Rng;
use crate::types::{MATE_IN_MAX_PLY, Score};

/// The level of full strength.
const FULL: u8 = 100;
/// From this level on a five is never missed, neither an own one nor one to be stopped.
const SEES_FIVES: u8 = 10;
/// By how much a score is misjudged at most at level 0, in evaluation units.
const MOST_NOISE: u32 = 200;
/// How often the best point is not seen at level 0, in thousandths.
const MOST_OVERSIGHTS: u32 = 200;

/// How strongly to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    level: u8,
    seed: u64,
}

impl Default for Strength {
    /// Full strength.
    fn default() -> Strength {
        Strength { level: FULL, seed: 0 }
    }
}

impl Strength {
    /// A level from 0 to 100, others count as the nearer end, and the seed of its chance.
    pub fn new(level: i64, seed: u64) -> Strength {
        let level = u8::try_from(level.clamp(0, FULL.into())).unwrap_or(FULL);
        Strength { level, seed }
    }

    /// From 0 to 100.
    pub fn level(self) -> u8 {
        self.level
    }

    /// Whether nothing is held back.
    pub fn is_full(self) -> bool {
        self.level == FULL
    }

    /// Most nodes of a search: 32 at level 0, twice as many with each eight levels.
    pub(super) fn nodes(self) -> u64 {
        let level = u64::from(self.level);
        (32 + 4 * (level % 8)) << (level / 8)
    }

    /// How many of the best moves come into question.
    pub(super) fn lines(self) -> usize {
        2 + usize::from(FULL - self.level) / 16
    }

    /// Whether a five is never missed.
    pub(super) fn sees_fives(self) -> bool {
        self.level >= SEES_FIVES
    }

    /// The chance for a position with this key.
    pub(super) fn chance(self, key: u64) -> Rng {
        Rng::new(self.seed, key)
    }

    /// Whether the best point is not seen this time.
    pub(super) fn overlooks(self, chance: &mut Rng) -> bool {
        chance.below(1_000) < self.share_of(MOST_OVERSIGHTS)
    }

    /// Which line seems best, each score being misjudged a little. A proven win is taken, and among lost moves the one
    /// that holds out longest.
    pub(super) fn choose(self, lines: &[Line], chance: &mut Rng) -> usize {
        if lines.first().is_none_or(|line| line.score.abs() >= MATE_IN_MAX_PLY) {
            return 0;
        }
        let noise = self.share_of(MOST_NOISE);
        let misjudged = |line: &Line| {
            let error = chance.below(noise + 1) + chance.below(noise + 1);
            line.score.saturating_add(Score::try_from(error).unwrap_or(0))
        };
        let seen: Vec<Score> = lines.iter().map(misjudged).collect();
        // The first of equals.
        (0..seen.len()).rev().max_by_key(|&index| seen.get(index)).unwrap_or(0)
    }

    /// The part of a number that is left at this level: all of it at 0, nothing at 100, a quarter half-way.
    fn share_of(self, most: u32) -> usize {
        let missing = u32::from(FULL - self.level);
        (most * missing * missing / 10_000) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{mate_in, mated_in};

    fn lines(scores: &[Score]) -> Vec<Line> {
        scores.iter().map(|&score| Line { score, pv: Vec::new() }).collect()
    }

    /// How often each line is chosen in a thousand positions.
    fn choices(level: i64, scores: &[Score]) -> Vec<usize> {
        let (strength, lines) = (Strength::new(level, 7), lines(scores));
        let mut counts = vec![0; scores.len()];
        (0..1_000).for_each(|key| counts[strength.choose(&lines, &mut strength.chance(key))] += 1);
        counts
    }

    #[test]
    fn levels_are_within_their_range_and_more_is_stronger() {
        assert_eq!([-5, 0, 37, 100, 999].map(|level| Strength::new(level, 0).level()), [0, 0, 37, 100, 100]);
        assert!(Strength::default().is_full() && !Strength::new(99, 0).is_full());
        assert_eq!([0, 8, 10, 96].map(|level| Strength::new(level, 0).nodes()), [32, 64, 80, 131_072]);
        for level in 1..=100 {
            let (less, more) = (Strength::new(level - 1, 0), Strength::new(level, 0));
            assert!(less.nodes() < more.nodes() && less.lines() >= more.lines());
            assert!(less.share_of(MOST_NOISE) >= more.share_of(MOST_NOISE));
        }
    }

    #[test]
    fn the_lower_the_level_the_more_often_a_worse_move_seems_better() {
        let best = [0, 25, 50, 75, 100].map(|level| choices(level, &[60, 40, -50])[0]);
        assert!(best.is_sorted() && best[0] < 700 && best[4] == 1_000, "{best:?}");
        // An error of twice the noise is the largest.
        assert_eq!(choices(50, &[101, 0]), [1_000, 0]);
        assert_eq!(choices(100, &[5, 5]), [1_000, 0]);
    }

    #[test]
    fn what_is_proven_is_not_misjudged() {
        assert_eq!(choices(0, &[mate_in(3), mate_in(5), 100]), [1_000, 0, 0]);
        assert_eq!(choices(0, &[-600, mated_in(2)]), [1_000, 0]);
        assert_eq!(choices(0, &[mated_in(4), mated_in(2)]), [1_000, 0]);
    }

    #[test]
    fn points_are_overlooked_as_often_as_the_level_says() {
        let often = |level| {
            let strength = Strength::new(level, 3);
            (0..10_000).filter(|&key| strength.overlooks(&mut strength.chance(key))).count()
        };
        // A fifth at level 0, a twentieth half-way.
        assert!((1_800..2_200).contains(&often(0)) && (400..600).contains(&often(50)));
        assert_eq!(often(100), 0);
    }
}
