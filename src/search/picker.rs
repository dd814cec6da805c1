//! Move ordering: a list of moves with scores, handed out best first.

use arrayvec::ArrayVec;

use super::history::History;
use super::tactics::{MAX_MOVES, MoveList};
use crate::board::Board;
use crate::eval::attack_value;
use crate::types::Move;

const TABLE_MOVE: i32 = 1_000_000;
const KILLER: i32 = 60;
const COUNTER: i32 = 40;
/// Points that the history may add or take.
const HISTORY_DIVISOR: i32 = 100;

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
        let counter = history.counter(us, board.last_move());
        let score = |mv: Move| {
            if table_move == Some(mv) {
                return TABLE_MOVE;
            }
            let known = history.score(us, mv) / HISTORY_DIVISOR
                + if killers.contains(&Some(mv)) { KILLER } else { 0 }
                + if counter == Some(mv) { COUNTER } else { 0 };
            known + Picker::promise(board, mv)
        };
        Picker { moves: moves.iter().map(|&mv| (score(mv), mv)).collect(), next: 0 }
    }

    /// What the classes of the point say of a move: attack, and half as much again for what it takes away.
    pub(super) fn promise(board: &Board, mv: Move) -> i32 {
        let us = board.side_to_move();
        let Some(cell) = mv.cell() else { return 0 };
        let takes = attack_value(board.class(!us, cell)) / 2;
        if mv.is_half() {
            // The half stone attacks nothing by itself and spoils Black's own point.
            takes - attack_value(board.class(us, cell)) / 2 - 20
        } else if board.half_in_hand() {
            // Fours made while the half stone is in hand are worth a tempo less for Black, and White's give it away.
            takes + attack_value(board.class(us, cell)) * 2 / 3
        } else {
            takes + attack_value(board.class(us, cell))
        }
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
