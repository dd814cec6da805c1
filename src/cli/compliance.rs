//! `compliance`: tries an engine on small dialogues of the protocol.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::bail;

use super::{files, signals};
use crate::arena::compliance::{self, Check, GROUPS, Settings, Verdict};
use crate::arena::split_command;
use crate::control::StopSignal;

/// What `compliance` is asked to do.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// The engine's command, split as a shell does; self is this program
    #[arg(value_name = "ENGINE", required_unless_present = "list")]
    engine: Option<String>,
    /// Run the extensions as well: Yixin's dialect, swap2, caro, half stone
    #[arg(long)]
    all: bool,
    /// Run these groups or checks only
    #[arg(long, value_name = "GROUP|CHECK", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these groups or checks out
    #[arg(long, value_name = "GROUP|CHECK", value_delimiter = ',')]
    skip: Vec<String>,
    /// Multiply all times for answers, for a busy machine
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    slack: f64,
    /// Print the checks instead of running them
    #[arg(long)]
    list: bool,
    /// Print the failing checks only
    #[arg(long)]
    quiet: bool,
}

const HELP: &str = "\
Groups: start, moves, board, info, clock, robustness, rules; with --all, or when named by --only, also extensions, \
swap2, caro, half-stone. Each check starts the engine anew. Of a failing one the dialogue is printed.

Exit code: 0 all passed, 1 something failed, 2 error.";

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.1..=100.0).contains(&value) => Ok(value),
        _ => Err("a factor from 0.1 to 100 is needed".to_owned()),
    }
}

/// Runs the checks. The exit code is 0 if all pass, else 1.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let checks = chosen(args)?;
    if args.list {
        let lines: String = checks
            .iter()
            .map(|check| format!("{:<12} {:<20} {}\n", check.group, check.name, check.title))
            .collect();
        files::print(lines.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let command = match args.engine.as_deref().unwrap_or("self") {
        "self" => files::own_command()?,
        text => match split_command(text) {
            Ok(command) => command,
            Err(problem) => bail!("'{text}': {problem}"),
        },
    };
    if checks.is_empty() {
        bail!("--skip leaves no check of those that --only names");
    }
    // The first signal ends the program, and the engine with it.
    let at_once = StopSignal::default();
    at_once.raise();
    signals::listen(&at_once);
    let settings = Settings { command, slack: args.slack, stop: StopSignal::default() };
    let mut failed = 0;
    for (number, check) in checks.iter().enumerate() {
        if std::io::stderr().is_terminal() {
            // A closed stderr is no reason to stop.
            let _ = write!(std::io::stderr(), "\r{}/{} {:<24}\r", number + 1, checks.len(), check.name);
        }
        let text = match compliance::run(check, &settings)? {
            Verdict::Passed if args.quiet => continue,
            Verdict::Passed => format!("pass  {:<12} {}\n", check.group, check.title),
            Verdict::Failed { problem, transcript } => {
                failed += 1;
                let lines: String = transcript.iter().map(|line| format!("      {line}\n")).collect();
                format!(
                    "FAIL  {:<12} {} [{}]\n      {problem}\n{lines}",
                    check.group, check.title, check.name
                )
            }
        };
        match files::print_open(text.as_bytes()) {
            // Nobody wants to know the rest.
            Err(error) if files::is_closed_pipe(&error) => break,
            told => told?,
        }
    }
    files::print(format!("passed {}, failed {failed}\n", checks.len() - failed).as_bytes())?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The checks that the options choose.
fn chosen(args: &Args) -> anyhow::Result<Vec<Check>> {
    let checks = compliance::checks()?;
    let names =
        |list: &[String], check: &Check| list.iter().any(|word| *word == check.group || *word == check.name);
    for word in args.only.iter().chain(&args.skip) {
        let known = |check: &Check| check.group == *word || check.name == *word;
        if !checks.iter().any(known) {
            let groups: Vec<&str> = GROUPS.iter().map(|&(group, ..)| group).collect();
            bail!(
                "no group or check is called '{word}' (groups: {}; checks: see --list --all)",
                groups.join(", ")
            );
        }
    }
    let core = |check: &Check| GROUPS.iter().any(|&(group, _, core)| core && group == check.group);
    let wanted = |check: &Check| match args.only.as_slice() {
        [] => args.all || core(check),
        only => names(only, check),
    };
    Ok(checks.into_iter().filter(|check| wanted(check) && !names(&args.skip, check)).collect())
}
