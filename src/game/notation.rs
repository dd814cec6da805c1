//! Text notation of moves: `h8 i9 *j10 --`.
//!
//! A move is a column letter from the left and a row number from the bottom; a leading `*` makes it the half stone,
//! and `--` is a pass. Between moves blanks and commas may stand or be left out, and letters may be capital:
//! `h8i9*j10` is read as well. Who plays each move, and whether it is legal, is not asked here.

use std::fmt::Write;

use thiserror::Error;

use crate::types::{Cell, Move, Size};

/// How much of a bad token is repeated in an error.
const SHOWN_CHARACTERS: usize = 24;

/// Text that is not a list of moves. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// Something that has not the form of a move.
    #[error(
        "'{token}' at column {column} is not a move (allowed: a point such as h8, *h8 for the half stone, -- for a pass)"
    )]
    NotAMove {
        /// What was found, up to the next blank or comma.
        token: String,
        /// Where it starts, in characters from 1.
        column: usize,
    },
    /// A point outside the board.
    #[error(
        "'{token}' at column {column} is off the board (allowed on size {size}: columns a to {last}, rows 1 to {size})",
        last = last_column(*.size)
    )]
    OffBoard {
        /// The move as it was written.
        token: String,
        /// Where it starts, in characters from 1.
        column: usize,
        /// The size of the board.
        size: Size,
    },
}

/// The letter of the rightmost column.
fn last_column(size: Size) -> char {
    char::from(b'a' + size.get() as u8 - 1)
}

/// Reads a list of moves. Empty text is the empty list.
///
/// # Errors
/// [`NotationError`] names the first token that is no move on a board of this size.
///
/// ```
/// use halfstone::game::{parse_moves, print_moves};
/// use halfstone::types::Size;
/// let moves = parse_moves("H8i9,*j10 --", Size::STANDARD).unwrap();
/// assert_eq!(print_moves(&moves, Size::STANDARD), "h8 i9 *j10 --");
/// assert_eq!(
///     parse_moves("h8 p3", Size::STANDARD).unwrap_err().to_string(),
///     "'p3' at column 4 is off the board (allowed on size 15: columns a to o, rows 1 to 15)",
/// );
/// ```
pub fn parse_moves(text: &str, size: Size) -> Result<Vec<Move>, NotationError> {
    let chars: Vec<char> = text.chars().collect();
    let mut moves = Vec::new();
    let mut at = 0;
    while let Some(&first) = chars.get(at) {
        if is_separator(first) {
            at += 1;
            continue;
        }
        let (mv, length) = parse_one(&chars[at..], at + 1, size)?;
        moves.push(mv);
        at += length;
    }
    Ok(moves)
}

/// Reads the move that `rest` starts with; also says how many characters it takes.
fn parse_one(rest: &[char], column: usize, size: Size) -> Result<(Move, usize), NotationError> {
    if rest.starts_with(&['-', '-']) {
        return Ok((Move::PASS, 2));
    }
    let not_a_move = || {
        let token = rest.iter().take_while(|&&c| !is_separator(c)).take(SHOWN_CHARACTERS).collect();
        NotationError::NotAMove { token, column }
    };
    let half = rest.first() == Some(&'*');
    let point = if half { &rest[1..] } else { rest };
    let Some(letter) = point.first().filter(|c| c.is_ascii_alphabetic()) else {
        return Err(not_a_move());
    };
    let digits: String = point[1..].iter().take_while(|c| c.is_ascii_digit()).collect();
    if digits.is_empty() {
        return Err(not_a_move());
    }

    let length = usize::from(half) + 1 + digits.len();
    let x = i64::from(u32::from(letter.to_ascii_lowercase()) - u32::from('a'));
    // A row number too long for the type is as far off the board as any other.
    let row: i64 = digits.parse().unwrap_or(i64::MAX);
    match Cell::from_wire(x, size.get() as i64 - row, size) {
        Some(cell) if half => Ok((Move::half(cell), length)),
        Some(cell) => Ok((Move::stone(cell), length)),
        None => {
            let token = rest[..length].iter().take(SHOWN_CHARACTERS).collect();
            Err(NotationError::OffBoard { token, column, size })
        }
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The moves in text notation, with one blank between them.
pub fn print_moves(moves: &[Move], size: Size) -> String {
    let mut text = String::new();
    for mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing into a string cannot fail.
        let _ = write!(text, "{}", mv.text(size));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, size: i64) -> String {
        parse_moves(text, Size::new(size).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn separators_and_letter_case_are_free() {
        let size = Size::STANDARD;
        let plain = parse_moves("h8 i9 *j10 --", size).unwrap();
        for text in ["h8i9*j10--", "H8,I9,*J10,--", "  h8 ,\n i9\t*J10 -- ,", "h8i9 *j10,--"] {
            assert_eq!(parse_moves(text, size).unwrap(), plain, "{text}");
        }
        assert_eq!(parse_moves("", size), Ok(Vec::new()));
        assert_eq!(parse_moves(" , ", size), Ok(Vec::new()));
    }

    #[test]
    fn every_move_of_every_size_round_trips() {
        for n in 5..=22 {
            let size = Size::new(n).unwrap();
            let mut moves: Vec<Move> =
                size.cells().flat_map(|cell| [Move::stone(cell), Move::half(cell)]).collect();
            moves.push(Move::PASS);
            assert_eq!(parse_moves(&print_moves(&moves, size), size).unwrap(), moves);
        }
    }

    #[test]
    fn errors_name_token_column_and_what_is_allowed() {
        let form = "is not a move (allowed: a point such as h8, *h8 for the half stone, -- for a pass)";
        assert_eq!(error("h8 ?!x i9", 15), format!("'?!x' at column 4 {form}"));
        assert_eq!(error("h8 i", 15), format!("'i' at column 4 {form}"));
        assert_eq!(error("h8 * i9", 15), format!("'*' at column 4 {form}"));
        assert_eq!(error("**h8", 15), format!("'**h8' at column 1 {form}"));
        assert_eq!(error("h8---", 15), format!("'-' at column 5 {form}"));
        assert_eq!(error("8h", 15), format!("'8h' at column 1 {form}"));
        assert_eq!(error("★h8", 15), format!("'★h8' at column 1 {form}"));
        assert_eq!(
            error("a1*f5", 5),
            "'*f5' at column 3 is off the board (allowed on size 5: columns a to e, rows 1 to 5)"
        );
        for text in ["a0", "a6", "a18446744073709551617", "w1"] {
            assert!(matches!(error(text, 5), e if e.contains("off the board")), "{text}");
        }
        assert!(error(&"?".repeat(1000), 22).len() < 200);
    }
}
