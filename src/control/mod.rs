//! Layer 1: what limits a search and how it is told to stop.

mod clock;
mod limits;
mod stop;

pub use clock::Clock;
pub use limits::Limits;
pub use stop::StopSignal;
