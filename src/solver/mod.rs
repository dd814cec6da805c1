//! Layer 4: proofs of forced wins: by continuous fours (VCF), by continuous threats (VCT), and the moves that do not
//! lose to one.
//!
//! A win that is claimed is a theorem: the attacker's moves are a selection, each of them verified, and the defender's
//! replies are complete, because every reply that is left out loses for a reason that was proven (`threat`,
//! `relevance`). "No win" is said only when a search was complete for its kind of attack, and a search that ran out
//! of anything says [`Verdict::Unknown`]. One exception: while the attacker holds the half stone, only the places for it
//! that matter are tried, so that "no win" is a good guess there and no theorem.
//!
//! | kind | attacker's moves |
//! |---|---|
//! | VCF | fours; for Black with the half stone in hand, placing it where it wakes a four |
//! | VCT narrow | fours and live threes |
//! | VCT wide | quiet moves too, as long as a pass would lose to a VCF |
//!
//! Sources: V. Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994 (threat-space search);
//! T. Thomsen, "Lambda-search in game trees", 2000 (relevancy zones); A. Nagai, "Df-pn algorithm for searching
//! AND/OR trees and its applications", 2002.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod defend;
mod failures;
mod measure;
mod probe;
mod proofs;
mod relevance;
mod threat;
mod tree;
mod vcf;
mod vct;

pub use defend::{Defence, Holds};
pub use measure::{Measurement, measure};
pub use probe::{PassProbe, Probe};
pub use tree::{Line, Step, Tree};

use crate::board::Board;
use crate::control::StopSignal;
use crate::pattern::PointClass;
use crate::types::{CellSet, Move};
use proofs::Proofs;
use vcf::{ANY_LENGTH, Found, Fours, is_foul};
use vct::Prover;

/// The part of the memory that failures of searches by fours get: one in this many.
const FAILURES_SHARE: usize = 4;

/// What a solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins.
    Win(Win),
    /// There is no win of the kind that was looked for.
    NoWin,
    /// The search ended before it was sure.
    Unknown(Limit),
}

impl Verdict {
    /// Whether this is a win.
    pub const fn is_win(&self) -> bool {
        matches!(self, Verdict::Win(_))
    }

    /// The win, if it is one.
    pub fn win(&self) -> Option<&Win> {
        match self {
            Verdict::Win(win) => Some(win),
            Verdict::NoWin | Verdict::Unknown(_) => None,
        }
    }
}

/// A proven win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The moves of the longest variation, the winner's first, up to the five or the foul.
    pub line: Line,
    /// The most moves of the winner that this way to win takes, the last one included.
    pub moves: u32,
    /// How it is won.
    pub why: Why,
}

/// How a win comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Five, now.
    Five,
    /// Continuous fours.
    Fours,
    /// Continuous threats.
    Threats,
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The nodes ran out.
    Nodes,
    /// It was stopped.
    Stopped,
    /// Every move that was tried failed, but somewhere an inner search by fours ran out of nodes.
    Inner,
}

/// Which attacking moves a search by threats tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Fours and live threes.
    Narrow,
    /// Also quiet moves after which there would be a win by fours.
    Wide,
}

/// What the opponent threatens if the side to move passes.
#[derive(Clone, Debug)]
pub struct PassThreat {
    /// The opponent's win by fours.
    pub win: Win,
    /// Every stone outside these cells that makes no four of its own loses to that win. While the side to move is
    /// Black and holds the half stone, "four" includes a dormant one, and the half stone may help anywhere.
    pub relevant: CellSet,
}

