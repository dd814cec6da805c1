//! `play`: the protocol on stdin and stdout.

use std::io;
use std::process::ExitCode;

/// Speaks the protocol until the manager ends it.
pub(super) fn run() -> ExitCode {
    crate::protocol::run(io::stdin(), io::stdout())
}
