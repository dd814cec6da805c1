//! Wins by continuous threats (VCT): fours, straight-four threats and anything after which a pass would lose to fours.
//!
//! Depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! 2002) over exact reply sets. The attacker's moves are a selection; the defender's replies are all that the
//! theorems of [`super::threat`] leave, so a proof is one for every reply.

use std::collections::HashMap;

use super::proofs::{INFINITE, Numbers, Proofs, add};
use super::threat::{Else, Threat, threat};
use super::tree::Tree;
use super::vcf::{ANY_LENGTH, Found, Fours, is_foul, salt};
use super::{Limit, Mode};
use crate::board::{Board, CellList};
use crate::control::StopSignal;
use crate::movegen::{fours, half_stone_cells, is_dormant};
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
const TREE_STEPS: usize = 1 << 20;

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
    Children(Vec<Child>),
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
    /// Some search by fours ran out of nodes, so that a disproof is none.
    unclear: bool,
    heights: HashMap<u64, u32, fxhash::FxBuildHasher>,
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
            salt: salt(board) ^ kind.wrapping_mul(0x94d0_49bb_1331_11eb),
            board,
            fours,
            proofs,
            mode,
            limit,
            stop,
            nodes: 0,
            ended: None,
            unclear: false,
            heights: HashMap::default(),
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
        } else if self.unclear {
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
        let mut children = match self.expand_attack() {
            Expanded::Children(children) => children,
            Expanded::Solved(numbers) => return self.store(key, numbers, before),
        };
        loop {
            let (best, second) = least(&children, |numbers| numbers.proof);
            let disproof = children.iter().fold(0, |sum, child| add(sum, child.numbers.disproof));
            let Some(best) = best else { return self.store(key, Numbers::DISPROVEN, before) };
            let child = children[best];
            let numbers = Numbers::new(
                child.numbers.proof,
                if child.numbers.is_proven() { INFINITE } else { disproof },
            );
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
            Expanded::Children(children) => children,
            Expanded::Solved(numbers) => return self.store(key, numbers, before),
        };
        loop {
            let (best, second) = least(&children, |numbers| numbers.disproof);
            let proof = children.iter().fold(0, |sum, child| add(sum, child.numbers.proof));
            let Some(best) = best else { return self.store(key, Numbers::PROVEN, before) };
            let child = children[best];
            let refuted = child.numbers.disproof == 0;
            let numbers = Numbers::new(if refuted { INFINITE } else { proof }, child.numbers.disproof);
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
        // What is returned in a hurry is worth nothing.
        if self.ended.is_none() || numbers.is_solved() {
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
        match self.fours.search(self.board, ANY_LENGTH, INNER_NODES) {
            Found::Win => return Expanded::Solved(Numbers::PROVEN),
            Found::No => {}
            Found::Clipped => self.unclear = true,
        }
        let moves = attacking_moves(self.board, self.mode);
        let children: Vec<Child> =
            moves.into_iter().map(|(mv, prior)| self.child(mv, Numbers::new(prior, 1))).collect();
        if children.is_empty() { Expanded::Solved(Numbers::DISPROVEN) } else { Expanded::Children(children) }
    }

    /// Looks at a position with the defender to move.
    fn expand_defend(&mut self) -> Expanded {
        if self.is_over() {
            return Expanded::Solved(Numbers::new(1, 1));
        }
        match threat(self.board, self.fours, INNER_NODES) {
            Threat::None => Expanded::Solved(Numbers::DISPROVEN),
            Threat::Unclear => {
                self.unclear = true;
                Expanded::Solved(Numbers::DISPROVEN)
            }
            Threat::Won => Expanded::Solved(Numbers::PROVEN),
            Threat::Replies(replies, _) if replies.is_empty() => Expanded::Solved(Numbers::PROVEN),
            Threat::Replies(replies, _) => Expanded::Children(
                replies
                    .into_iter()
                    .map(|reply| {
                        let prior = Numbers::new(1, if reply.counter { PRIOR_COUNTER } else { 1 });
                        self.child(reply.mv, prior)
                    })
                    .collect(),
            ),
        }
    }

    /// The attacker's moves until five in the proof from here, at the longest; at each turn the shortest way that is
    /// known. `None` where the table has forgotten too much.
    fn height(&mut self) -> Option<u32> {
        let key = self.key_here();
        if let Some(&known) = self.heights.get(&key) {
            return (known != u32::MAX).then_some(known);
        }
        self.heights.insert(key, u32::MAX);
        if self.fours.search(self.board, ANY_LENGTH, WRITING_NODES) == Found::Win {
            let length = self.fours.length();
            self.heights.insert(key, length);
            return Some(length);
        }
        let mut shortest = None;
        for mv in self.proven_moves() {
            self.board.make_light(mv);
            let height = self.height_after();
            self.board.undo();
            shortest = [shortest, height.map(|height| height + 1)].into_iter().flatten().min();
        }
        if let Some(shortest) = shortest {
            self.heights.insert(key, shortest);
        }
        shortest
    }

    /// The same for the defender to move.
    fn height_after(&mut self) -> Option<u32> {
        let (replies, or_else) = match threat(self.board, self.fours, WRITING_NODES) {
            Threat::Won => return Some(1),
            Threat::Replies(replies, or_else) => (replies, or_else),
            Threat::None | Threat::Unclear => return None,
        };
        let mut longest = match or_else {
            Else::Five => 1,
            Else::Moves(_) => 2,
            Else::Fours => self.fours.length(),
        };
        for reply in replies {
            self.board.make_light(reply.mv);
            let height = self.height();
            self.board.undo();
            longest = longest.max(height?);
        }
        Some(longest)
    }

    fn proven_moves(&self) -> Vec<Move> {
        let proven = |mv: &Move| {
            let key = self.key(self.board.hash_after(*mv));
            self.proofs.get(key).is_some_and(Numbers::is_proven)
        };
        attacking_moves(self.board, self.mode).into_iter().map(|(mv, _)| mv).filter(proven).collect()
    }

    /// Writes out the strategy that [`Prover::prove`] has found; `None` if the table has forgotten it and the nodes
    /// that are left do not find it again, or if it is too large.
    pub(super) fn tree(&mut self) -> Option<Tree> {
        let mut tree = Tree::default();
        self.limit = self.limit.saturating_add(self.nodes);
        self.ended = None;
        self.heights.clear();
        self.write(&mut tree, 0)?;
        Some(tree)
    }

    fn write(&mut self, tree: &mut Tree, depth: usize) -> Option<()> {
        if tree.steps.len() > TREE_STEPS {
            return None;
        }
        if self.height().is_none() && (!self.attack(INFINITE, INFINITE).is_proven() || self.forgotten()) {
            return None;
        }
        if self.fours.search(self.board, ANY_LENGTH, WRITING_NODES) == Found::Win {
            self.fours.write(tree, depth);
            return Some(());
        }
        let mut best: Option<(u32, Move)> = None;
        for mv in self.proven_moves() {
            self.board.make_light(mv);
            let height = self.height_after();
            self.board.undo();
            best =
                best.into_iter().chain(height.map(|height| (height, mv))).min_by_key(|&(height, _)| height);
        }
        let (_, mv) = best?;
        tree.push(depth, mv);
        self.board.make_light(mv);
        let written = self.write_replies(tree, depth + 1);
        self.board.undo();
        written
    }

    /// Whether the proof is not in the table although the search says that there is one.
    fn forgotten(&mut self) -> bool {
        self.heights.clear();
        self.height().is_none()
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
    let awake = !is_dormant(board, us);
    if !is_dormant(board, !us)
        && let Some(cells) = board.five_answers(!us)
    {
        return blocks(board, us, &cells);
    }
    let mut moves = Vec::with_capacity(32);
    let own_fours = fours(board, us);
    let mut allowed = None;
    if !is_dormant(board, !us)
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
        let halves = half_stone_cells(board);
        moves.extend(
            halves
                .into_iter()
                .filter(|&cell| prior == PRIOR_FOUR || may(cell))
                .map(|cell| (Move::half(cell), prior)),
        );
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
        if is_dormant(board, us) {
            moves.push((Move::half(cell), PRIOR_FOUR));
        }
    }
    moves
}
