//! The recursive search: principal variation search over the candidate moves. Below it the solver looks for a win by
//! continuous fours; what has none is judged by the evaluation.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::history::History;
use super::params::Parameters;
use super::picker::{MoveStack, Order};
use crate::board::Board;
use crate::control::{Clock, StopSignal};
use crate::eval;
use crate::movegen::{self, MoveList, Situation};
use crate::pattern::PointClass;
use crate::solver::{PassProbe, Probe, Solver};
use crate::tt::{Entry, PROVEN_DEPTH, Table};
use crate::types::{
    Bound, DRAW, Depth, INFINITE, MATE_IN_MAX_PLY, MAX_PLY, Move, Rule, Score, mate_in, mated_in,
};

/// Longest principal variation that is kept.
pub(super) const MAX_PV: usize = 64;
/// What brings the score of a loss above those that count as proven, in the same order.
pub(super) const UNPROVEN_LOSS: Score = MAX_PLY as Score + 1;
/// Memory of a thread's solver.
const SOLVER_BYTES: usize = 1 << 20;
/// Plies at which the search gives up growing: far beyond any depth, well inside the stack.
const PLY_LIMIT: usize = 240;
/// The clock is read once in this many nodes.
const POLL_NODES: u64 = 64;

/// The large parts of a worker, which the next search takes over: allocating them anew for every move costs time and
/// scatters the heap.
#[derive(Debug)]
pub(super) struct Spare {
    history: History,
    moves: MoveStack,
    solver: Solver,
}

impl Spare {
    pub(super) fn new() -> Spare {
        Spare { history: History::new(), moves: MoveStack::new(), solver: Solver::new(SOLVER_BYTES) }
    }

    /// Forgets everything, so that a search does not depend on the ones before.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.solver.clear();
    }
}

