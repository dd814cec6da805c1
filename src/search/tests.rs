//! The search against its slow twin, plain negamax, and its promises about the board.

use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::iterate::Plan;
use super::params::Parameters;
use super::pool::{Excluded, Settings, search};
use super::pvs::{Spare, Worker};
use crate::board::Board;
use crate::control::{Clock, Limits, StopSignal};
use crate::eval;
use crate::movegen::{self, MoveList, Situation};
use crate::solver::{PassProbe, Probe, Solver};
use crate::tt::Table;
use crate::types::{
    Cell, Color, DRAW, Depth, INFINITE, MATE_IN_MAX_PLY, Move, Rule, Score, Size, mate_in, mated_in,
};

/// A position after some random stones near the centre, in which nothing is forced.
fn quiet_position(rule: Rule, size: Size, rng: &mut StdRng) -> Board {
    loop {
        let mut board = Board::with_points(rule, size, Arc::clone(&eval::points(rule)));
        for _ in 0..rng.random_range(4..12) {
            let near = |rng: &mut StdRng| (size.get() / 2 + rng.random_range(0..5)).saturating_sub(2);
            let (x, y) = (near(rng), near(rng));
            let cell = Cell::new(x, y, size).unwrap();
            if board.is_empty(cell) && movegen::is_playable(&board, cell) {
                board.make(Move::stone(cell));
            }
        }
        if movegen::situation(&mut board, &mut MoveList::new()) == Situation::Free {
            return board;
        }
    }
}

fn worker<'a>(
    board: &Board,
    table: &'a Table,
    stop: &'a StopSignal,
    nodes: u64,
    parameters: Parameters,
) -> Worker<'a> {
    Worker::new(board.clone(), table, stop, Clock::new(&Limits::default()), nodes, parameters, Spare::new())
}

/// The evaluation, which cannot be better than a draw for who has no row of five points left (unless the other one may
/// be left with nothing but a foul).
fn value(board: &Board) -> Score {
    let us = board.side_to_move();
    let mut value = eval::evaluate(board);
    if board.rule() != Rule::Renju && !board.half_in_hand() {
        value = if board.alive_windows(us) == 0 { value.min(DRAW) } else { value };
        value = if board.alive_windows(!us) == 0 { value.max(DRAW) } else { value };
    }
    value
}

/// Plain negamax with the extensions of the search and nothing else.
fn negamax(board: &mut Board, solver: &mut Solver, mut depth: Depth, ply: usize, leaf_nodes: u64) -> Score {
    if board.empty_count() == 0 || Color::ALL.iter().all(|&color| board.alive_windows(color) == 0) {
        return DRAW;
    }
    let mut moves = MoveList::new();
    let situation = movegen::situation(board, &mut moves);
    match situation {
        Situation::Win(_, plies) => return mate_in(ply + plies),
        Situation::Lost(plies) => return mated_in(ply + plies),
        Situation::MustBlock if moves.len() == 1 => depth = depth.max(0) + 1,
        Situation::MustBlock => depth = depth.max(1),
        Situation::MustDefend | Situation::Free => {}
    }
    if depth <= 0 {
        return match solver.probe_vcf(board, leaf_nodes) {
            Probe::Win(_, plies) => mate_in(ply + plies),
            Probe::NoWin | Probe::Unknown => value(board),
        };
    }
    if situation == Situation::Free {
        movegen::candidate_moves(board, &mut moves);
    }
    let mut best = if moves.is_empty() { mated_in(ply + 1) } else { -INFINITE };
    for mv in moves {
        board.make(mv);
        best = best.max(-negamax(board, solver, depth - 1, ply + 1, leaf_nodes));
        board.undo();
    }
    best
}

#[test]
fn without_approximations_the_search_is_negamax() {
    search_is_negamax(Parameters::plain(), |_| true);
}

/// A position that is reached by several ways is worth the same by each: with a table of one bucket, with a large one,
/// and without its scores. (The solver is left out: what it finds within its nodes depends on what it remembers.)
#[test]
fn the_table_changes_no_score() {
    let stop = StopSignal::default();
    let mut rng = StdRng::seed_from_u64(8);
    let without = Parameters { leaf_nodes: 0, ..Parameters::plain() };
    let with = Parameters { table_cutoffs: 1, ..without };
    for rule in Rule::ALL {
        for (size, deepest) in [(6, 4), (9, 3), (15, 2), (15, 2)] {
            let board = quiet_position(rule, Size::new(size).unwrap(), &mut rng);
            for depth in 1..=deepest {
                let score = |bytes, parameters| {
                    let table = Table::new(bytes);
                    let mut worker = worker(&board, &table, &stop, u64::MAX, parameters);
                    (worker.search::<true>(-INFINITE, INFINITE, depth, 0, false), worker.nodes)
                };
                let (expected, all) = score(1, without);
                for bytes in [1, 1 << 20] {
                    let (found, nodes) = score(bytes, with);
                    assert_eq!(found, expected, "{rule} {size} depth {depth} {bytes} bytes");
                    assert!(nodes <= all);
                }
            }
        }
    }
}

