//! Line words: every row, column and diagonal as one 64-bit word of two availability bits per cell.
//!
//! Bit 0 of a cell says that Black may still use it, bit 1 that White may. A stone clears the other colour's bit;
//! walls, the half stone and blocked points are 00, so that no pattern code ever asks what they are.

use crate::types::{Cell, Direction, Piece, STRIDE, Size};

/// Words: 64 per direction, of which rows and columns use 32 and the diagonals 63.
const WORDS: usize = 4 * 64;

/// All lines of a board. 2 KB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines([u64; WORDS]);

/// Which word holds the cell in this direction, and the cell's place in it (0 to 31).
#[inline(always)]
pub(super) const fn locate(index: usize, direction: Direction) -> (usize, u32) {
    let (x, y) = (index % STRIDE, index / STRIDE % STRIDE);
    let (line, place) = match direction {
        Direction::Horizontal => (y, x),
        Direction::Vertical => (x, y),
        Direction::Diagonal => (31 + x - y, x),
        Direction::AntiDiagonal => (x + y, x),
    };
    ((direction.index() * 64 + line) % WORDS, place as u32)
}

/// The window key in the low bits of a line word that was rotated so that the cell `HALF` before the centre is
/// lowest: the centre's two bits are taken out.
#[inline(always)]
pub(super) const fn squeeze<const HALF: usize>(rotated: u64) -> usize {
    let side = (1u64 << (2 * HALF)) - 1;
    ((rotated & side) | ((rotated >> 2) & (side << (2 * HALF)))) as usize
}

/// A line word turned so that the cell `back` places before `place` is lowest. Places below zero come from the other
/// end of the word, which is wall.
#[inline(always)]
pub(super) const fn turn(word: u64, place: u32, back: u32) -> u64 {
    word.rotate_right((2 * place).wrapping_sub(2 * back) % 64)
}

/// The bits that a piece takes away from a cell.
#[inline(always)]
pub(super) const fn taken(piece: Piece) -> u64 {
    match piece {
        Piece::Stone(color) => 2 >> color.index(),
        Piece::Half | Piece::Blocked => 3,
    }
}

impl Lines {
    /// The lines of an empty board.
    pub(super) fn new(size: Size) -> Lines {
        let mut lines = Lines([0; WORDS]);
        for cell in size.cells() {
            lines.flip(cell, 3);
        }
        lines
    }

    /// Turns the cell's bits over, in all four lines: puts a piece on an empty cell or takes it off again.
    #[inline]
    pub(super) fn flip(&mut self, cell: Cell, bits: u64) {
        for direction in Direction::ALL {
            let (word, place) = locate(cell.index(), direction);
            self.0[word] ^= bits << (2 * place);
        }
    }

    /// The word with this number.
    #[inline(always)]
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word % WORDS]
    }

    /// The window key around a cell, `half` (4 or 5) cells to each side.
    #[inline]
    pub(super) fn key(&self, cell: Cell, direction: Direction, half: usize) -> u32 {
        let (word, place) = locate(cell.index(), direction);
        let rotated = turn(self.word(word), place, half as u32);
        (if half == 4 { squeeze::<4>(rotated) } else { squeeze::<5>(rotated) }) as u32
    }

    /// The two availability bits of a cell.
    #[inline]
    pub(super) fn bits(&self, cell: Cell, direction: Direction) -> u64 {
        let (word, place) = locate(cell.index(), direction);
        self.word(word) >> (2 * place) & 3
    }
}
