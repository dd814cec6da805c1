//! What a player does on a turn, and what can lie on a point.

use std::fmt;
use std::num::NonZeroU16;

use super::{Cell, Color, PADDED_CELLS, Size};

/// What a move does with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// An ordinary stone of the player's colour.
    Stone = 0,
    /// Black's half stone, once a game, under [`Rule::HalfStone`](super::Rule::HalfStone).
    Half = 1,
    /// Nothing is placed. Records and analysis know passes; a protocol game never contains one.
    Pass = 2,
}

/// A move in 16 bits: cell in the low ten, kind above. `Option<Move>` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// Giving up the turn.
    pub const PASS: Move = match NonZeroU16::new((MoveKind::Pass as u16) << 10) {
        Some(bits) => Move(bits),
        None => unreachable!(),
    };

    /// An ordinary stone on `cell`.
    #[inline]
    pub const fn stone(cell: Cell) -> Move {
        Move::with_kind(cell, MoveKind::Stone)
    }

    /// The half stone on `cell`.
    #[inline]
    pub const fn half(cell: Cell) -> Move {
        Move::with_kind(cell, MoveKind::Half)
    }

    #[inline]
    const fn with_kind(cell: Cell, kind: MoveKind) -> Move {
        match NonZeroU16::new(cell.index() as u16 | (kind as u16) << 10) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// The move with these bits, as [`Move::to_bits`] gave them; `None` for anything else.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        // A pass has no cell, and nothing else has none.
        let (kind, cell) = (bits >> 10, bits & 0x3ff);
        if kind > MoveKind::Pass as u16 || (kind == MoveKind::Pass as u16) != (cell == 0) {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// A non-zero 16-bit image, for tables.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Stone, half stone or pass.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 10 {
            0 => MoveKind::Stone,
            1 => MoveKind::Half,
            _ => MoveKind::Pass,
        }
    }

    /// The cell that is played on; `None` for a pass.
    #[inline]
    pub const fn cell(self) -> Option<Cell> {
        Cell::from_index(self.0.get() as usize & (PADDED_CELLS - 1))
    }

    /// Whether this places the half stone.
    #[inline]
    pub const fn is_half(self) -> bool {
        matches!(self.kind(), MoveKind::Half)
    }

    /// Text notation: `h8`, `*h8` for the half stone, `--` for a pass.
    ///
    /// ```
    /// use halfstone::types::{Move, Size};
    /// let size = Size::STANDARD;
    /// assert_eq!(Move::half(size.center()).text(size).to_string(), "*h8");
    /// assert_eq!(Move::PASS.text(size).to_string(), "--");
    /// ```
    pub fn text(self, size: Size) -> impl fmt::Display {
        MoveText { mv: self, size }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell() {
            // Off the board, coordinates may be negative.
            Some(cell) => {
                write!(f, "{:?}({},{})", self.kind(), cell.x().cast_signed(), cell.y().cast_signed())
            }
            None => f.write_str("Pass"),
        }
    }
}

struct MoveText {
    mv: Move,
    size: Size,
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv.cell() {
            None => f.write_str("--"),
            Some(cell) => write!(f, "{}{}", if self.mv.is_half() { "*" } else { "" }, cell.text(self.size)),
        }
    }
}

/// What lies on an occupied point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// An ordinary stone.
    Stone(Color),
    /// Black's half stone: dead for both colours.
    Half,
    /// A point blocked for both from outside the game (field 3 of a `BOARD` block): dead like the half stone.
    Blocked,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip_and_nothing_else_decodes() {
        let mut decoded = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.to_bits(), bits);
                decoded += 1;
            }
        }
        // 1,023 cells in two kinds, and the pass.
        assert_eq!(decoded, 2 * 1023 + 1);
        let cell = Size::STANDARD.center();
        assert_eq!(Move::half(cell).cell(), Some(cell));
        assert_eq!(Move::PASS.cell(), None);
        assert_eq!(Move::PASS.kind(), MoveKind::Pass);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
