//! How promising a move looks by the codes of its point alone: the first guess of every move ordering.

use crate::board::Board;
use crate::pattern::MoveTable;
use crate::types::{Color, Move};

/// The half stone attacks nothing by itself.
const HALF_STONE: i32 = -20;

/// What the moves of one position promise.
#[derive(Clone, Copy, Debug)]
pub struct Promises<'a> {
    board: &'a Board,
    us: Color,
    /// By the code of the mover's own, and by that of the other colour.
    tables: [&'a MoveTable; 2],
}

impl<'a> Promises<'a> {
    /// The promises of the moves of the side to move.
    #[inline]
    pub fn of(board: &'a Board) -> Promises<'a> {
        let us = board.side_to_move();
        let points = board.points();
        Promises { board, us, tables: [points.own_moves(us), points.their_moves(us)] }
    }

    /// What the move promises, by the board's weights: what it makes, and what it takes away.
    #[inline]
    pub fn get(&self, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let codes = self.board.codes(cell);
        let (ours, theirs) = (codes[self.us.index()], codes[(!self.us).index()]);
        let taken = self.tables[1].get(theirs);
        if mv.is_half() {
            // It takes from White and spoils Black's own point alike.
            taken - self.board.points().their_moves(!self.us).get(ours) + HALF_STONE
        } else {
            taken + self.tables[0].get(ours)
        }
    }
}
