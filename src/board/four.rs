//! What a four would leave behind, told from its line word alone, before it is made.

use super::Board;
use super::lines::{locate, squeeze, taken, turn};
use crate::pattern::{LineClass, WindowTable};
use crate::types::{Cell, Color, Direction, Piece};

/// A four that has not been made yet, and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterFour {
    /// The only point where five could be made on the line of the four.
    pub answer: Cell,
    /// Whether its owner could make another four on that line once it is answered.
    pub again: bool,
}

impl Board {
    /// What a stone of `color` on the empty point `cell`, a four in this direction, leaves on that line after the enemy
    /// stone that answers it. `None` if it threatens five on no point of the line, or on several.
    pub fn after_four(&self, color: Color, cell: Cell, direction: Direction) -> Option<AfterFour> {
        match self.patterns.windows() {
            WindowTable::Narrow(_) => self.after_four_within::<4>(color, cell, direction),
            WindowTable::Wide(_) => self.after_four_within::<5>(color, cell, direction),
        }
    }

    fn after_four_within<const HALF: usize>(
        &self,
        color: Color,
        cell: Cell,
        direction: Direction,
    ) -> Option<AfterFour> {
        let (word, place) = locate(cell.index(), direction);
        // As in `Board::make`: the cell 2·HALF before the stone comes lowest.
        let word = turn(self.state.lines.word(word), place, 2 * HALF as u32);
        let word = word & !(taken(Piece::Stone(color)) << (4 * HALF));
        let mut fives = self.classes::<HALF>(color, word).filter(|&(_, class)| class == LineClass::W5);
        let (shift, _) = fives.next()?;
        if fives.next().is_some() {
            return None;
        }
        let answered = word & !(taken(Piece::Stone(!color)) << (shift + 2 * HALF as u32));
        let again = self.classes::<HALF>(color, answered).any(|(_, class)| class.is_four());
        let answer = cell.step(direction, (shift / 2) as i32 - HALF as i32)?;
        Some(AfterFour { answer, again })
    }

    /// The classes of the empty points within reach of the middle of a turned line word, and by how far to shift the
    /// word for the window of each.
    fn classes<const HALF: usize>(
        &self,
        color: Color,
        word: u64,
    ) -> impl Iterator<Item = (u32, LineClass)> + '_ {
        let reach = ((1u64 << (4 * HALF + 2)) - 1) & 0x5555_5555_5555_5555;
        let mut empty = (word & word >> 1) >> (2 * HALF) & reach;
        std::iter::from_fn(move || {
            let shift = empty.trailing_zeros();
            (empty != 0).then(|| {
                empty &= empty - 1;
                (shift, self.patterns.line_class(color, squeeze::<HALF>(word >> shift) as u32))
            })
        })
    }
}
