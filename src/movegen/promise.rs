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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{SideWeights, Weights, offset_class};
    use crate::types::Rule;

    #[test]
    fn a_promise_is_the_sum_of_what_the_weights_say() {
        let mut side = SideWeights::ZERO;
        side.own = std::array::from_fn(|code| (code % 91) as i16);
        side.theirs = std::array::from_fn(|code| (code % 89) as i16 - 30);
        side.offsets = [1, 2].map(|n| std::array::from_fn(|class| n * (5 * class as i16 - 60)));
        let both = [side.clone(), side.clone()];
        let weights = Weights { after: both.clone(), in_hand: both };
        let size = Size::STANDARD;
        let mut board = Board::with_weights(Rule::Freestyle, size, &weights);
        let played: [(usize, usize); 4] = [(7, 7), (8, 8), (5, 2), (14, 0)];
        for (ply, (x, y)) in played.into_iter().enumerate() {
            let (us, promises) = (board.side_to_move(), Promises::of(&board));
            for to in board.empty_cells().iter() {
                let offsets = (1..=2).filter(|&back| back <= ply).map(|back| {
                    let (x, y) = played[ply - back];
                    let class = offset_class(to.x() as isize - x as isize, to.y() as isize - y as isize);
                    i32::from(side.offsets[back - 1][class])
                });
                let own = i32::from(side.own[usize::from(board.code(us, to))]);
                let theirs = i32::from(side.theirs[usize::from(board.code(!us, to))]);
                assert_eq!(promises.get(Move::stone(to)), own + theirs + offsets.sum::<i32>(), "{ply}");
            }
            board.make(Move::stone(Cell::new(x, y, size).expect("a point of the board")));
        }
    }
}
