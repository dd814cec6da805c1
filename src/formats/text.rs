//! Text notation, one game a line.
//!
//! ```text
//! # a comment, to the end of the line
//! #! rule half-stone
//! #! size 15
//! h8 i9 *j10 --
//! {black h8 g7; white i9; half j10; blocked a1; to-move white} h9 h10
//! empty
//! ```
//!
//! Lines that start with `#!` tell rule and size of the games that follow; to a reader that does not know them they
//! are comments. `#! rule ?` leaves the rule open again. A starting position stands in braces before the moves (see
//! [`setup`](super::setup)); a game of no moves from the empty board is the word `empty`.

use std::fmt::Write;

use super::error::ReadError;
use super::source::{Line, integer, lines};
use super::{Defaults, Game, setup};
use crate::game::print_moves;
use crate::types::{Rule, Size};

/// The word for a game without moves.
const EMPTY: &str = "empty";

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut now = *defaults;
    let mut games = Vec::new();
    for line in lines(text) {
        if let Some(words) = line.text.trim_start().strip_prefix("#!") {
            directive(line, words, &mut now, defaults)?;
            continue;
        }
        let body = line.text.split('#').next().unwrap_or_default().trim();
        if !body.is_empty() {
            games.push(game(line, body, &now)?);
        }
    }
    Ok(games)
}

/// A `#!` line. One with an unknown first word is a comment.
fn directive(line: Line<'_>, words: &str, now: &mut Defaults, defaults: &Defaults) -> Result<(), ReadError> {
    let words = words.trim();
    let (word, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let value = value.trim();
    match word.to_ascii_lowercase().as_str() {
        "rule" if value == "?" => now.rule = defaults.rule,
        "rule" => now.rule = Some(value.parse::<Rule>().map_err(|e| line.error(value, e))?),
        "size" => {
            let number = integer(value).ok_or_else(|| line.unexpected(value, "5 to 22"))?;
            now.size = Size::new(number).map_err(|e| line.error(value, e))?;
        }
        _ => {}
    }
    Ok(())
}

fn game(line: Line<'_>, body: &str, now: &Defaults) -> Result<Game, ReadError> {
    let (setup, moves) = match body.strip_prefix('{') {
        None => (crate::game::Setup::default(), body),
        Some(inner) => {
            let (inner, moves) = inner
                .split_once('}')
                .ok_or_else(|| line.unexpected(body, "a starting position that ends with }"))?;
            (setup::parse(line, inner, now.size)?, moves)
        }
    };
    let mut game = Game::with_setup(now.rule, now.size, setup);
    game.line = line.number;
    if !moves.trim().eq_ignore_ascii_case(EMPTY) {
        line.moves(moves, now.size)?.into_iter().for_each(|mv| game.record.push(mv));
    }
    Ok(game.infer_rule())
}

pub(super) fn write(games: &[Game]) -> String {
    let mut text = String::new();
    let mut told: (Option<Rule>, Option<Size>) = (None, None);
    for game in games {
        let size = game.record.size();
        // Writing into a string cannot fail.
        if game.rule() != told.0 {
            let _ = writeln!(text, "#! rule {}", game.rule().map_or("?", Rule::name));
        }
        if Some(size) != told.1 {
            let _ = writeln!(text, "#! size {size}");
        }
        told = (game.rule(), Some(size));
        let setup = setup::print(game.record.setup(), size);
        let moves = print_moves(game.record.moves(), size);
        let _ = match (setup.is_empty(), moves.is_empty()) {
            (true, true) => writeln!(text, "{EMPTY}"),
            (true, false) => writeln!(text, "{moves}"),
            (false, true) => writeln!(text, "{{{setup}}}"),
            (false, false) => writeln!(text, "{{{setup}}} {moves}"),
        };
    }
    text
}
