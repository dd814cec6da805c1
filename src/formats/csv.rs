//! A table with one move a row, for spreadsheets and data tools (RFC 4180: commas, quotes doubled within quotes).
//!
//! Columns: `game` (from 1), `number` of the move (from 1; 0 for a row of the starting position), `color`, `kind`,
//! `point` in text notation, `x` and `y` from 0 with y from the top, `ms`, `comment`, and then, the same on every
//! row of a game, `rule`, `size`, `black`, `white`, `event`, `round`, `date`, `result`, `reason`, `about`.
//!
//! `kind` is `stone`, `half` or `pass`; on rows with number 0 `stone`, `half`, `blocked`, or `start`, whose colour
//! moves first. Every game has a `start` row. In reading the columns may stand in any order, and only `point` or both
//! of `x` and `y` must be there; without `game` all rows are one game.

use super::error::{Problem, ReadError};
use super::source::{Cursor, error_at, integer, moves, unexpected};
use super::{Defaults, Game, setup};
use crate::game::{Claim, Meta, Setup};
use crate::types::{Cell, Color, Move, MoveKind, Piece, Rule, Size};

const COLUMNS: [&str; 19] = [
    "game", "number", "color", "kind", "point", "x", "y", "ms", "comment", "rule", "size", "black", "white",
    "event", "round", "date", "result", "reason", "about",
];
const FORM: &str = "a header with the column point, or x and y";

/// A field with its place.
struct Field {
    text: String,
    place: (usize, usize),
}

/// Whether a line is a header of ours.
pub(super) fn is_header(line: &str) -> bool {
    let names = line.trim().split(',').map(|name| name.trim_matches(['"', ' ']).to_ascii_lowercase());
    let names: Vec<String> = names.collect();
    names.iter().all(|name| COLUMNS.contains(&name.as_str())) && has_points(&names)
}

fn has_points(names: &[String]) -> bool {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    has("point") || (has("x") && has("y"))
}

/// The fields of the next row; `None` at the end of the file.
fn row(cursor: &mut Cursor<'_>) -> Result<Option<Vec<Field>>, ReadError> {
    if cursor.peek().is_none() {
        return Ok(None);
    }
    let mut fields = Vec::new();
    loop {
        let place = cursor.place();
        let text = if cursor.eat('"') {
            quoted(cursor, place)?
        } else {
            cursor.take_while(|c| !",\r\n".contains(c))
        };
        fields.push(Field { text, place });
        if cursor.eat(',') {
            continue;
        }
        let returned = cursor.eat('\r');
        if cursor.eat('\n') || returned || cursor.peek().is_none() {
            return Ok(Some(fields));
        }
        return Err(cursor.unexpected("a comma or the end of the line after a quoted field"));
    }
}

/// The rest of a quoted field.
fn quoted(cursor: &mut Cursor<'_>, start: (usize, usize)) -> Result<String, ReadError> {
    let mut text = String::new();
    loop {
        text += &cursor.take_while(|c| c != '"');
        if !cursor.eat('"') {
            return Err(error_at(start, Problem::Ended("the quote that ends this field")));
        }
        if !cursor.eat('"') {
            return Ok(text);
        }
        text.push('"');
    }
}

/// A row with the names of its columns.
struct Row<'a> {
    names: &'a [String],
    fields: &'a [Field],
}

