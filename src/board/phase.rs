//! The half stone in hand: Black's fives do not count yet, so Black's classes act one tempo later.
//!
//! All counters stay raw; these queries shift them. Under every other rule, and once the half stone lies on the
//! board, they return the raw ones.

use super::Board;
use crate::pattern::PointClass;
use crate::types::{Cell, CellSet, Color};

impl Board {
    /// Whether Black still owns the half stone. Always false outside the half-stone rule.
    #[inline]
    pub fn half_in_hand(&self) -> bool {
        self.state.half_in_hand
    }

    /// Whether `color` is Black with the half stone still in hand: his fives are fouls, his fours threaten nothing yet.
    #[inline]
    pub fn is_dormant(&self, color: Color) -> bool {
        self.state.half_in_hand && color == Color::Black
    }

    /// [`Board::class`], delayed.
    #[inline]
    pub fn effective_class(&self, color: Color, cell: Cell) -> PointClass {
        let class = self.class(color, cell);
        if self.is_dormant(color) { class.delayed() } else { class }
    }

    /// [`Board::count`], delayed.
    #[inline]
    pub fn effective_count(&self, color: Color, class: PointClass) -> u32 {
        if !self.is_dormant(color) {
            return self.count(color, class);
        }
        PointClass::ALL
            .into_iter()
            .filter(|raw| raw.delayed() == class)
            .map(|raw| self.count(color, raw))
            .sum()
    }

    /// [`Board::set`], delayed.
    pub fn effective_set(&self, color: Color, class: PointClass) -> CellSet {
        if !self.is_dormant(color) {
            return *self.set(color, class);
        }
        let raw = PointClass::ALL.into_iter().filter(|raw| raw.delayed() == class);
        raw.fold(CellSet::default(), |all, raw| all.union(self.set(color, raw)))
    }

    /// [`Board::first`], delayed.
    pub fn effective_first(&self, color: Color, class: PointClass) -> Option<Cell> {
        if self.is_dormant(color) {
            self.effective_set(color, class).first()
        } else {
            self.first(color, class)
        }
    }

    /// What placing the half stone on a cell that changes nothing else would be worth: the class that a stone on an
    /// irrelevant cell would have if Black's fours already counted.
    ///
    /// Two five points wait → [`PointClass::WinFour`]; one → [`PointClass::Four`], with a `WinFour` point elsewhere
    /// [`PointClass::FourThree`]; only a `WinFour` point → [`PointClass::Three`]; otherwise [`PointClass::None`].
    /// Nothing is said when the half stone is not in hand.
    pub fn activation_class(&self) -> PointClass {
        if !self.half_in_hand() {
            return PointClass::None;
        }
        let count = |class| self.count(Color::Black, class);
        match (count(PointClass::Five), count(PointClass::WinFour)) {
            (2.., _) => PointClass::WinFour,
            (1, 1..) => PointClass::FourThree,
            (1, 0) => PointClass::Four,
            (0, 1..) => PointClass::Three,
            (0, 0) => PointClass::None,
        }
    }
}
