//! Brute force on small boards, with the reference rules alone: every legal move is tried.

use std::collections::HashMap;

use halfstone::game::GameRecord;
use halfstone::rules::{Position, Status};
use halfstone::types::{Color, Move, Piece, Rule, Size};

use super::random::{Rng, record};

/// Whether the side to move can force a win within this many plies of its own and its opponent's moves.
pub(crate) fn forces_win(position: &Position, plies: usize) -> bool {
    plies > 0 && position.legal_moves().into_iter().any(|mv| wins_by(position, mv, plies))
}

/// Whether this move forces a win within this many plies, itself the first.
pub(crate) fn wins_by(position: &Position, mv: Move, plies: usize) -> bool {
    let mut next = position.clone();
    match next.play(mv) {
        Ok(Status::Ongoing) => plies >= 3 && cannot_escape(&next, plies - 1),
        Ok(status) => status.winner() == Some(position.side_to_move()),
        Err(_) => false,
    }
}

/// Whether every move of the side to move lets the opponent force a win within the plies that are left.
pub(crate) fn cannot_escape(position: &Position, plies: usize) -> bool {
    position.legal_moves().into_iter().all(|mv| loses_by(position, mv, plies))
}

/// Whether this move lets the opponent force a win within the plies that are left, itself the first.
pub(crate) fn loses_by(position: &Position, mv: Move, plies: usize) -> bool {
    let mut next = position.clone();
    match next.play(mv) {
        Ok(Status::Ongoing) => forces_win(&next, plies - 1),
        Ok(status) => status.winner() == Some(!position.side_to_move()),
        Err(_) => true,
    }
}

/// Values of positions with few empty points, played out to the end.
#[derive(Default)]
pub(crate) struct Exact {
    known: HashMap<Vec<u8>, i8>,
}

impl Exact {
    /// 1, 0 or −1: what the side to move gets with best play on both sides.
    pub(crate) fn value(&mut self, position: &Position) -> i8 {
        let us = position.side_to_move();
        match position.status() {
            Status::Won { winner, .. } => return if winner == us { 1 } else { -1 },
            Status::Drawn => return 0,
            Status::Ongoing => {}
        }
        let key = image(position);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut best = -1;
        for mv in position.legal_moves() {
            best = best.max(self.value_of(position, mv));
            if best == 1 {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }

    /// The same after this move, for the one who plays it.
    pub(crate) fn value_of(&mut self, position: &Position, mv: Move) -> i8 {
        let mut next = position.clone();
        next.play(mv).expect("the move is legal");
        -self.value(&next)
    }
}

/// Everything that decides how a game goes on.
fn image(position: &Position) -> Vec<u8> {
    let mark = |cell| match position.piece(cell) {
        None => 0,
        Some(Piece::Stone(Color::Black)) => 1,
        Some(Piece::Stone(Color::White)) => 2,
        Some(Piece::Half | Piece::Blocked) => 3,
    };
    let mut image: Vec<u8> = position.size().cells().map(mark).collect();
    image.push(position.side_to_move() as u8 * 2 + u8::from(position.half_in_hand()));
    image
}

/// A random position of a board of 5×5 to 7×7 in which the game goes on, with every tenth point or so blocked and so
/// many empty ones; under the half-stone rule with the half stone in hand or on the board.
pub(crate) fn small(rng: &mut Rng, rule: Rule, empty: usize) -> Option<GameRecord> {
    let size = Size::new(5 + rng.below(3) as i64).expect("a size");
    let mut cells: Vec<_> = size.cells().collect();
    for i in (1..cells.len()).rev() {
        cells.swap(i, rng.below(i + 1));
    }
    let mut half = rule == Rule::HalfStone && rng.percent(50);
    let lean = 40 + rng.below(21);
    let pieces = cells.into_iter().skip(empty).map(|cell| {
        let color = if rng.percent(lean) { Color::Black } else { Color::White };
        let piece = if std::mem::take(&mut half) {
            Piece::Half
        } else if rng.percent(10) {
            Piece::Blocked
        } else {
            Piece::Stone(color)
        };
        (cell, piece)
    });
    let pieces = pieces.collect();
    let game = record(rule, size, pieces, Color::ALL[rng.below(2)]);
    let position = Position::from_record(&game).ok()?;
    (position.status() == Status::Ongoing).then_some(game)
}