impl Row<'_> {
    /// The field of a column, unless it is empty or missing.
    fn field(&self, column: &str) -> Option<&Field> {
        let at = self.names.iter().position(|name| name == column)?;
        self.fields.get(at).filter(|field| !field.text.trim().is_empty())
    }

    fn text(&self, column: &str) -> &str {
        self.field(column).map_or("", |field| field.text.trim())
    }

    fn place(&self) -> (usize, usize) {
        self.fields.first().map_or((1, 1), |field| field.place)
    }

    /// The number of a column.
    fn number(&self, column: &str) -> Result<Option<i64>, ReadError> {
        self.field(column)
            .map(|field| {
                integer(field.text.trim())
                    .ok_or_else(|| error_at(field.place, unexpected(&field.text, "a whole number")))
            })
            .transpose()
    }

    /// The error of a column whose word is not among those allowed.
    fn unexpected(&self, column: &str, allowed: &str) -> ReadError {
        let place = self.field(column).map_or(self.place(), |field| field.place);
        error_at(place, unexpected(self.text(column), allowed))
    }

    fn point(&self, size: Size) -> Result<Option<Move>, ReadError> {
        if let Some(field) = self.field("point") {
            let read = moves(&field.text, size, field.place)?;
            return match read.as_slice() {
                [mv] => Ok(Some(*mv)),
                _ => Err(error_at(field.place, unexpected(&field.text, "one point"))),
            };
        }
        let (Some(x), Some(y)) = (self.number("x")?, self.number("y")?) else { return Ok(None) };
        match Cell::from_wire(x, y, size) {
            Some(cell) => Ok(Some(Move::stone(cell))),
            None => {
                let allowed = format!("x and y from 0 to {}", size.get() - 1);
                let place = self.field("x").map_or(self.place(), |field| field.place);
                Err(error_at(place, Problem::OffBoard { token: format!("{x},{y}"), allowed }))
            }
        }
    }
}

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blanks();
    let start = cursor.place();
    let Some(header) = row(&mut cursor)? else { return Err(error_at(start, Problem::Ended(FORM))) };
    let names: Vec<String> = header.iter().map(|field| field.text.trim().to_ascii_lowercase()).collect();
    if !has_points(&names) {
        let token = names.join(",");
        return Err(error_at(start, unexpected(&token, FORM)));
    }
    let mut games = Vec::new();
    let mut open: Option<(String, Builder)> = None;
    while let Some(fields) = row(&mut cursor)? {
        if fields.iter().all(|field| field.text.trim().is_empty()) {
            continue;
        }
        let row = Row { names: &names, fields: &fields };
        let name = row.text("game");
        if open.as_ref().is_none_or(|(last, _)| last != name) {
            games.extend(open.take().map(|(_, builder)| builder.finish()));
            open = Some((name.to_owned(), Builder::new(&row, defaults)?));
        }
        if let Some((_, builder)) = &mut open {
            builder.add(&row)?;
        }
    }
    games.extend(open.map(|(_, builder)| builder.finish()));
    Ok(games)
}

/// A game of which some rows have been read.
struct Builder {
    rule: Option<Rule>,
    size: Size,
    line: usize,
    /// Whether a `start` row has told who moves first.
    started: bool,
    setup: Setup,
    moves: Vec<Move>,
    meta: Meta,
}

impl Builder {
    /// From what every row of a game tells.
    fn new(row: &Row<'_>, defaults: &Defaults) -> Result<Builder, ReadError> {
        let rule = match row.field("rule") {
            Some(field) => Some(field.text.trim().parse::<Rule>().map_err(|e| error_at(field.place, e))?),
            None => defaults.rule,
        };
        let size = match (row.number("size")?, row.field("size")) {
            (Some(number), Some(field)) => Size::new(number).map_err(|e| error_at(field.place, e))?,
            _ => defaults.size,
        };
        let text = |column| row.text(column).to_owned();
        let result = match row.text("result") {
            "" => None,
            name => {
                let allowed = "black, white, draw, unfinished";
                Some(Claim::from_name(name).ok_or_else(|| row.unexpected("result", allowed))?)
            }
        };
        let meta = Meta {
            black: text("black"),
            white: text("white"),
            event: text("event"),
            round: text("round"),
            date: text("date"),
            result,
            reason: text("reason"),
            comment: text("about"),
            notes: Vec::new(),
        };
        let (line, setup) = (row.place().0, Setup::default());
        Ok(Builder { rule, size, line, started: false, setup, moves: Vec::new(), meta })
    }

