//! A line of cells and what it is worth by placing stones and counting runs.

use halfstone::pattern::{LineClass, LineJudge};

/// What a cell of a line holds, seen by one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Empty,
    Own,
    Enemy,
    Wall,
}

/// A line with an own stone on `center`.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) cells: Vec<At>,
    pub(crate) center: usize,
}

/// The classes that are exact: everything weaker is `Weaker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exact {
    Weaker,
    Known(LineClass),
}

impl Line {
    /// The line of a window key, from `half` before the centre to `half` behind it. `own` is bit 0 or 1.
    pub(crate) fn from_key(key: u32, half: usize, own: usize) -> Line {
        let mut cells: Vec<At> = (0..2 * half)
            .map(|i| {
                let bits = key >> (2 * i);
                match (bits >> own & 1, bits >> (1 - own) & 1) {
                    (1, 1) => At::Empty,
                    (1, _) => At::Own,
                    (_, 1) => At::Enemy,
                    _ => At::Wall,
                }
            })
            .collect();
        cells.insert(half, At::Own);
        Line { cells, center: half }
    }

    fn at(&self, i: isize) -> At {
        usize::try_from(i).ok().and_then(|i| self.cells.get(i)).copied().unwrap_or(At::Wall)
    }

    /// The run through the centre: first cell, length.
    fn run(&self) -> (isize, usize) {
        let mut first = self.center as isize;
        while self.at(first - 1) == At::Own {
            first -= 1;
        }
        let mut length = 0;
        while self.at(first + length as isize) == At::Own {
            length += 1;
        }
        (first, length)
    }

    fn wins(&self, judge: LineJudge) -> bool {
        let (first, length) = self.run();
        let enclosed = self.at(first - 1) == At::Enemy && self.at(first + length as isize) == At::Enemy;
        match judge {
            LineJudge::FiveOrMore => length >= 5,
            LineJudge::ExactFive | LineJudge::RenjuBlack => length == 5,
            LineJudge::Caro => length > 5 || length == 5 && !enclosed,
            LineJudge::CaroFive => length == 5 && !enclosed,
        }
    }

    fn too_long(&self, judge: LineJudge) -> bool {
        !matches!(judge, LineJudge::FiveOrMore | LineJudge::Caro) && self.run().1 > 5
    }

    fn with(&self, i: usize, what: At) -> Line {
        let mut line = self.clone();
        line.cells[i] = what;
        line
    }

    fn empties(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| self.cells[i] == At::Empty).collect()
    }

    fn completions(&self, judge: LineJudge) -> Vec<usize> {
        self.empties().into_iter().filter(|&i| self.with(i, At::Own).wins(judge)).collect()
    }

    /// Whether no single enemy stone takes all completions away.
    fn is_unstoppable(&self, judge: LineJudge) -> bool {
        self.empties().into_iter().all(|i| !self.with(i, At::Enemy).completions(judge).is_empty())
    }

    /// The class of the line, from the live three upward.
    pub(crate) fn class(&self, judge: LineJudge) -> Exact {
        if self.wins(judge) {
            return Exact::Known(LineClass::W5);
        }
        if self.too_long(judge) {
            return Exact::Known(LineClass::Over);
        }
        let completions = self.completions(judge);
        if !completions.is_empty() {
            // Two fives that do not grow from one row of four are two fours.
            return Exact::Known(
                if judge == LineJudge::RenjuBlack && completions.len() > 1 && self.run().1 < 4 {
                    LineClass::Over
                } else if self.is_unstoppable(judge) {
                    LineClass::S4
                } else {
                    LineClass::C4
                },
            );
        }
        let straight = |i: &usize| {
            let next = self.with(*i, At::Own);
            let ways = next.completions(judge);
            ways.len() > 1
                && next.is_unstoppable(judge)
                && !(judge == LineJudge::RenjuBlack && next.run().1 < 4)
        };
        match self.empties().iter().filter(|i| straight(i)).count() {
            0 => Exact::Weaker,
            1 => Exact::Known(LineClass::L3),
            _ => Exact::Known(LineClass::L3Plus),
        }
    }
}
