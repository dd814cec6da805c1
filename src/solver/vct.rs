//! Wins by continuous threats (VCT): fours, straight-four threats and anything after which a pass would lose to fours.
//!
//! Depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! 2002) over exact reply sets. The attacker's moves are a selection; the defender's replies are all that the
//! theorems of [`super::threat`] leave, so a proof is one for every reply.

use std::collections::HashMap;

use super::proofs::{INFINITE, Numbers, Proofs, add};
use super::relevance::relevant_cells;
use super::threat::{Else, Reply, Threat, threat};
use super::tree::{Line, Tree};
use super::vcf::{ANY_LENGTH, Found, Fours, is_foul, salt};
use super::{Limit, Mode};
use crate::board::{Board, CellList};
use crate::control::StopSignal;
use crate::movegen::{fours, half_stone_cells};
use crate::pattern::PointClass;
use crate::types::{CellSet, Color, Move};

/// First guesses at the proof numbers of attacker's moves.
const PRIOR_FOUR: u32 = 1;
const PRIOR_THREE: u32 = 2;
const PRIOR_BUILDING: u32 = 8;
const PRIOR_QUIET: u32 = 24;
/// First guess at the disproof number of a defender's counter-four, which seldom helps.
const PRIOR_COUNTER: u32 = 6;
/// Nodes for each search by fours inside the search by threats. Few are enough: the threats take over from there.
const INNER_NODES: u64 = 60;
/// The same while a found proof is written out, when failures found on the way may have been forgotten.
const WRITING_NODES: u64 = 20 * INNER_NODES;
/// How often the stop signal is looked at, in nodes.
const STOP_CHECK: u64 = 32;
/// Moves in a tree that are written out; a larger one is not.
const TREE_STEPS: u64 = 50_000;

/// A move and the numbers of the position after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    mv: Move,
    key: u64,
    numbers: Numbers,
}

/// What a node turns out to be when it is looked at.
enum Expanded {
    Solved(Numbers),
    /// With whether a search by fours in the position itself ran out of nodes.
    Children(Vec<Child>, bool),
}

/// One search.
pub(super) struct Prover<'a> {
    board: &'a mut Board,
    fours: &'a mut Fours,
    proofs: &'a mut Proofs,
    mode: Mode,
    limit: u64,
    stop: &'a StopSignal,
    /// What tells this search's positions in the table from those of others: rule, size, mode and attacker.
    salt: u64,
    nodes: u64,
    /// Why the search ends early.
    ended: Option<Limit>,
    /// How the proof goes on from each position with the attacker to move.
    plans: HashMap<u64, Option<Plan>, fxhash::FxBuildHasher>,
    /// Whether small trees are preferred to short wins.
    smallest: bool,
    /// Moves on the board where the search started.
    root_ply: usize,
}

/// What the defender plays in the main line.
enum LongestReply {
    /// A reply of which the proof has a position of its own.
    Listed(Move),
    /// Another one, and what follows it up to a four.
    Other(Line),
}

