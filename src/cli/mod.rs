//! Layer 9: the command line. One file per subcommand; without one, the engine speaks the protocol, since that is
//! how managers start it.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod analyze;
mod ask;
mod bench;
mod check;
mod compliance;
mod convert;
mod files;
mod match_;
mod opening;
mod person;
mod play;
mod render;
mod shapes;
mod signals;
mod solve;
mod study;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A Gomoku/Renju engine for the Gomocup protocol, with the half-stone rule.
#[derive(Debug, Parser)]
#[command(name = "pbrain-halfstone", version, about, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Write what is heard and said in the protocol to the end of this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak the protocol on stdin and stdout (the default); with --color, play against a person
    Play(person::Args),
    /// Search fixed positions and print the signature
    Bench(bench::Args),
    /// Convert game records between formats
    Convert(convert::Args),
    /// Draw a game: on the terminal, as SVG or PNG, or as a record sheet
    Render(render::Args),
    /// Play engines against each other and tell which is stronger
    Match(Box<match_::Args>),
    /// Try an engine on the rules of the protocol
    Compliance(compliance::Args),
    /// Say whether game records are legal, who won and why, and where the foul was
    Check(check::Args),
    /// Name the shapes that a stone makes, in English and Chinese
    Shapes(shapes::Args),
    /// Show the best moves of a position, or the mistakes of a whole game
    Analyze(analyze::Args),
    /// Prove wins by continuous fours or threats, and find the moves that defend
    Solve(solve::Args),
    /// Measure the half-stone rule beside others by games of the engine against itself
    Study(Box<study::Args>),
}

/// Runs the program. The exit code is 0 for success; 1 if `check` or `compliance` has found something wrong, `solve` has
/// come to no answer within its limits, or the test of `match` has accepted H0; 2 for an error, such as a command line
/// or a file that cannot be read; and 130 for a `match` that was stopped by a signal.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        None => play::run(arguments.log.as_deref()),
        Some(command) => run(&command),
    }
}

fn run(command: &Command) -> ExitCode {
    match command {
        Command::Play(args) => play::run_with(args),
        Command::Bench(args) => bench::run(args),
        Command::Convert(args) => report(convert::run(args)),
        Command::Render(args) => report(render::run(args)),
        Command::Match(args) => report(match_::run(args)),
        Command::Compliance(args) => report(compliance::run(args)),
        Command::Check(args) => report(check::run(args)),
        Command::Shapes(args) => report(shapes::run(args)),
        Command::Analyze(args) => report(analyze::run(args)),
        Command::Solve(args) => report(solve::run(args)),
        Command::Study(args) => report(study::run(args)),
    }
}

/// The exit code of a subcommand; an error goes to stderr and is 2.
fn report(result: anyhow::Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("pbrain-halfstone: {error:#}");
        ExitCode::from(2)
    })
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
