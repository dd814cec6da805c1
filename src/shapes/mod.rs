//! Layer 3: the names that people give to what a stone has just made: for each of its four lines the shape, and for
//! the point what the shapes are together, in English and Chinese.
//!
//! The definitions are those of the field, word by word, per rule: `line` finds the shapes of one line, `point` puts
//! four lines together, `name` holds the words. Nothing of it is fast, and the search does not use it; what it does
//! share with the search is only the [`LineJudge`](crate::pattern::LineJudge), which says what a finished row is
//! worth.
//!
//! * A *four* (四) is four stones of one colour on five successive points of a line, and no fifth. It is *straight*
//!   (活四) with two points that make five, *closed* (冲四) with one, *dead* (死四) with none.
//! * A *three* (三) is three on five points. It is *live* (活三) if one more stone makes a straight four of it, *closed*
//!   (眠三) if one more makes a closed four, *dead* (死三) if it cannot become five.
//! * A *two* (二) likewise: one more stone makes a live three (活二) or a closed three (眠二), or no five is possible
//!   (死二).
//!
//! What makes five is what wins under the rule in force. Where two points make five but one enemy stone stops both,
//! which only happens under caro, the four is not straight. For Black under renju the stones that make the live three
//! and the straight four must not be forbidden and must not make five elsewhere, as the official judge reads it; a
//! three whose straight four is forbidden is a closed three.

mod line;
mod name;
mod point;

pub use line::{Kind, Shape};
pub use point::{Combination, Consequence, Sente, Shapes, of};
