//! Text with places: decoding of bytes, columns, tokens for messages, and a cursor that knows its line and column.

use super::error::{Problem, ReadError};
use crate::game::{NotationError, parse_moves};
use crate::types::{Cell, Move, Size};

/// How much of a bad token is repeated in an error.
const SHOWN_CHARACTERS: usize = 24;
/// What [`moves`] reads.
pub(super) const MOVES_ALLOWED: &str = "points such as h8, *h8 for the half stone, -- for a pass";

/// Bytes as text: UTF-8, UTF-16 with a byte order mark, and anything else as Latin-1, which never fails.
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], join: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| Some(join(pair.try_into().ok()?)));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => match std::str::from_utf8(rest) {
            Ok(text) => text.to_owned(),
            Err(_) => rest.iter().map(|&byte| char::from(byte)).collect(),
        },
    }
}

/// Whether `text` starts with the ASCII word `prefix`, in any letter case.
pub(super) fn has_prefix(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// A token as an error shows it: cut, and with control characters made visible.
pub(super) fn show(token: &str) -> String {
    let mut shown = String::new();
    for c in token.chars().take(SHOWN_CHARACTERS) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// One line with its number.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
}

/// The lines of a text, numbered from 1, without their ends: LF, CR LF or CR, mixed as they come.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = text.lines().flat_map(|line| line.trim_end_matches('\r').split('\r'));
    lines.enumerate().map(|(i, text)| Line { number: i + 1, text })
}

impl Line<'_> {
    /// The column of a piece of this line, from 1.
    fn column(self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        self.text.get(..offset).map_or(1, |before| before.chars().count() + 1)
    }

    /// An error at a piece of this line.
    pub(super) fn error(self, part: &str, problem: impl Into<Problem>) -> ReadError {
        ReadError { line: self.number, column: self.column(part), problem: problem.into() }
    }

    /// The piece should be something else.
    pub(super) fn unexpected(self, part: &str, allowed: impl Into<String>) -> ReadError {
        self.error(part, unexpected(part, allowed))
    }

    /// Moves in text notation from a piece of this line.
    pub(super) fn moves(self, part: &str, size: Size) -> Result<Vec<Move>, ReadError> {
        moves(part, size, (self.number, self.column(part)))
    }
}

/// The problem of a token that should be something else.
pub(super) fn unexpected(token: &str, allowed: impl Into<String>) -> Problem {
    Problem::Unexpected { token: show(token), allowed: allowed.into() }
}

/// Moves in text notation that start at a line and column.
pub(super) fn moves(text: &str, size: Size, (line, start): (usize, usize)) -> Result<Vec<Move>, ReadError> {
    parse_moves(text, size).map_err(|error| {
        let (column, problem) = match error {
            NotationError::NotAMove { token, column } => (column, unexpected(&token, MOVES_ALLOWED)),
            NotationError::OffBoard { token, column, size } => {
                let last = char::from(b'a'.saturating_add(size.get() as u8 - 1));
                let allowed = format!("columns a to {last}, rows 1 to {size}");
                (column, Problem::OffBoard { token: show(&token), allowed })
            }
        };
        ReadError { line, column: start + column - 1, problem }
    })
}

/// A whole number with an optional sign; one that is too large becomes the largest there is.
pub(super) fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let value: i64 = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -value } else { value })
}

/// A time in milliseconds; one that is too large becomes the largest [`integer`].
pub(super) fn milliseconds(text: &str) -> Option<u64> {
    integer(text).and_then(|ms| u64::try_from(ms).ok())
}

/// A point by two numbers, each counted from `origin`; wire directions.
pub(super) fn point(x: i64, y: i64, origin: i64, size: Size) -> Option<Cell> {
    Cell::from_wire(x.checked_sub(origin)?, y.checked_sub(origin)?, size)
}

/// Text on one line: line ends and other control characters become blanks, and the ends are trimmed.
pub(super) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.trim().to_owned()
}

/// Walks a text character by character.
pub(super) struct Cursor<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text.chars().peekable(), line: 1, column: 1 }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' || (c == '\r' && self.peek() != Some('\n')) {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Goes on if the next character is this one.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    /// Takes characters as long as they fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| fits(c)) {
            taken.push(c);
            self.next();
        }
        taken
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Line and column of the next character.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.line, self.column)
    }

    /// The next characters should be something else, or the file should not end here.
    pub(super) fn unexpected(&mut self, allowed: &'static str) -> ReadError {
        let (line, column) = self.place();
        let mut token = self.take_while(|c| !c.is_whitespace());
        if token.is_empty() {
            token.extend(self.next());
        }
        let problem = if token.is_empty() { Problem::Ended(allowed) } else { unexpected(&token, allowed) };
        ReadError { line, column, problem }
    }
}

/// An error at a place.
pub(super) fn error_at((line, column): (usize, usize), problem: impl Into<Problem>) -> ReadError {
    ReadError { line, column, problem: problem.into() }
}
