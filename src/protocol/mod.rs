//! Layer 8: the session: the Gomocup protocol with the Yixin dialect and the half-stone extension, from stdin to
//! stdout. `protocol.md` at the top of the repository is its contract.
//!
//! A reader thread turns the input into lines with their time of arrival, the searching thread reports into the
//! same queue, and the session owns everything else: the game, the settings, the engine. There is no lock.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod blocks;
mod clock;
mod error;
mod game;
mod log;
mod openings;
mod options;
mod output;
mod ponder;
mod queue;
mod reader;
mod report;
mod session;
mod think;
mod yixin;

use std::io::{Read, Write};
use std::process::ExitCode;

pub use log::Log;
use session::Session;

/// Speaks the protocol until `END`, the end of the input, or until nobody reads the output any more.
///
/// Nothing is written before the first command, each reply leaves in one write, and input of any kind, however
/// broken, ends in a reply line or in silence, never in a panic.
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> ExitCode {
    run_logged(input, output, Log::none())
}

/// The same, writing the dialogue down.
pub fn run_logged(input: impl Read + Send + 'static, output: impl Write, log: Log) -> ExitCode {
    let (sender, receiver) = std::sync::mpsc::channel();
    match reader::spawn(input, sender.clone()) {
        Ok(permits) => {
            Session::new(output, log, queue::Queue::new(receiver, permits), sender).run();
            ExitCode::SUCCESS
        }
        // Without a thread to read with there is nobody to tell.
        Err(_) => ExitCode::FAILURE,
    }
}
