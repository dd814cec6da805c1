//! Layer 3: the static evaluation.
//!
//! The value of a position is a sum over its empty points of what their codes are worth to each colour, which the
//! board keeps up to date; a correction for whose turn it is, given the hottest threats on the board; and what a small
//! network makes of the codes together (`docs/evaluation.md`). All of it was fitted to games; `tuning/` makes the files
//! in `assets/weights` that are built in here.

mod file;
mod tempo;

use std::sync::Arc;

use once_cell::sync::OnceCell;

use crate::board::Board;
use crate::pattern::{PointTable, Weights};
use crate::types::{Rule, Score};

pub use file::{MOST_PROVENANCE, WeightFile, WeightsError};
pub use tempo::facts;

/// Largest value that [`evaluate`] returns, far from every mate score.
pub const MAX_EVAL: Score = 6_000;
/// Evaluation units at which the win probability is 1 / (1 + 1/e), 73 %.
pub const WIN_RATE_SCALE: f64 = 200.0;

/// The built-in files, by [`Rule::index`].
const FILES: [&[u8]; Rule::ALL.len()] = [
    include_bytes!("../../assets/weights/freestyle.bin"),
    include_bytes!("../../assets/weights/standard.bin"),
    include_bytes!("../../assets/weights/renju.bin"),
    include_bytes!("../../assets/weights/caro.bin"),
    include_bytes!("../../assets/weights/caro-five.bin"),
    include_bytes!("../../assets/weights/half-stone.bin"),
];

/// The built-in weights of a rule and where they come from.
///
/// # Errors
/// Never in a program whose tests pass: [`WeightsError`] if the file that was built in is broken.
pub fn built_in(rule: Rule) -> Result<WeightFile, WeightsError> {
    WeightFile::from_bytes(FILES[rule.index()])
}

/// Whether this build judges by the numbers set by hand: the feature `hand-set`.
pub const HAND_SET: bool = cfg!(feature = "hand-set");

/// The point table of a rule, with the evaluation's weights: the built-in ones, or those set by hand in a build with
/// [`HAND_SET`]. Made once.
pub fn points(rule: Rule) -> Arc<PointTable> {
    static TABLES: [OnceCell<Arc<PointTable>>; Rule::ALL.len()] =
        [const { OnceCell::new() }; Rule::ALL.len()];
    let make = || {
        let fitted = if HAND_SET { None } else { built_in(rule).ok() };
        let weights = fitted.map_or_else(|| Box::new(Weights::hand_set()), |file| file.weights);
        Arc::new(PointTable::new(rule, &weights))
    };
    Arc::clone(TABLES[rule.index()].get_or_init(make))
}

/// The value of the position for the side to move, within ±[`MAX_EVAL`]. The board must have been made with
/// [`points`], or with other weights to judge by.
#[inline]
pub fn evaluate(board: &Board) -> Score {
    let us = board.side_to_move();
    let tempo = board.points().tempo(us, facts(board));
    let together = board.points().network(us, board.pooled(us), board.pooled(!us)).clamp(-MAX_EVAL, MAX_EVAL);
    (board.value(us) - board.value(!us) + Score::from(tempo) + together).clamp(-MAX_EVAL, MAX_EVAL)
}

/// The probability, 0 to 1, that the side with this score wins (a draw counting half).
///
/// ```
/// use halfstone::eval::win_rate;
/// assert_eq!(win_rate(0), 0.5);
/// assert!(win_rate(200) > 0.73 && win_rate(200) < 0.74);
/// ```
pub fn win_rate(score: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / WIN_RATE_SCALE).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_file_is_whole_and_in_its_place() {
        for rule in Rule::ALL {
            assert_eq!(built_in(rule).map(|file| file.rule), Ok(rule));
        }
    }
}
