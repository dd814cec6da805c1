//! Layer 3: moves by purpose: what a position forces ([`situation`]), fours, all candidates, and what a move promises.

mod promise;
mod situation;

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::pattern::{PointClass, hand_set_promise};
use crate::types::{Cell, CellSet, Color, Move, Rule, Size};

pub use promise::Promises;
pub use situation::{Situation, situation, straight_four};

/// Room for every move of the largest board, and the half-stone moves that are tried beside them.
pub const MAX_MOVES: usize = Size::MAX.area() + 64;

/// A list of moves.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Whether an ordinary stone of the side to move on the empty `cell` does not lose at once as a foul.
#[inline]
pub fn is_playable(board: &Board, cell: Cell) -> bool {
    board.side_to_move() == Color::White || !board.is_forbidden(cell)
}

/// Whether `color` can make a four that threatens something.
#[inline]
pub fn has_four(board: &Board, color: Color) -> bool {
    !board.is_dormant(color) && PointClass::FOURS.into_iter().any(|class| board.count(color, class) > 0)
}

/// The points where `color` makes a four.
pub fn fours(board: &Board, color: Color) -> CellSet {
    PointClass::FOURS
        .into_iter()
        .filter(|&class| board.count(color, class) > 0)
        .fold(CellSet::default(), |all, class| all.union(board.set(color, class)))
}

/// All moves worth trying when nothing is forced: stones near other stones and, for Black holding it, the half stone
/// where it hurts. Fouls are left out; the list is empty if nothing else is left.
pub fn candidate_moves(board: &Board, moves: &mut MoveList) {
    moves.clear();
    push_playable(board, &board.candidate_set(), moves);
    if moves.is_empty() {
        push_playable(board, board.empty_cells(), moves);
    }
    if board.is_dormant(board.side_to_move()) {
        moves.extend(half_stone_cells(board).into_iter().map(Move::half));
    }
}

fn push_playable(board: &Board, cells: &CellSet, moves: &mut MoveList) {
    let fouls = board.side_to_move() == Color::Black && (board.rule() == Rule::Renju || board.half_in_hand());
    for cell in cells.iter() {
        if !fouls || is_playable(board, cell) {
            moves.push(Move::stone(cell));
        }
    }
}

/// How many of the most damaging points are tried for the half stone.
const HALF_MOVES: usize = 6;

/// Where the half stone is worth trying: the points that mean most to White and least to Black, and one dead point
/// as a pure tempo move.
pub fn half_stone_cells(board: &Board) -> ArrayVec<Cell, 8> {
    let worth = |color: Color, cell: Cell| i32::from(hand_set_promise(board.code(color, cell)));
    let mut cells: ArrayVec<(i32, Cell), { HALF_MOVES + 1 }> = ArrayVec::new();
    for cell in board.candidate_set().iter() {
        let damage = worth(Color::White, cell) - worth(Color::Black, cell);
        if cells.len() == HALF_MOVES && cells.last().is_some_and(|&(least, _)| least >= damage) {
            continue;
        }
        let place = cells.iter().position(|&(other, _)| other < damage).unwrap_or(cells.len());
        cells.insert(place, (damage, cell));
        cells.truncate(HALF_MOVES);
    }
    let mut chosen: ArrayVec<Cell, 8> = cells.iter().map(|&(_, cell)| cell).collect();
    let dead = board
        .empty_cells()
        .iter()
        .filter(|cell| !chosen.contains(cell))
        .min_by_key(|&cell| (worth(Color::White, cell) + worth(Color::Black, cell), cell));
    chosen.extend(dead);
    chosen
}

/// Whether `mv` may be played at all: its cell is empty, and a half stone is in hand.
pub fn is_legal(board: &Board, mv: Move) -> bool {
    match mv.cell() {
        Some(cell) => board.is_empty(cell) && (!mv.is_half() || board.is_dormant(board.side_to_move())),
        None => false,
    }
}
