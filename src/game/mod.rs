//! Layer 1: game records, their text notation, the symmetries of the board, and opening rules.
//!
//! A record is plain data: what was set up and what was played. Whether that was legal, and who won, is for
//! [`crate::rules`] to say.

mod meta;
mod notation;
pub mod opening;
mod record;
mod symmetry;

pub use meta::{Claim, Meta, MoveNote};
pub use notation::{NotationError, parse_moves, print_moves};
pub use record::{GameRecord, Setup};
pub use symmetry::Symmetry;
