//! The eight symmetries of the square board, applied to points, moves, set-ups and whole records.

use super::{GameRecord, Setup};
use crate::types::{Cell, Move, MoveKind, Size};

/// A rotation or reflection of the board.
///
/// It is kept as "perhaps exchange x and y, then perhaps mirror each axis", which reaches all eight.
///
/// ```
/// use halfstone::game::Symmetry;
/// use halfstone::types::{Cell, Size};
/// let size = Size::STANDARD;
/// let a1 = Cell::new(0, 14, size).unwrap();
/// assert_eq!(Symmetry::MIRROR_LEFT_RIGHT.cell(a1, size).text(size).to_string(), "o1");
/// assert_eq!(Symmetry::ROTATE_RIGHT.cell(a1, size).text(size).to_string(), "a15");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Symmetry {
    exchange: bool,
    mirror_x: bool,
    mirror_y: bool,
}

impl Symmetry {
    /// Everything stays where it is.
    pub const IDENTITY: Symmetry = Symmetry::from_parts(false, false, false);
    /// A quarter turn clockwise.
    pub const ROTATE_RIGHT: Symmetry = Symmetry::from_parts(true, true, false);
    /// A half turn.
    pub const ROTATE_HALF: Symmetry = Symmetry::from_parts(false, true, true);
    /// A quarter turn anticlockwise.
    pub const ROTATE_LEFT: Symmetry = Symmetry::from_parts(true, false, true);
    /// Left and right change places.
    pub const MIRROR_LEFT_RIGHT: Symmetry = Symmetry::from_parts(false, true, false);
    /// Top and bottom change places.
    pub const MIRROR_TOP_BOTTOM: Symmetry = Symmetry::from_parts(false, false, true);
    /// Reflection in the diagonal from top left to bottom right.
    pub const MIRROR_DIAGONAL: Symmetry = Symmetry::from_parts(true, false, false);
    /// Reflection in the diagonal from bottom left to top right.
    pub const MIRROR_ANTI_DIAGONAL: Symmetry = Symmetry::from_parts(true, true, true);

    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::IDENTITY,
        Symmetry::ROTATE_RIGHT,
        Symmetry::ROTATE_HALF,
        Symmetry::ROTATE_LEFT,
        Symmetry::MIRROR_LEFT_RIGHT,
        Symmetry::MIRROR_TOP_BOTTOM,
        Symmetry::MIRROR_DIAGONAL,
        Symmetry::MIRROR_ANTI_DIAGONAL,
    ];

    const fn from_parts(exchange: bool, mirror_x: bool, mirror_y: bool) -> Symmetry {
        Symmetry { exchange, mirror_x, mirror_y }
    }

    /// Where this symmetry takes a point of a board of this size. A cell off the board stays where it is.
    #[must_use]
    pub fn cell(self, cell: Cell, size: Size) -> Cell {
        if !cell.on_board(size) {
            return cell;
        }
        let last = size.get() - 1;
        let (x, y) = if self.exchange { (cell.y(), cell.x()) } else { (cell.x(), cell.y()) };
        let x = if self.mirror_x { last - x } else { x };
        let y = if self.mirror_y { last - y } else { y };
        Cell::new(x, y, size).unwrap_or(cell)
    }

    /// The same move on the turned board; a pass stays a pass.
    #[must_use]
    pub fn mv(self, mv: Move, size: Size) -> Move {
        match (mv.kind(), mv.cell()) {
            (MoveKind::Stone, Some(cell)) => Move::stone(self.cell(cell, size)),
            (MoveKind::Half, Some(cell)) => Move::half(self.cell(cell, size)),
            _ => mv,
        }
    }

    /// The same set-up on the turned board, its pieces in the same order.
    #[must_use]
    pub fn setup(self, setup: &Setup, size: Size) -> Setup {
        let pieces = setup.pieces.iter().map(|&(cell, piece)| (self.cell(cell, size), piece)).collect();
        Setup { pieces, to_move: setup.to_move }
    }

    /// The same game on the turned board.
    #[must_use]
    pub fn record(self, game: &GameRecord) -> GameRecord {
        let size = game.size();
        let mut turned = GameRecord::with_setup(game.rule(), size, self.setup(game.setup(), size));
        for &mv in game.moves() {
            turned.push(self.mv(mv, size));
        }
        turned
    }

    /// The symmetry that does `self` first and `next` after it.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // An exchange after a mirroring turns a mirrored x into a mirrored y.
        let (x, y) =
            if next.exchange { (self.mirror_y, self.mirror_x) } else { (self.mirror_x, self.mirror_y) };
        Symmetry::from_parts(self.exchange ^ next.exchange, x ^ next.mirror_x, y ^ next.mirror_y)
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.exchange { Symmetry::from_parts(true, self.mirror_y, self.mirror_x) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::parse_moves;
    use crate::types::{Color, Piece, Rule};

    #[test]
    fn the_eight_are_different_and_each_permutes_the_board() {
        for n in [5, 6, 15, 22] {
            let size = Size::new(n).unwrap();
            let mut images = Vec::new();
            for symmetry in Symmetry::ALL {
                let image: Vec<Cell> = size.cells().map(|c| symmetry.cell(c, size)).collect();
                let mut sorted = image.clone();
                sorted.sort();
                assert!(sorted.into_iter().eq(size.cells()), "{symmetry:?}");
                assert!(!images.contains(&image));
                images.push(image);
            }
        }
    }

    #[test]
    fn inverse_and_composition_agree_with_acting_one_after_the_other() {
        for n in [5, 6, 15] {
            let size = Size::new(n).unwrap();
            for first in Symmetry::ALL {
                assert_eq!(first.then(first.inverse()), Symmetry::IDENTITY);
                assert_eq!(first.inverse().then(first), Symmetry::IDENTITY);
                for second in Symmetry::ALL {
                    for cell in size.cells() {
                        let one_by_one = second.cell(first.cell(cell, size), size);
                        assert_eq!(first.then(second).cell(cell, size), one_by_one);
                    }
                }
            }
        }
    }

    #[test]
    fn named_turns_go_where_their_names_say() {
        let size = Size::STANDARD;
        let b1 = parse_moves("b1", size).unwrap()[0];
        for (symmetry, text) in [
            (Symmetry::IDENTITY, "b1"),
            (Symmetry::ROTATE_RIGHT, "a14"),
            (Symmetry::ROTATE_HALF, "n15"),
            (Symmetry::ROTATE_LEFT, "o2"),
            (Symmetry::MIRROR_LEFT_RIGHT, "n1"),
            (Symmetry::MIRROR_TOP_BOTTOM, "b15"),
            (Symmetry::MIRROR_DIAGONAL, "o14"),
            (Symmetry::MIRROR_ANTI_DIAGONAL, "a2"),
        ] {
            assert_eq!(symmetry.mv(b1, size).text(size).to_string(), text, "{symmetry:?}");
        }
    }

    #[test]
    fn a_record_is_turned_as_a_whole_and_back() {
        let size = Size::STANDARD;
        let cell = |text| parse_moves(text, size).unwrap()[0].cell().unwrap();
        let setup = Setup {
            pieces: vec![(cell("a1"), Piece::Stone(Color::White)), (cell("b3"), Piece::Blocked)],
            to_move: Color::White,
        };
        let mut game = GameRecord::with_setup(Rule::HalfStone, size, setup);
        for mv in parse_moves("c7 *d9 -- h8", size).unwrap() {
            game.push(mv);
        }
        for symmetry in Symmetry::ALL {
            let turned = symmetry.record(&game);
            assert_eq!(symmetry.inverse().record(&turned), game);
            let image: Vec<_> = game.pieces().map(|(c, p)| (symmetry.cell(c, size), p)).collect();
            assert_eq!(turned.pieces().collect::<Vec<_>>(), image);
            assert_eq!(turned.moves()[2], Move::PASS);
        }
    }
}
