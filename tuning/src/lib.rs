//! The tuning pipeline of halfstone: self-play games and evaluation tables fitted to them, through the engine's public
//! API only.
//!
//! * [`rng`]: a small seeded generator whose numbers never change;
//! * [`games`]: the file format of self-play games;
//! * [`selfplay`]: playing them.

pub mod games;
pub mod rng;
pub mod selfplay;
