//! c-gomoku-cli's `pos` openings: one a line, moves without blanks, as in `h8i9j10`.
//!
//! The letter is the column from the left, as in text notation, but the number is the row from the **top**: on 15×15
//! `a1` is the upper left corner. `*h8` is our half stone. Blanks, commas and `#` comments are read and never
//! written. The size is not told, and a game needs at least one move.

use super::error::{ReadError, WriteError};
use super::source::lines;
use super::{Defaults, Format, Game};
use crate::game::{GameRecord, Symmetry, print_moves};

pub(super) fn read(text: &str, defaults: &Defaults) -> Result<Vec<Game>, ReadError> {
    let mut games = Vec::new();
    for line in lines(text) {
        let body = line.text.split('#').next().unwrap_or_default();
        if body.trim().is_empty() {
            continue;
        }
        let mut game = Game::new(defaults.rule, defaults.size);
        game.line = line.number;
        for mv in line.moves(body, defaults.size)? {
            game.record.push(Symmetry::MIRROR_TOP_BOTTOM.mv(mv, defaults.size));
        }
        games.push(game.infer_rule());
    }
    Ok(games)
}

pub(super) fn write(games: &[Game]) -> Result<String, WriteError> {
    let mut text = String::new();
    for (i, game) in games.iter().enumerate() {
        Format::Pos.refuse_all_but_moves(i + 1, &game.record)?;
        let turned: GameRecord = Symmetry::MIRROR_TOP_BOTTOM.record(&game.record);
        text.extend(print_moves(turned.moves(), turned.size()).split(' '));
        text.push('\n');
    }
    Ok(text)
}
