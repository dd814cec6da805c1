//! Layer 1: what a line through an empty point would be worth, for every rule, as tables.
//!
//! One recursive definition (`window`) over one judge per rule and colour (`judge`) says which of the 14
//! [`LineClass`]es a line would have after a stone on its centre. The unordered four classes of a point make one of
//! [`CODES`] codes (`code`), and a code makes a [`PointClass`] (`point`). What codes are worth are the numbers of an
//! evaluation (`weights`, `network`). [`Patterns::of`] builds the tables of a rule when they are first asked for.

mod class;
mod code;
mod hand_set;
mod judge;
mod network;
mod offset;
mod point;
mod tables;
mod weights;
mod window;

pub use class::{LineClass, PointClass};
pub use code::{CODES, code_of, lines_of};
pub use hand_set::hand_set_promise;
pub use judge::{Flank, LineJudge, Verdict};
pub use network::{
    ArrangedHead, HIDDEN, HIDDEN_SHIFT, Head, LANES, MOST_BIAS, MOST_CODE, MOST_HIDDEN, Network,
    OUTPUT_SHIFT, SUM_SHIFT,
};
pub(crate) use network::{Delta, Pooling, Sums, add};
pub use offset::{OFFSETS, OffsetTable, offset_class};
pub(crate) use point::CODE_SLOTS;
pub use point::{Digest, MoveTable, PhaseTable, PointRecord, PointTable, digest};
pub use tables::Patterns;
pub use weights::{SideWeights, TEMPO_SLOTS, Weights, fact};
pub use window::{NARROW_KEYS, WIDE_KEYS, WindowTable, build_view};
