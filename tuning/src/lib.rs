//! The tuning pipeline of halfstone: self-play games and evaluation tables fitted to them, through the engine's public
//! API only.
//!
//! * [`rng`]: a small seeded generator whose numbers never change;
//! * [`games`]: the file format of self-play games;
//! * [`crew`]: threads that share out work;
//! * [`files`]: files replaced as a whole;
//! * [`openings`]: balanced beginnings;
//! * [`selfplay`]: playing games;
//! * [`duel`]: matches between two sets of numbers;
//! * [`spsa`]: the numbers of the search, tuned by such matches;
//! * [`features`]: what fitting sees of a game;
//! * [`fit`]: logistic and softmax regression;
//! * [`pooled`]: the network beside the linear evaluation, as something to fit;
//! * [`run`]: from files of games to a file of weights;
//! * [`report`]: curves of a fit.

pub mod crew;
pub mod duel;
pub mod features;
pub mod files;
pub mod fit;
pub mod games;
pub mod openings;
pub mod pooled;
pub mod report;
pub mod rng;
pub mod run;
pub mod selfplay;
pub mod spsa;
