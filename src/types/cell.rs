//! Points of the board, as indices into a padded square array, and the four line directions.

use std::fmt;
use std::num::NonZeroU16;

use thiserror::Error;

/// Distance in the padded array between a point and the one below it.
pub const STRIDE: usize = 32;
/// Wall cells on each side of the board: the longest reach of any line pattern.
pub const MARGIN: usize = 5;
/// Cells of the padded array, `STRIDE * STRIDE`.
pub const PADDED_CELLS: usize = STRIDE * STRIDE;

/// Points along one edge of the board: 5 to 22.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

/// A board size outside 5 to 22.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unsupported board size {0} (allowed: {min} to {max})", min = Size::MIN.get(), max = Size::MAX.get())]
pub struct SizeError(pub i64);

impl Size {
    /// The smallest board, 5×5.
    pub const MIN: Size = Size(5);
    /// The largest board, 22×22.
    pub const MAX: Size = Size(22);
    /// The usual board, 15×15.
    pub const STANDARD: Size = Size(15);

    /// A size, if it lies in 5 to 22.
    ///
    /// # Errors
    /// [`SizeError`] with the value that was asked for.
    ///
    /// ```
    /// use halfstone::types::Size;
    /// assert_eq!(Size::new(15).unwrap().get(), 15);
    /// assert_eq!(Size::new(23).unwrap_err().to_string(), "unsupported board size 23 (allowed: 5 to 22)");
    /// ```
    pub const fn new(n: i64) -> Result<Size, SizeError> {
        if n >= Size::MIN.0 as i64 && n <= Size::MAX.0 as i64 { Ok(Size(n as u8)) } else { Err(SizeError(n)) }
    }

    /// Points along one edge.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Points on the board.
    #[inline]
    pub const fn area(self) -> usize {
        self.get() * self.get()
    }

    /// The centre, or the point right below and right of it on an even board: `h8` on 15×15.
    pub const fn center(self) -> Cell {
        Cell::at_unchecked(self.get() / 2, self.get() / 2)
    }

    /// Every point, row by row from the top.
    ///
    /// ```
    /// use halfstone::types::Size;
    /// assert_eq!(Size::STANDARD.cells().count(), 225);
    /// ```
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        let n = self.get();
        (0..n).flat_map(move |y| (0..n).map(move |x| Cell::at_unchecked(x, y)))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A point of the board: an index into the padded array, so that neighbours are found by adding a constant.
///
/// `x` counts from the left and `y` from the **top**, both from 0, as on the wire. A `Cell` does not know the size
/// of its board; where the difference matters, ask [`Cell::on_board`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(NonZeroU16);

impl Cell {
    /// The point at column `x` from the left and row `y` from the top, if it lies on a board of this size.
    ///
    /// ```
    /// use halfstone::types::{Cell, Size};
    /// let h8 = Cell::new(7, 7, Size::STANDARD).unwrap();
    /// assert_eq!(h8.text(Size::STANDARD).to_string(), "h8");
    /// assert!(Cell::new(15, 0, Size::STANDARD).is_none());
    /// ```
    pub const fn new(x: usize, y: usize, size: Size) -> Option<Cell> {
        if x < size.get() && y < size.get() { Some(Cell::at_unchecked(x, y)) } else { None }
    }

    /// As [`Cell::new`], from two numbers of any sign and size.
    pub fn from_wire(x: i64, y: i64, size: Size) -> Option<Cell> {
        Cell::new(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
    }

    const fn at_unchecked(x: usize, y: usize) -> Cell {
        match Cell::from_index((y + MARGIN) * STRIDE + x + MARGIN) {
            Some(cell) => cell,
            None => panic!("board coordinates lie inside the padded array"),
        }
    }

    /// The cell with this index in the padded array; `None` for 0 (a wall corner) and beyond the array.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Cell> {
        if index >= PADDED_CELLS {
            return None;
        }
        match NonZeroU16::new(index as u16) {
            Some(i) => Some(Cell(i)),
            None => None,
        }
    }

    /// Index into an array of [`PADDED_CELLS`].
    #[inline]
    pub const fn index(self) -> usize {
        // The mask never changes the value; it lets the compiler drop bounds checks on padded arrays.
        self.0.get() as usize & (PADDED_CELLS - 1)
    }