/// Solves positions, with a memory of fixed size that is kept between calls. Boards are handed in and come back as
/// they were.
///
/// ```
/// use halfstone::board::Board;
/// use halfstone::game::parse_moves;
/// use halfstone::solver::Solver;
/// use halfstone::types::{Rule, Size};
/// let mut board = Board::new(Rule::Freestyle, Size::STANDARD);
/// for mv in parse_moves("h8 a1 i8 a3 j8 a5", Size::STANDARD).unwrap() {
///     board.make(mv);
/// }
/// let verdict = Solver::new(1 << 20).vcf(&mut board, 1_000);
/// assert_eq!(verdict.win().unwrap().moves, 2);
/// ```
#[derive(Debug)]
pub struct Solver {
    fours: Fours,
    proofs: Proofs,
    nodes: u64,
}

impl Solver {
    /// A solver with about this much memory, in bytes.
    pub fn new(memory: usize) -> Solver {
        let failures = memory / FAILURES_SHARE;
        Solver { fours: Fours::new(failures), proofs: Proofs::new(memory - failures), nodes: 0 }
    }

    /// Forgets everything. Needed only where two runs must take exactly as many nodes.
    pub fn clear(&mut self) {
        self.fours.clear();
        self.proofs.clear();
    }

    /// Also ends searches by fours when this signal is raised, as [`Limit::Stopped`]. Searches by threats are given
    /// theirs with each question.
    pub fn set_stop(&mut self, stop: StopSignal) {
        self.fours.stop = stop;
    }

    /// Positions looked at so far, by fours and by threats.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.fours.searched()
    }

    /// Whether the side to move wins by continuous fours. `nodes` limits the attacker's positions.
    pub fn vcf(&mut self, board: &mut Board, nodes: u64) -> Verdict {
        self.vcf_within(board, ANY_LENGTH, nodes)
    }

    /// The same with at most `moves` moves of the attacker, the five included.
    pub fn vcf_within(&mut self, board: &mut Board, moves: u32, nodes: u64) -> Verdict {
        match self.fours.search(board, moves, nodes) {
            Found::Win => Verdict::Win(self.win_by_fours(board)),
            Found::No => Verdict::NoWin,
            Found::Clipped if self.fours.stop.is_raised() => Verdict::Unknown(Limit::Stopped),
            Found::Clipped => Verdict::Unknown(Limit::Nodes),
        }
    }

    /// The shortest win by fours, by trying one more move at a time. `nodes` limits each try.
    pub fn vcf_shortest(&mut self, board: &mut Board, nodes: u64) -> Verdict {
        let longest = match self.vcf(board, nodes) {
            Verdict::Win(win) => win.moves,
            other => return other,
        };
        for moves in 1..longest {
            match self.vcf_within(board, moves, nodes) {
                Verdict::NoWin => {}
                Verdict::Win(win) => return Verdict::Win(win),
                Verdict::Unknown(_) => break,
            }
        }
        // Once more, so that its strategy is the one that is remembered; to the end, since it is known to be there.
        let stop = std::mem::take(&mut self.fours.stop);
        let verdict = self.vcf(board, nodes);
        self.fours.stop = stop;
        verdict
    }

    /// The strategy of the win by fours that the last call of a `vcf` function found.
    pub fn vcf_tree(&self) -> Tree {
        let mut tree = Tree::default();
        self.fours.write(&mut tree, 0);
        tree
    }

    /// Whether the opponent of the side to move would have a win by fours after a pass, and which stones can matter
    /// to it. `None` without such a win, and when a five threatens already or is to be made: then there is nothing to
    /// choose.
    ///
    /// # Errors
    /// The [`Limit`] that was met before either was known.
    pub fn vcf_after_pass(&mut self, board: &mut Board, nodes: u64) -> Result<Option<PassThreat>, Limit> {
        let Some(relevant) = self.fours_after_pass(board, nodes)? else { return Ok(None) };
        board.make_light(Move::PASS);
        let win = self.win_by_fours(board);
        board.undo();
        Ok(Some(PassThreat { win, relevant }))
    }

    /// Whether the side to move wins by continuous threats. `nodes` limits the positions of the search by threats.
    pub fn vct(&mut self, board: &mut Board, mode: Mode, nodes: u64, stop: &StopSignal) -> Verdict {
        self.threats(board, mode, nodes, stop, false).0
    }

    /// The same, with the whole strategy of a win, unless that is too large to be written out.
    pub fn vct_tree(
        &mut self,
        board: &mut Board,
        mode: Mode,
        nodes: u64,
        stop: &StopSignal,
    ) -> (Verdict, Option<Tree>) {
        self.threats(board, mode, nodes, stop, true)
    }

    fn threats(
        &mut self,
        board: &mut Board,
        mode: Mode,
        nodes: u64,
        stop: &StopSignal,
        with_tree: bool,
    ) -> (Verdict, Option<Tree>) {
        if let Verdict::Win(win) = self.vcf(board, nodes) {
            return (Verdict::Win(win), with_tree.then(|| self.vcf_tree()));
        }
        let mut prover = Prover::new(board, &mut self.fours, &mut self.proofs, mode, nodes, stop);
        let proven = prover.prove();
        let line = if proven == Ok(true) { prover.line() } else { None };
        let tree = if with_tree && line.is_some() { prover.tree() } else { None };
        self.nodes += prover.nodes();
        let verdict = match (proven, line) {
            (Ok(false), _) => Verdict::NoWin,
            (Err(limit), _) => Verdict::Unknown(limit),
            // A proof that cannot be shown is none.
            (Ok(true), None) => Verdict::Unknown(Limit::Nodes),
            (Ok(true), Some((mut line, height))) => {
                complete(board, &mut line);
                let moves = height.max(line.len().div_ceil(2) as u32);
                Verdict::Win(Win { moves, line, why: Why::Threats })
            }
        };
        (verdict, tree)
    }

    /// The win by fours that was found last, for the side to move.
    fn win_by_fours(&self, board: &mut Board) -> Win {
        let mut line = Line::new();
        self.write_line(board, &mut line);
        let why = if line.len() == 1 { Why::Five } else { Why::Fours };
        Win { line, moves: self.fours.length(), why }
    }
}

