//! Tags and moves in the manner of chess, as match runners write for rating programs.
//!
//! ```text
//! [Black "one"]
//! [White "two"]
//! [Result "0-1"]
//! [Rule "4"]
//! [BoardSize "15"]
//!
//! 1. h8 {opening} i9 {120ms d12} 2. *j10 -- 0-1
//! ```
//!
//! As elsewhere in this game's PGN files, `1-0` means that **White** has won. Moves are in text notation. A comment
//! belongs to the move before it, also after the result; a first word such as `120ms` of the first comment is the time
//! that the move took, and an empty comment in front says that there is none. `Rule` holds an
//! `INFO rule` number, and our tag `Setup` a starting position in the notation of [`setup`](super::setup).

use std::fmt::Write;

use super::error::{Problem, ReadError};
use super::source::{Cursor, Line, error_at, integer, milliseconds, moves, one_line, unexpected};
use super::{Defaults, Game, setup};
use crate::game::{Claim, Setup};
use crate::types::{Color, Rule, Size};

const RESULTS: [(&str, Option<Claim>); 4] = [
    ("0-1", Some(Claim::Won(Color::Black))),
    ("1-0", Some(Claim::Won(Color::White))),
    ("1/2-1/2", Some(Claim::Drawn)),
    (UNKNOWN, None),
];
/// Stands for a game that is not over and for a result that is not known, and so claims nothing.
const UNKNOWN: &str = "*";
/// Lines of moves are broken before this column.
const WIDTH: usize = 100;

/// A tag with the place of its value.
struct Tag {
    name: String,
    value: String,
    place: (usize, usize),
}

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut cursor = Cursor::new(text);
    let mut games = Vec::new();
    loop {
        cursor.skip_blanks();
        if cursor.peek().is_none() {
            return Ok(games);
        }
        let start = cursor.place();
        let mut tags = Vec::new();
        while cursor.peek() == Some('[') {
            tags.push(tag(&mut cursor)?);
            cursor.skip_blanks();
        }
        let mut game = from_tags(&tags, defaults)?;
        game.line = start.0;
        movetext(&mut cursor, &mut game)?;
        games.push(game.infer_rule());
    }
}

/// `[Name "value"]`
fn tag(cursor: &mut Cursor<'_>) -> Result<Tag, ReadError> {
    const FORM: &str = "[Name \"value\"]";
    cursor.eat('[');
    cursor.skip_blanks();
    let name = cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
    cursor.skip_blanks();
    if name.is_empty() || !cursor.eat('"') {
        return Err(cursor.unexpected(FORM));
    }
    let place = cursor.place();
    let value = cursor.take_while(|c| c != '"' && c != '\n');
    if !cursor.eat('"') {
        return Err(cursor.unexpected(FORM));
    }
    cursor.skip_blanks();
    if !cursor.eat(']') {
        return Err(cursor.unexpected(FORM));
    }
    Ok(Tag { name, value, place })
}

fn from_tags(tags: &[Tag], defaults: &Defaults) -> Result<Game, ReadError> {
    let find = |name: &str| tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
    let rule = match find("Rule") {
        Some(tag) => Some(tag.value.trim().parse::<Rule>().map_err(|e| error_at(tag.place, e))?),
        None => defaults.rule,
    };
    let size = match find("BoardSize") {
        Some(tag) => {
            let number = integer(tag.value.trim());
            let number = number.ok_or_else(|| error_at(tag.place, unexpected(&tag.value, "5 to 22")))?;
            Size::new(number).map_err(|e| error_at(tag.place, e))?
        }
        None => defaults.size,
    };
    let start = match find("Setup") {
        Some(tag) => {
            let line = Line { number: tag.place.0, text: &tag.value };
            setup::parse(line, &tag.value, size).map_err(|mut error| {
                error.column += tag.place.1 - 1;
                error
            })?
        }
        None => Setup::default(),
    };

    let mut game = Game::with_setup(rule, size, start);
    let text = |name| match find(name).map_or("", |tag| tag.value.trim()) {
        "?" | "????.??.??" => String::new(),
        value => value.to_owned(),
    };
    let meta = &mut game.meta;
    (meta.black, meta.white) = (text("Black"), text("White"));
    (meta.event, meta.round, meta.date) = (text("Event"), text("Round"), text("Date"));
    meta.reason = text("Termination");
    meta.result = claim(&text("Result")).flatten();
    Ok(game)
}

/// What a word for a result claims; `None` if it is no such word.
fn claim(word: &str) -> Option<Option<Claim>> {
    RESULTS.iter().find(|(name, _)| *name == word).map(|&(_, claim)| claim)
}

