//! A small seeded generator whose numbers are the same on every machine and in every version: games and fits are
//! reproduced from their seeds. It is the one that the engine's own games in process are drawn by.

pub use halfstone::selfplay::Rng;
