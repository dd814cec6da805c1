//! Renju: which points are forbidden to Black, and why.
//!
//! The terms are those of the international rules (RIF), read as the official judge reads them:
//!
//! * a *four* is four stones on a line to which one stone can be added for exactly five in a row;
//! * a *straight four* is an unbroken four that can be made exactly five at either end;
//! * a *three* is three stones on a line to which one stone can be added for a straight four, where that stone must
//!   not at the same time make a five in any line;
//! * an *overline* is six or more in an unbroken row.
//!
//! A stone is forbidden if it makes an overline, two fours, or two threes, and no five. A three counts towards two
//! threes only if one of the stones that make its straight four is not itself forbidden at that moment, which asks
//! the same question again with one more stone on the board.

use super::grid::{Grid, LINES, Spot, along};
use super::row::row_through;
use crate::types::{Color, Piece};

const BLACK: Piece = Piece::Stone(Color::Black);

/// Why a stone is forbidden to Black. Several reasons may hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Fouls {
    /// Six or more in an unbroken row.
    pub overline: bool,
    /// Two fours or more.
    pub double_four: bool,
    /// Two threes or more.
    pub double_three: bool,
}

impl Fouls {
    /// Whether there is a reason at all.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
    }

    /// The reasons by name: `overline`, `double-four`, `double-three`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [(self.overline, "overline"), (self.double_four, "double-four"), (self.double_three, "double-three")]
            .into_iter()
            .filter_map(|(holds, name)| holds.then_some(name))
    }
}

/// What a black stone on an empty point would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Judgement {
    /// It makes exactly five in a row, and wins whatever else it makes.
    pub five: bool,
    /// Why it is forbidden; no reason holds when it is allowed.
    pub fouls: Fouls,
    /// Fours that it makes, not counted when it makes five.
    pub fours: usize,
    /// Lines on which it seems to make a three, without asking whether the straight four may be made. Not counted
    /// when it makes five.
    pub apparent_threes: usize,
}

impl Judgement {
    /// Whether Black loses by playing there.
    pub const fn is_forbidden(&self) -> bool {
        self.fouls.any()
    }
}

/// Judges a black stone on the empty point `spot`. The grid is the same again afterwards.
pub(super) fn judge(grid: &mut Grid, spot: Spot) -> Judgement {
    grid.with(spot, BLACK, |grid| judge_placed(grid, spot))
}

/// Judges the black stone that has just been put on `spot`.
fn judge_placed(grid: &mut Grid, spot: Spot) -> Judgement {
    if makes_five(grid, spot) {
        return Judgement { five: true, ..Judgement::default() };
    }
    let fours = LINES.iter().map(|&line| fours_on(grid, spot, line)).sum();
    let threes: Vec<Vec<Spot>> = LINES
        .iter()
        .map(|&line| straight_four_points(grid, spot, line))
        .filter(|points| !points.is_empty())
        .collect();

    let fouls = Fouls {
        overline: LINES.iter().any(|&line| black_row(grid, spot, line) >= 6),
        double_four: fours >= 2,
        double_three: threes.len() >= 2 && real_threes(grid, &threes) >= 2,
    };
    Judgement { five: false, fouls, fours, apparent_threes: threes.len() }
}

/// How many of the threes can become a straight four by a stone that Black may play.
fn real_threes(grid: &mut Grid, threes: &[Vec<Spot>]) -> usize {
    threes.iter().filter(|points| points.iter().any(|&point| !judge(grid, point).is_forbidden())).count()
}

/// Stones in the black row through `spot` along `line`.
fn black_row(grid: &Grid, spot: Spot, line: (i32, i32)) -> usize {
    row_through(grid, spot, line, Color::Black).length
}

/// Whether the black stone on `spot` is part of exactly five.
fn makes_five(grid: &Grid, spot: Spot) -> bool {
    LINES.iter().any(|&line| black_row(grid, spot, line) == 5)
}

/// Whether a further black stone on `point` would make exactly five along `line`.
fn completes_five(grid: &Grid, point: Spot, line: (i32, i32)) -> bool {
    grid.is_empty(point) && black_row(grid, point, line) == 5
}

/// Fours along `line` that hold the black stone on `spot`: different sets of four stones, so a straight four is one.
fn fours_on(grid: &Grid, spot: Spot, line: (i32, i32)) -> usize {
    // Five consecutive points that hold `spot`, four of them black and one empty, are a four if the fifth stone makes
    // five and not more. A four is known by where its stones lie, as offsets from `spot`.
    let mut fours: Vec<Vec<i32>> = Vec::new();
    for start in -4..=0 {
        let window = start..start + 5;
        let is_black = |&k: &i32| grid.holds(along(spot, line, k), BLACK);
        let (stones, others): (Vec<i32>, Vec<i32>) = window.partition(is_black);
        let &[gap] = others.as_slice() else {
            continue;
        };
        if completes_five(grid, along(spot, line, gap), line) && !fours.contains(&stones) {
            fours.push(stones);
        }
    }
    fours.len()
}

/// Points where one more black stone would make a straight four along `line` that holds `spot`, and no five. Empty
/// when the stone on `spot` makes no three there. Whether Black may play on the points is not asked.
fn straight_four_points(grid: &mut Grid, spot: Spot, line: (i32, i32)) -> Vec<Spot> {
    let mut points = Vec::new();
    // A row of four that holds both reaches three steps at most.
    for k in (-3..=3).filter(|&k| k != 0) {
        let point = along(spot, line, k);
        if !grid.is_empty(point) {
            continue;
        }
        let good = grid.with(point, BLACK, |grid| {
            !makes_five(grid, point) && is_joined(grid, spot, line, k) && is_straight_four(grid, point, line)
        });
        if good {
            points.push(point);
        }
    }
    points
}

/// Whether every point from `spot` to the one `steps` along `line` is black.
fn is_joined(grid: &Grid, spot: Spot, line: (i32, i32), steps: i32) -> bool {
    (steps.min(0)..=steps.max(0)).all(|k| grid.holds(along(spot, line, k), BLACK))
}

/// Whether the row through `spot` along `line` is a straight four.
fn is_straight_four(grid: &Grid, spot: Spot, line: (i32, i32)) -> bool {
    let row = row_through(grid, spot, line, Color::Black);
    row.length == 4 && row.beyond.iter().all(|&end| completes_five(grid, end, line))
}
