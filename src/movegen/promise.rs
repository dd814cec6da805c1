//! How promising a move looks by the codes of its point alone: the first guess of every move ordering.

use once_cell::sync::Lazy;

use crate::board::Board;
use crate::pattern::{CODES, LineClass, LineJudge, PointClass, digest, lines_of};
use crate::types::{Color, Move, Rule};

/// What playing a point of each class promises, [`PointClass::None`] to [`PointClass::Five`].
const CLASS_PROMISE: [i16; PointClass::COUNT] =
    [0, 20, 24, 50, 60, 110, 140, 300, 130, 200, 600, 1_000, 4_000];
/// What each of its lines adds, [`LineClass::Dead`] to [`LineClass::Five`].
const LINE_PROMISE: [i16; LineClass::COUNT] = [0, 0, 0, 2, 2, 4, 6, 8, 4, 8, 12, 4, 12, 12];
/// The half stone attacks nothing by itself.
const HALF_STONE: i32 = -20;

/// Promise per code of a stone for its own player.
static PROMISE: Lazy<[i16; CODES]> = Lazy::new(|| {
    std::array::from_fn(|code| {
        let lines = lines_of(code as u16);
        // The classes of a point do not depend on the rule once its lines are known.
        let class = digest(LineJudge::of(Rule::Freestyle, Color::White), lines).class;
        CLASS_PROMISE[class.index()] + lines.iter().map(|l| LINE_PROMISE[l.index()]).sum::<i16>()
    })
});

/// What a stone on a point with this code promises its own player, 0 to about 4,000.
#[inline]
pub(super) fn of_code(code: u16) -> i32 {
    i32::from(PROMISE.get(code as usize).copied().unwrap_or(0))
}

/// What a move of the side to move promises: what it makes, and half of what it takes away.
#[inline]
pub fn promise(board: &Board, mv: Move) -> i32 {
    let us = board.side_to_move();
    let Some(cell) = mv.cell() else { return 0 };
    let (own, theirs) = (of_code(board.code(us, cell)), of_code(board.code(!us, cell)));
    if mv.is_half() {
        // It takes from White and spoils Black's own point alike.
        (theirs - own) / 2 + HALF_STONE
    } else {
        own + theirs / 2
    }
}
