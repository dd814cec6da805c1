//! What several test modules need: boards drawn as rows, the corpora, and a naive solver.

pub(crate) mod brute;
pub(crate) mod line;
pub(crate) mod program;
pub(crate) mod random;
pub(crate) mod tried;
pub(crate) mod vcf;

use std::fs;
use std::path::Path;

use halfstone::game::{GameRecord, Setup, parse_moves};
use halfstone::rules::Position;
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};
use serde::de::DeserializeOwned;

/// Reads a corpus of `tests/data/cases`, one JSON object a line.
pub(crate) fn corpus<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<T> = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{}:{}: {e}", path.display(), i + 1))
        })
        .collect();
    assert!(!lines.is_empty(), "{} holds nothing", path.display());
    lines
}

/// A record that starts from a drawn board: rows from the top, `X` black, `O` white, `H` the half stone, `#` blocked,
/// `.` empty.
pub(crate) fn drawn(rule: Rule, rows: &[String], to_move: Color) -> GameRecord {
    let size = Size::new(rows.len() as i64).unwrap();
    let mut setup = Setup { pieces: Vec::new(), to_move };
    for (y, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), rows.len(), "the board is not square");
        for (x, mark) in row.chars().enumerate() {
            let piece = match mark {
                'X' => Piece::Stone(Color::Black),
                'O' => Piece::Stone(Color::White),
                'H' => Piece::Half,
                '#' => Piece::Blocked,
                '.' => continue,
                _ => panic!("unknown mark {mark:?}"),
            };
            setup.pieces.push((Cell::new(x, y, size).unwrap(), piece));
        }
    }
    GameRecord::with_setup(rule, size, setup)
}

/// The board of a position, drawn likewise.
pub(crate) fn draw(position: &Position) -> Vec<String> {
    let size = position.size();
    let marks: Vec<char> = size
        .cells()
        .map(|cell| match position.piece(cell) {
            Some(Piece::Stone(Color::Black)) => 'X',
            Some(Piece::Stone(Color::White)) => 'O',
            Some(Piece::Half) => 'H',
            Some(Piece::Blocked) => '#',
            None => '.',
        })
        .collect();
    marks.chunks(size.get()).map(|row| row.iter().collect()).collect()
}

/// The position of a drawn board.
pub(crate) fn position(rule: Rule, rows: &[String], to_move: Color) -> Position {
    Position::from_record(&drawn(rule, rows, to_move)).unwrap()
}

/// `black` or `white`.
pub(crate) fn color(name: &str) -> Color {
    Color::ALL
        .into_iter()
        .find(|color| color.to_string() == name)
        .unwrap_or_else(|| panic!("no colour {name}"))
}

/// A point in letters.
pub(crate) fn point(text: &str, size: Size) -> Cell {
    match parse_moves(text, size).unwrap().as_slice() {
        [mv] => mv.cell().unwrap(),
        _ => panic!("{text} is not one point"),
    }
}

/// Points in letters, in a fixed order, for messages and comparisons.
pub(crate) fn names(cells: impl IntoIterator<Item = Cell>, size: Size) -> Vec<String> {
    let mut cells: Vec<Cell> = cells.into_iter().collect();
    cells.sort();
    cells.into_iter().map(|cell| cell.text(size).to_string()).collect()
}

/// Moves in letters, likewise.
pub(crate) fn move_names(moves: impl IntoIterator<Item = Move>, size: Size) -> Vec<String> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves.into_iter().map(|mv| mv.text(size).to_string()).collect()
}
