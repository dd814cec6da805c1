//! `shapes`: the names of what a stone makes, in English and Chinese.

use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::files::{self, Reading};
use crate::formats::Game;
use crate::game::{GameRecord, parse_moves};
use crate::rules::Position;
use crate::shapes::{self, Consequence, Kind, Sente, Shape, Shapes};
use crate::types::{Cell, Direction, Move, Size};

/// What `shapes` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Moves in text notation, or a file; - for stdin
    #[arg(value_name = "POSITION")]
    position: String,
    /// The move to name [default: the last one of the position]
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    mv: Option<String>,
    /// Write a JSON object
    #[arg(long)]
    json: bool,
    /// Which game of a file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    nth: usize,
    /// The position after so many moves [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    #[command(flatten)]
    reading: Reading,
}

/// Names the shapes. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (source, games) = args.reading.read_position(&args.position)?;
    let mut game = files::nth(games, args.nth, &source)?;
    files::cut(std::slice::from_mut(&mut game), args.at)?;
    let mv = match &args.mv {
        Some(text) => one_move(text, game.record.size())?,
        None => game.record.pop().with_context(|| format!("{source}: there is no move to name"))?,
    };
    let made = made(&source, &game, mv)?;
    let size = game.record.size();
    let text = if args.json { files::json_line(&json(&made, size)) } else { describe(&made, size) };
    files::print(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The only move of a text.
pub(super) fn one_move(text: &str, size: Size) -> anyhow::Result<Move> {
    match parse_moves(text, size)?.as_slice() {
        &[mv] => Ok(mv),
        _ => bail!("'{text}' is not one move (allowed: a point such as h8, *h8 for the half stone)"),
    }
}

fn made(source: &str, game: &Game, mv: Move) -> anyhow::Result<Shapes> {
    let position = Position::from_record(&game.record).with_context(|| source.to_owned())?;
    if mv == Move::PASS {
        bail!("'--' makes no shape (allowed: a point such as h8, *h8 for the half stone)");
    }
    shapes::of(&position, mv).with_context(|| mv.text(game.record.size()).to_string())
}

/// One line of text for each line of the board, and one for the point.
fn describe(made: &Shapes, size: Size) -> String {
    let mut text = format!("{} {}, {}\n", made.color, made.mv.text(size), made.rule);
    if !made.mv.is_half() {
        for (direction, line) in Direction::ALL.into_iter().zip(&made.lines) {
            let shapes: Vec<String> = line.iter().map(|shape| describe_shape(shape, size)).collect();
            let shapes = if shapes.is_empty() { "nothing".to_owned() } else { shapes.join("; ") };
            text += &format!("{:<11} {shapes}\n", name(direction));
        }
    }
    let notes = notes(made, size);
    text + &format!(
        "{:<11} {}\n",
        "point",
        if notes.is_empty() { "nothing more".to_owned() } else { notes.join("; ") }
    )
}

fn describe_shape(shape: &Shape, size: Size) -> String {
    let goes_on = match shape.kind {
        Kind::StraightFour | Kind::ClosedFour => "five",
        Kind::LiveThree => "straight four",
        Kind::ClosedThree => "four",
        Kind::LiveTwo => "live three",
        Kind::ClosedTwo => "closed three",
        _ => "",
    };
    let wins = match shape.kind {
        Kind::Five | Kind::Overline if !shape.wins => ", wins nothing",
        _ => "",
    };
    let mut text =
        format!("{} ({}): {}{wins}", shape.english(), shape.chinese(), points(&shape.stones, size).join(" "));
    if !shape.next.is_empty() {
        text += &format!(", {goes_on} at {}", points(&shape.next, size).join(" "));
    }
    text
}

/// What the point as a whole is.
fn notes(made: &Shapes, size: Size) -> Vec<String> {
    let both = |english: &str, chinese: &str| format!("{english} ({chinese})");
    let mut notes: Vec<String> = made.combinations.iter().map(|c| both(c.english(), c.chinese())).collect();
    if made.mv.is_half() {
        notes.push(both("half stone: dead for both sides", "半子"));
        let fives = points(&made.wakes, size).join(" ");
        notes.extend((!fives.is_empty()).then(|| format!("black can now make five at {fives}")));
    }
    if let (Some(english), Some(chinese)) = (made.consequence.english(), made.consequence.chinese()) {
        notes.push(both(&english, &chinese));
    }
    notes.extend(made.sente.map(|sente| both(sente.english(), sente.chinese())));
    let shapes = made.all().any(|shape| shape.kind < Kind::LiveTwo);
    if made.dormant && shapes && made.consequence == Consequence::Nothing {
        notes.push(both("dormant: the half stone is still in hand", "半子未下"));
    }
    notes
}

/// Everything in one line, for outputs that have more to say: strong shapes by name, then the point.
pub(super) fn summary(made: &Shapes, size: Size) -> String {
    let mut words: Vec<String> =
        made.all().map(|shape| format!("{} {}", shape.english(), shape.chinese())).collect();
    words.extend(notes(made, size));
    if words.is_empty() { "no shape".to_owned() } else { words.join("; ") }
}

/// What a move makes in a position, in one line; nothing for a move that cannot be played.
pub(super) fn summary_of(record: &GameRecord, mv: Move) -> Option<String> {
    let position = Position::from_record(record).ok()?;
    let made = shapes::of(&position, mv).ok()?;
    Some(summary(&made, record.size()))
}

/// The same for programs.
pub(super) fn json_of(record: &GameRecord, mv: Move) -> Option<Value> {
    let position = Position::from_record(record).ok()?;
    Some(json(&shapes::of(&position, mv).ok()?, record.size()))
}

fn json(made: &Shapes, size: Size) -> Value {
    let shape = |shape: &Shape| {
        json!({
            "kind": shape.kind.name(),
            "english": shape.english(),
            "chinese": shape.chinese(),
            "gaps": shape.gaps(),
            "stones": points(&shape.stones, size),
            "next": points(&shape.next, size),
            "wins": shape.wins,
        })
    };
    let lines: Vec<Value> = Direction::ALL
        .into_iter()
        .zip(&made.lines)
        .map(|(direction, line)| {
            json!({ "direction": word(direction), "shapes": line.iter().map(shape).collect::<Vec<_>>() })
        })
        .collect();
    let combinations: Vec<Value> =
        made.combinations.iter().map(|c| json!({ "english": c.english(), "chinese": c.chinese() })).collect();
    let beaten = matches!(made.consequence, Consequence::WinsDespite(_));
    json!({
        "move": made.mv.text(size).to_string(),
        "color": made.color.to_string(),
        "rule": made.rule.name(),
        "size": size.get(),
        "lines": lines,
        "combinations": combinations,
        "consequence": made.consequence.name(),
        "fouls": made.consequence.fouls().names().collect::<Vec<_>>(),
        "five_beats_foul": beaten,
        "sente": made.sente.map(Sente::english),
        "dormant": made.dormant,
        "wakes": points(&made.wakes, size),
    })
}

fn points(cells: &[Cell], size: Size) -> Vec<String> {
    cells.iter().map(|cell| cell.text(size).to_string()).collect()
}

/// A line's name for people.
fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Horizontal => "horizontal",
        Direction::Vertical => "vertical",
        Direction::Diagonal => "diagonal \\",
        Direction::AntiDiagonal => "diagonal /",
    }
}

/// A line's name for programs.
fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Horizontal => "horizontal",
        Direction::Vertical => "vertical",
        Direction::Diagonal => "falling",
        Direction::AntiDiagonal => "rising",
    }
}