/// The attacker's best way on. Where this or a reply's refutation is a win by fours, its moves are those that the solver
/// of fours has found *last*: whoever asks for them does so before the next search.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// `None` for a win by fours.
    mv: Option<Move>,
    /// The attacker's moves until five, at the most.
    height: u32,
    /// Moves of the tree.
    size: u64,
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        board: &'a mut Board,
        fours: &'a mut Fours,
        proofs: &'a mut Proofs,
        mode: Mode,
        limit: u64,
        stop: &'a StopSignal,
    ) -> Prover<'a> {
        let kind = match (mode, board.side_to_move()) {
            (Mode::Narrow, Color::Black) => 1,
            (Mode::Narrow, Color::White) => 2,
            (Mode::Wide, Color::Black) => 3,
            (Mode::Wide, Color::White) => 4_u64,
        };
        Prover {
            root_ply: board.ply(),
            salt: salt(board) ^ kind.wrapping_mul(0x94d0_49bb_1331_11eb),
            board,
            fours,
            proofs,
            mode,
            limit,
            stop,
            nodes: 0,
            ended: None,
            plans: HashMap::default(),
            smallest: false,
        }
    }

    /// Positions looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move is proven to win; `Err` when that is not known.
    pub(super) fn prove(&mut self) -> Result<bool, Limit> {
        let numbers = self.attack(INFINITE, INFINITE);
        if numbers.is_proven() {
            Ok(true)
        } else if let Some(limit) = self.ended {
            Err(limit)
        } else if numbers.unclear {
            Err(Limit::Inner)
        } else {
            Ok(false)
        }
    }

    fn key(&self, hash: u64) -> u64 {
        hash ^ self.salt
    }

    fn key_here(&self) -> u64 {
        self.key(self.board.hash())
    }

    /// Whether the search must end; counts a node.
    fn is_over(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limit {
            self.ended.get_or_insert(Limit::Nodes);
        }
        if self.nodes.is_multiple_of(STOP_CHECK) && self.stop.is_raised() {
            self.ended.get_or_insert(Limit::Stopped);
        }
        self.ended.is_some()
    }

    /// The attacker to move: one winning move is enough.
    fn attack(&mut self, proof_limit: u32, disproof_limit: u32) -> Numbers {
        let (key, before) = (self.key_here(), self.nodes);
        let (mut children, clipped) = match self.expand_attack() {
            Expanded::Children(children, clipped) => (children, clipped),
            Expanded::Solved(numbers) => return self.store(key, numbers, before),
        };
        loop {
            let (best, second) = least(&children, |numbers| numbers.proof);
            let disproof = children.iter().fold(0, |sum, child| add(sum, child.numbers.disproof));
            let Some(best) = best else { return self.store(key, Numbers::failed(clipped), before) };
            let child = children[best];
            let mut numbers = Numbers::new(
                child.numbers.proof,
                if child.numbers.is_proven() { INFINITE } else { disproof },
            );
            if disproof == 0 {
                numbers.unclear = clipped || children.iter().any(|child| child.numbers.unclear);
            }
            if numbers.is_solved()
                || numbers.proof >= proof_limit
                || numbers.disproof >= disproof_limit
                || self.ended.is_some()
            {
                return self.store(key, numbers, before);
            }
            if self.refresh(&mut children[best]) {
                continue;
            }
            let own = disproof_limit.saturating_sub(disproof - child.numbers.disproof);
            let limit = if disproof_limit == INFINITE { INFINITE } else { own };
            self.board.make_light(child.mv);
            let numbers = self.defend(proof_limit.min(slack(second)), limit);
            self.board.undo();
            children[best].numbers = numbers;
        }
    }

    /// The defender to move: every reply must lose.
    fn defend(&mut self, proof_limit: u32, disproof_limit: u32) -> Numbers {
        let (key, before) = (self.key_here(), self.nodes);
        let mut children = match self.expand_defend() {
            Expanded::Children(children, _) => children,
            Expanded::Solved(numbers) => return self.store(key, numbers, before),
        };
        loop {
            let (best, second) = least(&children, |numbers| numbers.disproof);
            let proof = children.iter().fold(0, |sum, child| add(sum, child.numbers.proof));
            let Some(best) = best else { return self.store(key, Numbers::PROVEN, before) };
            let child = children[best];
            let refuted = child.numbers.disproof == 0;
            let mut numbers = Numbers::new(if refuted { INFINITE } else { proof }, child.numbers.disproof);
            numbers.unclear = refuted && child.numbers.unclear;
            if numbers.is_solved()
                || numbers.proof >= proof_limit
                || numbers.disproof >= disproof_limit
                || self.ended.is_some()
            {
                return self.store(key, numbers, before);
            }
            if self.refresh(&mut children[best]) {
                continue;
            }
            let own = proof_limit.saturating_sub(proof - child.numbers.proof);
            let limit = if proof_limit == INFINITE { INFINITE } else { own };
            self.board.make_light(child.mv);
            let numbers = self.attack(limit, disproof_limit.min(slack(second)));
            self.board.undo();
            children[best].numbers = numbers;
        }
    }

    /// Takes over what the table has learnt of a child on another way since it was looked up. Whether that was news.
    fn refresh(&self, child: &mut Child) -> bool {
        match self.proofs.get(child.key) {
            Some(known) if known != child.numbers => {
                child.numbers = known;
                true
            }
            _ => false,
        }
    }

    fn store(&mut self, key: u64, numbers: Numbers, before: u64) -> Numbers {
        // What is returned in a hurry is worth nothing, and what was not looked for in one is not remembered as missing.
        let hurried = if numbers.unclear { self.stop.is_raised() } else { self.ended.is_some() };
        if !hurried || numbers.is_solved() && !numbers.unclear {
            self.proofs.set(key, numbers, self.nodes - before);
        }
        numbers
    }

    fn child(&self, mv: Move, prior: Numbers) -> Child {
        let key = self.key(self.board.hash_after(mv));
        Child { mv, key, numbers: self.proofs.get(key).unwrap_or(prior) }
    }

    /// Looks at a position with the attacker to move.
    fn expand_attack(&mut self) -> Expanded {
        if self.is_over() {
            return Expanded::Solved(Numbers::new(1, 1));
        }
        let found = self.fours.search(self.board, ANY_LENGTH, INNER_NODES);
        if found == Found::Win {
            return Expanded::Solved(Numbers::PROVEN);
        }
        let clipped = found == Found::Clipped;
        let moves = attacking_moves(self.board, self.mode);
        let children: Vec<Child> =
            moves.into_iter().map(|(mv, prior)| self.child(mv, Numbers::new(prior, 1))).collect();
        if children.is_empty() {
            Expanded::Solved(Numbers::failed(clipped))
        } else {
            Expanded::Children(children, clipped)
        }
    }

    /// Looks at a position with the defender to move.
    fn expand_defend(&mut self) -> Expanded {
        if self.is_over() {
            return Expanded::Solved(Numbers::new(1, 1));
        }
        match threat(self.board, self.fours, INNER_NODES) {
            Threat::None => Expanded::Solved(Numbers::DISPROVEN),
            Threat::Unclear => Expanded::Solved(Numbers::failed(true)),
            Threat::Won => Expanded::Solved(Numbers::PROVEN),
            Threat::Replies(replies, _) if replies.is_empty() => Expanded::Solved(Numbers::PROVEN),
            Threat::Replies(replies, _) => {
                let child = |reply: Reply| {
                    let prior = Numbers::new(1, if reply.counter { PRIOR_COUNTER } else { 1 });
                    self.child(reply.mv, prior)
                };
                Expanded::Children(replies.into_iter().map(child).collect(), false)
            }
        }
    }

    /// How the proof goes on from here, with the attacker to move: at each turn by the best way that is known. `None`
    /// where the table has forgotten too much.
    fn plan(&mut self) -> Option<Plan> {
        let key = self.key_here();
        if let Some(&known) = self.plans.get(&key) {
            return known;
        }
        self.plans.insert(key, None);
        let mut best: Option<Plan> = None;
        if self.fours.search(self.board, ANY_LENGTH, WRITING_NODES) == Found::Win {
            best = Some(Plan { mv: None, height: self.fours.length(), size: self.fours.size() });
        } else {
            for mv in self.proven_moves() {
                self.board.make_light(mv);
                let after = self.plan_after();
                self.board.undo();
                let Some((height, size)) = after else { continue };
                let plan = Plan { mv: Some(mv), height: height + 1, size: size.saturating_add(1) };
                if best.is_none_or(|best| self.rank(plan) < self.rank(best)) {
                    best = Some(plan);
                }
            }
        }
        self.plans.insert(key, best);
        best
    }

    fn rank(&self, plan: Plan) -> (u64, u64) {
        let height = u64::from(plan.height);
        if self.smallest { (plan.size, height) } else { (height, plan.size) }
    }

    /// Height and size of what follows, with the defender to move.
    fn plan_after(&mut self) -> Option<(u32, u64)> {
        let (replies, or_else) = match threat(self.board, self.fours, WRITING_NODES) {
            Threat::Won => return Some((1, 0)),
            Threat::Replies(replies, or_else) => (replies, or_else),
            Threat::None | Threat::Unclear => return None,
        };
        let (mut longest, mut total) = match or_else {
            Else::Five => (1, 0),
            Else::Moves(moves) => (2, 2 * moves.len() as u64),
            Else::Fours => (self.fours.length(), 1 + self.fours.size()),
        };
        for reply in replies {
            self.board.make_light(reply.mv);
            let plan = self.plan();
            self.board.undo();
            let plan = plan?;
            longest = longest.max(plan.height);
            total = total.saturating_add(plan.size.saturating_add(1));
        }
        Some((longest, total))
    }

    fn proven_moves(&self) -> Vec<Move> {
        let proven = |mv: &Move| {
            let key = self.key(self.board.hash_after(*mv));
            self.proofs.get(key).is_some_and(Numbers::is_proven)
        };
        attacking_moves(self.board, self.mode).into_iter().map(|(mv, _)| mv).filter(proven).collect()
    }

    /// Makes ready to write out what [`Prover::prove`] has found. Where the table has forgotten a part of it, that part
    /// is searched for again, with as many nodes as the search had. Whether all of it is there.
    fn recall(&mut self) -> bool {
        self.limit = self.limit.saturating_add(self.nodes);
        self.ended = None;
        self.plans.clear();
        if self.plan().is_none() && self.attack(INFINITE, INFINITE).is_proven() {
            self.plans.clear();
        }
        self.plan().is_some()
    }

    /// The main line, which is the longest defence against the best attack, and the most attacker's moves that any
    /// defence leads to. `None` if too much was forgotten.
    pub(super) fn line(&mut self) -> Option<(Line, u32)> {
        if !self.recall() {
            return None;
        }
        let height = self.plan()?.height;
        let mut line = Line::new();
        while let Some(plan) = self.plan() {
            let Some(mv) = plan.mv else {
                if self.fours.search(self.board, ANY_LENGTH, WRITING_NODES) == Found::Win {
                    self.fours.write_line(&mut line);
                }
                break;
            };
            line.push(mv);
            self.board.make_light(mv);
            match self.longest_reply() {
                Some(LongestReply::Listed(reply)) => {
                    line.push(reply);
                    self.board.make_light(reply);
                }
                Some(LongestReply::Other(rest)) => {
                    line.extend(rest);
                    break;
                }
                None => break,
            }
        }
        // All but the moves of a last win by fours were made on the board.
        while self.board.ply() > self.root_ply {
            self.board.undo();
        }
        Some((line, height))
    }

    /// The reply that holds out longest. `None` where a five follows anyway.
    fn longest_reply(&mut self) -> Option<LongestReply> {
        let Threat::Replies(replies, or_else) = threat(self.board, self.fours, WRITING_NODES) else {
            return None;
        };
        let (others, rest) = match &or_else {
            Else::Five => (1, None),
            Else::Moves(moves) => (2, self.wasted_reply(&replies, moves)),
            Else::Fours => (self.fours.length(), self.irrelevant_reply(&replies)),
        };
        let mut longest: Option<(u32, Move)> = None;
        for reply in &replies {
            self.board.make_light(reply.mv);
            let height = self.plan().map_or(0, |plan| plan.height);
            self.board.undo();
            if longest.is_none_or(|(most, _)| height > most) {
                longest = Some((height, reply.mv));
            }
        }
        match (longest, rest) {
            (Some((height, mv)), rest) if height >= others || rest.is_none() => {
                Some(LongestReply::Listed(mv))
            }
            (_, rest) => rest.map(LongestReply::Other),
        }
    }

    /// A reply that is not listed, with the one of `moves` that wins in spite of it by a four that cannot be answered.
    fn wasted_reply(&mut self, listed: &[Reply], moves: &[Move]) -> Option<Line> {
        let in_the_way = moves.iter().filter_map(|mv| mv.cell()).collect::<CellSet>();
        let cells: Vec<_> =
            in_the_way.iter().chain(self.board.empty_cells().difference(&in_the_way).iter()).collect();
        let them = self.board.side_to_move();
        let may = |board: &Board, reply: Move| {
            listed.iter().all(|listed| listed.mv != reply)
                && reply.cell().is_some_and(|cell| !is_foul(board, them, cell))
        };
        for reply in cells.into_iter().map(Move::stone) {
            if !may(self.board, reply) {
                continue;
            }
            self.board.make_light(reply);
            let winning = moves.iter().copied().find(|&mv| self.wins_next(mv));
            self.board.undo();
            if let Some(mv) = winning {
                return Some(vec![reply, mv]);
            }
        }
        None
    }

    /// Whether the attacker can play this now and makes five next, whatever the defender does.
    fn wins_next(&mut self, mv: Move) -> bool {
        let us = self.board.side_to_move();
        let Some(cell) = mv.cell().filter(|&cell| self.board.is_empty(cell)) else { return false };
        if !mv.is_half() && is_foul(self.board, us, cell) {
            return false;
        }
        self.board.make_light(mv);
        let won = matches!(threat(self.board, self.fours, 0), Threat::Won);
        self.board.undo();
        won
    }

    /// A reply that does not disturb the win by fours that was found last, and the longest variation of that win.
    fn irrelevant_reply(&mut self, listed: &[Reply]) -> Option<Line> {
        let them = self.board.side_to_move();
        self.board.make_light(Move::PASS);
        let relevant = relevant_cells(self.board, self.fours);
        self.board.undo();
        let cells = self.board.empty_cells().difference(&relevant).difference(&fours(self.board, them));
        let reply = cells.iter().find(|&cell| {
            !is_foul(self.board, them, cell) && listed.iter().all(|listed| listed.mv != Move::stone(cell))
        })?;
        let mut line = vec![Move::stone(reply)];
        self.fours.write_line(&mut line);
        Some(line)
    }

    /// The whole strategy; call [`Prover::line`] first. `None` if it is too large to be written out.
    pub(super) fn tree(&mut self) -> Option<Tree> {
        if self.plan()?.size > TREE_STEPS {
            self.smallest = true;
            self.plans.clear();
        }
        if self.plan()?.size > TREE_STEPS {
            return None;
        }
        let mut tree = Tree::default();
        self.write(&mut tree, 0)?;
        Some(tree)
    }

    fn write(&mut self, tree: &mut Tree, depth: usize) -> Option<()> {
        let Some(mv) = self.plan()?.mv else {
            if self.fours.search(self.board, ANY_LENGTH, WRITING_NODES) != Found::Win {
                return None;
            }
            self.fours.write(tree, depth);
            return Some(());
        };
        tree.push(depth, mv);
        self.board.make_light(mv);
        let written = self.write_replies(tree, depth + 1);
        self.board.undo();
        written
    }

    fn write_replies(&mut self, tree: &mut Tree, depth: usize) -> Option<()> {
        let (replies, or_else) = match threat(self.board, self.fours, WRITING_NODES) {
            Threat::Won => return Some(()),
            Threat::Replies(replies, or_else) => (replies, or_else),
            Threat::None | Threat::Unclear => return None,
        };
        match or_else {
            Else::Five => {}
            Else::Moves(moves) => {
                for mv in moves {
                    tree.push(depth, Move::PASS);
                    tree.push(depth + 1, mv);
                }
            }
            Else::Fours => {
                tree.push(depth, Move::PASS);
                self.fours.write(tree, depth + 1);
            }
        }
        for reply in replies {
            tree.push(depth, reply.mv);
            self.board.make_light(reply.mv);
            let written = self.write(tree, depth + 1);
            self.board.undo();
            written?;
        }
        Some(())
    }
}