    fn color(row: &Row<'_>) -> Result<Option<Color>, ReadError> {
        match row.text("color") {
            "" => Ok(None),
            word => setup::color(word).map(Some).ok_or_else(|| row.unexpected("color", "black, white")),
        }
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), ReadError> {
        let color = Builder::color(row)?;
        let kind = row.text("kind").to_ascii_lowercase();
        let kinds = "stone, half, pass; for number 0 stone, half, blocked, start";
        let in_setup = row.number("number")? == Some(0);
        if in_setup && kind == "start" {
            self.setup.to_move = color.unwrap_or(Color::Black);
            self.started = true;
            return Ok(());
        }
        let point = row.point(self.size)?;
        let missing = || error_at(row.place(), unexpected(row.text("point"), "a row with a point"));
        if in_setup {
            let cell = point.and_then(Move::cell).ok_or_else(missing)?;
            let piece = match (kind.as_str(), color) {
                ("stone" | "", Some(color)) => Piece::Stone(color),
                ("half", _) => Piece::Half,
                ("blocked", _) => Piece::Blocked,
                _ => return Err(row.unexpected("kind", kinds)),
            };
            self.setup.pieces.push((cell, piece));
            return Ok(());
        }
        let mv = match (kind.as_str(), point) {
            ("pass", _) => Move::PASS,
            ("half", Some(mv)) => mv.cell().map_or(mv, Move::half),
            ("stone" | "", Some(mv)) => mv,
            ("stone" | "half" | "", None) => return Err(missing()),
            _ => return Err(row.unexpected("kind", kinds)),
        };
        self.push(row, mv, color)
    }

    fn push(&mut self, row: &Row<'_>, mv: Move, color: Option<Color>) -> Result<(), ReadError> {
        if !self.started && self.moves.is_empty() {
            self.setup.to_move = color.unwrap_or(Color::Black);
        }
        let first = self.setup.to_move;
        let due = if self.moves.len().is_multiple_of(2) { first } else { !first };
        if color.is_some_and(|color| color != due) {
            return Err(row.unexpected("color", &format!("{due}, whose turn it is")));
        }
        if let Some(ms) = row.number("ms")?.and_then(|ms| u64::try_from(ms).ok()) {
            self.meta.note_mut(self.moves.len()).time_ms = Some(ms);
        }
        if let Some(field) = row.field("comment") {
            self.meta.note_mut(self.moves.len()).comment.clone_from(&field.text);
        }
        self.moves.push(mv);
        Ok(())
    }

    fn finish(self) -> Game {
        let mut game = Game::with_setup(self.rule, self.size, self.setup);
        (game.meta, game.line) = (self.meta, self.line);
        self.moves.into_iter().for_each(|mv| game.record.push(mv));
        game.infer_rule()
    }
}

pub(super) fn write(games: &[Game]) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for (i, game) in games.iter().enumerate() {
        let size = game.record.size();
        let tail = tail(game);
        let mut line = |number: usize, color: &str, kind: &str, mv: Option<Move>, ms: &str, comment: &str| {
            let cell = mv.and_then(Move::cell);
            let point = cell.map(|cell| cell.text(size).to_string()).unwrap_or_default();
            let (x, y) = cell.map(|cell| (cell.x().to_string(), cell.y().to_string())).unwrap_or_default();
            let comment = quote(comment);
            text += &format!("{},{number},{color},{kind},{point},{x},{y},{ms},{comment},{tail}\n", i + 1);
        };
        let mut color = game.record.setup().to_move;
        line(0, &color.to_string(), "start", None, "", "");
        for &(cell, piece) in &game.record.setup().pieces {
            let (color, kind) = match piece {
                Piece::Stone(color) => (color.to_string(), "stone"),
                Piece::Half => ("black".to_owned(), "half"),
                Piece::Blocked => (String::new(), "blocked"),
            };
            line(0, &color, kind, Some(Move::stone(cell)), "", "");
        }
        for (j, &mv) in game.record.moves().iter().enumerate() {
            let kind = match mv.kind() {
                MoveKind::Stone => "stone",
                MoveKind::Half => "half",
                MoveKind::Pass => "pass",
            };
            let note = game.meta.note(j);
            let ms = note.and_then(|note| note.time_ms).map(|ms| ms.to_string()).unwrap_or_default();
            line(j + 1, &color.to_string(), kind, Some(mv), &ms, note.map_or("", |note| &note.comment));
            color = !color;
        }
    }
    text
}

/// The columns that are the same on every row of a game.
fn tail(game: &Game) -> String {
    let meta = &game.meta;
    [
        game.rule().map_or("", Rule::name),
        &game.record.size().to_string(),
        &quote(&meta.black),
        &quote(&meta.white),
        &quote(&meta.event),
        &quote(&meta.round),
        &quote(&meta.date),
        meta.result.map_or("", Claim::name),
        &quote(&meta.reason),
        &quote(&meta.comment),
    ]
    .join(",")
}

/// A field, in quotes where it needs them.
fn quote(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
