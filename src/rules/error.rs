//! What can be wrong with a move, a set-up or a record.

use thiserror::Error;

use crate::types::Rule;

/// Why a move cannot be played. Forbidden moves of renju and an early black five are not here: they can be played,
/// and lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The point is no point of this board.
    #[error("the point is off the board")]
    OffBoard,
    /// Something lies on the point.
    #[error("the point is taken")]
    Occupied,
    /// A half stone on a white turn.
    #[error("the half stone belongs to black")]
    HalfByWhite,
    /// A half stone after the one that Black had.
    #[error("the half stone has been placed before")]
    SecondHalf,
    /// A half stone under a rule that has none.
    #[error("there is no half stone under the rule {0}")]
    HalfUnderOtherRule(Rule),
    /// The game was over.
    #[error("the game is over")]
    GameOver,
}

/// Why a piece cannot be part of a starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPiece {
    /// The point is no point of this board.
    #[error("the point is off the board")]
    OffBoard,
    /// An earlier piece lies on the point.
    #[error("the point is taken")]
    Occupied,
    /// More than one half stone.
    #[error("there is one half stone at most")]
    SecondHalf,
    /// A half stone under a rule that has none.
    #[error("there is no half stone under the rule {0}")]
    HalfUnderOtherRule(Rule),
}

/// The first thing that makes a record illegal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A piece of the starting position.
    #[error("piece {number} of the starting position, {text}: {reason}")]
    Piece {
        /// Which piece, from 1 in the set-up's order.
        number: usize,
        /// The piece, as in `black h8`.
        text: String,
        /// What is wrong with it.
        reason: BadPiece,
    },
    /// A move.
    #[error("move {number}, {text}: {reason}")]
    Move {
        /// Which move of the record, from 1; the starting position is not counted.
        number: usize,
        /// The move in text notation.
        text: String,
        /// What is wrong with it.
        reason: IllegalMove,
    },
}
