//! Where a move lies from the moves before it, in classes: most moves answer the last one, near it and in line with it.

use crate::types::{Cell, STRIDE};

/// Largest difference of columns or rows that has classes of its own.
const NEAR: usize = 6;
/// Classes of offsets.
pub const OFFSETS: usize = (NEAR + 1) * (NEAR + 2) / 2 + 1;
/// The class of every offset beyond six columns or rows.
const FAR: usize = OFFSETS - 1;
/// Slots for the differences of two indexes, a power of two; the middle one stands for none.
const SLOTS: usize = 2_048;

/// The class of an offset, the same for all that turns and mirrors make of it.
///
/// ```
/// use halfstone::pattern::{OFFSETS, offset_class};
/// assert_eq!(offset_class(1, -2), offset_class(2, 1));
/// assert_ne!(offset_class(1, -2), offset_class(2, 2));
/// assert_eq!(offset_class(0, 7), OFFSETS - 1);
/// ```
pub fn offset_class(columns: isize, rows: isize) -> usize {
    let (columns, rows) = (columns.unsigned_abs(), rows.unsigned_abs());
    let (more, less) = (columns.max(rows), columns.min(rows));
    if more > NEAR { FAR } else { more * (more + 1) / 2 + less }
}

/// Numbers by class, arranged so that the difference of two cells' indexes finds them.
#[derive(Debug, PartialEq, Eq)]
pub struct OffsetTable([i16; SLOTS]);

impl OffsetTable {
    /// Every offset has zero.
    pub const ZERO: OffsetTable = OffsetTable([0; SLOTS]);

    /// Arranges the numbers of the classes.
    pub fn new(classes: &[i16; OFFSETS]) -> OffsetTable {
        // Two offsets on the board that share a difference are a stride apart: at most one of them is near.
        let mut table = OffsetTable([classes[FAR]; SLOTS]);
        let near = NEAR as isize;
        for (rows, columns) in (-near..=near).flat_map(|rows| (-near..=near).map(move |c| (rows, c))) {
            let slot = SLOTS as isize / 2 + rows * STRIDE as isize + columns;
            table.0[slot as usize] = classes[offset_class(columns, rows)];
        }
        table
    }

    /// The number for a move to `to` after one to `from`.
    #[inline]
    pub fn get(&self, from: Cell, to: Cell) -> i32 {
        self.0[(SLOTS / 2 + to.index() - from.index()) % SLOTS].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    #[test]
    fn the_table_says_what_the_classes_say_for_all_pairs_of_points() {
        let classes: [i16; OFFSETS] = std::array::from_fn(|class| 7 * class as i16 - 40);
        let table = OffsetTable::new(&classes);
        let mut seen = [false; OFFSETS];
        for from in Size::MAX.cells() {
            for to in Size::MAX.cells() {
                let columns = to.x() as isize - from.x() as isize;
                let class = offset_class(columns, to.y() as isize - from.y() as isize);
                seen[class] = true;
                assert_eq!(table.get(from, to), i32::from(classes[class]));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
