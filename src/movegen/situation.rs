//! What a position forces, read from the board's counters with hardly any search.
//!
//! Written once for all rules: while Black holds the half stone his fives are fouls and his fours threaten nothing
//! yet, and every question here takes that into account. Each claim of a win carries its reason; where a rule has
//! exceptions, the claim is tried out on the board.

use super::{MoveList, fours, half_stone_cells, is_playable};
use crate::board::{Board, CellList};
use crate::pattern::PointClass;
use crate::types::{Cell, CellSet, Color, Move, Rule};

/// What the side to move is facing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// A win in this many plies, beginning with this move.
    Win(Move, usize),
    /// A loss in this many plies whatever is played.
    Lost(usize),
    /// A five threatens: only the listed moves prevent it.
    MustBlock,
    /// A straight four threatens, or Black's half stone over two dormant fives: only the listed moves, defences and
    /// own fours, can be of use.
    MustDefend,
    /// Nothing is forced.
    Free,
}

/// What the side to move is facing, and the moves that answer it if something is forced.
pub fn situation(board: &mut Board, answers: &mut MoveList) -> Situation {
    answers.clear();
    let us = board.side_to_move();
    let (we_sleep, they_sleep) = (board.is_dormant(us), board.is_dormant(!us));
    if !we_sleep && let Some(cell) = board.first(us, PointClass::Five) {
        return Situation::Win(Move::stone(cell), 1);
    }
    if !they_sleep && let Some(cells) = board.five_answers(!us) {
        for cell in cells {
            push_block(board, cell, answers);
        }
        return if answers.is_empty() { Situation::Lost(2) } else { Situation::MustBlock };
    }
    if we_sleep {
        if let Some(mv) = activation_win(board) {
            return Situation::Win(mv, 3);
        }
    } else if let Some(cell) = straight_four(board, us) {
        return Situation::Win(Move::stone(cell), 3);
    }
    let mut they_threaten = false;
    if they_sleep {
        they_threaten = activation_answers(board, answers);
    } else if let Some(cells) = board.defences(!us) {
        they_threaten = true;
        straight_four_answers(board, &cells, answers);
    }
    if !we_sleep && let Some(cell) = four_three_win(board, us) {
        return Situation::Win(Move::stone(cell), 5);
    }
    if they_threaten {
        return if answers.is_empty() { Situation::Lost(4) } else { Situation::MustDefend };
    }
    if !we_sleep && let Some(cell) = double_three_win(board, us) {
        return Situation::Win(Move::stone(cell), 5);
    }
    Situation::Free
}

/// A point where `color` makes two ways to five at once, legally. No five may threaten.
///
/// The opponent cannot stop both. That holds under caro too, where a five can also be stopped from beyond its ends:
/// a straight four is one that survives every single enemy stone, and the answers to two fours on different lines
/// lie on different lines.
pub fn straight_four(board: &Board, color: Color) -> Option<Cell> {
    if board.count(color, PointClass::WinFour) == 0 {
        return None;
    }
    let mut cells = board.cells(color, PointClass::WinFour);
    cells.find(|&cell| color == Color::White || !board.is_forbidden(cell))
}

/// A four that makes a live three as well, where the forced reply makes no four: the straight four follows.
///
/// The reply lies on the four's line, which meets the three's only in the stone played, so it does not disturb the
/// three. Tried out move by move, since rules disagree on what else may happen. Against Black with the half stone
/// in hand the reply may be that stone, which turns his fours live: then he must have none.
fn four_three_win(board: &mut Board, us: Color) -> Option<Cell> {
    if board.count(us, PointClass::FourThree) == 0 || board.count(!us, PointClass::Five) > 0 {
        return None;
    }
    let cells = *board.set(us, PointClass::FourThree);
    cells.iter().find(|&cell| {
        if !is_playable(board, cell) {
            return false;
        }
        board.make_light(Move::stone(cell));
        let won = match board.five_answers(us).as_deref() {
            Some([]) => true,
            Some(&[reply]) => reply_leaves_straight_four(board, us, reply),
            _ => false,
        };
        board.undo();
        won
    })
}