/// What the restriction leaves out loses, and plain negamax finds that out.
#[test]
fn leaving_out_what_loses_to_fours_changes_no_score() {
    let threatened = |board: &mut Board| {
        let mut answers = MoveList::new();
        let probe = Solver::new(1 << 16).probe_pass(board, 200, &mut answers);
        matches!(probe, PassProbe::Threat(..)) && !answers.is_empty()
    };
    search_is_negamax(Parameters { pass_depth: 1, ..Parameters::plain() }, threatened);
}

fn search_is_negamax(parameters: Parameters, is_wanted: impl Fn(&mut Board) -> bool) {
    let leaf_nodes = parameters.leaf_nodes.unsigned_abs().into();
    let stop = StopSignal::default();
    let mut rng = StdRng::seed_from_u64(5);
    for rule in Rule::ALL {
        // Deeper where there are few points: the twin is slow.
        for (size, deepest) in [(6, 3), (9, 2), (15, 1)] {
            let size = Size::new(size).unwrap();
            let mut board = std::iter::repeat_with(|| quiet_position(rule, size, &mut rng))
                .find_map(|mut board| is_wanted(&mut board).then_some(board))
                .unwrap();
            let table = Table::new(1 << 20);
            for depth in 1..=deepest {
                let expected = negamax(&mut board, &mut Solver::new(1 << 20), depth, 0, leaf_nodes);
                let mut worker = worker(&board, &table, &stop, u64::MAX, parameters);
                let score = worker.search::<true>(-INFINITE, INFINITE, depth, 0, false);
                if expected.abs() < MATE_IN_MAX_PLY {
                    assert_eq!(score, expected, "{rule} {size:?} depth {depth}");
                } else {
                    // How long a win by fours takes depends on what the solver remembers.
                    assert!(score.abs() >= MATE_IN_MAX_PLY && score.signum() == expected.signum());
                }
            }
        }
    }
}

#[test]
fn a_panic_in_the_main_thread_does_not_leave_the_helpers_behind() {
    let board = Board::new(Rule::Freestyle, Size::STANDARD);
    let settings = Settings { threads: 3, ..Settings::default() };
    // Without a limit the helpers would go on to depth 198, and the search would never return.
    let died = std::panic::catch_unwind(|| {
        search(
            &board,
            &Table::new(1 << 20),
            &Limits::default(),
            settings,
            &StopSignal::default(),
            |iteration| {
                assert!(iteration.depth < 3, "on purpose");
            },
        )
    });
    assert!(died.is_err());
}

#[test]
fn a_limit_of_depth_is_kept_however_large() {
    let board = Board::new(Rule::Freestyle, Size::STANDARD);
    for (limit, reached) in [(1, 1), (4, 4), (0, 1), (u32::MAX, 6), (1 << 31, 6)] {
        let stop = StopSignal::default();
        let limits = Limits { depth: Some(limit), ..Limits::default() };
        let mut deepest = 0;
        search(&board, &Table::new(1 << 20), &limits, Settings::default(), &stop, |iteration| {
            deepest = iteration.depth;
            if iteration.depth >= 6 {
                stop.raise();
            }
        });
        assert!(deepest == reached || limit > 4 && deepest >= reached, "{limit}: {deepest}");
    }
}

#[test]
fn a_search_that_is_cut_short_leaves_the_board_as_it_was() {
    let stop = StopSignal::default();
    let mut rng = StdRng::seed_from_u64(6);
    for rule in Rule::ALL {
        let board = quiet_position(rule, Size::STANDARD, &mut rng);
        let table = Table::new(1 << 16);
        // Also with what is switched off by default.
        let mut everything = Parameters::default();
        everything.set_all("singular_depth=4;pass_depth=2;prove_share=20;gap_base=100").unwrap();
        let cases = [1, 2, 3, 10, 100, 333, 1_000, 3_000].into_iter();
        for (nodes, parameters) in
            cases.flat_map(|nodes| [(nodes, Parameters::default()), (nodes, everything)])
        {
            let mut worker = worker(&board, &table, &stop, nodes, parameters);
            worker.iterate(Plan { depth: 30, lines: 1, thread: 0, excluded: Excluded::default() }, |_| {});
            assert!(worker.board == board, "{rule} after {nodes} nodes");
        }
    }
}
