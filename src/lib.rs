//! halfstone: a Gomoku/Renju engine that speaks the Gomocup (piskvork) protocol, for freestyle, standard, renju,
//! caro and the half-stone rule.
//!
//! The crate is built in layers; `docs/architecture.md` draws them, and a test holds every import to that table.

pub mod arena;
pub mod board;
pub mod cli;
pub mod control;
pub mod engine;
pub mod eval;
pub mod formats;
pub mod game;
pub mod movegen;
pub mod pattern;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod shapes;
pub mod solver;
pub mod tt;
pub mod types;
pub mod wire;
