//! How fast the solvers are: fixed problems under fixed rules, for `bench solver`.

use std::time::{Duration, Instant};

use super::{Mode, Solver, Verdict};
use crate::board::Board;
use crate::control::StopSignal;
use crate::types::{Cell, Move, Rule, Size};

/// A problem of [`measure`].
struct Problem {
    name: &'static str,
    rule: Rule,
    moves: &'static str,
    /// Nodes for a search by threats; `None` asks for a win by fours.
    threats: Option<(Mode, u64)>,
}

/// Two problems from the README of quintet, a renju solver that publishes its times for them, White to move.
const PROBLEMS: [Problem; 2] = [
    Problem {
        name: "VCF, eight fours",
        rule: Rule::Renju,
        moves: "h8 h7 f6 g7 i7 g9 g6 h6 f8 e8 f9 f7 e7 d6 h4 g5 j6 i5 j4 k5 j5 j3 j8 j7 i4 k4 k6 l7 l6 m6 i2 n7 l5 \
                k7 m7 g4 i8 g8 k8 l8 d5 e4 f4 f3 h3 g2 e2 i10 j11 f11 g11 d9 e10 e12 f13 c10 b11 c12 d12",
        threats: None,
    },
    Problem {
        name: "VCT, fifteen moves",
        rule: Rule::Renju,
        moves: "h8 i9 h7 j8 f8 h9 g9 h10 g11 f10 i10 g10 i8 j9 e10 k9 l9 g8 j10 k7 l6 k8 k6 l10 i7 j6 m9 i5 h4 f7 \
                g6 e6 d5 f5 g4",
        threats: Some((Mode::Wide, 3_000_000)),
    },
];
/// Runs of a win by fours.
const RUNS: u32 = 1_000;
const MEMORY: usize = 64 << 20;

/// What [`measure`] found out about one problem.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The problem.
    pub name: &'static str,
    /// What the solver said.
    pub verdict: Verdict,
    /// Positions looked at in one run.
    pub nodes: u64,
    /// The time of the fastest run, each with an empty memory.
    pub elapsed: Duration,
}

/// Solves the fixed problems. `None` if one of them were not a legal game.
pub fn measure() -> Option<Vec<Measurement>> {
    PROBLEMS.iter().map(solve).collect()
}

fn solve(problem: &Problem) -> Option<Measurement> {
    let mut board = board(problem)?;
    // A large memory takes long to clear, and a win by fours needs none.
    let mut solver = Solver::new(if problem.threats.is_some() { MEMORY } else { 1 << 14 });
    let runs = if problem.threats.is_some() { 1 } else { RUNS };
    let mut elapsed = Duration::MAX;
    let mut verdict = Verdict::NoWin;
    for _ in 0..runs {
        solver.clear();
        let start = Instant::now();
        match problem.threats {
            // As a search would ask: the first move is enough.
            None => {
                solver.probe_vcf(&mut board, u64::MAX);
            }
            Some((mode, nodes)) => verdict = solver.vct(&mut board, mode, nodes, &StopSignal::default()),
        }
        elapsed = elapsed.min(start.elapsed());
    }
    if problem.threats.is_none() {
        solver.clear();
        verdict = solver.vcf(&mut board, u64::MAX);
    }
    let nodes = solver.nodes() / u64::from(runs);
    Some(Measurement { name: problem.name, verdict, nodes, elapsed })
}

/// The position of a problem. Text notation is for the layers that read records; points are enough here.
fn board(problem: &Problem) -> Option<Board> {
    let size = Size::STANDARD;
    let mut board = Board::new(problem.rule, size);
    for point in problem.moves.split_whitespace() {
        let (letter, number) = point.split_at_checked(1)?;
        let x = usize::from(letter.bytes().next()?.checked_sub(b'a')?);
        let y = size.get().checked_sub(number.parse().ok()?)?;
        let cell = Cell::new(x, y, size)?;
        if !board.is_empty(cell) {
            return None;
        }
        board.make(Move::stone(cell));
    }
    Some(board)
}
