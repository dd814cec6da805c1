//! The facts about both sides' hottest threats that decide what it is worth to be on the move.

use crate::board::Board;
use crate::pattern::PointClass::{Five, Four, FourPlus, FourThree, Three, ThreePlus, ThreeThree, WinFour};
use crate::pattern::fact;

/// The [`fact`]s of a position, as the index of a tempo table.
#[inline]
pub fn facts(board: &Board) -> usize {
    let us = board.side_to_move();
    let them = !us;
    let bit = |count: u32, fact: usize| if count > 0 { fact } else { 0 };
    bit(board.count(them, Five), fact::THEIR_FIVE)
        | bit(board.count(us, WinFour), fact::OUR_WIN_FOUR)
        | bit(board.count(them, WinFour), fact::THEIR_WIN_FOUR)
        | bit(board.count(us, FourPlus) + board.count(us, FourThree), fact::OUR_FOUR_PLUS)
        | bit(board.count(us, Four), fact::OUR_FOUR)
        | bit(board.count(us, ThreePlus) + board.count(us, ThreeThree), fact::OUR_THREE_PLUS)
        | bit(board.count(us, Three), fact::OUR_THREE)
        | bit(board.count(them, FourPlus) + board.count(them, FourThree), fact::THEIR_FOUR_PLUS)
        | bit(board.count(them, Four), fact::THEIR_FOUR)
        | bit(board.count(them, ThreePlus) + board.count(them, ThreeThree), fact::THEIR_THREE_PLUS)
        | bit(board.count(them, Three), fact::THEIR_THREE)
}