    /// Column from the left, from 0.
    #[inline]
    pub const fn x(self) -> usize {
        (self.index() % STRIDE).wrapping_sub(MARGIN)
    }

    /// Row from the top, from 0.
    #[inline]
    pub const fn y(self) -> usize {
        (self.index() / STRIDE).wrapping_sub(MARGIN)
    }

    /// Whether the cell is a point of a board of this size, and not wall.
    #[inline]
    pub const fn on_board(self, size: Size) -> bool {
        self.x() < size.get() && self.y() < size.get()
    }

    /// The cell `steps` further along `direction` (negative: backwards), wall cells included; `None` outside the
    /// padded array.
    pub fn step(self, direction: Direction, steps: i32) -> Option<Cell> {
        let index = self.index() as i32 + direction.delta() as i32 * steps;
        usize::try_from(index).ok().and_then(Cell::from_index)
    }

    /// Text notation on a board of this size: column letter from the left, row number from the bottom.
    pub fn text(self, size: Size) -> impl fmt::Display {
        CellText { cell: self, size }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cell({},{})", self.x().cast_signed(), self.y().cast_signed())
    }
}

struct CellText {
    cell: Cell,
    size: Size,
}

impl fmt::Display for CellText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a' + self.cell.x() as u8);
        write!(f, "{letter}{}", self.size.get() - self.cell.y())
    }
}

/// One of the four lines through a point, named by where it leads with `y` growing downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, to the right.
    Horizontal = 0,
    /// Along a column, downwards.
    Vertical = 1,
    /// Down and to the right.
    Diagonal = 2,
    /// Up and to the right.
    AntiDiagonal = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Diagonal, Direction::AntiDiagonal];

    /// 0 to 3: an index for per-direction arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What one step adds to a cell's index.
    #[inline]
    pub const fn delta(self) -> isize {
        match self {
            Direction::Horizontal => 1,
            Direction::Vertical => STRIDE as isize,
            Direction::Diagonal => STRIDE as isize + 1,
            Direction::AntiDiagonal => 1 - STRIDE as isize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_and_text_name_the_same_points() {
        // From design notes: h8 = 7,7 and a1 = 0,14 on 15×15.
        let size = Size::STANDARD;
        for (x, y, text) in [(7, 7, "h8"), (0, 14, "a1"), (14, 0, "o15"), (3, 11, "d4")] {
            let cell = Cell::new(x, y, size).unwrap();
            assert_eq!(cell.text(size).to_string(), text);
            assert_eq!((cell.x(), cell.y()), (x, y));
        }
        assert_eq!(size.center(), Cell::new(7, 7, size).unwrap());
    }

    #[test]
    fn every_cell_of_every_size_is_distinct_and_surrounded_by_wall() {
        for n in 5..=22 {
            let size = Size::new(n).unwrap();
            let mut seen = [false; PADDED_CELLS];
            for cell in size.cells() {
                assert!(!std::mem::replace(&mut seen[cell.index()], true));
                assert!(cell.on_board(size));
                for direction in Direction::ALL {
                    let (dx, dy) = match direction {
                        Direction::Horizontal => (1, 0),
                        Direction::Vertical => (0, 1),
                        Direction::Diagonal => (1, 1),
                        Direction::AntiDiagonal => (1, -1),
                    };
                    for k in -(MARGIN as isize)..=MARGIN as isize {
                        // Five steps in any direction stay inside the padded array, and on the board exactly if the
                        // coordinates do.
                        let (x, y) = (cell.x() as isize + dx * k, cell.y() as isize + dy * k);
                        let inside = [x, y].iter().all(|i| (0..n as isize).contains(i));
                        let at = cell.step(direction, k as i32);
                        assert!(at.is_some() || !inside);
                        assert_eq!(
                            at.is_some_and(|at| at.on_board(size)),
                            inside,
                            "{n} {cell:?} {direction:?} {k}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn coordinates_off_the_board_are_refused() {
        assert!(Cell::from_wire(-1, 0, Size::STANDARD).is_none());
        assert!(Cell::from_wire(i64::MAX, 0, Size::STANDARD).is_none());
        assert!(Cell::from_wire(0, 15, Size::STANDARD).is_none());
        assert!(Size::new(4).is_err() && Size::new(23).is_err() && Size::new(i64::MIN).is_err());
    }
}
