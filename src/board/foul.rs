//! Moves that lose on the spot: renju's forbidden points, exactly, and Black's five with the half stone in hand.

use super::Board;
use super::scratch::Scratch;
use crate::pattern::{LineClass, PointClass};
use crate::types::{Cell, CellSet, Color, Direction, Rule};

impl Board {
    /// Whether a black stone on the empty point `cell` is a foul: an overline, double four or double three under
    /// renju, a five while the half stone is in hand. Exact, worked out on demand; false at once for a point that
    /// is no [`Board::foul_suspect`].
    pub fn is_forbidden(&self, cell: Cell) -> bool {
        match self.rule {
            Rule::Renju => self.foul_suspect(cell) && Scratch::new(self).is_forbidden(cell),
            Rule::HalfStone => self.half_in_hand() && self.class(Color::Black, cell) == PointClass::Five,
            _ => false,
        }
    }

    /// Every point that is a foul for Black now, whoever is to move.
    pub fn forbidden_set(&self) -> CellSet {
        match self.rule {
            Rule::Renju => self.state.empty.iter().filter(|&cell| self.is_forbidden(cell)).collect(),
            Rule::HalfStone if self.half_in_hand() => *self.set(Color::Black, PointClass::Five),
            _ => CellSet::default(),
        }
    }
}

impl Scratch {
    /// Whether a black stone on the empty `cell` is a renju foul.
    ///
    /// A four needs no second look, since completing five is always legal. A live three is one only if it can
    /// become a straight four by a move that is no foul itself, which asks the same question one stone later. Each
    /// such question has one stone more on the board, so they come to an end.
    pub(super) fn is_forbidden(&mut self, cell: Cell) -> bool {
        if !self.digest(Color::Black, cell).foul_suspect {
            return false;
        }
        let lines = self.lines(Color::Black, cell);
        let fours = lines.iter().filter(|line| line.is_four()).count();
        if fours >= 2 || lines.contains(&LineClass::Over) {
            return true;
        }
        self.toggle(cell, Color::Black);
        let mut real = 0;
        for direction in Direction::ALL {
            if real < 2 && lines[direction.index()].is_live_three() && self.is_real_three(cell, direction) {
                real += 1;
            }
        }
        self.toggle(cell, Color::Black);
        real >= 2
    }

    /// Whether the apparent live three through the black stone on `cell` can become a straight four.
    ///
    /// A straight four is four stones in a row. All of it but the stone still to come is on the board, so that
    /// stone goes to the first empty cell on one of the two sides.
    fn is_real_three(&mut self, cell: Cell, direction: Direction) -> bool {
        [1, -1].into_iter().any(|step| {
            let Some(end) = self.end_of_run(Color::Black, cell, direction, step) else { return false };
            if self.line(Color::Black, end, direction) != LineClass::S4 {
                return false;
            }
            // A point that makes five elsewhere is a five, not a straight four (the official judge's reading).
            let digest = self.digest(Color::Black, end);
            digest.class != PointClass::Five && (!digest.foul_suspect || !self.is_forbidden(end))
        })
    }
}
