//! A naive solver for wins by nothing but fours (VCF), on the reference rules.
//!
//! It knows nothing of shapes. A four is a stone after which its player has a winning point; a defence is a move after
//! which there is none. Positions that were found to hold no win are remembered, whole; points that won before are
//! tried first; nothing else is clever.

use std::collections::HashMap;

use halfstone::rules::Position;
use halfstone::types::{Cell, Color, Direction, Move, Piece, Rule};

/// No game has so many moves.
pub(crate) const UNLIMITED: usize = usize::MAX;

/// The search gave up before it was sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GaveUp;

/// A solver with its memory of positions without a win.
pub(crate) struct Solver {
    nodes_left: u64,
    /// Positions seen without a win, and the number of attacker's moves that was tried.
    barren: HashMap<(Color, Vec<u8>), usize>,
    /// How often a four on this point won.
    successes: HashMap<Cell, u32>,
}

impl Solver {
    /// A solver that gives up after so many positions.
    pub(crate) fn new(node_limit: u64) -> Solver {
        Solver { nodes_left: node_limit, barren: HashMap::new(), successes: HashMap::new() }
    }

    /// Whether the side to move wins with at most `moves` stones of its own, each a four bar the last, a five.
    pub(crate) fn wins(&mut self, position: &Position, moves: usize) -> Result<bool, GaveUp> {
        if position.status().is_over() || moves == 0 {
            return Ok(false);
        }
        let attacker = position.side_to_move();
        if has_five(position, attacker) {
            return Ok(true);
        }
        let key = (attacker, image(position));
        if self.barren.get(&key).is_some_and(|&tried| tried >= moves) {
            return Ok(false);
        }
        let mut fours = four_points(position, attacker);
        fours.sort_by_key(|four| std::cmp::Reverse(self.successes.get(four).copied()));
        for four in fours {
            if self.wins_by(position, four, moves)? {
                *self.successes.entry(four).or_default() += 1;
                return Ok(true);
            }
        }
        self.barren.insert(key, moves);
        Ok(false)
    }

    /// Whether the side to move wins likewise if its first stone is `first`.
    pub(crate) fn wins_by(&mut self, position: &Position, first: Cell, moves: usize) -> Result<bool, GaveUp> {
        let attacker = position.side_to_move();
        let mut position = position.clone();
        let Ok(status) = position.play(Move::stone(first)) else {
            return Ok(false);
        };
        if status.is_over() {
            return Ok(status.winner() == Some(attacker));
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(GaveUp)?;

        // The stone must be a four, and must leave the defender no five of his own.
        let fives = fives_near(&position, first, attacker);
        if moves < 2 || fives.is_empty() || has_five(&position, !attacker) {
            return Ok(false);
        }
        for reply in replies(&position, &fives) {
            let mut next = position.clone();
            // A reply that loses by itself (a foul) is no defence.
            if next.play(Move::stone(reply)).is_ok_and(|status| status.winner() != Some(attacker))
                && !self.wins(&next, moves - 1)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Every piece of the board as a byte.
fn image(position: &Position) -> Vec<u8> {
    let mark = |cell| match position.piece(cell) {
        None => b'.',
        Some(Piece::Stone(Color::Black)) => b'X',
        Some(Piece::Stone(Color::White)) => b'O',
        Some(Piece::Half | Piece::Blocked) => b'#',
    };
    position.size().cells().map(mark).collect()
}

/// Whether this colour has a point that wins at once.
pub(crate) fn has_five(position: &Position, color: Color) -> bool {
    position.size().cells().any(|cell| position.would_win(cell, color))
}

/// The points up to `reach` steps from `cell` on its four lines.
fn star(cell: Cell, reach: i32) -> impl Iterator<Item = Cell> {
    Direction::ALL.into_iter().flat_map(move |direction| {
        (-reach..=reach).filter(|&k| k != 0).filter_map(move |k| cell.step(direction, k))
    })
}

/// Winning points of this colour that the stone on `cell` may have to do with.
fn fives_near(position: &Position, cell: Cell, color: Color) -> Vec<Cell> {
    star(cell, 4).filter(|&at| position.would_win(at, color)).collect()
}

/// Moves that can take one of the winning points `fives` away from the opponent. All others lose to it.
fn replies(position: &Position, fives: &[Cell]) -> Vec<Cell> {
    let mut replies = fives.to_vec();
    if matches!(position.rule(), Rule::Caro | Rule::CaroFive) {
        // A five can also be spoilt by enclosing it: the far end lies five steps from the winning point at most.
        replies.extend(fives.iter().flat_map(|&five| star(five, 5)).filter(|&at| position.is_empty(at)));
    }
    replies.sort();
    replies.dedup();
    replies
}

/// Points where a stone of this colour may make a four: three of the colour and two empty points, the point itself one
/// of them, in five consecutive ones. Every four needs that, under every rule.
pub(crate) fn four_points(position: &Position, color: Color) -> Vec<Cell> {
    let own = Some(Piece::Stone(color));
    let may_make_four = |cell: Cell| {
        Direction::ALL.into_iter().any(|direction| {
            (-4..=0).any(|start| {
                let mut stones = 0;
                let mut gaps = 0;
                for at in (start..start + 5).filter_map(|k| cell.step(direction, k)) {
                    if position.is_empty(at) {
                        gaps += 1;
                    } else if position.piece(at) == own {
                        stones += 1;
                    }
                }
                (stones, gaps) == (3, 2)
            })
        })
    };
    position.empty_cells().filter(|&cell| may_make_four(cell)).collect()
}
