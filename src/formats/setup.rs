//! The notation of starting positions: `black h8 g7; white i9; half j10; blocked a1; to-move white`.
//!
//! Clauses stand in any order and are separated by semicolons; each is a word and, for pieces, points in text
//! notation. Without `to-move`, Black moves first. It is ours, and used by the text and PGN formats.

use super::error::ReadError;
use super::source::{Line, unexpected};
use crate::game::Setup;
use crate::types::{Color, MoveKind, Piece, Size};

/// The word of each kind of piece, in the order of writing.
pub(super) const PIECES: [(&str, Piece); 4] = [
    ("black", Piece::Stone(Color::Black)),
    ("white", Piece::Stone(Color::White)),
    ("half", Piece::Half),
    ("blocked", Piece::Blocked),
];

/// Reads the notation from a piece of a line.
pub(super) fn parse(line: Line<'_>, text: &str, size: Size) -> Result<Setup, ReadError> {
    let mut setup = Setup::default();
    for clause in text.split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
        let (word, rest) = clause.split_once(char::is_whitespace).unwrap_or((clause, ""));
        let lower = word.to_ascii_lowercase();
        if let Some(&(_, piece)) = PIECES.iter().find(|(name, _)| *name == lower) {
            for mv in line.moves(rest, size)? {
                match (mv.kind(), mv.cell()) {
                    (MoveKind::Stone, Some(cell)) => setup.pieces.push((cell, piece)),
                    _ => {
                        return Err(
                            line.error(rest, unexpected(&mv.text(size).to_string(), "points such as h8"))
                        );
                    }
                }
            }
        } else if lower == "to-move" {
            setup.to_move = color(rest.trim()).ok_or_else(|| line.unexpected(rest, "black, white"))?;
        } else {
            return Err(line.unexpected(word, "black, white, half, blocked, to-move"));
        }
    }
    Ok(setup)
}

/// Writes the notation; empty for the usual start.
pub(super) fn print(setup: &Setup, size: Size) -> String {
    let mut clauses = Vec::new();
    for (word, piece) in PIECES {
        let mut clause = word.to_owned();
        for (cell, _) in setup.pieces.iter().filter(|(_, p)| *p == piece) {
            clause.push(' ');
            clause += &cell.text(size).to_string();
        }
        if clause.len() > word.len() {
            clauses.push(clause);
        }
    }
    if setup.to_move == Color::White {
        clauses.push("to-move white".to_owned());
    }
    clauses.join("; ")
}

/// A colour by name or initial, in any letter case.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" => Some(Color::Black),
        "white" | "w" => Some(Color::White),
        _ => None,
    }
}
