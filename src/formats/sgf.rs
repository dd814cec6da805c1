//! Smart Game Format, FF\[4\], game type GM\[4\].
//!
//! Read are all games of a collection, the main line of each: at every branch the first variation. Points are two
//! letters, column from the left and row from the top; `B[h8]` is understood as well. `B[]` is a pass, and so is the
//! old `B[tt]`. Where one side moves twice, the other has passed. Unknown properties are skipped, set-up must come
//! before the first move, and `RU` may hold a name or an `INFO rule` number.
//!
//! Our private properties, which other programs leave alone:
//!
//! | property | where | meaning |
//! |---|---|---|
//! | `HS[point]` | move | Black plays the half stone |
//! | `AH[point]` | set-up | the half stone lies there from the start |
//! | `AX[point]…` | set-up | points that are blocked for both |
//! | `MT[number]` | move | the move took so many milliseconds |
//! | `RN[text]` | root | what ended the game: `five`, `foul`, … |

use std::fmt::Write;

use super::error::{Problem, ReadError, WriteError};
use super::source::{self, Cursor, error_at, integer, milliseconds, moves, one_line, unexpected};
use super::{Defaults, Format, Game};
use crate::game::{Claim, GameRecord, Meta, MoveNote, Setup};
use crate::types::{Cell, CellSet, Color, Move, MoveKind, Piece, Rule, Size};

/// Moves on one line of a file.
const MOVES_ON_A_LINE: usize = 10;
/// The properties of a starting position.
const SETUP: [(&str, Option<Piece>); 5] = [
    ("AB", Some(Piece::Stone(Color::Black))),
    ("AW", Some(Piece::Stone(Color::White))),
    ("AH", Some(Piece::Half)),
    ("AX", Some(Piece::Blocked)),
    ("AE", None),
];

/// As other formats, but a file that says it is UTF-8 is believed.
pub(super) fn decode(bytes: &[u8]) -> String {
    let head = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let head = String::from_utf8_lossy(head).to_ascii_uppercase();
    if head.contains("CA[UTF-8]") {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        source::decode(bytes)
    }
}

/// One value of a property, without its escapes.
struct Value {
    text: String,
    place: (usize, usize),
}

struct Property {
    name: String,
    values: Vec<Value>,
}

impl Property {
    /// The first value, which the grammar guarantees.
    fn text(&self) -> &str {
        self.values.first().map_or("", |value| value.text.trim())
    }

    fn place(&self) -> (usize, usize) {
        self.values.first().map_or((1, 1), |value| value.place)
    }
}

type Node = Vec<Property>;

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut cursor = Cursor::new(text.trim_start_matches('\u{feff}'));
    let mut games = Vec::new();
    loop {
        // Whatever stands between games is no part of them.
        while cursor.peek().is_some_and(|c| c != '(') {
            cursor.next();
        }
        let place = cursor.place();
        if !cursor.eat('(') {
            break;
        }
        let nodes = main_line(&mut cursor)?;
        let mut game = Reader::new(&nodes, defaults)?.read(&nodes)?;
        game.line = place.0;
        games.push(game);
    }
    if games.is_empty() {
        return Err(error_at(cursor.place(), Problem::Ended("a game that starts with (;")));
    }
    Ok(games)
}

/// The nodes of the main line of a tree whose bracket has been opened.
fn main_line(cursor: &mut Cursor<'_>) -> Result<Vec<Node>, ReadError> {
    const ALLOWED: &str = "; ( ) or a property such as B[hh]";
    let mut nodes: Vec<Node> = Vec::new();
    // For every open bracket: whether a variation has been followed in it. `skipped` is how many of the innermost
    // ones lead away from the main line.
    let mut open = vec![false];
    let mut skipped = 0_usize;
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            Some('(') => {
                let followed = open.last_mut().is_some_and(|last| std::mem::replace(last, true));
                if skipped > 0 || followed {
                    skipped += 1;
                }
                open.push(false);
                cursor.next();
            }
            Some(')') => {
                open.pop();
                skipped = skipped.saturating_sub(1);
                cursor.next();
                if open.is_empty() {
                    return Ok(nodes);
                }
            }
            Some(';') => {
                cursor.next();
                if skipped == 0 {
                    nodes.push(Vec::new());
                }
            }
            Some(c) if c.is_ascii_alphabetic() => {
                let place = cursor.place();
                let property = property(cursor)?;
                if skipped == 0 {
                    let node =
                        nodes.last_mut().ok_or_else(|| error_at(place, unexpected(&property.name, "(;")))?;
                    node.push(property);
                }
            }
            Some(_) => return Err(cursor.unexpected(ALLOWED)),
            None => return Err(cursor.unexpected("the ) that ends this game")),
        }
    }
}

