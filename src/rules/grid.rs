//! The reference's own board: a plain two-dimensional grid that is walked point by point.

use crate::types::{Cell, Piece, Size};

/// Column from the left and row from the top, both from 0. May lie off the board.
pub(super) type Spot = (i32, i32);

/// One step along each of the four lines: right, down, down-right, up-right.
pub(super) const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// What a look at a spot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// No point of the board.
    Outside,
    /// A point that can be played on.
    Empty,
    /// A point with something on it.
    Taken(Piece),
}

/// Pieces on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    size: Size,
    /// Row by row from the top.
    pieces: Vec<Option<Piece>>,
}

impl Grid {
    pub(super) fn new(size: Size) -> Grid {
        Grid { size, pieces: vec![None; size.area()] }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// The place of a spot in `pieces`; `None` off the board.
    fn place(&self, (x, y): Spot) -> Option<usize> {
        let n = self.size.get() as i32;
        let inside = (0..n).contains(&x) && (0..n).contains(&y);
        inside.then_some((y * n + x) as usize)
    }

    pub(super) fn view(&self, spot: Spot) -> View {
        match self.place(spot) {
            None => View::Outside,
            Some(place) => match self.pieces[place] {
                None => View::Empty,
                Some(piece) => View::Taken(piece),
            },
        }
    }

    /// Whether exactly this piece lies there.
    pub(super) fn holds(&self, spot: Spot, piece: Piece) -> bool {
        self.view(spot) == View::Taken(piece)
    }

    pub(super) fn is_empty(&self, spot: Spot) -> bool {
        self.view(spot) == View::Empty
    }

    /// Puts a piece down, or takes it away with `None`. Off the board nothing happens.
    pub(super) fn set(&mut self, spot: Spot, piece: Option<Piece>) {
        if let Some(place) = self.place(spot) {
            self.pieces[place] = piece;
        }
    }

    /// Whether no empty point is left.
    pub(super) fn is_full(&self) -> bool {
        self.pieces.iter().all(Option::is_some)
    }

    /// Does `look` with `piece` lying on the empty point `spot`, which is empty again afterwards.
    pub(super) fn with<T>(&mut self, spot: Spot, piece: Piece, look: impl FnOnce(&mut Grid) -> T) -> T {
        debug_assert!(self.is_empty(spot));
        self.set(spot, Some(piece));
        let seen = look(self);
        self.set(spot, None);
        seen
    }
}

/// The spot of a cell, wall cells included.
pub(super) fn spot(cell: Cell) -> Spot {
    // Left of and above the board `x` and `y` wrap around; cut to signed numbers they are negative again.
    (cell.x() as i32, cell.y() as i32)
}

/// The spot `steps` further along a line, or backwards for a negative number.
pub(super) fn along(from: Spot, line: (i32, i32), steps: i32) -> Spot {
    (from.0 + line.0 * steps, from.1 + line.1 * steps)
}
