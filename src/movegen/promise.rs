//! How promising a move looks by the codes of its point alone: the first guess of every move ordering.

use crate::board::Board;
use crate::types::Move;

/// The half stone attacks nothing by itself.
const HALF_STONE: i32 = -20;

/// What a move of the side to move promises, by the board's weights: what it makes, and what it takes away.
#[inline]
pub fn promise(board: &Board, mv: Move) -> i32 {
    let us = board.side_to_move();
    let Some(cell) = mv.cell() else { return 0 };
    let points = board.points();
    let (ours, theirs) = (board.code(us, cell), board.code(!us, cell));
    let taken = i32::from(points.their_move(us, theirs));
    if mv.is_half() {
        // It takes from White and spoils Black's own point alike.
        taken - i32::from(points.their_move(!us, ours)) + HALF_STONE
    } else {
        taken + i32::from(points.own_move(us, ours))
    }
}