fn property(cursor: &mut Cursor<'_>) -> Result<Property, ReadError> {
    // Old files spell names out, and only the capitals count: `Black[hh]`.
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric());
    let name = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    let mut values = Vec::new();
    loop {
        cursor.skip_blanks();
        if cursor.peek() != Some('[') {
            break;
        }
        values.push(value(cursor)?);
    }
    if values.is_empty() { Err(cursor.unexpected("a value in [ ]")) } else { Ok(Property { name, values }) }
}

fn value(cursor: &mut Cursor<'_>) -> Result<Value, ReadError> {
    let start = cursor.place();
    cursor.next();
    let place = cursor.place();
    let mut text = String::new();
    while let Some(c) = cursor.next() {
        match c {
            ']' => return Ok(Value { text, place }),
            '\\' => match cursor.next() {
                // An escaped line end is no line end.
                Some('\r') => drop(cursor.eat('\n')),
                Some('\n') | None => {}
                Some(escaped) => text.push(escaped),
            },
            '\r' => {
                cursor.eat('\n');
                text.push('\n');
            }
            c => text.push(c),
        }
    }
    Err(error_at(start, Problem::Ended("the ] that ends this value")))
}

/// Builds a game from the nodes of its main line.
struct Reader {
    rule: Option<Rule>,
    size: Size,
    to_move: Option<Color>,
    pieces: Vec<(Cell, Piece)>,
    moves: Vec<(Color, Move, MoveNote)>,
    meta: Meta,
}

impl Reader {
    /// With the size of the board, which everything else needs.
    fn new(nodes: &[Node], defaults: &Defaults) -> Result<Reader, ReadError> {
        let find = |name: &str| nodes.iter().flatten().find(|property| property.name == name);
        if let Some(game) = find("GM").filter(|game| integer(game.text()) != Some(4)) {
            return Err(error_at(game.place(), unexpected(game.text(), "4, five in a row")));
        }
        let size = match find("SZ") {
            Some(property) => {
                let square = |text: &str| match text.split_once(':') {
                    Some((width, height)) if width.trim() == height.trim() => integer(width.trim()),
                    Some(_) => None,
                    None => integer(text),
                };
                let number = square(property.text());
                let number = number.ok_or_else(|| {
                    error_at(property.place(), unexpected(property.text(), "one number, 5 to 22"))
                })?;
                Size::new(number).map_err(|e| error_at(property.place(), e))?
            }
            None => defaults.size,
        };
        let meta = Meta::default();
        Ok(Reader { rule: defaults.rule, size, to_move: None, pieces: Vec::new(), moves: Vec::new(), meta })
    }

    fn read(mut self, nodes: &[Node]) -> Result<Game, ReadError> {
        for node in nodes {
            let before = self.moves.len();
            for property in node {
                self.position(property)?;
            }
            let moved = self.moves.len() > before;
            for property in node {
                self.notes(property, moved);
            }
        }
        let balance: i32 = self.pieces.iter().map(|(_, piece)| stone_balance(*piece)).sum();
        let first = self.moves.first().map(|(color, ..)| *color);
        let likely = if balance > 0 { Color::White } else { Color::Black };
        let to_move = self.to_move.or(first).unwrap_or(likely);
        let mut game = Game::with_setup(self.rule, self.size, Setup { pieces: self.pieces, to_move });
        game.meta = self.meta;
        for (color, mv, note) in self.moves {
            if color != game.record.side_to_move() {
                game.record.push(Move::PASS);
            }
            if note != MoveNote::default() {
                *game.meta.note_mut(game.record.moves().len()) = note;
            }
            game.record.push(mv);
        }
        Ok(game.infer_rule())
    }

