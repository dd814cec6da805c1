//! Small scripted dialogues that any Gomocup engine can be tried on, written as data in `checks.txt`.
//!
//! Each check starts the engine anew, sends lines and looks at what comes back: one reply where one is due, silence
//! where nothing is, a point of the board that is empty, in time; and that the engine lives on, or ends when told to.

mod dialogue;
mod script;

pub use dialogue::Settings;
pub use script::{Check, Step};

use super::error::ArenaError;

/// The groups of checks, with what each is about, and whether it belongs to the core of the protocol.
pub const GROUPS: [(&str, &str, bool); 11] = [
    ("start", "START, END and the process", true),
    ("moves", "moves and their form", true),
    ("board", "BOARD and TAKEBACK", true),
    ("info", "settings, which are never answered", true),
    ("clock", "time limits", true),
    ("robustness", "garbage and long runs", true),
    ("rules", "standard and renju", true),
    ("extensions", "the Yixin dialect, small boards, TAKEBACK", false),
    ("swap2", "SWAP2BOARD", false),
    ("caro", "rules 8 and 9", false),
    ("half-stone", "rule 32", false),
];

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed.
    Failed {
        /// What was wrong.
        problem: String,
        /// The dialogue, with seconds since the start.
        transcript: Vec<String>,
    },
}

/// All checks, in order.
///
/// # Errors
/// [`ArenaError::Settings`] if the data is broken, which a test excludes.
pub fn checks() -> Result<Vec<Check>, ArenaError> {
    script::parse(include_str!("checks.txt")).map_err(ArenaError::Settings)
}

/// Tries an engine on one check.
///
/// # Errors
/// [`ArenaError::Settings`] if the engine cannot be started.
pub fn run(check: &Check, settings: &Settings) -> Result<Verdict, ArenaError> {
    dialogue::run(check, settings)
}
