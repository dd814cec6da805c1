//! A set of cells as one bit per padded cell.

use std::fmt;

use super::{Cell, PADDED_CELLS};

const WORDS: usize = PADDED_CELLS / 64;

/// A set of cells. Iterates in index order: row by row from the top, which makes every choice among equals
/// reproducible.
///
/// ```
/// use halfstone::types::{CellSet, Size};
/// let mut set = CellSet::default();
/// set.insert(Size::STANDARD.center());
/// assert_eq!(set.len(), 1);
/// assert!(set.contains(Size::STANDARD.center()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct CellSet([u64; WORDS]);

impl CellSet {
    /// Adds a cell; adding it twice changes nothing.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    /// Removes a cell; removing an absent one changes nothing.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The cells that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The cells that are in either set.
    #[must_use]
    pub fn union(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The cells, in index order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|&w| w != 0)
                .filter_map(move |w| Cell::from_index(i * 64 + w.trailing_zeros() as usize))
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    #[test]
    fn a_set_holds_exactly_what_was_put_in() {
        let cells: Vec<Cell> = Size::MAX.cells().step_by(3).collect();
        let mut set: CellSet = cells.iter().copied().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert_eq!(set.len(), cells.len());
        for cell in &cells {
            set.remove(*cell);
        }
        assert!(set.is_empty());
    }
}
