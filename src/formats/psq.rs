//! Piskvork's record of one game.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,120
//! *9,7,35
//! pbrain-one.exe
//! pbrain-two.exe
//! 0
//! #rule half-stone
//! ```
//!
//! The header holds the size, the players' levels (0: a person) and 1 if the second player began. A move is
//! `x,y,milliseconds` from 1, y from the top; with a star it is our half stone. After the moves come the players'
//! names, which may be missing, and a code for how the game ended, which is not used here. A line that is made like a
//! move is never taken for a name: a damaged move must not end the game unnoticed. Piskvork stops reading after the
//! names, so what it has no place for follows as our lines `#key value`: `rule`, `result`, `reason`, `event`, `round`,
//! `date`, and `black` or `white` for a name that would be misread in its own place. Piskvork writes 0 for a time that
//! it does not know; a game with nothing but zeros has no times.

use std::fmt::Write;

use super::error::{Problem, ReadError, WriteError};
use super::source::{Line, has_prefix, integer, lines, one_line, point, show};
use super::{Defaults, Format, Game};
use crate::game::{Claim, Meta};
use crate::types::{Move, Rule, Size};

/// Stands for a name that is not known, or follows as a `#` line.
const NO_NAME: &str = "-";

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Game, ReadError> {
    let mut all = lines(text).skip_while(|line| line.text.trim().is_empty()).peekable();
    let head = all.next().unwrap_or(Line { number: 1, text: "" });
    let (size, second_began) = header(head)?;
    let mut game = Game::new(defaults.rule, size);
    game.line = head.number;
    while let Some(line) = all.next_if(|line| line.text.trim().is_empty() || is_move(line.text)) {
        if !line.text.trim().is_empty() {
            let (mv, time) = read_move(line, size)?;
            game.push(mv, time);
        }
    }
    if game.meta.notes.iter().all(|note| note.time_ms.unwrap_or(0) == 0) {
        game.meta.notes.clear();
    }

    let names = read_tail(all, size, &mut game)?;
    let mut names: Vec<&str> = names.iter().map(|line| line.text.trim()).collect();
    if second_began {
        names.truncate(2);
        names.reverse();
    }
    let mut names = names.into_iter();
    for name in [&mut game.meta.black, &mut game.meta.white] {
        let given = names.next().filter(|name| *name != NO_NAME).unwrap_or_default();
        if name.is_empty() {
            given.clone_into(name);
        }
    }
    Ok(game.infer_rule())
}

/// What comes after the moves: names, which are returned, the end code, and our own lines. What other programs write
/// after the end code is theirs.
fn read_tail<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    size: Size,
    game: &mut Game,
) -> Result<Vec<Line<'a>>, ReadError> {
    let mut names: Vec<Line<'a>> = Vec::new();
    let mut ended = false;
    for line in lines {
        let body = line.text.trim();
        if let Some(extra) = body.strip_prefix('#') {
            read_extra(line, extra, game)?;
        } else if integer(body).is_some() {
            ended = true;
        } else if is_move(body) {
            if ended {
                continue;
            }
            read_move(line, size)?;
            // Whatever ended the moves before this one is no name.
            let culprit = names.first().copied().unwrap_or(line);
            let allowed = "x,y,milliseconds, or a name after the last move";
            return Err(culprit.unexpected(culprit.text.trim(), allowed));
        } else if !body.is_empty() {
            names.push(line);
        }
    }
    Ok(names)
}

/// Size, and whether the second player began.
fn header(line: Line<'_>) -> Result<(Size, bool), ReadError> {
    const FORM: &str = "Piskvorky 15x15, 11:11, 0";
    let text = line.text.trim();
    if text.is_empty() {
        return Err(line.error(line.text, Problem::Ended(FORM)));
    }
    if !has_prefix(text, "piskvorky") {
        return Err(line.unexpected(text, FORM));
    }
    let mut parts = text.get("piskvorky".len()..).unwrap_or_default().split(',').map(str::trim);
    let board = parts.next().unwrap_or_default();
    let sides =
        board.split_once(['x', 'X']).and_then(|(w, h)| Some((integer(w.trim())?, integer(h.trim())?)));
    let Some((width, height)) = sides else {
        return Err(line.unexpected(board, "the size of the board, as in 15x15"));
    };
    if width != height {
        return Err(line.unexpected(board, "square boards only"));
    }
    let size = Size::new(width).map_err(|e| line.error(board, e))?;
    Ok((size, parts.nth(1) == Some("1")))
}

