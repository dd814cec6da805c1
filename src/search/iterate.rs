//! Iterative deepening at the root: each iteration orders the moves for the next, and time decides how many there
//! are.

use std::time::Duration;

use super::picker::Order;
use super::pool::Excluded;
use super::pvs::{UNPROVEN_LOSS, Worker};
use crate::movegen::{self, MoveList, Promises, Situation};
use crate::types::{DRAW, Depth, INFINITE, MATE_IN_MAX_PLY, Move, Score, mate_in, mated_in};

/// The iteration from which windows are narrow.
const ASPIRATION_DEPTH: Depth = 4;
/// Iterations after which a proven win or loss is believed to be the shortest.
const SETTLED_AFTER_MATE: u32 = 2;

/// One of the best lines after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Score in the mover's view.
    pub score: Score,
    /// Principal variation, the move itself first.
    pub pv: Vec<Move>,
}

/// What a finished iteration knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Deepest ply that was looked at.
    pub selective_depth: u32,
    /// The best lines, best first; as many as were asked for and exist.
    pub lines: Vec<Line>,
    /// Nodes so far: of this thread, or of all threads once `search` hands it on.
    pub nodes: u64,
    /// Time since the clock started.
    pub elapsed: Duration,
    /// Whether it was searched to its end. One that was cut short may still have found a better move.
    pub complete: bool,
}

/// What a search tells while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// An iteration has ended.
    Iteration(&'a Iteration),
    /// The main thread begins with a move of the root.
    Trying(Move),
    /// It is done with that move, for this iteration.
    Tried {
        /// The move.
        mv: Move,
        /// Whether it is proven to lose.
        lost: bool,
    },
}

#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// What its last full search said, or that it is proven to lose.
    score: Score,
    pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move, score: Score) -> RootMove {
        RootMove { mv, score, pv: vec![mv] }
    }

    fn is_lost(&self) -> bool {
        self.score <= -MATE_IN_MAX_PLY
    }
}

/// The moves of the root.
#[derive(Clone, Debug)]
struct Roots {
    /// The ones to choose from, best first.
    moves: Vec<RootMove>,
    /// Places for the half stone that become moves once all others are proven to lose, the most promising one last.
    /// Until none is left, a loss is not announced.
    places: Vec<Move>,
    /// Whether there is nothing to decide.
    decided: bool,
}

impl Roots {
    /// Adds the next place for the half stone to the moves, if there is one left.
    fn widen(&mut self) -> bool {
        let place = self.places.pop();
        self.moves.extend(place.map(|mv| RootMove::new(mv, DRAW)));
        place.is_some()
    }

    /// After an iteration that was cut short: a move that loses is no choice while another one is open. That one was
    /// no better than the favourite at the depth before, which had the score `before`.
    fn leave_lost_move(&mut self, before: Score) {
        if !self.moves[0].is_lost() {
            return;
        }
        if let Some(open) = self.moves.iter().position(|root| !root.is_lost()) {
            let lost = self.moves[0].score;
            self.moves[..=open].rotate_right(1);
            self.moves[0].score = if before > -MATE_IN_MAX_PLY { before } else { lost + UNPROVEN_LOSS };
            self.moves[0].pv.truncate(1);
        }
    }
}

/// What one thread searches. Its clock and its node limit come on top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Last iteration.
    pub(super) depth: Depth,
    /// Lines to keep.
    pub(super) lines: usize,
    /// Which thread this is, the main one being 0: helpers leave depths out so that not all do the same.
    pub(super) thread: usize,
    /// What is not played in the root position.
    pub(super) excluded: Excluded,
}

/// The depth of the iteration after that of `depth`, the first one for 0. Helper number n of a group leaves out blocks
/// of as many plies as its group has, a group of g having 2g members that begin at different points: one ply on, one
/// off for the first two helpers, two on, two off for the next four.
fn next_depth(depth: Depth, thread: usize) -> Depth {
    let Some(mut phase) = thread.checked_sub(1) else { return depth + 1 };
    let mut block = 1;
    while phase >= 2 * block {
        phase -= 2 * block;
        block += 1;
    }
    let left_out = |depth: &Depth| (depth.unsigned_abs() as usize + phase) / block % 2 == 1;
    (depth + 1..).find(|depth| !left_out(depth)).unwrap_or(depth + 1)
}

