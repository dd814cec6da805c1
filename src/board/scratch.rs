//! A scratch copy of the line words, on which a few stones can be tried without touching the board's state.
//!
//! Fouls and defences ask about very few cells; four look-ups each cost less than a made move.

use super::Board;
use super::lines::{Lines, taken};
use crate::pattern::{Digest, LineClass, LineJudge, Patterns, digest};
use crate::types::{Cell, Color, Direction, Piece, Rule};

/// Line words to try stones on.
pub(super) struct Scratch {
    lines: Lines,
    patterns: &'static Patterns,
    rule: Rule,
}

impl Scratch {
    pub(super) fn new(board: &Board) -> Scratch {
        Scratch { lines: board.state.lines.clone(), patterns: board.patterns, rule: board.rule }
    }

    /// Puts a stone on an empty cell, or takes it off again.
    pub(super) fn toggle(&mut self, cell: Cell, color: Color) {
        self.lines.flip(cell, taken(Piece::Stone(color)));
    }

    pub(super) fn line(&self, color: Color, cell: Cell, direction: Direction) -> LineClass {
        let key = self.lines.key(cell, direction, self.patterns.windows().half());
        self.patterns.line_class(color, key)
    }

    pub(super) fn lines(&self, color: Color, cell: Cell) -> [LineClass; 4] {
        Direction::ALL.map(|direction| self.line(color, cell, direction))
    }

    pub(super) fn digest(&self, color: Color, cell: Cell) -> Digest {
        digest(LineJudge::of(self.rule, color), self.lines(color, cell))
    }

    /// The first empty cell met when walking from `cell` over own stones; `None` at a block.
    pub(super) fn end_of_run(
        &self,
        color: Color,
        cell: Cell,
        direction: Direction,
        step: i32,
    ) -> Option<Cell> {
        let mut at = cell;
        loop {
            at = at.step(direction, step)?;
            match self.lines.bits(at, direction) {
                3 => return Some(at),
                own if own == 1 << color.index() => {}
                _ => return None,
            }
        }
    }
}
