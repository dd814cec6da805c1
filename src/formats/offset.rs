//! Gomocup's openings: one a line, each move as its distance from the centre, as in `-1,2, 3,-4`.
//!
//! The first number goes to the right and the second **down**; the centre is the point with x = y = size / 2, rounded
//! down, counted from 0 at the upper left. `*-1,2` is our half stone. Any mixture of blanks and commas separates the
//! numbers in reading, and `#` starts a comment. The size is not told, and a game needs at least one move.

use std::fmt::Write;

use super::error::{Problem, ReadError, WriteError};
use super::source::{Line, integer, lines, show};
use super::{Defaults, Format, Game};
use crate::types::{Cell, Move, Size};

/// Whether the text is nothing but numbers, with at least one of them.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lines = lines(text).map(|line| line.text.split('#').next().unwrap_or_default());
    let numbers =
        |line: &str| line.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || "-+,*".contains(c));
    text.contains(|c: char| c.is_ascii_digit()) && lines.all(numbers)
}

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut games = Vec::new();
    for line in lines(text) {
        let body = line.text.split('#').next().unwrap_or_default();
        if body.trim().is_empty() {
            continue;
        }
        let mut game = Game::new(defaults.rule, defaults.size);
        game.line = line.number;
        let mut numbers = body.split([',', ' ', '\t']).map(str::trim).filter(|word| !word.is_empty());
        while let Some(x) = numbers.next() {
            let Some(y) = numbers.next() else {
                return Err(line.unexpected(x, "numbers in pairs, as in 1,-2"));
            };
            game.record.push(pair(line, x, y, defaults.size)?);
        }
        games.push(game.infer_rule());
    }
    Ok(games)
}

/// One move from its two numbers.
fn pair(line: Line<'_>, x: &str, y: &str, size: Size) -> Result<Move, ReadError> {
    let plain = x.strip_prefix('*');
    let number = |text, word| integer(text).ok_or_else(|| line.unexpected(word, "a whole number, as in -3"));
    let dx = number(plain.unwrap_or(x), x)?;
    let dy = number(y, y)?;
    let half = size.get() as i64 / 2;
    let cell = Cell::from_wire(dx.saturating_add(half), dy.saturating_add(half), size).ok_or_else(|| {
        let last = size.get() as i64 - 1 - half;
        let allowed = format!("numbers from {} to {last} on size {size}", -half);
        line.error(x, Problem::OffBoard { token: show(&format!("{x},{y}")), allowed })
    })?;
    Ok(if plain.is_some() { Move::half(cell) } else { Move::stone(cell) })
}

pub(super) fn write(games: &[Game]) -> Result<String, WriteError> {
    let mut text = String::new();
    for (i, game) in games.iter().enumerate() {
        Format::Offset.refuse_all_but_moves(i + 1, &game.record)?;
        let half = game.record.size().get() as i64 / 2;
        for (j, mv) in game.record.moves().iter().enumerate() {
            let Some(cell) = mv.cell() else { continue };
            let separator = if j == 0 { "" } else { ", " };
            let star = if mv.is_half() { "*" } else { "" };
            // Writing into a string cannot fail.
            let _ = write!(text, "{separator}{star}{},{}", cell.x() as i64 - half, cell.y() as i64 - half);
        }
        text.push('\n');
    }
    Ok(text)
}
