//! Layer 9: the command line. One file per subcommand; without one, the engine speaks the protocol, since that is
//! how managers start it.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod bench;
mod play;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A Gomoku/Renju engine for the Gomocup protocol, with the half-stone rule.
#[derive(Debug, Parser)]
#[command(name = "pbrain-halfstone", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak the protocol on stdin and stdout (the default)
    Play,
    /// Search fixed positions and print the signature
    Bench(bench::Args),
}

/// Runs the program. The exit code is 0 for success and 2 for a command line that cannot be read.
pub fn main() -> ExitCode {
    match Arguments::parse().command.unwrap_or(Command::Play) {
        Command::Play => play::run(),
        Command::Bench(args) => bench::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