/// The child with the least of a number, the first of equals, and the second least number.
fn least(children: &[Child], of: impl Fn(Numbers) -> u32) -> (Option<usize>, u32) {
    let (mut best, mut lowest, mut second) = (None, u32::MAX, INFINITE);
    for (i, child) in children.iter().enumerate() {
        let value = of(child.numbers);
        if value < lowest {
            second = lowest.min(INFINITE);
            (best, lowest) = (Some(i), value);
        } else {
            second = second.min(value);
        }
    }
    (best, second)
}

/// How far the best child is followed before another gets its turn: somewhat beyond the second best.
fn slack(second: u32) -> u32 {
    if second >= INFINITE { INFINITE } else { second + second / 4 + 1 }
}

/// The attacker's moves, with the first guess at their proof numbers.
fn attacking_moves(board: &Board, mode: Mode) -> Vec<(Move, u32)> {
    let us = board.side_to_move();
    let awake = !board.is_dormant(us);
    if !board.is_dormant(!us)
        && let Some(cells) = board.five_answers(!us)
    {
        return blocks(board, us, &cells);
    }
    let mut moves = Vec::with_capacity(32);
    let own_fours = fours(board, us);
    let mut allowed = None;
    if !board.is_dormant(!us)
        && let Some(cells) = board.defences(!us)
    {
        allowed = Some(cells.iter().copied().collect::<CellSet>());
    }
    let may = |cell| allowed.as_ref().is_none_or(|allowed| allowed.contains(cell));
    // A dormant four threatens nothing at once, so it must hold what threatens.
    for cell in own_fours {
        if (awake || may(cell)) && !is_foul(board, us, cell) {
            moves.push((Move::stone(cell), if awake { PRIOR_FOUR } else { PRIOR_THREE }));
        }
    }
    if awake {
        for (class, prior) in quiet_classes(mode) {
            for cell in board.cells(us, class) {
                if may(cell) && !is_foul(board, us, cell) {
                    moves.push((Move::stone(cell), prior));
                }
            }
        }
    } else {
        let prior = match (board.count(us, PointClass::Five), board.count(us, PointClass::WinFour)) {
            (1.., _) => PRIOR_FOUR,
            (0, 1..) => PRIOR_THREE,
            _ => return moves,
        };
        let useful = half_stone_cells(board).into_iter().filter(|&cell| prior == PRIOR_FOUR || may(cell));
        // And all that hold a straight four of White's.
        let halves = useful.collect::<CellSet>().union(&allowed.unwrap_or_default());
        moves.extend(halves.iter().map(|cell| (Move::half(cell), prior)));
    }
    moves
}

/// The classes of points that make no four, and what they promise.
fn quiet_classes(mode: Mode) -> impl Iterator<Item = (PointClass, u32)> {
    use PointClass::{ClosedThree, ClosedThreePlus, Three, ThreePlus, ThreeThree, Two, TwoTwo};
    let threes = [(ThreeThree, PRIOR_THREE), (ThreePlus, PRIOR_THREE), (Three, PRIOR_THREE)];
    let quiet = [
        (ClosedThreePlus, PRIOR_BUILDING),
        (TwoTwo, PRIOR_QUIET),
        (ClosedThree, PRIOR_QUIET),
        (Two, PRIOR_QUIET),
    ];
    threes.into_iter().chain(quiet.into_iter().filter(move |_| mode == Mode::Wide))
}

/// The moves that stop a five.
fn blocks(board: &Board, us: Color, cells: &CellList) -> Vec<(Move, u32)> {
    let mut moves = Vec::with_capacity(4);
    for &cell in cells {
        if !is_foul(board, us, cell) {
            moves.push((Move::stone(cell), PRIOR_FOUR));
        }
        if board.is_dormant(us) {
            moves.push((Move::half(cell), PRIOR_FOUR));
        }
    }
    moves
}
