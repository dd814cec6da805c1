//! What it is worth to be on the move, given the hottest threats of both sides.

use crate::board::Board;
use crate::pattern::PointClass;
use crate::types::{Color, Score};

const BASE: Score = 15;
const OUR_FOUR_PLUS: Score = 30;
const OUR_FOUR: Score = 8;
const OUR_THREE_PLUS: Score = 40;
const OUR_THREE: Score = 22;
const THEIR_WIN_FOUR: Score = -70;
const THEIR_FOUR_PLUS: Score = -15;
const THEIR_THREE_PLUS: Score = -12;

/// The correction for the side to move.
pub(super) fn value(board: &Board) -> Score {
    use PointClass::{Four, FourPlus, FourThree, Three, ThreePlus, ThreeThree, WinFour};
    let us = board.side_to_move();
    let has = |color: Color, classes: &[PointClass]| {
        classes.iter().any(|&class| board.effective_count(color, class) > 0)
    };
    let mut value = BASE;
    let mut add = |present: bool, worth: Score| value += if present { worth } else { 0 };
    add(has(us, &[FourThree, FourPlus]), OUR_FOUR_PLUS);
    add(has(us, &[Four]), OUR_FOUR);
    add(has(us, &[ThreeThree, ThreePlus]), OUR_THREE_PLUS);
    add(has(us, &[Three]), OUR_THREE);
    add(has(!us, &[WinFour]), THEIR_WIN_FOUR);
    add(has(!us, &[FourThree, FourPlus]), THEIR_FOUR_PLUS);
    add(has(!us, &[ThreeThree, ThreePlus]), THEIR_THREE_PLUS);
    value
}
