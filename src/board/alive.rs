//! Alive windows: the rows of five points in which a colour could still make a five.

use super::lines::{locate, turn};
use super::state::State;
use crate::types::{Cell, Color, Direction, Piece, Size};

/// Of nine cells as bits 0, 2, … 16, how many of the five rows of five are all ones.
#[inline(always)]
const fn rows_of_five(cells: u64) -> u16 {
    let twos = cells & cells >> 2;
    let fours = twos & twos >> 4;
    (fours & cells >> 8 & 0x155).count_ones() as u16
}

/// Takes off the windows that a piece on the still empty cell is about to kill.
#[inline]
pub(super) fn kill(state: &mut State, cell: Cell, piece: Piece) {
    for color in Color::ALL {
        if piece == Piece::Stone(color) {
            continue;
        }
        for direction in Direction::ALL {
            let (word, place) = locate(cell.index(), direction);
            let around = turn(state.lines.word(word), place, 4);
            state.alive[color.index()] -= rows_of_five(around >> color.index() & 0x1_5555);
        }
    }
}

/// How many alive windows start on this cell, over the four directions.
pub(super) fn windows_from(state: &State, size: Size, color: Color, cell: Cell) -> u16 {
    let usable = |at: Option<Cell>| {
        at.is_some_and(|at| {
            at.on_board(size)
                && matches!(state.piece(at), None | Some(Piece::Stone(_)))
                && state.piece(at) != Some(Piece::Stone(!color))
        })
    };
    let alive = |direction: &&Direction| (0..5).all(|k| usable(cell.step(**direction, k)));
    Direction::ALL.iter().filter(alive).count() as u16
}