    /// What changes the position.
    fn position(&mut self, property: &Property) -> Result<(), ReadError> {
        let name = property.name.as_str();
        if let Some(&(_, piece)) = SETUP.iter().find(|(setup, _)| *setup == name) {
            if !self.moves.is_empty() {
                let allowed = "set-up only before the first move";
                return Err(error_at(property.place(), unexpected(name, allowed)));
            }
            for value in &property.values {
                for cell in self.cells(value)? {
                    self.pieces.retain(|(at, _)| *at != cell);
                    self.pieces.extend(piece.map(|piece| (cell, piece)));
                }
            }
            return Ok(());
        }
        let (color, half) = match name {
            "B" => (Color::Black, false),
            "W" => (Color::White, false),
            "HS" => (Color::Black, true),
            "PL" if self.moves.is_empty() => {
                self.to_move = super::setup::color(property.text());
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(value) = property.values.first() else { return Ok(()) };
        let mv = match self.point(&value.text, value.place)? {
            None => Move::PASS,
            Some(cell) if half => Move::half(cell),
            Some(cell) => Move::stone(cell),
        };
        self.moves.push((color, mv, MoveNote::default()));
        Ok(())
    }

    /// A point; `None` for a pass.
    fn point(&self, text: &str, place: (usize, usize)) -> Result<Option<Cell>, ReadError> {
        let text = text.trim();
        let (Some(x), Some(y)) = (text.chars().next(), text.chars().nth(1)) else {
            return if text.is_empty() {
                Ok(None)
            } else {
                Err(error_at(place, unexpected(text, self.allowed())))
            };
        };
        if y.is_ascii_digit() {
            return Ok(moves(text, self.size, place)?.first().and_then(|mv| mv.cell()));
        }
        if text == "tt" && self.size.get() <= 19 {
            return Ok(None);
        }
        if !x.is_ascii_alphabetic() || !y.is_ascii_alphabetic() || text.len() > 2 {
            return Err(error_at(place, unexpected(text, self.allowed())));
        }
        // Capitals are the points beyond the 26th, which no board of ours has.
        let number = |c: char| if c.is_ascii_lowercase() { u32::from(c) - u32::from('a') } else { u32::MAX };
        match Cell::from_wire(i64::from(number(x)), i64::from(number(y)), self.size) {
            Some(cell) => Ok(Some(cell)),
            None => {
                Err(error_at(place, Problem::OffBoard { token: text.to_owned(), allowed: self.allowed() }))
            }
        }
    }

    fn allowed(&self) -> String {
        let last = letter(self.size.get() - 1);
        format!("two letters from a to {last}, or nothing for a pass")
    }

    /// The points of a value: one, or a rectangle such as `aa:cc`.
    fn cells(&self, value: &Value) -> Result<Vec<Cell>, ReadError> {
        let corner = |text: &str| {
            let cell = self.point(text, value.place)?;
            cell.ok_or_else(|| error_at(value.place, unexpected(&value.text, "a point, or two as in aa:cc")))
        };
        let Some((from, to)) = value.text.split_once(':') else { return Ok(vec![corner(&value.text)?]) };
        let (from, to) = (corner(from)?, corner(to)?);
        let within = |a: usize, b: usize, at: usize| (a.min(b)..=a.max(b)).contains(&at);
        let inside = |cell: &Cell| within(from.x(), to.x(), cell.x()) && within(from.y(), to.y(), cell.y());
        Ok(self.size.cells().filter(inside).collect())
    }

    /// What is noted beside a game or a move.
    fn notes(&mut self, property: &Property, moved: bool) {
        let text = property.text();
        let line = || one_line(text);
        let meta = &mut self.meta;
        let note = self.moves.last_mut().filter(|_| moved).map(|(.., note)| note);
        match property.name.as_str() {
            "PB" => meta.black = line(),
            "PW" => meta.white = line(),
            "EV" => meta.event = line(),
            "RO" => meta.round = line(),
            "DT" => meta.date = line(),
            "RN" => meta.reason = line(),
            "RU" => self.rule = text.parse().ok().or(self.rule),
            "RE" => {
                let (claim, reason) = result(text);
                meta.result = claim;
                if meta.reason.is_empty() {
                    reason.clone_into(&mut meta.reason);
                }
            }
            "MT" => {
                if let (Some(note), Some(ms)) = (note, milliseconds(text)) {
                    note.time_ms = Some(ms);
                }
            }
            "C" | "GC" => {
                let comment = note.map_or(&mut meta.comment, |note| &mut note.comment);
                if !comment.is_empty() {
                    comment.push('\n');
                }
                *comment += text;
            }
            _ => {}
        }
    }
}

fn stone_balance(piece: Piece) -> i32 {
    match piece {
        Piece::Stone(Color::Black) => 1,
        Piece::Stone(Color::White) => -1,
        Piece::Half | Piece::Blocked => 0,
    }
}

/// `B+R` and the like. A score in points, which this game does not have, is no reason.
fn result(text: &str) -> (Option<Claim>, &str) {
    let (side, how) = text.split_once('+').unwrap_or((text, ""));
    let claim = match (side.trim(), text.contains('+')) {
        ("B" | "Black", true) => Claim::Won(Color::Black),
        ("W" | "White", true) => Claim::Won(Color::White),
        ("0" | "Draw" | "draw" | "Jigo", false) => Claim::Drawn,
        ("Void", false) => Claim::Unfinished,
        _ => return (None, ""),
    };
    let reason = match how.trim() {
        "R" | "Resign" => "resign",
        "T" | "Time" => "time",
        "F" | "Forfeit" => "forfeit",
        how if how.parse::<f64>().is_ok() => "",
        how => how,
    };
    (Some(claim), reason)
}

/// The letter of a column or row.
fn letter(index: usize) -> char {
    char::from(b'a'.saturating_add(index as u8))
}

fn point_text(cell: Cell) -> String {
    [letter(cell.x()), letter(cell.y())].iter().collect()
}

/// Text with what would end it escaped. A colon would only matter in composed values, and is escaped for old readers.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.trim().chars() {
        match c {
            '\\' | ']' | ':' => escaped.extend(['\\', c]),
            c if c.is_control() && c != '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

pub(super) fn write(games: &[Game]) -> Result<String, WriteError> {
    for (i, game) in games.iter().enumerate() {
        refuse_what_would_change(i + 1, &game.record)?;
    }
    Ok(games.iter().map(write_game).collect())
}

/// Refuses what would be read as something else, and legal: White playing the half stone (`HS` is Black's move, before
/// which White would have passed), and two pieces of the starting position on one point (the later one replaces the
/// other).
fn refuse_what_would_change(game: usize, record: &GameRecord) -> Result<(), WriteError> {
    let first = record.setup().to_move;
    let is_white = |i: usize| (first == Color::White) == i.is_multiple_of(2);
    let half = record.moves().iter().enumerate().position(|(i, mv)| mv.is_half() && is_white(i));
    let mut taken = CellSet::default();
    let twice = record.setup().pieces.iter().find(|&&(cell, _)| {
        let before = taken.contains(cell);
        taken.insert(cell);
        before
    });
    let what = match (half, twice) {
        (Some(i), _) => format!("a half stone of White's (move {})", i + 1),
        (_, Some((cell, _))) => format!("two pieces on one point ({})", cell.text(record.size())),
        (None, None) => return Ok(()),
    };
    Err(WriteError { format: Format::Sgf, game, what })
}

fn write_game(game: &Game) -> String {
    // Writing into a string cannot fail.
    let mut text = String::from("(;FF[4]GM[4]CA[UTF-8]AP[halfstone]");
    let _ = write!(text, "SZ[{}]", game.record.size());
    write_root(&mut text, game);
    text.push('\n');

    let mut color = game.record.setup().to_move;
    let mut on_line = 0;
    for (i, &mv) in game.record.moves().iter().enumerate() {
        let name = match (mv.kind(), color) {
            (MoveKind::Half, _) => "HS",
            (_, Color::Black) => "B",
            (_, Color::White) => "W",
        };
        let _ = write!(text, ";{name}[{}]", mv.cell().map(point_text).unwrap_or_default());
        if let Some(note) = game.meta.note(i) {
            if let Some(ms) = note.time_ms {
                let _ = write!(text, "MT[{ms}]");
            }
            if !note.comment.is_empty() {
                let _ = write!(text, "C[{}]", escape(&note.comment));
            }
        }
        color = !color;
        on_line += 1;
        if on_line == MOVES_ON_A_LINE {
            text.push('\n');
            on_line = 0;
        }
    }
    text.truncate(text.trim_end().len());
    text + ")\n"
}

/// Everything of the root node after the size.
fn write_root(text: &mut String, game: &Game) {
    let meta = &game.meta;
    let (result, reason) = match (meta.result, meta.reason.as_str()) {
        (Some(Claim::Won(winner)), reason) => {
            let side = if winner == Color::Black { "B" } else { "W" };
            match reason {
                "resign" => (format!("{side}+R"), ""),
                "time" => (format!("{side}+T"), ""),
                "forfeit" => (format!("{side}+F"), ""),
                _ => (format!("{side}+"), reason),
            }
        }
        (Some(Claim::Drawn), reason) => ("0".to_owned(), reason),
        (Some(Claim::Unfinished), reason) => ("Void".to_owned(), reason),
        (None, reason) => (String::new(), reason),
    };
    let rule = game.rule().map_or("", Rule::name);
    for (name, value) in [
        ("RU", rule),
        ("PB", &one_line(&meta.black)),
        ("PW", &one_line(&meta.white)),
        ("EV", &one_line(&meta.event)),
        ("RO", &one_line(&meta.round)),
        ("DT", &one_line(&meta.date)),
        ("RE", &result),
        ("RN", &one_line(reason)),
        ("GC", &meta.comment),
    ] {
        if !value.is_empty() {
            let _ = write!(text, "{name}[{}]", escape(value));
        }
    }
    let setup = game.record.setup();
    for (name, piece) in SETUP {
        let mut points = setup.pieces.iter().filter(|(_, p)| Some(*p) == piece).peekable();
        if points.peek().is_some() {
            *text += name;
            points.for_each(|&(cell, _)| *text += &format!("[{}]", point_text(cell)));
        }
    }
    if *setup != Setup::default() {
        *text += if setup.to_move == Color::Black { "PL[B]" } else { "PL[W]" };
    }
}
