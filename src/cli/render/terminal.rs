//! The board as lines of text: Unicode drawing, with colours where the terminal shows them.

use super::view::{View, stars};
use crate::types::{Cell, Color, Piece};

/// Escape sequences: ground and lines of the board, its pieces, marks, and back to normal.
const BOARD: &str = "\x1b[48;5;179m\x1b[38;5;94m";
const BLACK: &str = "\x1b[1;38;5;16m";
const WHITE: &str = "\x1b[1;38;5;231m";
const MARK: &str = "\x1b[1;38;5;160m";
const LINES: &str = "\x1b[22;38;5;94m";
const NORMAL: &str = "\x1b[0m";

/// The board with coordinates, a line for each row.
pub(super) fn draw(view: &View, color: bool) -> String {
    let n = view.size.get();
    let most = view.pieces.iter().filter_map(|(.., number)| *number).max().unwrap_or(0);
    let width = if view.numbers { 1 + most.to_string().len() } else { 1 };
    let stars = stars(view.size);
    let mut text = String::new();
    for (y, row) in view.size.cells().collect::<Vec<_>>().chunks(n).enumerate() {
        text += &format!("{:>2} ", n - y);
        if color {
            text += BOARD;
        }
        text.push(if view.last == row.first().copied() { '[' } else { ' ' });
        for (x, &cell) in row.iter().enumerate() {
            let mark = mark(view, cell, color).unwrap_or_else(|| (empty(cell, n, stars.contains(&cell)), ""));
            let fill = if x + 1 == n { ' ' } else { '─' };
            let padding = fill.to_string().repeat(width.saturating_sub(mark.0.chars().count()));
            text += &paint(&mark.0, mark.1, color);
            text += &padding;
            let next = row.get(x + 1).copied();
            match (view.last == Some(cell), next.is_some() && view.last == next) {
                (true, _) => text += &paint("]", MARK, color),
                (_, true) => text += &paint("[", MARK, color),
                _ => text.push(fill),
            }
        }
        text += if color { NORMAL } else { "" };
        text = text.trim_end().to_owned() + "\n";
    }
    let letters: Vec<String> = (0..n).map(|x| format!("{:<width$}", char::from(b'A' + x as u8))).collect();
    text += format!("    {}", letters.join(" ")).trim_end();
    text + "\n"
}

/// Text in a colour, and back to the colour of the lines.
fn paint(text: &str, ink: &str, color: bool) -> String {
    if color && !ink.is_empty() { format!("{ink}{text}{LINES}") } else { text.to_owned() }
}

/// What is on a point, and in which colour; `None` for an empty one without a mark.
fn mark(view: &View, cell: Cell, color: bool) -> Option<(String, &'static str)> {
    if let Some(&(_, piece, number)) = view.pieces.iter().rev().find(|(at, ..)| *at == cell) {
        let (sign, ink) = match piece {
            Piece::Stone(Color::Black) => ('●', BLACK),
            // On a coloured ground the white stone is a white disc.
            Piece::Stone(Color::White) => (if color { '●' } else { '○' }, WHITE),
            Piece::Half => ('◐', BLACK),
            Piece::Blocked => ('▒', LINES),
        };
        let number = number.filter(|_| view.numbers).map(|number| number.to_string()).unwrap_or_default();
        return Some((format!("{sign}{number}"), ink));
    }
    if view.forbidden.contains(&cell) {
        return Some(("×".to_owned(), MARK));
    }
    let rank = view.candidates.iter().position(|candidate| candidate.cell == cell)?;
    Some((name(rank).to_string(), MARK))
}

/// The letter of a candidate by its rank; beyond the alphabet a dot.
pub(super) fn name(rank: usize) -> char {
    u8::try_from(rank).ok().filter(|&rank| rank < 26).map_or('•', |rank| char::from(b'a' + rank))
}

/// The lines that cross on an empty point.
fn empty(cell: Cell, n: usize, star: bool) -> String {
    let (left, right) = (cell.x() == 0, cell.x() + 1 == n);
    match (cell.y() == 0, cell.y() + 1 == n) {
        _ if star => "╋",
        (true, _) if left => "┌",
        (true, _) if right => "┐",
        (true, _) => "┬",
        (_, true) if left => "└",
        (_, true) if right => "┘",
        (_, true) => "┴",
        _ if left => "├",
        _ if right => "┤",
        _ => "┼",
    }
    .to_owned()
}
