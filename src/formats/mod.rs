//! Layer 2: game records in files. One submodule for each format, tolerant in reading and strict in writing.
//!
//! | format | games in a file | half stone | pass | set-up | names, result | times | comments |
//! |---|---|---|---|---|---|---|---|
//! | text | many | yes | yes | yes | – | – | – |
//! | psq | one | yes | – | – | yes | yes | – |
//! | sgf | many | yes | yes | yes | yes | yes | yes |
//! | pgn | many | yes | yes | yes | yes | yes | yes |
//! | pos | many | yes | – | – | – | – | – |
//! | offset | many | yes | – | – | – | – | – |
//! | csv | many | yes | yes | yes | yes | yes | yes |
//!
//! Reading takes bytes and never fails on their encoding. Whether moves are legal is not asked: a point that is played
//! twice is read as it stands. A point off the board cannot be read.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod csv;
mod error;
mod offset;
mod pgn;
mod pos;
mod psq;
mod setup;
mod sgf;
mod source;
mod text;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

pub use error::{Problem, ReadError, WriteError};

use crate::game::{GameRecord, Meta, Setup};
use crate::types::{Move, Piece, Rule, Size};

/// A game as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Rule, board, starting position and moves.
    pub record: GameRecord,
    /// Whether the file, or the reader's defaults, told the rule; if not, the record says freestyle.
    pub rule_told: bool,
    /// Names, result, notes.
    pub meta: Meta,
    /// Line of the file on which the game starts, from 1.
    pub line: usize,
}

impl Game {
    /// A game on the empty board. A rule that is not known is kept as freestyle.
    pub fn new(rule: Option<Rule>, size: Size) -> Game {
        Game::with_setup(rule, size, Setup::default())
    }

    /// A game that starts from `setup`. A rule that is not known is kept as freestyle.
    pub fn with_setup(rule: Option<Rule>, size: Size, setup: Setup) -> Game {
        let record = GameRecord::with_setup(rule.unwrap_or(Rule::Freestyle), size, setup);
        Game { record, rule_told: rule.is_some(), meta: Meta::default(), line: 1 }
    }

    /// The rule, if it is known.
    pub fn rule(&self) -> Option<Rule> {
        self.rule_told.then(|| self.record.rule())
    }

    /// Plays the game under this rule from now on.
    pub fn set_rule(&mut self, rule: Rule) {
        self.record.set_rule(rule);
        self.rule_told = true;
    }

    /// A half stone can only have been played under the half-stone rule, so it tells a rule that nothing else told.
    fn infer_rule(mut self) -> Game {
        if !self.rule_told && self.record.pieces().any(|(_, piece)| piece == Piece::Half) {
            self.set_rule(Rule::HalfStone);
        }
        self
    }

    fn push(&mut self, mv: Move, time_ms: Option<u64>) {
        if time_ms.is_some() {
            self.meta.note_mut(self.record.moves().len()).time_ms = time_ms;
        }
        self.record.push(mv);
    }
}

/// What holds for games whose file does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// The rule; `None` leaves it open.
    pub rule: Option<Rule>,
    /// The size of the board.
    pub size: Size,
}

impl Default for Defaults {
    fn default() -> Defaults {
        Defaults { rule: None, size: Size::STANDARD }
    }
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text notation, one game a line.
    Text,
    /// Piskvork's record of one game.
    Psq,
    /// Smart Game Format, FF\[4\] GM\[4\].
    Sgf,
    /// Tags and moves in the manner of chess.
    Pgn,
    /// c-gomoku-cli's openings as points: rows count from the **top**.
    Pos,
    /// Gomocup's openings as distances from the centre.
    Offset,
    /// A table with one move a row.
    Csv,
}

