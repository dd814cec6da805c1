//! `play`: the protocol on stdin and stdout; with a colour, a person's game against the engine.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::person;
use crate::protocol::Log;

/// Speaks the protocol until the manager ends it, and writes the dialogue to `log` if that is given.
pub(super) fn run(log: Option<&Path>) -> ExitCode {
    let file = log.map_or_else(Log::none, Log::to_file);
    keep_panics_off_stderr(log.filter(|_| file.is_open()));
    crate::protocol::run_logged(io::stdin(), io::stdout(), file)
}

/// A search that panics is survived and answered for; some managers take anything on stderr for an end. The log has it.
fn keep_panics_off_stderr(log: Option<&Path>) {
    let log = log.map(Path::to_owned);
    std::panic::set_hook(Box::new(move |panic| {
        if let Some(path) = &log
            && let Ok(mut file) = OpenOptions::new().append(true).open(path)
        {
            let _ = writeln!(file, "{panic}");
        }
    }));
}

/// Plays with a person if a colour is given, else speaks the protocol.
pub(super) fn run_with(args: &person::Args) -> ExitCode {
    if args.color.is_none() { run(args.log.as_deref()) } else { super::report(person::run(args)) }
}
