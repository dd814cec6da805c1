//! The tuning pipeline of halfstone: self-play games and evaluation tables fitted to them, through the engine's public
//! API only.
//!
//! * [`rng`]: a small seeded generator whose numbers never change;
//! * [`games`]: the file format of self-play games;
//! * [`selfplay`]: playing them;
//! * [`features`]: what fitting sees of a game;
//! * [`fit`]: logistic and softmax regression;
//! * [`run`]: from files of games to a file of weights;
//! * [`report`]: curves of a fit.

pub mod features;
pub mod fit;
pub mod games;
pub mod report;
pub mod rng;
pub mod run;
pub mod selfplay;
