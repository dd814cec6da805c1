//! What an attacker's move threatens, and every reply that could help: exact sets, so that all other replies lose.

use arrayvec::ArrayVec;

use super::relevance::relevant_cells;
use super::vcf::{ANY_LENGTH, Found, Fours, is_foul};
use crate::board::{Board, CellList};
use crate::movegen::fours;
use crate::pattern::PointClass;
use crate::types::{Cell, CellSet, Color, Move};

/// Empty points that are plenty for any dormant win to be carried out.
const ROOM: usize = 8;

/// What the defender, who is to move, is facing.
#[derive(Clone, Debug)]
pub(super) enum Threat {
    /// Nothing that the solver can prove.
    None,
    /// As [`Threat::None`], but a search ran out of nodes: there might be one.
    Unclear,
    /// A five that nothing prevents.
    Won,
    /// The attacker wins unless one of these replies helps.
    Replies(Vec<Reply>, Else),
}

/// A reply worth looking at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) mv: Move,
    /// It makes a four of the defender's, which seldom helps.
    pub(super) counter: bool,
}

/// What all other replies lose to.
#[derive(Clone, Debug)]
pub(super) enum Else {
    /// A five.
    Five,
    /// One of these moves, each a straight four or a dormant win woken.
    Moves(ArrayVec<Move, 32>),
    /// The win by fours that follows a pass; it is what the solver of fours found last.
    Fours,
}

/// What the side that has just moved threatens. `nodes` limits the search for a win by fours after a pass.
///
/// From the most urgent on: a five of the defender's ends the attack. A five threatens; of Black with the half stone in
/// hand (`we_sleep`) only two of them, dormant, count. A straight four threatens; while the defender holds the half stone
/// (`they_sleep`), only if no dormant five of his waits for it. What is less than that threatens nothing to a defender
/// who holds the half stone, which would be a reply anywhere.
pub(super) fn threat(board: &mut Board, fours_solver: &mut Fours, nodes: u64) -> Threat {
    let them = board.side_to_move();
    let us = !them;
    let (we_sleep, they_sleep) = (board.is_dormant(us), board.is_dormant(them));
    if !they_sleep && board.count(them, PointClass::Five) > 0 {
        return Threat::None;
    }
    if !we_sleep && let Some(cells) = board.five_answers(us) {
        let replies = stones_and_halves(board, &cells);
        return if replies.is_empty() { Threat::Won } else { Threat::Replies(replies, Else::Five) };
    }
    if we_sleep {
        if let Some(threat) = dormant_fives(board, us) {
            return threat;
        }
    } else if let Some(cells) = board.defences(us) {
        // With a dormant five on the board the half stone is a counter-four wherever it is put.
        if they_sleep && board.count(them, PointClass::Five) > 0 {
            return Threat::None;
        }
        let mut replies = stones_and_halves(board, &cells);
        if !they_sleep {
            add_counters(board, &mut replies);
        }
        // Under renju a point that is a foul now may be the answer once a white stone has made it none.
        let points = board.set(us, PointClass::WinFour);
        let legal = points.iter().filter(|&cell| !is_foul(board, us, cell));
        let moves = legal.chain(points.iter().filter(|&cell| is_foul(board, us, cell)));
        return Threat::Replies(replies, Else::Moves(moves.take(32).map(Move::stone).collect()));
    }
    if they_sleep {
        return Threat::None;
    }
    quiet(board, fours_solver, nodes)
}

/// A move without a direct threat, after which there would be a win by fours if the defender passed.
fn quiet(board: &mut Board, fours_solver: &mut Fours, nodes: u64) -> Threat {
    board.make_light(Move::PASS);
    let found = fours_solver.search(board, ANY_LENGTH, nodes);
    let relevant = if found == Found::Win { relevant_cells(board, fours_solver) } else { CellSet::default() };
    board.undo();
    match found {
        Found::No => Threat::None,
        Found::Clipped => Threat::Unclear,
        Found::Win => {
            let them = board.side_to_move();
            let counters = fours(board, them);
            let mut replies: Vec<Reply> = Vec::with_capacity(32);
            for cell in relevant.difference(&counters) {
                if !is_foul(board, them, cell) {
                    replies.push(Reply { mv: Move::stone(cell), counter: false });
                }
            }
            add_counters(board, &mut replies);
            Threat::Replies(replies, Else::Fours)
        }
    }
}

/// Black, holding the half stone over two or more dormant fives: whatever White does elsewhere, Black puts the half
/// stone where it does no harm, and White can stop one five only.
fn dormant_fives(board: &Board, us: Color) -> Option<Threat> {
    let fives = board.set(us, PointClass::Five);
    let count = board.count(us, PointClass::Five);
    if count < 2 || board.empty_count() < count as usize + ROOM {
        return None;
    }
    let mut replies = Vec::new();
    if count == 2 {
        let stones: CellList = fives.iter().collect();
        replies = stones_and_halves(board, &stones);
    }
    add_counters(board, &mut replies);
    let quiet = |cell: &Cell| !fives.contains(*cell) && !board.class(!us, *cell).is_four();
    let places: ArrayVec<Move, 32> =
        board.empty_cells().iter().filter(quiet).take(2).map(Move::half).collect();
    (places.len() == 2).then_some(Threat::Replies(replies, Else::Moves(places)))
}

/// A stone on each of the cells where it is no foul, and the half stone if the defender holds it.
pub(super) fn stones_and_halves(board: &Board, cells: &CellList) -> Vec<Reply> {
    let them = board.side_to_move();
    let mut replies = Vec::with_capacity(8);
    for &cell in cells {
        if !is_foul(board, them, cell) {
            let counter = !board.is_dormant(them) && board.class(them, cell).is_four();
            replies.push(Reply { mv: Move::stone(cell), counter });
        }
        if board.is_dormant(them) {
            replies.push(Reply { mv: Move::half(cell), counter: false });
        }
    }
    replies
}

/// The defender's fours, where they are not listed yet.
fn add_counters(board: &Board, replies: &mut Vec<Reply>) {
    let them = board.side_to_move();
    for cell in fours(board, them) {
        let mv = Move::stone(cell);
        if !replies.iter().any(|reply| reply.mv == mv) && !is_foul(board, them, cell) {
            replies.push(Reply { mv, counter: true });
        }
    }
}
