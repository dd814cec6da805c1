//! `render`: the board of a game on the terminal, as SVG or PNG, and the record sheet.

mod board;
mod font;
mod graph;
mod png;
mod scene;
mod sheet;
mod svg;
mod terminal;
mod view;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;

pub(super) use self::graph::{GraphPoint, graph};
use self::view::View;
use super::files::{self, Reading};
use crate::formats::{Defaults, Format, Game};
use crate::game::GameRecord;
use crate::rules::{Position, Status};
use crate::types::{Cell, Rule, Size};

/// Distance between two points of a picture that another command draws, in pixels.
const PICTURE_CELL: f32 = 32.0;

/// What `render` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File to read; - for stdin
    #[arg(value_name = "IN", default_value = "-", conflicts_with = "moves")]
    input: PathBuf,
    /// Moves in text notation instead of a file
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// File to write; - for stdout
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// What to write [default: told by the name of OUT, else terminal]
    #[arg(long, value_name = "KIND")]
    to: Option<Kind>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The board after so many moves [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Number the moves
    #[arg(short, long)]
    numbers: bool,
    /// Mark the points that renju forbids to Black
    #[arg(long)]
    forbidden: bool,
    /// Candidate points with values, as in "h8=0.62 i9=0.5"; @FILE reads them from a file
    #[arg(long, value_name = "POINTS")]
    heat: Option<String>,
    /// The whole record sheet to print (svg and png)
    #[arg(long)]
    sheet: bool,
    /// Distance between two points of a picture, in pixels
    #[arg(long, value_name = "PX", default_value_t = 40, value_parser = clap::value_parser!(u16).range(8..=200))]
    cell: u16,
    /// Colours on the terminal; auto leaves them out when `NO_COLOR` is set
    #[arg(long, value_enum, default_value = "auto")]
    color: When,
    #[command(flatten)]
    reading: Reading,
}

/// Kinds of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Lines of text
    Terminal,
    /// A picture made of shapes
    Svg,
    /// A picture made of pixels
    Png,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Draws. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let game = game(args)?;
    let kind = args.to.or_else(|| kind_of(&args.output)).unwrap_or(Kind::Terminal);
    let mut view = View::of(&game.record);
    view.numbers = args.numbers || args.sheet;
    if args.forbidden {
        view.mark_forbidden(&game.record)?;
    }
    if let Some(heat) = &args.heat {
        let text = match heat.strip_prefix('@') {
            Some(path) => fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?,
            None => heat.clone(),
        };
        view.candidates = view::candidates(&text, view.size).context("--heat")?;
    }
    let picture = |chinese| {
        let cell = f32::from(args.cell);
        if args.sheet { sheet::picture(&game, &view, cell, chinese) } else { board::picture(&view, cell) }
    };
    let bytes = match kind {
        Kind::Terminal if args.sheet => bail!("the record sheet is a picture: give --to svg or --to png"),
        Kind::Terminal => text(&game, &view, wants_color(args)).into_bytes(),
        Kind::Svg => svg::draw(&picture(true)).into_bytes(),
        Kind::Png if files::is_stdio(&args.output) && io::stdout().is_terminal() => {
            bail!("a PNG on the terminal is no use: give -o FILE")
        }
        Kind::Png => png::draw(&picture(false))?,
    };
    files::write(&args.output, &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// The game that is asked for, cut at the move that is asked for.
fn game(args: &Args) -> anyhow::Result<Game> {
    let games = match &args.moves {
        Some(moves) if moves.trim().is_empty() => vec![Game::new(args.reading.rule, args.reading.size)],
        Some(moves) => {
            let defaults = Defaults { rule: args.reading.rule, size: args.reading.size };
            Format::Text.read(moves.as_bytes(), &defaults).context("--moves")?
        }
        None => args.reading.read(&args.input)?,
    };
    let source = args.moves.as_ref().map_or_else(|| files::shown(&args.input), |_| "--moves".to_owned());
    let mut game = files::nth(games, args.game, &source)?;
    files::cut(std::slice::from_mut(&mut game), args.at)?;
    Ok(game)
}

/// The board at the end of a record as lines of text.
pub(super) fn board_text(record: &GameRecord, color: bool) -> String {
    terminal::draw(&View::of(record), color)
}

/// The board at the end of a record with its moves numbered, as SVG.
pub(super) fn diagram(record: &GameRecord) -> String {
    let mut view = View::of(record);
    view.numbers = true;
    svg::draw(&board::picture(&view, PICTURE_CELL))
}

/// An empty board with a value on each point, as SVG: the higher, the hotter; points without any are left empty.
pub(super) fn heat_map(size: Size, values: &[(Cell, f64)]) -> String {
    let highest = values.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    let mut view = View::of(&GameRecord::new(Rule::HalfStone, size));
    view.candidates = values
        .iter()
        .filter(|(_, value)| *value > 0.0)
        .map(|&(cell, value)| view::Candidate {
            cell,
            value: value as f32,
            label: format!("{value:.0}"),
            share: (value / highest) as f32,
        })
        .collect();
    view.candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
    svg::draw(&board::picture(&view, PICTURE_CELL))
}

fn kind_of(path: &Path) -> Option<Kind> {
    Kind::from_str(path.extension()?.to_str()?, true).ok()
}

fn wants_color(args: &Args) -> bool {
    match args.color {
        When::Always => true,
        When::Never => false,
        When::Auto => files::is_stdio(&args.output) && files::color_is_welcome(),
    }
}

/// The board on the terminal with a line about the game and one for each candidate.
fn text(game: &Game, view: &View, color: bool) -> String {
    let record = &game.record;
    let mut text = terminal::draw(view, color);
    let last = record.moves().last().map_or(String::new(), |mv| format!(", last {}", mv.text(record.size())));
    let half = if record.half_in_hand() { ", half stone in hand" } else { "" };
    let state = match Position::from_record(record) {
        Err(error) => format!("illegal: {error}"),
        Ok(position) => match position.status() {
            Status::Won { winner, .. } => format!("{winner} has won"),
            Status::Drawn => "draw".to_owned(),
            Status::Ongoing => format!("{} to move", position.side_to_move()),
        },
    };
    let rule = game.rule().map_or("rule not told", Rule::name);
    text += &format!("{rule}, {} moves{last}{half}, {state}\n", record.moves().len());
    for (rank, candidate) in view.candidates.iter().enumerate() {
        let point = candidate.cell.text(view.size).to_string();
        text += &format!("{} {point:<3} {}\n", terminal::name(rank), candidate.label);
    }
    text
}
