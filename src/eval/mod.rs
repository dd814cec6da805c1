//! Layer 3: the static evaluation.

use crate::board::Board;
use crate::pattern::PointClass;
use crate::types::{Color, Score};

/// What an empty point of each class is worth to its colour, None to Five.
const POINT_VALUE: [Score; 13] = [0, 4, 5, 12, 14, 24, 30, 60, 30, 44, 90, 100, 120];
/// What it is worth that it is one's turn.
const TEMPO: Score = 25;
/// How many ranks Black's classes drop while he holds the half stone: his fours threaten nothing yet.
const IN_HAND_PERCENT: Score = 60;
/// Largest value that [`evaluate`] returns, far from every mate score.
pub const MAX_EVAL: Score = 6_000;

/// The value of the position for the side to move, within ±[`MAX_EVAL`].
pub fn evaluate(board: &Board) -> Score {
    let us = board.side_to_move();
    let value = |color: Color| {
        let sum: Score = board.candidates().map(|cell| POINT_VALUE[board.class(color, cell) as usize]).sum();
        if color == Color::Black && board.half_in_hand() { sum * IN_HAND_PERCENT / 100 } else { sum }
    };
    (value(us) - value(!us) + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
}

/// What playing a point of this class promises, for ordering moves.
pub fn attack_value(class: PointClass) -> Score {
    const VALUE: [Score; 13] = [0, 20, 24, 50, 60, 110, 140, 300, 150, 220, 600, 1_000, 4_000];
    VALUE[class as usize]
}
