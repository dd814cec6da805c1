//! Layer 0: the small value types that every other module speaks in.
//!
//! Nothing here knows a rule, a pattern or a protocol. All types are `Copy`, fit a register, and are checked
//! once, where they are made.

mod cell;
mod cell_set;
mod color;
mod moves;
mod rule;
mod score;

pub use cell::{Cell, Direction, MARGIN, PADDED_CELLS, STRIDE, Size, SizeError};
pub use cell_set::{CellSet, CellSetIter};
pub use color::Color;
pub use moves::{Move, MoveKind, Piece};
pub use rule::{Rule, RuleError};
pub use score::{Bound, DRAW, Depth, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, Score, mate_in, mated_in};