/// One searching thread: a board and everything it learns, on a shared table.
pub(super) struct Worker<'a> {
    pub(super) board: Board,
    pub(super) table: &'a Table,
    pub(super) stop: &'a StopSignal,
    pub(super) clock: Clock,
    /// Nodes after which this thread ends.
    pub(super) node_limit: u64,
    pub(super) nodes: u64,
    /// Where a helper adds its nodes up, and how many it has added.
    pub(super) counter: Option<&'a AtomicU64>,
    counted: u64,
    /// The number of nodes at which the limits are looked at next.
    next_poll: u64,
    pub(super) parameters: Parameters,
    pub(super) history: History,
    pub(super) moves: MoveStack,
    pub(super) solver: Solver,
    /// How many of the nodes were the solver's.
    pub(super) proof_nodes: u64,
    /// Principal variations by ply.
    pub(super) pv: Vec<ArrayVec<Move, MAX_PV>>,
    /// Static evaluations by ply.
    pub(super) evals: Vec<Score>,
    /// Moves that a node must leave out, by ply: a search for whether anything else is as good.
    excluded: Vec<Option<Move>>,
    pub(super) deepest: usize,
    /// Plies beyond which nothing is extended but forced replies.
    pub(super) extension_limit: usize,
    /// The search is being given up: every score that is still returned is meaningless.
    pub(super) aborted: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        board: Board,
        table: &'a Table,
        stop: &'a StopSignal,
        clock: Clock,
        node_limit: u64,
        parameters: Parameters,
        spare: Spare,
    ) -> Worker<'a> {
        let Spare { history, moves, solver } = spare;
        Worker {
            board,
            table,
            stop,
            clock,
            node_limit,
            nodes: 0,
            counter: None,
            counted: 0,
            next_poll: POLL_NODES.min(node_limit),
            parameters,
            history,
            moves,
            solver,
            proof_nodes: 0,
            pv: vec![ArrayVec::new(); MAX_PLY + 2],
            evals: vec![0; MAX_PLY + 2],
            excluded: vec![None; MAX_PLY + 2],
            deepest: 0,
            extension_limit: 0,
            aborted: false,
        }
    }

    /// What the next search can use.
    pub(super) fn into_spare(self) -> Spare {
        Spare { history: self.history, moves: self.moves, solver: self.solver }
    }

    /// Adds the nodes since the last call to the counter of all helpers.
    pub(super) fn count(&mut self) {
        if let Some(counter) = self.counter {
            counter.fetch_add(self.nodes - self.counted, Relaxed);
            self.counted = self.nodes;
        }
    }

    /// Counts a node and looks at the clock now and then. True when the search must end.
    fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.pv[ply].clear();
        if self.nodes >= self.next_poll {
            self.next_poll = (self.nodes + POLL_NODES).min(self.node_limit);
            self.count();
            if self.nodes >= self.node_limit || self.stop.is_raised() || self.clock.tick() {
                self.aborted = true;
            }
        }
        self.aborted
    }

    /// Whether the side to move and the opponent may still win. A colour without a row of five points of its own or
    /// empty ones cannot; but the other one may have nothing left to play but a foul, so that where there are fouls
    /// only both together count.
    fn can_win(&self) -> (bool, bool) {
        let us = self.board.side_to_move();
        let (ours, theirs) = (self.board.alive_windows(us) > 0, self.board.alive_windows(!us) > 0);
        let fouls = self.board.rule() == Rule::Renju || self.board.half_in_hand();
        if fouls && (ours || theirs) { (true, true) } else { (ours, theirs) }
    }

    /// The static evaluation, on the right side of a draw where one side cannot win any more.
    pub(super) fn evaluate(&self) -> Score {
        let evaluation = eval::evaluate(&self.board);
        match self.can_win() {
            (true, true) => evaluation,
            (true, false) => evaluation.max(DRAW),
            (false, true) => evaluation.min(DRAW),
            (false, false) => DRAW,
        }
    }

    /// Whether the side to move wins by fours, looking at no more than `nodes` of its positions, which count as
    /// nodes of the search.
    fn wins_by_fours(&mut self, nodes: i32) -> Option<(Move, usize)> {
        let us = self.board.side_to_move();
        if nodes <= 0 || !movegen::has_four(&self.board, us) {
            return None;
        }
        let before = self.solver.nodes();
        let probe = self.solver.probe_vcf(&mut self.board, nodes.unsigned_abs().into());
        self.nodes += self.solver.nodes() - before;
        match probe {
            Probe::Win(mv, plies) => Some((mv, plies)),
            Probe::NoWin | Probe::Unknown => None,
        }
    }

    /// The value of a position in which nothing is forced: the evaluation, unless there is a win by fours.
    fn leaf(&mut self, beta: Score, ply: usize) -> Score {
        let evaluation = self.evaluate();
        if evaluation >= beta {
            return evaluation;
        }
        match self.wins_by_fours(self.parameters.leaf_nodes) {
            Some((mv, plies)) => {
                self.pv[ply].push(mv);
                mate_in(ply + plies)
            }
            None => evaluation,
        }
    }

    /// The score of the position within `alpha..beta`, searched to `depth` plies. Outside the window it is a bound.
    /// `cut` says that a null-window search is expected to fail high here.
    pub(super) fn search<const PV: bool>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: Depth,
        ply: usize,
        cut: bool,
    ) -> Score {
        // Step 1. Nothing left to search: end of the game, of time, or of the stack.
        if self.enter(ply) {
            return 0;
        }
        if self.board.empty_count() == 0 {
            return DRAW;
        }
        if ply >= PLY_LIMIT {
            return self.evaluate();
        }

        // Step 2. Who has no row of five points left cannot win.
        let (ours, theirs) = self.can_win();
        if !ours && (!theirs || alpha >= DRAW) || !theirs && beta <= DRAW {
            return DRAW;
        }

        // Step 3. Mate-distance pruning: no line from here can beat a shorter win that is already known.
        alpha = alpha.max(mated_in(ply + 2));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 4. What the position forces: wins and losses are scored without search.
        let mut answers = MoveList::new();
        let situation = movegen::situation(&mut self.board, &mut answers);
        match situation {
            Situation::Win(mv, plies) => {
                self.pv[ply].push(mv);
                return mate_in(ply + plies);
            }
            Situation::Lost(plies) => return mated_in(ply + plies),
            // Step 5. A forced reply costs no depth: a chain of fours is searched to its end. A five is at least
            // answered before the position is judged; lesser threats the evaluation knows.
            Situation::MustBlock if answers.len() == 1 => depth = depth.max(0) + 1,
            Situation::MustBlock => depth = depth.max(1),
            Situation::MustDefend | Situation::Free => {}
        }
        if depth <= 0 {
            return self.leaf(beta, ply);
        }

        // Step 6. Transposition table. A search that leaves a move out is about another position.
        let excluded = self.excluded[ply];
        let key = self.board.hash();
        let entry = if excluded.is_some() { None } else { self.table.probe(key, ply) };
        if let Some(entry) = entry
            && (!PV || entry.depth >= PROVEN_DEPTH)
            && self.parameters.table_cutoffs != 0
            && entry.depth >= depth
            && bound_fits(&entry, alpha, beta)
        {
            return entry.score;
        }
        let table_move = entry.and_then(|e| e.mv).filter(|&mv| movegen::is_legal(&self.board, mv));

        // Step 7. Static evaluation. While a five threatens it means nothing: what was there before holds on.
        let free = situation == Situation::Free;
        let evaluation = match entry {
            _ if excluded.is_some() => self.evals[ply],
            _ if situation == Situation::MustBlock && ply > 0 => -self.evals[ply - 1],
            Some(entry) if entry.depth < PROVEN_DEPTH => entry.eval,
            _ => self.evaluate(),
        };
        self.evals[ply] = evaluation;
        let improving = ply >= 2 && evaluation > self.evals[ply - 2];

        // Step 8. Would the opponent win by fours if this move were a pass? Then all moves that cannot disturb that win
        // lose to it. This takes the place of the null move, and is exact.
        let mut listed = !free;
        if free
            && depth >= self.parameters.pass_depth
            && movegen::has_four(&self.board, !self.board.side_to_move())
        {
            let before = self.solver.nodes();
            let nodes = self.parameters.pass_nodes.unsigned_abs().into();
            let threat = self.solver.probe_pass(&mut self.board, nodes, &mut answers);
            self.nodes += self.solver.nodes() - before;
            if let PassProbe::Threat(_, plies) = threat {
                if answers.is_empty() {
                    return mated_in(ply + 1 + plies);
                }
                listed = true;
            }
        }

        if !PV && !listed && excluded.is_none() && beta.abs() < MATE_IN_MAX_PLY {
            // Step 9. Razoring: far below the window only a forced win helps, and a leaf sees those by fours.
            if depth <= self.parameters.razor_depth && evaluation + self.parameters.razor(depth) < alpha {
                let score = self.leaf(alpha + 1, ply);
                if self.aborted || score <= alpha {
                    return score;
                }
            }
            // Step 10. Static null move: so far above the window that the opponent will not come back in time.
            if depth <= self.parameters.static_null_depth
                && evaluation - self.parameters.static_null(depth, improving) >= beta
            {
                return evaluation;
            }
        }

        // Step 11. Fail-high reduction: so far above the window that a shallower search will show it too. Fours keep theirs.
        let calm = !PV
            && !listed
            && excluded.is_none()
            && depth >= self.parameters.fail_high_depth
            && evaluation - self.parameters.fail_high_slope * depth >= beta;
        // Internal iterative reduction: without a table move this node is worth less effort now.
        if depth >= self.parameters.iir_depth && table_move.is_none() && !listed && excluded.is_none() {
            depth -= 1;
        }

        // Step 12. Is the table move the only good one? Then it is searched more deeply; if there is another one
        // that reaches beta, this node will most likely fail high in any case.
        let mut extension = 0;
        if let Some(entry) = entry
            && let Some(mv) = table_move
            && depth >= self.parameters.singular_depth
            && entry.depth >= depth - 3
            && entry.bound != Bound::Upper
            && entry.score.abs() < MATE_IN_MAX_PLY
            && ply < self.extension_limit
        {
            let limit = entry.score - depth * self.parameters.singular_margin / 16;
            self.excluded[ply] = Some(mv);
            let score = self.search::<false>(limit - 1, limit, depth / 2, ply, cut);
            self.excluded[ply] = None;
            if self.aborted {
                return 0;
            }
            self.pv[ply].clear();
            if score < limit {
                extension = 1 + Depth::from(!PV && score < limit - self.parameters.singular_double);
            } else if !PV && limit >= beta {
                return limit;
            } else if entry.score >= beta {
                extension = -1;
            }
        }

        // Step 13. The moves: the one from the table first, and only if it does not suffice all others.
        let context = self.history.context(&self.board);
        let limit = match situation {
            Situation::MustBlock => usize::MAX,
            _ => self.parameters.late_move_limit(depth, improving),
        };
        let mut picker = None;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut tried: ArrayVec<Move, 64> = ArrayVec::new();
        let mut index = 0;
        let mut next = table_move.filter(|_| excluded.is_none());
        let skip = next.or(excluded);

        loop {
            let (mv, gap) = match next.take() {
                Some(mv) => (mv, 0),
                None => {
                    let picker = picker.get_or_insert_with(|| {
                        if !listed {
                            movegen::candidate_moves(&self.board, &mut answers);
                        }
                        let order = Order { history: &self.history, parameters: &self.parameters, ply, skip };
                        self.moves.push(&self.board, &answers, &order)
                    });
                    match self.moves.pick(picker) {
                        Some(picked) => picked,
                        None => break,
                    }
                }
            };
            let quiet = !listed && self.is_quiet(mv);
            let reduction = if depth < 2 || index < 1 + usize::from(PV) {
                0
            } else {
                let history = self.history.score(&context, mv);
                self.reduction::<PV>(depth, index, history, gap, quiet, improving, cut)
            };
            if best > -MATE_IN_MAX_PLY {
                // Step 14. Late moves are not searched at all.
                if index >= limit {
                    break;
                }
                // Step 15. Futility: a quiet move near the leaves that cannot bring the score back to the window, or
                // that looks far less likely than the best one.
                let reduced = depth - reduction;
                let hopeless = reduced <= self.parameters.futility_depth
                    && evaluation + self.parameters.futility(reduced) <= alpha;
                let unlikely = gap > self.parameters.gap_base + self.parameters.gap_slope * reduced;
                if !PV && quiet && (hopeless || unlikely) {
                    index += 1;
                    continue;
                }
            }
            // Step 16. Late moves with less depth and a null window first, the first one with the full window.
            let extension = if index == 0 && table_move == Some(mv) { extension } else { 0 };
            let new_depth = depth - 1 + extension - Depth::from(calm && !self.makes_four(mv));
            self.board.make(mv);
            let score = self.search_move::<PV>(alpha, beta, new_depth, ply, index, reduction, cut);
            self.board.undo();
            if self.aborted {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    alpha = score;
                    if PV {
                        self.raise_pv(mv, ply);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        if free && excluded.is_none() {
                            self.history.reward(&context, mv, &tried, depth, ply);
                        }
                        break;
                    }
                }
            }
            let _ = tried.try_push(mv);
            index += 1;
        }
        if let Some(picker) = picker {
            self.moves.drop(picker);
        }
        if self.aborted {
            return 0;
        }
        if best == -INFINITE {
            // Nothing is left but the excluded move; or only fouls are, and one must be played.
            return if excluded.is_some() { alpha } else { mated_in(ply + 1) };
        }

        // Black was not shown to be lost if there are places for the half stone that were not tried: else White would
        // announce a win that is none.
        if best <= -MATE_IN_MAX_PLY && self.has_untried_half_stones(situation) {
            best += UNPROVEN_LOSS;
        }

        // Step 17. Remember.
        if excluded.is_none() {
            let entry = Entry { mv: best_move, score: best, eval: evaluation, depth, bound };
            self.table.store(key, ply, entry);
        }
        best
    }

    /// Whether the moves of a node are a selection of the places for the half stone. They are complete where that must
    /// answer a five, or a straight four while no four of Black's sleeps.
    pub(super) fn has_untried_half_stones(&self, situation: Situation) -> bool {
        let black = self.board.side_to_move();
        self.board.is_dormant(black)
            && self.parameters.half_losses == 0
            && movegen::half_stone_cells(&self.board).len() < self.board.empty_count()
            && match situation {
                Situation::Free => true,
                Situation::MustDefend => self.board.count(black, PointClass::Five) > 0,
                Situation::MustBlock | Situation::Win(..) | Situation::Lost(_) => false,
            }
    }

    /// By how many plies a move is searched less deeply at first: the later it comes and the less it has done before,
    /// the more. The first moves are not reduced.
    #[expect(clippy::too_many_arguments, reason = "what is known of the node and of the move")]
    pub(super) fn reduction<const PV: bool>(
        &self,
        depth: Depth,
        index: usize,
        history: i32,
        gap: i32,
        quiet: bool,
        improving: bool,
        cut: bool,
    ) -> Depth {
        let parameters = &self.parameters;
        let mut reduction = parameters.reduction(depth, index) - history * parameters.lmr_history / 1000;
        reduction += (gap * parameters.lmr_gap).min(parameters.lmr_gap_most);
        if !improving {
            reduction += parameters.lmr_not_improving;
        }
        if PV {
            reduction -= parameters.lmr_pv;
        }
        if !quiet {
            reduction -= parameters.lmr_threat;
        }
        if cut {
            reduction += parameters.lmr_cut;
        }
        (reduction / 1024).clamp(0, (depth - 1 - parameters.lmr_floor).max(0))
    }

    /// Searches the move just made: late ones first with less depth and a null window, the first with the full one.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of the node's loop, which is all that it is made of"
    )]
    fn search_move<const PV: bool>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        index: usize,
        reduction: Depth,
        cut: bool,
    ) -> Score {
        if index == 0 {
            return -self.search::<PV>(-beta, -alpha, depth, ply + 1, !PV && !cut);
        }
        let mut score =
            -self.search::<false>(-alpha - 1, -alpha, depth - reduction, ply + 1, reduction > 0 || !cut);
        if reduction > 0 && score > alpha && !self.aborted {
            score = -self.search::<false>(-alpha - 1, -alpha, depth, ply + 1, !cut);
        }
        if PV && score > alpha && score < beta && !self.aborted {
            score = -self.search::<true>(-beta, -alpha, depth, ply + 1, false);
        }
        score
    }

    /// Whether a stone there makes no three or four and takes none from the opponent, or a half stone wakes no four.
    pub(super) fn is_quiet(&self, mv: Move) -> bool {
        let us = self.board.side_to_move();
        if mv.is_half() && self.board.count(us, PointClass::Five) > 0 {
            return false;
        }
        mv.cell().is_none_or(|cell| {
            self.board.class(us, cell) < PointClass::Three && self.board.class(!us, cell) < PointClass::Three
        })
    }

    fn makes_four(&self, mv: Move) -> bool {
        mv.cell().is_some_and(|cell| self.board.class(self.board.side_to_move(), cell).is_four())
    }

    pub(super) fn raise_pv(&mut self, mv: Move, ply: usize) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_PV - 1));
    }
}

fn bound_fits(entry: &Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}
