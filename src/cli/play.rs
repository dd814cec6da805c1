//! `play`: the protocol on stdin and stdout; with a colour, a person's game against the engine.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::person;
use crate::protocol::Log;

/// Speaks the protocol until the manager ends it, and writes the dialogue to `log` if that is given.
pub(super) fn run(log: Option<&Path>) -> ExitCode {
    let log = log.map_or_else(Log::none, Log::to_file);
    crate::protocol::run_logged(io::stdin(), io::stdout(), log)
}

/// Plays with a person if a colour is given, else speaks the protocol.
pub(super) fn run_with(args: &person::Args) -> ExitCode {
    if args.color.is_none() { run(args.log.as_deref()) } else { super::report(person::run(args)) }
}
