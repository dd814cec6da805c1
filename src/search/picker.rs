//! Move ordering: lists of scored moves, all plies on one stack, each handed out best first.

use super::history::History;
use super::params::Parameters;
use crate::board::Board;
use crate::movegen::Promises;
use crate::types::Move;

/// Room for the moves of a deep line without growing.
const ROOM: usize = 16_384;

#[derive(Clone, Copy, Debug)]
struct Scored {
    /// The score above, and below it the negative place in the order of generation: no two moves of a list rank equal.
    rank: i64,
    promise: i32,
    mv: Move,
}

/// The move lists of all plies of a search, one on top of the other, so that no node copies or allocates one.
#[derive(Debug)]
pub(super) struct MoveStack {
    moves: Vec<Scored>,
}

/// The list of one node: its moves lie from `next` to the top of the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picker {
    base: usize,
    next: usize,
    /// The highest promise of the list.
    top: i32,
}

/// What the order of moves is judged by, apart from the position.
pub(super) struct Order<'a> {
    pub(super) history: &'a History,
    pub(super) parameters: &'a Parameters,
    pub(super) ply: usize,
    /// Left out: it has been searched already, or must not be.
    pub(super) skip: Option<Move>,
}

impl MoveStack {
    pub(super) fn new() -> MoveStack {
        MoveStack { moves: Vec::with_capacity(ROOM) }
    }

    /// Puts a list on top: the moves with their scores.
    pub(super) fn push(&mut self, board: &Board, moves: &[Move], order: &Order<'_>) -> Picker {
        let &Order { history, parameters, ply, skip } = order;
        let base = self.moves.len();
        let mut top = i32::MIN;
        let us = board.side_to_move();
        let killers = history.killers(ply);
        let scores = history.scores(&history.context(board));
        let promises = Promises::of(board);
        let counter = history.counter(us, board.last_move());
        for (place, &mv) in moves.iter().enumerate() {
            if skip == Some(mv) {
                continue;
            }
            let promise = promises.get(mv);
            top = top.max(promise);
            let mut score = promise + scores.of(mv) / parameters.order_history;
            if killers[0] == Some(mv) || killers[1] == Some(mv) {
                score += parameters.order_killer;
            }
            if counter == Some(mv) {
                score += parameters.order_counter;
            }
            let rank = (i64::from(score) << 16) - place as i64;
            self.moves.push(Scored { rank, promise, mv });
        }
        Picker { base, next: base, top }
    }

    /// Takes the best move that is left. Equal scores go in the order of generation, which is that of the cells, so
    /// that results do not depend on a sorting algorithm. With it comes by how much it promises less than the most
    /// promising move of the list.
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<(Move, i32)> {
        let rest = self.moves.get_mut(picker.next..)?;
        let (mut best, mut highest) = (0, i64::MIN);
        for (i, scored) in rest.iter().enumerate() {
            if scored.rank > highest {
                (best, highest) = (i, scored.rank);
            }
        }
        let picked = *rest.get(best)?;
        rest.swap(0, best);
        picker.next += 1;
        Some((picked.mv, picker.top - picked.promise))
    }

    /// Takes the list off, and everything above it.
    pub(super) fn drop(&mut self, picker: Picker) {
        self.moves.truncate(picker.base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{MoveList, candidate_moves};
    use crate::types::{Rule, Size};

    #[test]
    fn every_move_comes_once_but_the_skipped_one_and_lists_nest() {
        let mut board = Board::new(Rule::Freestyle, Size::STANDARD);
        board.make(Move::stone(Size::STANDARD.center()));
        let mut moves = MoveList::new();
        candidate_moves(&board, &mut moves);
        let (history, parameters) = (History::new(), Parameters::default());
        let mut stack = MoveStack::new();
        let mut order = Order { history: &history, parameters: &parameters, ply: 0, skip: Some(moves[3]) };
        let mut outer = stack.push(&board, &moves, &order);
        let mut found = vec![moves[3]];
        while let Some((mv, gap)) = stack.pick(&mut outer) {
            assert!(gap >= 0);
            found.push(mv);
            order.skip = None;
            let mut inner = stack.push(&board, &moves, &order);
            assert!(stack.pick(&mut inner).is_some());
            stack.drop(inner);
        }
        stack.drop(outer);
        assert_eq!(found.len(), moves.len());
        assert!(moves.iter().all(|mv| found.contains(mv)));
    }
}