/// Whether after the only answer `reply` to a four the attacker has a sound straight four and nothing to fear.
fn reply_leaves_straight_four(board: &mut Board, us: Color, reply: Cell) -> bool {
    // Renju: an answer that Black may not play is none.
    if us == Color::White && board.rule() == Rule::Renju && board.is_forbidden(reply) {
        return true;
    }
    board.make_light(Move::stone(reply));
    let in_peace = board.is_dormant(!us) || board.count(!us, PointClass::Five) == 0;
    let won = in_peace && straight_four(board, us).is_some();
    board.undo();
    won
}

/// Two live threes at once, while the opponent has nowhere to make a four: he can spoil only one of them.
fn double_three_win(board: &mut Board, us: Color) -> Option<Cell> {
    use PointClass::{Five, ThreeThree};
    // For Black under renju it is a foul, or one of the threes is not real.
    if board.count(us, ThreeThree) == 0 || board.rule() == Rule::Renju && us == Color::Black {
        return None;
    }
    // His fours count too while the half stone is in hand: it turns them live at any moment.
    let disturbed = [Five].iter().chain(&PointClass::FOURS).any(|&class| board.count(!us, class) > 0);
    if disturbed && !(board.is_dormant(!us) && board.count(!us, Five) == 0) {
        return None;
    }
    board.first(us, ThreeThree)
}

/// A stone on `cell`, if that is no foul, and the half stone if it is in hand.
fn push_block(board: &Board, cell: Cell, answers: &mut MoveList) {
    if is_playable(board, cell) {
        answers.push(Move::stone(cell));
    }
    if board.is_dormant(board.side_to_move()) {
        answers.push(Move::half(cell));
    }
}

/// Answers to a straight-four threat: the points that spoil it, and own fours.
fn straight_four_answers(board: &Board, defences: &CellList, answers: &mut MoveList) {
    let us = board.side_to_move();
    for &cell in defences {
        push_block(board, cell, answers);
    }
    let blocked: CellSet = defences.iter().copied().collect();
    if !board.is_dormant(us) {
        for cell in fours(board, us).difference(&blocked).iter() {
            if is_playable(board, cell) {
                answers.push(Move::stone(cell));
            }
        }
    } else if board.count(us, PointClass::Five) > 0 {
        // With a dormant four on the board the half stone is a four wherever it is put.
        let mut halves = half_stone_cells(board);
        halves.retain(|cell| !blocked.contains(*cell));
        answers.extend(halves.into_iter().map(Move::half));
    }
}

/// Black, holding the half stone over two dormant fives, wins by placing it where it spoils neither: with a gain as
/// well, if there is one to be had.
fn activation_win(board: &Board) -> Option<Move> {
    let us = board.side_to_move();
    let fives = board.count(us, PointClass::Five);
    if fives < 2 {
        return None;
    }
    let set = board.set(us, PointClass::Five);
    let useful = || half_stone_cells(board).into_iter().find(|&cell| !set.contains(cell));
    let elsewhere = || board.empty_cells().difference(set).first();
    // If every empty point is a five, placing on one of three still leaves two.
    let cell = useful().or_else(elsewhere).or_else(|| set.first().filter(|_| fives >= 3))?;
    Some(Move::half(cell))
}

/// White's answers to two dormant black fives, over which Black is about to place the half stone: taking one of just
/// two, and own fours, since Black must answer a four first. Returns whether that threatens.
///
/// Nothing else helps: Black places the half stone where it spoils neither five, and White can take one only.
fn activation_answers(board: &Board, answers: &mut MoveList) -> bool {
    let us = board.side_to_move();
    let fives = board.set(!us, PointClass::Five);
    let count = board.count(!us, PointClass::Five) as usize;
    // Black needs a point beside the fives after any move of White's.
    if count < 2 || board.empty_count() < count + 2 {
        return false;
    }
    if count == 2 {
        answers.extend(fives.iter().map(Move::stone));
    }
    let four_elsewhere = |cell: &Cell| count != 2 || !fives.contains(*cell);
    answers.extend(fours(board, us).iter().filter(four_elsewhere).map(Move::stone));
    true
}
