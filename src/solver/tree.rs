//! A winning strategy written as a tree: one move for the attacker, every reply that matters for the defender.

use crate::types::{Color, Move, Size};

/// The moves of a variation, attacker's first.
pub type Line = Vec<Move>;

/// One move of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many moves come before it: even for the attacker, odd for the defender.
    pub depth: u16,
    /// The move. A defender's [`Move::PASS`] stands for every reply that is not listed beside it.
    pub mv: Move,
}

/// A strategy in preorder: each move is followed by all that may come after it, one deeper.
///
/// After an attacker's move the defender's replies are listed that can do any harm. What is not listed loses to a
/// five; or, where a reply is written as a pass, to the moves that follow it. Several passes beside each other are
/// alternatives, of which one works against each unlisted reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All moves, in preorder.
    pub steps: Vec<Step>,
}

impl Tree {
    pub(super) fn push(&mut self, depth: usize, mv: Move) {
        self.steps.push(Step { depth: depth as u16, mv });
    }

    /// The longest variation without passes.
    pub fn main_line(&self) -> Line {
        let mut path: Vec<Move> = Vec::new();
        let mut longest: Vec<Move> = Vec::new();
        for step in &self.steps {
            path.truncate(step.depth.into());
            path.push(step.mv);
            if path.len() > longest.len() && !path.contains(&Move::PASS) {
                longest.clone_from(&path);
            }
        }
        longest
    }

    /// The tree as indented text, one move a line; `first` is the attacker.
    pub fn text(&self, size: Size, first: Color) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let mover = if step.depth % 2 == 0 { first } else { !first };
            let indent = "  ".repeat(step.depth.into());
            let what = if step.mv == Move::PASS { "else".to_owned() } else { step.mv.text(size).to_string() };
            text += &format!("{indent}{mover} {what}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Cell;

    #[test]
    fn the_main_line_is_the_longest_without_a_pass() {
        let stone = |x| Move::stone(Cell::new(x, 0, Size::STANDARD).unwrap());
        let mut tree = Tree::default();
        for (depth, mv) in [
            (0, stone(0)),
            (1, stone(1)),
            (2, stone(2)),
            (1, stone(3)),
            (2, stone(4)),
            (3, stone(5)),
            (4, stone(6)),
            (1, Move::PASS),
            (2, stone(7)),
            (3, stone(8)),
            (4, stone(9)),
            (5, stone(10)),
        ] {
            tree.push(depth, mv);
        }
        assert_eq!(tree.main_line(), [stone(0), stone(3), stone(4), stone(5), stone(6)]);
        assert!(tree.text(Size::STANDARD, Color::White).contains("  black else\n    white h15"));
    }
}
