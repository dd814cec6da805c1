//! `analyze`: the best moves of a position with scores and variations, or the course of a whole game.

mod output;
mod whole;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;

use self::output::Output;
use super::ask::{self, Effort, Power, ask};
use super::files::{self, Reading};
use crate::engine::Engine;
use crate::formats::Game;
use crate::rules::Position;

/// Without any limit: for a position, and for each position of a game.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
const DEFAULT_TIME_IN_GAME: Duration = Duration::from_secs(1);

/// What `analyze` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Moves in text notation, or files; - for stdin
    #[arg(value_name = "POSITION", required = true)]
    positions: Vec<String>,
    /// How many of the best moves to show
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=50))]
    lines: u16,
    /// Deepest iteration, in plies
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Most nodes to search
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds to think [default: 5, for each move of a game 1; none if depth or nodes are given]
    #[arg(short, long, value_name = "SECONDS", value_parser = ask::seconds)]
    time: Option<Duration>,
    /// The position after so many moves [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Analyse every position of the game and mark the mistakes
    #[arg(long, conflicts_with = "lines")]
    game: bool,
    /// Write the course of the game to this SVG file
    #[arg(long, value_name = "FILE", requires = "game")]
    graph: Option<PathBuf>,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
    /// Whether to redraw a table in place or to print line after line; auto redraws on a terminal
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", conflicts_with_all = ["json", "game"])]
    table: Table,
    #[command(flatten)]
    power: Power,
    #[command(flatten)]
    reading: Reading,
}

/// When to redraw a table in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Table {
    Auto,
    Always,
    Never,
}

/// A position or game to analyse.
struct Subject {
    source: String,
    /// From 1, over all sources.
    number: usize,
    game: Game,
}

impl Args {
    fn effort(&self, default: Duration) -> Effort {
        let time = self.time.or((self.depth.is_none() && self.nodes.is_none()).then_some(default));
        Effort { depth: self.depth, nodes: self.nodes, time, clocked: false }
    }
}

/// Analyses. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut subjects = Vec::new();
    for text in &args.positions {
        let (source, mut games) = args.reading.read_position(text)?;
        files::cut(&mut games, args.at).with_context(|| source.clone())?;
        for game in games {
            // Everything is looked at before anything is searched.
            Position::from_record(&game.record).with_context(|| format!("{source}:{}", game.line))?;
            let number = subjects.len() + 1;
            subjects.push(Subject { source: source.clone(), number, game });
        }
    }
    if subjects.is_empty() {
        bail!("there is no position to analyse");
    }
    if args.graph.is_some() && subjects.len() > 1 {
        bail!("a graph shows one game, but there are {}", subjects.len());
    }
    let mut engine = args.power.engine();
    for subject in &subjects {
        engine.new_game();
        let done = if args.game {
            whole::run(args, &mut engine, subject)
        } else {
            position(args, &mut engine, subject)
        };
        match done {
            // Whoever reads has seen enough.
            Err(error) if files::is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
            other => other?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The best moves of one position.
fn position(args: &Args, engine: &mut Engine, subject: &Subject) -> anyhow::Result<()> {
    let record = &subject.game.record;
    let status = Position::from_record(record)?.status();
    let mut output = Output::new(args, subject);
    output.start()?;
    if status.is_over() {
        return output.over(status);
    }
    let lines = usize::from(args.lines);
    let found = ask(engine, record, lines, args.effort(DEFAULT_TIME), |lines| output.iteration(lines))?;
    output.done(&found)
}
