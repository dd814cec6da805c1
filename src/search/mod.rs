//! Layer 5: the search. It takes a position, limits and a listener, and returns a value; it never prints, parses
//! or reads a clock format.
//!
//! * [`tactics`]: what the position forces, by the counters of the board alone;
//! * `picker`: which moves to try, in which order;
//! * `history`: what earlier parts of the search learnt about moves;
//! * `pvs`: the recursive search and its quiescence;
//! * `iterate`: iterative deepening at the root;
//! * `pool`: several threads on one table.

mod history;
mod iterate;
mod picker;
mod pool;
mod pvs;
pub mod tactics;

pub use iterate::{Iteration, Line};
pub use pool::{Outcome, STACK_BYTES, Settings, search};