/// Whether a line has the form of a move, be it a damaged one: a number and a comma; two numbers of three, separated by
/// commas or semicolons; or two or three numbers, of which the first two could be a point.
fn is_move(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix('*').unwrap_or(text);
    let starts = text.split_once(',').is_some_and(|(x, _)| integer(x.trim()).is_some());
    let numbers = |separators: &[char]| -> Vec<Option<i64>> {
        let fields = text.split(separators).map(str::trim).filter(|field| !field.is_empty());
        fields.map(integer).collect()
    };
    let fields = numbers(&[',', ';']);
    let words = numbers(&[' ', '\t']);
    let is_coordinate =
        |number: &Option<i64>| number.is_some_and(|n| (0..=Size::MAX.get() as i64).contains(&n));
    starts
        || (fields.len() <= 3 && fields.iter().flatten().count() >= 2)
        || (matches!(words.len(), 2 | 3)
            && words.iter().take(2).all(is_coordinate)
            && words.iter().all(Option::is_some))
}

fn read_move(line: Line<'_>, size: Size) -> Result<(Move, Option<u64>), ReadError> {
    let body = line.text.trim();
    let plain = body.strip_prefix('*');
    let mut fields = plain.unwrap_or(body).split(',').map(str::trim);
    let mut number = |what: &'static str| {
        let field = fields.next().unwrap_or_default();
        let place = if field.is_empty() { body } else { field };
        integer(field).ok_or_else(|| line.unexpected(place, what))
    };
    let (x, y) = (number("x,y,milliseconds")?, number("x,y,milliseconds")?);
    let time = if body.matches(',').count() > 1 { u64::try_from(number("milliseconds")?).ok() } else { None };
    if let Some(more) = fields.next() {
        return Err(line.unexpected(more, "no more than x,y,milliseconds"));
    }
    let cell = point(x, y, 1, size).ok_or_else(|| {
        let token = body.splitn(3, ',').take(2).map(str::trim).collect::<Vec<_>>().join(",");
        line.error(
            body,
            Problem::OffBoard { token: show(&token), allowed: format!("x and y from 1 to {size}") },
        )
    })?;
    Ok((if plain.is_some() { Move::half(cell) } else { Move::stone(cell) }, time))
}

/// One of our lines after the end code; unknown keys are left alone.
fn read_extra(line: Line<'_>, text: &str, game: &mut Game) -> Result<(), ReadError> {
    let (key, value) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let (key, value) = (key.to_ascii_lowercase(), value.trim());
    match key.as_str() {
        "rule" => game.set_rule(value.parse::<Rule>().map_err(|e| line.error(value, e))?),
        "result" => {
            let claim = Claim::from_name(value);
            let claim = claim.ok_or_else(|| line.unexpected(value, "black, white, draw, unfinished"))?;
            game.meta.result = Some(claim);
        }
        _ => {
            if let Some((_, field)) = extras(&mut game.meta).into_iter().find(|(name, _)| *name == key) {
                value.clone_into(field);
            }
        }
    }
    Ok(())
}

/// The free texts among our lines.
fn extras(meta: &mut Meta) -> [(&'static str, &mut String); 6] {
    [
        ("black", &mut meta.black),
        ("white", &mut meta.white),
        ("event", &mut meta.event),
        ("round", &mut meta.round),
        ("date", &mut meta.date),
        ("reason", &mut meta.reason),
    ]
}

pub(super) fn write(games: &[Game]) -> Result<String, WriteError> {
    let game = match games {
        [game] => game,
        [] => {
            return Err(WriteError {
                format: Format::Psq,
                game: 1,
                what: "a file without a game".to_owned(),
            });
        }
        _ => return Err(WriteError { format: Format::Psq, game: 2, what: "more than one game".to_owned() }),
    };
    Format::Psq.refuse_all_but_moves(1, &game.record)?;
    let size = game.record.size();
    // Writing into a string cannot fail.
    let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    for (i, mv) in game.record.moves().iter().enumerate() {
        let Some(cell) = mv.cell() else { continue };
        let star = if mv.is_half() { "*" } else { "" };
        let time = game.meta.note(i).and_then(|note| note.time_ms).unwrap_or(0);
        let _ = writeln!(text, "{star}{},{},{time}", cell.x() + 1, cell.y() + 1);
    }

    let mut meta = game.meta.clone();
    let in_place = |name: &str| {
        !name.is_empty()
            && name != NO_NAME
            && !name.starts_with('#')
            && !is_move(name)
            && integer(name).is_none()
    };
    if !(meta.black.is_empty() && meta.white.is_empty()) {
        for name in [&mut meta.black, &mut meta.white] {
            let line = one_line(name);
            let fits = in_place(&line);
            let _ = writeln!(text, "{}", if fits { &line } else { NO_NAME });
            if fits {
                name.clear();
            }
        }
    }
    text += "0\n";
    if let Some(rule) = game.rule() {
        let _ = writeln!(text, "#rule {rule}");
    }
    if let Some(result) = meta.result {
        let _ = writeln!(text, "#result {}", result.name());
    }
    for (key, value) in extras(&mut meta) {
        let value = one_line(value);
        if !value.is_empty() {
            let _ = writeln!(text, "#{key} {value}");
        }
    }
    Ok(text)
}
