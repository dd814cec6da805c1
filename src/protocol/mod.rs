//! Layer 8: the session: the Gomocup protocol with the Yixin dialect and the half-stone extension, from stdin to
//! stdout. `protocol.md` at the top of the repository is its contract.
//!
//! A reader thread turns the input into lines with their time of arrival, the searching thread reports into the
//! same queue, and the session owns everything else: the game, the settings, the engine. There is no lock. The thread
//! that called waits for the session, but not for a reader of the output that has stopped reading.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod blocks;
mod clock;
mod error;
mod game;
mod leave;
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
use std::sync::mpsc::channel;
use std::thread;

use leave::{Leave, LeftNotice, Unfinished};
pub use log::Log;
use output::{Output, Pulse};
use queue::Queue;
use session::Session;

/// Speaks the protocol until `END`, the end of the input, or until nobody reads the output any more. The code is a failure
/// only if lines could not be written although the output is open, or if the session has panicked.
///
/// Nothing is written before the first command, each reply leaves in one write, and input of any kind, however
/// broken, ends in a reply line or in silence, never in a panic.
pub fn run(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> ExitCode {
    run_logged(input, output, Log::none())
}

/// The same, writing the dialogue down.
pub fn run_logged(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    log: Log,
) -> ExitCode {
    let (sender, receiver) = channel();
    let (notices, news) = channel();
    let (pulse, unfinished) = (Pulse::default(), Unfinished::default());
    let output = Output::new(output, log, pulse.clone());
    // Without threads there is nobody to talk to.
    let Ok(permits) = reader::spawn(input, sender.clone(), notices.clone()) else { return ExitCode::FAILURE };
    let work = unfinished.clone();
    let session = move || {
        let _left = LeftNotice(notices);
        Session::new(output, Queue::new(receiver, permits), sender, work).run();
    };
    let Ok(session) = thread::Builder::new().name("session".to_owned()).spawn(session) else {
        return ExitCode::FAILURE;
    };
    match leave::wait(&news, &pulse, &unfinished) {
        Leave::Finished if session.join().is_ok() => ExitCode::SUCCESS,
        Leave::Finished | Leave::Stuck => ExitCode::FAILURE,
    }
}
