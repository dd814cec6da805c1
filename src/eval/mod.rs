//! Layer 3: the static evaluation.
//!
//! The value of a position is a sum over its empty points of what their codes are worth to each colour, which the
//! board keeps up to date, plus a correction for whose turn it is given the hottest threats on the board. Both parts
//! are tables, so that they can be fitted to games.

mod tempo;
mod weights;

use std::sync::Arc;

use once_cell::sync::OnceCell;

use crate::board::Board;
use crate::pattern::PointTable;
use crate::types::{Color, Rule, Score};

/// Largest value that [`evaluate`] returns, far from every mate score.
pub const MAX_EVAL: Score = 6_000;
/// Evaluation units at which the win probability is 1 / (1 + 1/e), 73 %.
pub const WIN_RATE_SCALE: f64 = 200.0;

/// The point table of a rule, with the evaluation's weights. Made once.
pub fn points(rule: Rule) -> Arc<PointTable> {
    static TABLES: [OnceCell<Arc<PointTable>>; Rule::ALL.len()] =
        [const { OnceCell::new() }; Rule::ALL.len()];
    Arc::clone(
        TABLES[rule.index()].get_or_init(|| Arc::new(PointTable::new(rule, &weights::point_weights()))),
    )
}

/// The value of the position for the side to move, within ±[`MAX_EVAL`]. The board must have been made with
/// [`points`].
pub fn evaluate(board: &Board) -> Score {
    let us = board.side_to_move();
    let value = |color: Color| {
        let sum = board.value(color);
        // Black's shapes are worth a tempo less while the half stone is in hand.
        if board.delay(color) == 0 { sum } else { sum * weights::IN_HAND_PERCENT / 100 }
    };
    (value(us) - value(!us) + tempo::value(board)).clamp(-MAX_EVAL, MAX_EVAL)
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
