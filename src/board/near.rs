//! Candidate moves: the empty points near what has been played.
//!
//! Near means within the 7×7 square around a piece or on its eight rays up to distance four.

use super::Board;
use super::state::State;
use crate::types::{Cell, CellSet, MARGIN, STRIDE, Size};

/// How far the pattern reaches, in rows.
const REACH: usize = 4;
const ROWS: usize = 2 * REACH + 1;

/// The pattern, a word per row from four above to four below; bit 4 is the piece's own column.
const PATTERN: [u32; ROWS] = [
    0b1_0001_0001,
    0b0_1111_1110,
    0b0_1111_1110,
    0b0_1111_1110,
    0b1_1111_1111,
    0b0_1111_1110,
    0b0_1111_1110,
    0b0_1111_1110,
    0b1_0001_0001,
];

/// The rows that a piece's pattern touches, as they were.
pub(super) type Saved = [u32; ROWS];

#[inline]
fn first_row(cell: Cell) -> usize {
    // Board rows start at MARGIN, which is more than REACH.
    cell.index() / STRIDE - REACH
}

/// The rows around a cell.
#[inline]
pub(super) fn save(near: &[u32; STRIDE], cell: Cell) -> Saved {
    let first = first_row(cell);
    std::array::from_fn(|i| near[(first + i) % STRIDE])
}

/// Puts them back.
#[inline]
pub(super) fn restore(near: &mut [u32; STRIDE], cell: Cell, saved: &Saved) {
    let first = first_row(cell);
    for (i, &row) in saved.iter().enumerate() {
        near[(first + i) % STRIDE] = row;
    }
}

/// Adds the neighbourhood of a piece, whatever lies there.
#[inline]
pub(super) fn add(near: &mut [u32; STRIDE], cell: Cell, size: Size) {
    let first = first_row(cell);
    let shift = cell.index() % STRIDE - REACH;
    let columns = ((1u32 << size.get()) - 1) << MARGIN;
    for (i, &row) in PATTERN.iter().enumerate() {
        near[(first + i) % STRIDE] |= row << shift & columns;
    }
}

/// The empty cells of the neighbourhood.
fn empty_near(state: &State) -> CellSet {
    let rows = |i: usize| u64::from(state.near[2 * i]) | u64::from(state.near[2 * i + 1]) << 32;
    CellSet::from_words(std::array::from_fn(|i| rows(i) & state.empty.words()[i]))
}

impl Board {
    /// The moves worth looking at: empty points near a piece. On a board where nothing has been
    /// played yet, the centre; where that is taken or nothing near is empty, every empty point. Not kept by
    /// [`Board::make_light`].
    pub fn candidate_set(&self) -> CellSet {
        let near = empty_near(&self.state);
        if !near.is_empty() {
            return near;
        }
        let center = self.size.center();
        let untouched = self.state.near.iter().all(|&row| row == 0);
        if untouched && self.is_empty(center) { [center].into_iter().collect() } else { self.state.empty }
    }

    /// The cells of [`Board::candidate_set`], in index order.
    pub fn candidates(&self) -> impl Iterator<Item = Cell> {
        self.candidate_set().into_iter()
    }
}
