//! Layer 1: what limits a search and how it is told to stop.

mod limits;
mod stop;

pub use limits::Limits;
pub use stop::StopSignal;