/// Continues a line that ends with a four to the five. The defender answers where he can without a foul; where every
/// answer is one, he plays elsewhere. Only if he has nothing but fouls left the line ends with one of them.
fn complete(board: &mut Board, line: &mut Line) {
    let us = board.side_to_move();
    let mut is_over = false;
    for &mv in &*line {
        let mover = board.side_to_move();
        let class = mv.cell().map(|cell| board.class(mover, cell));
        is_over = class == Some(PointClass::Five) && !board.is_dormant(mover) && !mv.is_half();
        board.make_light(mv);
    }
    let made = line.len();
    if !is_over && board.side_to_move() != us && !board.is_dormant(us) {
        if let Some((answer, five)) = last_moves(board) {
            line.extend([answer, five]);
        } else if board.count(us, PointClass::Five) > 0 {
            line.extend(board.empty_cells().first().map(Move::stone));
        }
    }
    for _ in 0..made {
        board.undo();
    }
}

/// A move of the defender, who cannot prevent the five that threatens, and that five. `None` if all his moves are
/// fouls.
fn last_moves(board: &mut Board) -> Option<(Move, Move)> {
    let (them, us) = (board.side_to_move(), !board.side_to_move());
    let fives = *board.set(us, PointClass::Five);
    let others = board.empty_cells().difference(&fives);
    let cells = fives.iter().chain(others.iter());
    let stones = cells.clone().filter(|&cell| !is_foul(board, them, cell)).map(Move::stone);
    let halves = cells.filter(|_| board.is_dormant(them)).map(Move::half);
    let replies: Vec<Move> = stones.chain(halves).collect();
    replies.into_iter().find_map(|reply| {
        board.make_light(reply);
        let five = board.first(us, PointClass::Five);
        board.undo();
        five.map(|five| (reply, Move::stone(five)))
    })
}
