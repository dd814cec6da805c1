//! What can be wrong with a line.

use thiserror::Error;

use super::Token;

/// A line that is no command. The text names the bad token and what is allowed in its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// The first word is no command word.
    #[error("unknown command '{0}'")]
    UnknownCommand(Token),
    /// An argument is missing.
    #[error("{command}: missing argument (allowed: {allowed})")]
    Missing {
        /// The command word.
        command: &'static str,
        /// What may stand there.
        allowed: &'static str,
    },
    /// An argument cannot be read, or there is more of it than allowed.
    #[error("{command}: bad argument '{token}' (allowed: {allowed})")]
    Bad {
        /// The command word.
        command: &'static str,
        /// What was there instead.
        token: Token,
        /// What may stand there.
        allowed: &'static str,
    },
    /// An `INFO` line with a key that nobody knows.
    #[error("INFO: unknown key '{0}'")]
    UnknownInfo(Token),
    /// An `INFO` line whose value cannot be read.
    #[error("INFO {key}: bad value '{value}' (allowed: an integer)")]
    InfoValue {
        /// The key's name.
        key: &'static str,
        /// What was there instead.
        value: Token,
    },
}

impl WireError {
    /// Whether the error must not be reported: nothing is ever written in answer to `INFO`, whatever it says.
    pub fn is_silent(&self) -> bool {
        matches!(self, WireError::UnknownInfo(_) | WireError::InfoValue { .. })
    }
}
