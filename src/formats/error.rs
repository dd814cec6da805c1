//! What can go wrong in reading and writing, and where.

use thiserror::Error;

use super::Format;
use crate::types::{RuleError, SizeError};

/// Something in a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Something else should stand here.
    #[error("'{token}' cannot be read here (allowed: {allowed})")]
    Unexpected {
        /// What stands there; long ones are cut.
        token: String,
        /// What may stand there.
        allowed: String,
    },
    /// A point outside the board.
    #[error("'{token}' is off the board (allowed: {allowed})")]
    OffBoard {
        /// The point as it is written.
        token: String,
        /// Which points there are.
        allowed: String,
    },
    /// The file ends too early.
    #[error("the file ends here, before {0}")]
    Ended(&'static str),
    /// A board of a size that is not played.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A rule that is not known.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Something that a format has no way to hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}: the {format} format cannot hold {what}")]
pub struct WriteError {
    /// The format that was to be written.
    pub format: Format,
    /// Which game, from 1.
    pub game: usize,
    /// What it cannot hold.
    pub what: String,
}
