//! What can go wrong in the runner itself. What engines do wrong is no error: it is the result of a game.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::formats::{ReadError, WriteError};

/// A match or check that cannot go on.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A description of an engine that cannot be read.
    #[error("--engine '{text}': {problem}")]
    Engine {
        /// The description.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Settings that do not fit together.
    #[error("{0}")]
    Settings(String),
    /// A file that cannot be read or written.
    #[error("cannot {verb} {}", path.display())]
    File {
        /// `read` or `write`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of openings or games that cannot be understood.
    #[error("{}", path.display())]
    Records {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ReadError,
    },
    /// An opening that cannot be played.
    #[error("{place}: not an opening: {problem}")]
    Opening {
        /// File and line.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Games that a format cannot hold.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A state file that cannot be understood.
    #[error("{}: not the state of a match: {problem}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The engine that was asked for advice gave none.
    #[error("the engine that balances the openings {0}")]
    Adviser(String),
}

impl ArenaError {
    /// An error in reading or writing a file.
    pub(super) fn file(verb: &'static str, path: impl Into<PathBuf>, source: io::Error) -> ArenaError {
        ArenaError::File { verb, path: path.into(), source }
    }
}
