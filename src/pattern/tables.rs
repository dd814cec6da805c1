//! The tables of a rule, built when they are first asked for and then shared by every board.

use once_cell::sync::OnceCell;

use super::code::{CodeTable, code_table};
use super::{LineClass, LineJudge, WindowTable};
use crate::types::{Color, Rule};

/// The pattern tables of one rule.
#[derive(Debug)]
pub struct Patterns {
    windows: WindowTable,
    codes: &'static CodeTable,
}

impl Patterns {
    /// The tables for `rule`. The first call builds them: a few milliseconds for freestyle and the half-stone rule,
    /// which share theirs, and some tens of milliseconds for the others.
    pub fn of(rule: Rule) -> &'static Patterns {
        static TABLES: [OnceCell<Patterns>; 5] = [const { OnceCell::new() }; 5];
        let slot = match rule {
            Rule::Freestyle | Rule::HalfStone => 0,
            Rule::Standard => 1,
            Rule::Renju => 2,
            Rule::Caro => 3,
            Rule::CaroFive => 4,
        };
        TABLES[slot].get_or_init(|| Patterns::build(rule))
    }

    /// Builds the tables afresh, for measuring.
    pub fn build(rule: Rule) -> Patterns {
        let [black, white] = Color::ALL.map(|color| LineJudge::of(rule, color));
        Patterns { windows: WindowTable::build(black, white), codes: code_table() }
    }

    /// Key → line classes.
    #[inline]
    pub fn windows(&self) -> &WindowTable {
        &self.windows
    }

    /// The class of the line with this window key for `color`.
    #[inline]
    pub fn line_class(&self, color: Color, key: u32) -> LineClass {
        LineClass::from_nibble(u32::from(self.windows.get(key)) >> (4 * color.index()))
    }

    /// Line classes in four nibbles → code.
    #[inline]
    pub(crate) fn codes(&self) -> &'static CodeTable {
        self.codes
    }
}
