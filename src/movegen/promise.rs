//! How promising a move looks by the codes of its point alone: the first guess of every move ordering.

use crate::board::Board;
use crate::pattern::{MoveTable, OffsetTable};
use crate::types::{Cell, Color, Move, Size};

/// The half stone attacks nothing by itself.
const HALF_STONE: i32 = -20;

/// What the moves of one position promise.
#[derive(Clone, Copy, Debug)]
pub struct Promises<'a> {
    board: &'a Board,
    us: Color,
    /// By the code of the mover's own, and by that of the other colour.
    tables: [&'a MoveTable; 2],
    /// By where a move lies: from the opponent's last move, and from the mover's own.
    offsets: [(Cell, &'a OffsetTable); 2],
}

impl<'a> Promises<'a> {
    /// The promises of the moves of the side to move.
    #[inline]
    pub fn of(board: &'a Board) -> Promises<'a> {
        let us = board.side_to_move();
        let points = board.points();
        let mut last = board.moves().rev().map(Move::cell);
        let offsets = points.offsets(us).each_ref().map(|table| match last.next().flatten() {
            Some(cell) => (cell, table),
            None => (Size::STANDARD.center(), &OffsetTable::ZERO),
        });
        Promises { board, us, tables: [points.own_moves(us), points.their_moves(us)], offsets }
    }

    /// What the move promises, by the board's weights: what it makes, what it takes away, and where it
    /// lies.
    #[inline]
    pub fn get(&self, mv: Move) -> i32 {
        let Some(cell) = mv.cell() else { return 0 };
        let codes = self.board.codes(cell);
        let (ours, theirs) = (codes[self.us.index()], codes[(!self.us).index()]);
        let [reply, sequel] = self.offsets.map(|(from, table)| table.get(from, cell));
        let taken = self.tables[1].get(theirs) + reply + sequel;
        if mv.is_half() {
            // It takes from White and spoils Black's own point alike.
            taken - self.board.points().their_moves(!self.us).get(ours) + HALF_STONE
        } else {
            taken + self.tables[0].get(ours)
        }
    }
}
