//! Layer 2: the slow, obvious reference for every rule: winning rows, renju's forbidden moves, enclosed fives, the
//! half stone, what may be played and how a game ends.
//!
//! It is the twin of the fast board and shares no code with it: a plain grid walked point by point, no tables and
//! nothing kept up to date. Tests compare the two, the referee of matches decides by it, and every win that the
//! engine claims is replayed on it. The rules themselves are written in `docs/rules.md`.

mod checker;
mod error;
mod grid;
mod outcome;
mod position;
mod renju;
mod row;

pub use checker::{Fault, Flaw, check_win};
pub use error::{BadPiece, IllegalMove, RecordError};
pub use outcome::{Status, WinReason};
pub use position::Position;
pub use renju::{Fouls, Judgement};

#[cfg(test)]
mod tests;
