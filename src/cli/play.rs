//! `play`: the protocol on stdin and stdout; with a colour, a person's game against the engine.

use std::io;
use std::process::ExitCode;

use super::person;

/// Speaks the protocol until the manager ends it.
pub(super) fn run() -> ExitCode {
    crate::protocol::run(io::stdin(), io::stdout())
}

/// Plays with a person if a colour is given, else speaks the protocol.
pub(super) fn run_with(args: &person::Args) -> ExitCode {
    if args.color.is_none() { run() } else { super::report(person::run(args)) }
}
