//! Unbroken rows of one colour, and which of them win under which rule.

use super::grid::{Grid, LINES, Spot, View, along};
use crate::types::{Color, Piece, Rule};

/// The unbroken row of one colour through a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Stones in the row.
    pub(super) length: usize,
    /// The first spots beyond the two ends, which the row does not reach.
    pub(super) beyond: [Spot; 2],
}

/// The row along `line` that a `color` stone on `spot` belongs to, or would belong to: `spot` itself is not looked at.
pub(super) fn row_through(grid: &Grid, spot: Spot, line: (i32, i32), color: Color) -> Row {
    let stone = Piece::Stone(color);
    let mut back = 0;
    while grid.holds(along(spot, line, -(back + 1)), stone) {
        back += 1;
    }
    let mut ahead = 0;
    while grid.holds(along(spot, line, ahead + 1), stone) {
        ahead += 1;
    }
    Row {
        length: (back + 1 + ahead) as usize,
        beyond: [along(spot, line, -(back + 1)), along(spot, line, ahead + 1)],
    }
}

/// Whether a row of this colour wins under this rule. The half stone in hand is not considered here.
pub(super) fn row_wins(grid: &Grid, rule: Rule, color: Color, row: Row) -> bool {
    match rule {
        Rule::Freestyle | Rule::HalfStone => row.length >= 5,
        Rule::Standard => row.length == 5,
        Rule::Renju => match color {
            Color::Black => row.length == 5,
            Color::White => row.length >= 5,
        },
        Rule::Caro => row.length > 5 || (row.length == 5 && !is_enclosed(grid, color, row)),
        Rule::CaroFive => row.length == 5 && !is_enclosed(grid, color, row),
    }
}

/// Whether enemy stones stand at both ends. An edge or a dead point is no enemy stone.
fn is_enclosed(grid: &Grid, color: Color, row: Row) -> bool {
    row.beyond.iter().all(|&end| grid.holds(end, Piece::Stone(!color)))
}

/// Whether a `color` stone on `spot` belongs, or would belong, to a winning row.
pub(super) fn wins_at(grid: &Grid, rule: Rule, spot: Spot, color: Color) -> bool {
    LINES.iter().any(|&line| row_wins(grid, rule, color, row_through(grid, spot, line, color)))
}

/// Whether this colour has a winning row anywhere.
pub(super) fn wins_anywhere(grid: &Grid, rule: Rule, color: Color) -> bool {
    grid.size()
        .cells()
        .map(super::grid::spot)
        .any(|spot| grid.view(spot) == View::Taken(Piece::Stone(color)) && wins_at(grid, rule, spot, color))
}
