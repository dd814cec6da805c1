//! Layer 5: the search. It takes a position, limits and a listener, and returns a value; it never prints, parses
//! or reads a clock format.
//!
//! * `picker`: which moves to try, in which order;
//! * `history`: what earlier parts of the search learnt about moves;
//! * `params`: the numbers, each behind a name;
//! * `pvs`: the recursive search;
//! * `iterate`: iterative deepening at the root;
//! * `prove`: the solver of threats on the best line;
//! * `pool`: several threads on one table;
//! * `vote`: which of their moves is played.

mod history;
mod iterate;
mod params;
mod picker;
mod pool;
mod prove;
mod pvs;
#[cfg(test)]
mod tests;
mod vote;

pub use iterate::{Iteration, Line, News};
pub use params::{Parameter, ParameterError, Parameters};
pub use pool::{Excluded, Outcome, STACK_BYTES, Settings, keep_spares, search, search_with_news};