/// Moves and comments up to a result, with the comments behind it, or the next tag.
fn movetext(cursor: &mut Cursor<'_>, game: &mut Game) -> Result<(), ReadError> {
    // Only the first comment of a move may start with its time.
    let mut is_first = true;
    loop {
        comments(cursor, game, &mut is_first)?;
        let place = cursor.place();
        match cursor.peek() {
            None | Some('[') => return Ok(()),
            Some(_) => {
                let word = cursor.take_while(|c| !c.is_whitespace() && c != '{' && c != '[');
                if let Some(claim) = claim(&word) {
                    game.meta.result = claim.or(game.meta.result);
                    return comments(cursor, game, &mut is_first);
                }
                // `12.`, `12...` and `12.h8` all occur.
                let digits = word.chars().take_while(char::is_ascii_digit).count();
                let dots = word.chars().skip(digits).take_while(|&c| c == '.').count();
                let skipped = if digits > 0 && dots > 0 { digits + dots } else { 0 };
                let rest = word.get(skipped..).unwrap_or_default();
                let played = moves(rest, game.record.size(), (place.0, place.1 + skipped))?;
                is_first |= !played.is_empty();
                played.into_iter().for_each(|mv| game.record.push(mv));
            }
        }
    }
}

/// Blanks and comments, filed under the move before them.
fn comments(cursor: &mut Cursor<'_>, game: &mut Game, is_first: &mut bool) -> Result<(), ReadError> {
    loop {
        cursor.skip_blanks();
        let place = cursor.place();
        if !cursor.eat('{') {
            return Ok(());
        }
        let text = cursor.take_while(|c| c != '}');
        if !cursor.eat('}') {
            return Err(error_at(place, Problem::Ended("the } of this comment")));
        }
        comment(game, &one_line(&text), std::mem::take(is_first));
    }
}

/// Files one comment; only the first one of a move may start with its time.
fn comment(game: &mut Game, text: &str, is_first: bool) {
    let (note, rest) = match game.record.moves().len().checked_sub(1) {
        None => (&mut game.meta.comment, text),
        Some(index) => {
            let note = game.meta.note_mut(index);
            let (time, rest) = if is_first { split_time(text) } else { (None, text) };
            note.time_ms = time.or(note.time_ms);
            (&mut note.comment, rest)
        }
    };
    if !note.is_empty() && !rest.is_empty() {
        note.push(' ');
    }
    *note += rest;
}

/// The time that a comment starts with, and what follows it.
fn split_time(text: &str) -> (Option<u64>, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let time = first.strip_suffix("ms").and_then(milliseconds);
    (time, if time.is_some() { rest } else { text })
}

pub(super) fn write(games: &[Game]) -> String {
    games.iter().map(write_game).collect::<Vec<_>>().join("\n")
}

fn write_game(game: &Game) -> String {
    let (record, meta) = (&game.record, &game.meta);
    let result = RESULTS.iter().find(|(_, claim)| *claim == meta.result).map_or(UNKNOWN, |(name, _)| name);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str, unknown: &str| {
        // A bracket or a quote would end the tag, or hide the moves from simple readers.
        let value = one_line(&value.replace('"', "'").replace('[', "(").replace(']', ")"));
        let value = if value.is_empty() { unknown } else { &value };
        if !value.is_empty() {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
    };
    tag("Event", &meta.event, "?");
    tag("Date", &meta.date, "????.??.??");
    tag("Round", &meta.round, "?");
    tag("Black", &meta.black, "?");
    tag("White", &meta.white, "?");
    tag("Result", result, "");
    if let Some(rule) = game.rule() {
        tag("Rule", &rule.info_value().to_string(), "");
    }
    tag("BoardSize", &record.size().to_string(), "");
    tag("Setup", &setup::print(record.setup(), record.size()), "");
    tag("PlyCount", &record.moves().len().to_string(), "");
    tag("Termination", &meta.reason, "");
    text.push('\n');

    let mut column = 0;
    for word in words(game, result) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += length;
    }
    text.push('\n');
    text
}

/// Numbers, moves, comments and the result, in order.
fn words(game: &Game, result: &str) -> Vec<String> {
    let safe = |text: &str| one_line(&text.replace(['{', '['], "(").replace(['}', ']'], ")"));
    let mut words = Vec::new();
    if !game.meta.comment.is_empty() {
        words.push(format!("{{{}}}", safe(&game.meta.comment)));
    }
    for (i, mv) in game.record.moves().iter().enumerate() {
        if i % 2 == 0 {
            words.push(format!("{}.", i / 2 + 1));
        }
        words.push(mv.text(game.record.size()).to_string());
        let Some(note) = game.meta.note(i) else { continue };
        let time = note.time_ms.map(|ms| format!("{ms}ms"));
        let said = safe(&note.comment);
        if time.is_none() && split_time(&said).0.is_some() {
            words.push("{}".to_owned());
        }
        let comment = time.into_iter().chain(Some(said).filter(|text| !text.is_empty()));
        let comment = comment.collect::<Vec<_>>().join(" ");
        if !comment.is_empty() {
            words.push(format!("{{{comment}}}"));
        }
    }
    words.push(result.to_owned());
    words
}
