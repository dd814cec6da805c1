//! Move ordering: a list of moves with scores, handed out best first.

use arrayvec::ArrayVec;

use super::history::History;
use crate::board::Board;
use crate::movegen::{MAX_MOVES, MoveList, promise};
use crate::types::Move;

const TABLE_MOVE: i32 = 1_000_000;
const KILLER: i32 = 60;
const COUNTER: i32 = 40;
/// Points of history that weigh as much as one of promise.
const HISTORY_DIVISOR: i32 = 64;

/// Hands out moves in order of promise. Equal scores go in the order of generation, which is that of the cells, so
/// that results do not depend on a sorting algorithm.
pub(super) struct Picker {
    moves: ArrayVec<(i32, Move), MAX_MOVES>,
    next: usize,
}

impl Picker {
    pub(super) fn new(
        board: &Board,
        moves: &MoveList,
        table_move: Option<Move>,
        history: &History,
        ply: usize,
    ) -> Picker {
        let us = board.side_to_move();
        let killers = history.killers(ply);
        let previous = board.last_move();
        let counter = history.counter(us, previous);
        let score = |mv: Move| {
            if table_move == Some(mv) {
                return TABLE_MOVE;
            }
            let known = history.score(us, previous, mv) / HISTORY_DIVISOR
                + if killers.contains(&Some(mv)) { KILLER } else { 0 }
                + if counter == Some(mv) { COUNTER } else { 0 };
            known + promise(board, mv)
        };
        Picker { moves: moves.iter().map(|&mv| (score(mv), mv)).collect(), next: 0 }
    }
}

impl Iterator for Picker {
    type Item = (i32, Move);

    fn next(&mut self) -> Option<(i32, Move)> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].0 > rest[best].0 {
                best = i;
            }
        }
        let picked = *rest.get(best)?;
        // Shift rather than swap, so that equal scores keep their order.
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(picked)
    }
}
