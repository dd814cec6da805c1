//! Layer 1: what a line through an empty point would be worth, for every rule, as tables.
//!
//! One recursive definition (`window`) over one judge per rule and colour (`judge`) says which of the 14
//! [`LineClass`]es a line would have after a stone on its centre. The unordered four classes of a point make one of
//! [`CODES`] codes (`code`), and a code makes a [`PointClass`] (`point`). [`Patterns::of`] builds the tables of a
//! rule when they are first asked for.

mod class;
mod code;
mod judge;
mod point;
mod tables;
mod window;

pub use class::{LineClass, PointClass};
pub use code::{CODES, code_of, lines_of};
pub use judge::{Flank, LineJudge, Verdict};
pub use point::{Digest, PointRecord, PointTable, Weights, digest};
pub use tables::Patterns;
pub use window::{NARROW_KEYS, WIDE_KEYS, WindowTable, build_view};