impl Worker<'_> {
    /// Searches the position and tells of every iteration and of every move on the way. The last iteration holds the
    /// move to play; there is at least one unless the board is full.
    pub(super) fn iterate(&mut self, plan: Plan, mut listener: impl FnMut(News<'_>)) {
        let mut roots = self.root_moves(&plan.excluded);
        if roots.moves.is_empty() {
            return;
        }
        // Something to play exists from the start, whatever the clock says.
        listener(News::Iteration(&self.iteration(0, &roots.moves, plan.lines)));
        if roots.decided {
            return;
        }
        // Nodes two plies down ask whether things have got better since.
        self.evals[0] = self.evaluate();
        let mut stable = 0;
        let mut mates = 0;
        let mut depth = next_depth(0, plan.thread);
        while depth <= plan.depth {
            let RootMove { mv: before, score: before_score, .. } = roots.moves[0];
            self.deepest = 0;
            self.extension_limit = 2 * depth.unsigned_abs() as usize + 4;
            for line in 0..plan.lines.min(roots.moves.len()) {
                self.search_line(&mut roots, line, depth, &mut listener);
                if self.aborted {
                    roots.leave_lost_move(before_score);
                    break;
                }
            }
            let roots = &mut roots.moves;
            listener(News::Iteration(&self.iteration(depth, roots, plan.lines)));
            if self.aborted {
                return;
            }
            let known = roots[0].score.abs() >= MATE_IN_MAX_PLY;
            if !known && plan.lines == 1 {
                let line = roots[0].pv.clone();
                let (won, news) = self.prove_line(&line);
                if let Some((score, pv)) = won
                    && let Some(&mv) = pv.first()
                    && let Some(at) = roots.iter().position(|root| root.mv == mv)
                {
                    roots[..=at].rotate_right(1);
                    roots[0] = RootMove { mv, score, pv };
                    listener(News::Iteration(&self.iteration(depth, roots, plan.lines)));
                    if self.clock.is_limited() {
                        return;
                    }
                }
                if news && !self.clock.is_over() {
                    // The best line is not what it seemed: the same depth again, with what is known now.
                    continue;
                }
            }
            stable = if roots[0].mv == before { stable + 1 } else { 0 };
            mates = if roots[0].score.abs() >= MATE_IN_MAX_PLY { mates + 1 } else { 0 };
            let limited = self.clock.is_limited();
            if limited && (mates > SETTLED_AFTER_MATE || roots.len() == 1) {
                return;
            }
            let settled = if stable == 0 { 1.3 } else { 1.0 / (1.0 + 0.03 * f64::from(stable)) };
            if !self.clock.allows_iteration(settled) {
                return;
            }
            depth = next_depth(depth, plan.thread);
        }
    }

    /// Finds the best of `roots[line..]` and moves it to `roots[line]`, with a window around its last score.
    fn search_line(
        &mut self,
        roots: &mut Roots,
        line: usize,
        depth: Depth,
        listener: &mut dyn FnMut(News<'_>),
    ) {
        let last = roots.moves[line].score;
        let mut delta = self.parameters.aspiration;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && last.abs() < MATE_IN_MAX_PLY {
            (alpha, beta) = (last - delta, last + delta);
        }
        loop {
            let score = self.search_root(roots, line, (alpha, beta), depth, listener);
            if self.aborted {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
            } else {
                return;
            }
            delta *= 2;
            if delta > 1_000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// One pass over the root moves from `line` on. The best one that beat `alpha` comes to stand at `line`. Where all
    /// of them lose, the places for the half stone that were left out follow one by one until one does not.
    fn search_root(
        &mut self,
        roots: &mut Roots,
        line: usize,
        (mut alpha, beta): (Score, Score),
        depth: Depth,
        listener: &mut dyn FnMut(News<'_>),
    ) -> Score {
        let mut best = -INFINITE;
        let mut index = line;
        while index < roots.moves.len() || line == 0 && best <= -MATE_IN_MAX_PLY && roots.widen() {
            // Nothing can make a lost move the best one again while there is one that is not lost.
            if roots.moves[index].is_lost() && best > -MATE_IN_MAX_PLY {
                index += 1;
                continue;
            }
            let mv = roots.moves[index].mv;
            let late = index - line;
            let reduction = if late < self.parameters.root_full as usize || depth < 3 {
                0
            } else {
                let history = self.history.score(&self.history.context(&self.board), mv);
                let quiet = self.is_quiet(mv);
                self.reduction::<true>(depth, late, history, 0, quiet, true, false)
            };
            listener(News::Trying(mv));
            self.board.make(mv);
            let mut score = -INFINITE;
            if index > line {
                score = -self.search::<false>(-alpha - 1, -alpha, depth - 1 - reduction, 1, true);
                if reduction > 0 && score > alpha && !self.aborted {
                    score = -self.search::<false>(-alpha - 1, -alpha, depth - 1, 1, true);
                }
            }
            if index == line || score > alpha && !self.aborted {
                score = -self.search::<true>(-beta, -alpha, depth - 1, 1, false);
            }
            self.board.undo();
            if self.aborted {
                return best;
            }
            // A score that low is no matter of depth or window.
            listener(News::Tried { mv, lost: score <= -MATE_IN_MAX_PLY });
            best = best.max(score);
            let root = &mut roots.moves[index];
            if score <= -MATE_IN_MAX_PLY {
                root.score = score;
            }
            if index == line || score > alpha {
                root.score = score;
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend(self.pv[1].iter().copied());
                // Keep the others in order, so that the next iteration tries earlier favourites first.
                if score > alpha {
                    roots.moves[line..=index].rotate_right(1);
                    alpha = score;
                }
                if score >= beta {
                    return score;
                }
            }
            index += 1;
        }
        best
    }

    /// The moves to choose from, most promising first.
    fn root_moves(&mut self, excluded: &Excluded) -> Roots {
        let mut moves = MoveList::new();
        let mut known = 0;
        let mut decided = false;
        let situation = movegen::situation(&mut self.board, &mut moves);
        match situation {
            Situation::Win(mv, plies) => {
                moves.clear();
                moves.push(mv);
                known = mate_in(plies);
                decided = true;
            }
            Situation::Lost(plies) => {
                // Nothing helps; stand in the way all the same.
                self.last_stand(&mut moves);
                known = mated_in(plies);
                decided = true;
            }
            Situation::MustBlock => decided = moves.len() == 1 && self.clock.is_limited(),
            Situation::MustDefend => {}
            Situation::Free => movegen::candidate_moves(&self.board, &mut moves),
        }
        if moves.is_empty() {
            // Only fouls are left.
            let board = &self.board;
            moves.extend(board.size().cells().filter(|&cell| board.is_empty(cell)).take(1).map(Move::stone));
            decided = true;
        }
        if !excluded.is_empty() && self.exclude(&mut moves, excluded) {
            (known, decided) = (0, false);
        }
        let order = Order { history: &self.history, parameters: &self.parameters, ply: 0, skip: None };
        let mut picker = self.moves.push(&self.board, &moves, &order);
        let mut roots = Vec::with_capacity(moves.len());
        while let Some((mv, _)) = self.moves.pick(&mut picker) {
            roots.push(RootMove::new(mv, known));
        }
        self.moves.drop(picker);
        let places = if self.has_untried_half_stones(situation) {
            self.other_places(&moves, excluded)
        } else {
            Vec::new()
        };
        Roots { moves: roots, places, decided }
    }

    /// The places for the half stone that are not among the moves, the most promising one last.
    fn other_places(&self, moves: &[Move], excluded: &Excluded) -> Vec<Move> {
        let cells = self.board.empty_cells().difference(&excluded.halves);
        let mut places: Vec<Move> = cells.iter().map(Move::half).filter(|mv| !moves.contains(mv)).collect();
        let promises = Promises::of(&self.board);
        places.sort_by_key(|&mv| promises.get(mv));
        places
    }

    /// Takes what is excluded out of the moves. If none is left, all others are tried instead, which is told by `true`:
    /// what was known of the moves does not hold for them. If there are no others either, the moves stay.
    fn exclude(&self, moves: &mut MoveList, excluded: &Excluded) -> bool {
        let keep = |mv: &Move| !excluded.contains(*mv);
        if moves.iter().any(keep) {
            moves.retain(|mv| keep(mv));
            return false;
        }
        let mut others = MoveList::new();
        movegen::candidate_moves(&self.board, &mut others);
        others.retain(|mv| keep(mv));
        if others.is_empty() {
            let board = &self.board;
            let stones = board.empty_cells().iter().filter(|&cell| movegen::is_playable(board, cell));
            let halves = board.empty_cells().iter().filter(|_| board.is_dormant(board.side_to_move()));
            let room = others.remaining_capacity();
            others.extend(stones.map(Move::stone).chain(halves.map(Move::half)).filter(keep).take(room));
        }
        let found = !others.is_empty();
        if found {
            *moves = others;
        }
        found
    }

    /// When two fives threaten: block one of them, if that is possible, or play anything that is no foul.
    fn last_stand(&mut self, moves: &mut MoveList) {
        use crate::pattern::PointClass::Five;
        let them = !self.board.side_to_move();
        moves.clear();
        let fives: MoveList = self.board.cells(them, Five).map(Move::stone).collect();
        for mv in fives {
            if mv.cell().is_some_and(|cell| movegen::is_playable(&self.board, cell)) {
                moves.push(mv);
            }
        }
        if moves.is_empty() {
            movegen::candidate_moves(&self.board, moves);
        }
    }

    fn iteration(&self, depth: Depth, roots: &[RootMove], lines: usize) -> Iteration {
        Iteration {
            depth: depth.unsigned_abs(),
            selective_depth: self.deepest as u32,
            lines: roots.iter().take(lines).map(|r| Line { score: r.score, pv: r.pv.clone() }).collect(),
            nodes: self.nodes,
            elapsed: self.clock.elapsed(),
            complete: !self.aborted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RootMove, Roots, next_depth};
    use crate::types::{MATE_IN_MAX_PLY, Move, Size, mated_in};

    #[test]
    fn a_lost_move_is_not_played_while_another_is_open() {
        let moves: Vec<Move> = Size::STANDARD.cells().take(3).map(Move::stone).collect();
        let after = |scores: [i32; 3], before| {
            let moves = moves.iter().zip(scores).map(|(&mv, score)| RootMove::new(mv, score)).collect();
            let mut roots = Roots { moves, places: Vec::new(), decided: false };
            roots.leave_lost_move(before);
            (roots.moves[0].mv, roots.moves[0].score)
        };
        let lost = mated_in(8);
        assert_eq!(after([5, 30, lost], 40), (moves[0], 5));
        assert_eq!(after([lost, lost, 0], 40), (moves[2], 40));
        assert_eq!(after([lost, mated_in(6), mated_in(4)], lost), (moves[0], lost));
        // All had lost at the depth before; a place for the half stone came as the last one, and is not a proven loss.
        let (mv, score) = after([lost, mated_in(6), 0], lost);
        assert!(mv == moves[2] && score > -MATE_IN_MAX_PLY);
    }

    #[test]
    fn helpers_leave_out_different_depths() {
        let depths = |thread| {
            let mut depth = 0;
            let next = || {
                depth = next_depth(depth, thread);
                depth
            };
            std::iter::repeat_with(next).take_while(|&depth| depth <= 10).collect::<Vec<_>>()
        };
        assert_eq!(depths(0), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(depths(1), [2, 4, 6, 8, 10]);
        assert_eq!(depths(2), [1, 3, 5, 7, 9]);
        assert_eq!(depths(3), [1, 4, 5, 8, 9]);
        assert_eq!(depths(4), [3, 4, 7, 8]);
        assert_eq!(depths(5), [2, 3, 6, 7, 10]);
        assert_eq!(depths(6), [1, 2, 5, 6, 9, 10]);
        assert_eq!(depths(7), [1, 2, 6, 7, 8]);
        // All that a machine could have go on for ever.
        assert!((0..1_000).all(|thread| next_depth(100, thread) < 200));
    }
}
