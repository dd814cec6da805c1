//! Layer 8: matches between engines that speak the Gomocup protocol, and checks of one engine's protocol.
//!
//! Every engine, ours included, is a process of its own, and every move is judged by [`crate::rules`] alone: the
//! referee shares no code with the players. Whatever an engine does, it can lose its game and nothing more: reading
//! never blocks without a deadline, output is bounded, and the process group is killed when the game is over.
//!
//! | submodule | what |
//! |---|---|
//! | `config` | what a match is: engines, limits, rule, adjudication |
//! | `process`, `inbox`, `memory` | one engine process: pipes, deadlines, what it takes in memory |
//! | `player`, `clock` | the protocol as the manager speaks it, and the clock |
//! | `game`, `ending`, `log` | one game from START to END, why it ended, its dialogue |
//! | `openings`, `schedule` | what is played by whom |
//! | `statistics`, `sprt`, `tally`, `report` | what comes out |
//! | `runner`, `state`, `files` | games side by side; resuming; PGN, SGF and psq |
//! | `compliance` | small scripted dialogues that any engine can be tried on |
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod clock;
pub mod compliance;
mod config;
mod ending;
mod error;
mod files;
mod game;
mod inbox;
mod log;
mod memory;
mod openings;
mod player;
mod process;
mod report;
mod runner;
mod schedule;
mod sprt;
mod state;
mod statistics;
mod tally;

pub use config::{
    Config, EngineSpec, Format as Tournament, Limits as EngineLimits, Resign, shell_word, split_command,
};
pub use ending::{Ending, Reason, Winner};
pub use error::ArenaError;
pub use files::{Files, refuse_existing};
pub use game::{PlayedGame, Step};
pub use openings::{Adviser, load as load_openings, random as random_openings};
pub use player::Conduct;
pub use process::kill_all as kill_engines;
pub use report::{live, report, summary};
pub use runner::{Match, Observer, Outcome};
pub use schedule::{Job, jobs};
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use state::State;
pub use statistics::{Counts, Estimate, Games, Pairs, elo_of_score, normal_cdf, score_of_elo};
pub use tally::{EngineTally, Pairing, Tally};
