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

    /// Adds the cell if it is absent and removes it if it is there.
    #[inline]
    pub fn toggle(&mut self, cell: Cell) {
        self.0[cell.index() / 64] ^= 1 << (cell.index() % 64);
    }

    /// [`CellSet::toggle`] by index into the padded array; higher bits of the index are ignored.
    #[inline]
    pub fn toggle_index(&mut self, index: usize) {
        self.0[index / 64 % WORDS] ^= 1 << (index % 64);
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// The set with these words: bit `i % 64` of word `i / 64` stands for the cell with index `i`.
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> CellSet {
        CellSet(words)
    }

    /// The words, as [`CellSet::from_words`] takes them.
    #[inline]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// The first cell in index order.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Cell::from_index(i * 64 + self.0[i].trailing_zeros() as usize)
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

    /// The cells that are in this set and not in the other.
    #[must_use]
    pub fn difference(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The cells, in index order.
    #[inline]
    pub fn iter(&self) -> Cells<'_> {
        Cells { words: self.0.iter(), word: 0, base: 0 }
    }
}

/// The cells of a borrowed set, in index order.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    words: std::slice::Iter<'a, u64>,
    /// What is left of the present word.
    word: u64,
    /// Index of the first cell after that word.
    base: usize,
}

impl Iterator for Cells<'_> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.base += 64;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Cell::from_index(self.base - 64 + bit)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    /// The cells, in index order.
    fn into_iter(self) -> CellSetIter {
        CellSetIter { words: self.0, next: 0 }
    }
}

/// The cells of a set, in index order.
#[derive(Clone, Debug)]
pub struct CellSetIter {
    words: [u64; WORDS],
    /// The first word that may still hold a cell.
    next: usize,
}

impl Iterator for CellSetIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while let Some(word) = self.words.get_mut(self.next) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Cell::from_index(self.next * 64 + bit);
            }
            self.next += 1;
        }
        None
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
