//! Why a command that was understood could not be carried out.

use thiserror::Error;

use crate::game::opening::OpeningError;
use crate::types::{Color, Size, SizeError};
use crate::wire::{BlockStone, Point, WireError};

/// A command that fails. It is answered by one `ERROR` line with this text, and nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum SessionError {
    #[error(transparent)]
    Wire(#[from] WireError),
    #[error("no game yet (send START first)")]
    NoGame,
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error("unsupported board {width}x{height} (allowed: squares)")]
    Rectangle { width: i64, height: i64 },
    #[error("unsupported rule {0} (allowed: 0, 1, 4, 8, 9, 32)")]
    Rule(i64),
    #[error("{point} is outside the board (allowed: 0 to {max})", max = .size.get() - 1)]
    OffBoard { point: Point, size: Size },
    #[error("{0} is occupied")]
    Occupied(Point),
    #[error("BEGIN on a board that is not empty (send START or RESTART first)")]
    NotEmpty,
    #[error("{point} is not the last move (allowed: {last})")]
    NotLast { point: Point, last: Point },
    #[error("{0} is not the last move (there is none)")]
    NoMoves(Point),
    #[error("DONE outside a block")]
    StrayDone,
    #[error("the game is over: {0} has won")]
    Won(Color),
    #[error("the game is over: the board is full")]
    Drawn,
    #[error("illegal position: {0}")]
    Illegal(String),
    #[error("half stone on {0}: they exist under rule 32 only")]
    HalfRule(Point),
    #[error("half stone on {0}: White has none")]
    HalfWhite(Point),
    #[error("half stone on {0}: it has been placed already")]
    HalfTwice(Point),
    #[error("half stone on {0}: only stones are placed in an opening")]
    HalfOpening(Point),
    #[error("bad field in '{point},{field}' (allowed: 1 to 5)", point = .0.point, field = .0.field.unwrap_or(0))]
    Field(BlockStone),
    #[error("a block of more than {0} lines")]
    LongBlock(usize),
    #[error("line too long (allowed: {} bytes)", super::reader::LINE_LIMIT)]
    LongLine,
    #[error("SWAP2BOARD with {0} stones (allowed: 0, 3 or 5)")]
    Swap2Count(usize),
    #[error("{command} with {count} stones (allowed: {allowed})")]
    StepCount { command: &'static str, count: usize, allowed: &'static str },
    #[error("{0} fifth moves (allowed: 1 to 8)")]
    FifthCount(i64),
    #[error("{0}: missing number of fifth moves (allowed: 1 to 8)")]
    NoNumber(&'static str),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("no move found")]
    NoMove,
    #[error("the search has failed")]
    SearchLost,
}