/// A word that names no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format '{0}' (allowed: text, psq, sgf, pgn, pos, offset, csv)")]
pub struct FormatError(pub String);

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] =
        [Format::Text, Format::Psq, Format::Sgf, Format::Pgn, Format::Pos, Format::Offset, Format::Csv];

    /// The name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Pgn => "pgn",
            Format::Pos => "pos",
            Format::Offset => "offset",
            Format::Csv => "csv",
        }
    }

    /// The format that a file's name ends with; `None` when the ending leaves it open, as `.txt` does.
    ///
    /// ```
    /// use halfstone::formats::Format;
    /// use std::path::Path;
    /// assert_eq!(Format::from_path(Path::new("final.SGF")), Some(Format::Sgf));
    /// assert_eq!(Format::from_path(Path::new("openings.txt")), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<Format> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The format of a file: by what only one format starts with, else by the ending of its name, else text notation
    /// or, if there are nothing but numbers, offsets.
    ///
    /// Rows of `pos` count from the other end, but look like text notation: only the name can tell them apart.
    pub fn detect(path: Option<&Path>, bytes: &[u8]) -> Format {
        let text = source::decode(bytes);
        let start = text.trim_start();
        if source::has_prefix(start, "piskvorky") {
            return Format::Psq;
        }
        if start.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';')) {
            return Format::Sgf;
        }
        let word = start
            .strip_prefix('[')
            .map_or(0, |tag| tag.chars().take_while(char::is_ascii_alphabetic).count());
        if word > 0 && start.get(word + 1..).is_some_and(|rest| rest.trim_start().starts_with('"')) {
            return Format::Pgn;
        }
        if source::lines(start).next().is_some_and(|line| csv::is_header(line.text)) {
            return Format::Csv;
        }
        path.and_then(Format::from_path)
            .unwrap_or_else(|| if offset::looks_like(&text) { Format::Offset } else { Format::Text })
    }

    /// Reads every game of a file.
    ///
    /// # Errors
    /// [`ReadError`] with the line and column of the first thing that cannot be read.
    ///
    /// ```
    /// use halfstone::formats::{Defaults, Format};
    /// let games = Format::Psq.read(b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,15\n0\n", &Defaults::default()).unwrap();
    /// assert_eq!(Format::Text.write(&games).unwrap(), "#! size 15\nh8 i9\n");
    /// let error = Format::Psq.read(b"Piskvorky 15x15\n8,16,0\n", &Defaults::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 1: '8,16' is off the board (allowed: x and y from 1 to 15)");
    /// ```
    pub fn read(self, bytes: &[u8], defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
        if self == Format::Sgf {
            return sgf::read(&sgf::decode(bytes), defaults);
        }
        let text = source::decode(bytes);
        match self {
            Format::Text => text::read(&text, defaults),
            Format::Psq => psq::read(&text, defaults).map(|game| vec![game]),
            Format::Sgf => sgf::read(&text, defaults),
            Format::Pgn => pgn::read(&text, defaults),
            Format::Pos => pos::read(&text, defaults),
            Format::Offset => offset::read(&text, defaults),
            Format::Csv => csv::read(&text, defaults),
        }
    }

    /// Writes games as one file.
    ///
    /// # Errors
    /// [`WriteError`] when the format has no way to hold a move or a starting position, or so many games. Names,
    /// times and comments that a format does not carry are left out.
    pub fn write(self, games: &[Game]) -> Result<String, WriteError> {
        match self {
            Format::Text => Ok(text::write(games)),
            Format::Psq => psq::write(games),
            Format::Sgf => sgf::write(games),
            Format::Pgn => Ok(pgn::write(games)),
            Format::Pos => pos::write(games),
            Format::Offset => offset::write(games),
            Format::Csv => Ok(csv::write(games)),
        }
    }

    /// Refuses what psq and the opening formats have no way to hold: a set-up, a pass and, but in psq, no move.
    fn refuse_all_but_moves(self, game: usize, record: &GameRecord) -> Result<(), WriteError> {
        let pass = record.moves().iter().position(|&mv| mv == Move::PASS);
        let what = if *record.setup() != Setup::default() {
            "a starting position".to_owned()
        } else if let Some(i) = pass {
            format!("a pass (move {})", i + 1)
        } else if record.moves().is_empty() && self != Format::Psq {
            "a game without moves".to_owned()
        } else {
            return Ok(());
        };
        Err(WriteError { format: self, game, what })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    /// By name, in any letter case.
    fn from_str(s: &str) -> Result<Format, FormatError> {
        Format::ALL
            .into_iter()
            .find(|format| format.name().eq_ignore_ascii_case(s))
            .ok_or_else(|| FormatError(source::show(s)))
    }
}

#[cfg(test)]
mod tests;
