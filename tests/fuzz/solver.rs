//! The solver on any position, with any limits. Whatever it claims is replayed on the reference rules.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;

use halfstone::board::Board;
use halfstone::control::StopSignal;
use halfstone::game::GameRecord;
use halfstone::movegen::MoveList;
use halfstone::rules::{Position, Status};
use halfstone::solver::{Mode, PassProbe, Probe, Solver, Tree, Verdict};
use halfstone::types::{Move, Rule};

use super::hunt;
use super::position::sketch;
use crate::solver::replay;

/// What is asked, with so many nodes.
#[derive(Clone, Copy, Debug)]
enum Question {
    Vcf,
    Shortest,
    Within(u32),
    AfterPass,
    Vct(Mode),
    Defend(Option<Mode>),
    Probes(Mode),
}

fn question() -> impl Strategy<Value = (Question, u64)> {
    let mode = || select(vec![Mode::Narrow, Mode::Wide]);
    let question = prop_oneof![
        3 => Just(Question::Vcf),
        1 => Just(Question::Shortest),
        1 => (0u32..6).prop_map(Question::Within),
        1 => Just(Question::AfterPass),
        4 => mode().prop_map(Question::Vct),
        1 => prop::option::of(mode()).prop_map(Question::Defend),
        1 => mode().prop_map(Question::Probes),
    ];
    (question, select(vec![0, 1, 2, 7, 40, 150, 400]))
}

/// A claim by fours, if there is one: by the tree that belongs to it.
fn fours(solver: &Solver, verdict: &Verdict, game: &GameRecord) -> TestCaseResult {
    if let Some(win) = verdict.win() {
        line(&win.line, game)?;
        replay(game, &solver.vcf_tree(), true);
    }
    Ok(())
}

/// The moves of a line can be played, up to its end.
fn line(moves: &[Move], game: &GameRecord) -> TestCaseResult {
    prop_assert!(!moves.is_empty());
    let mut position = Position::from_record(game).expect("test positions are legal");
    for &mv in moves {
        // A line may show the five that would have come had the answer to a four been no foul.
        if position.status().is_over() {
            break;
        }
        prop_assert!(position.play(mv).is_ok(), "{mv:?} of {moves:?}");
    }
    Ok(())
}

fn threats(tree: Option<&Tree>, verdict: &Verdict, game: &GameRecord) -> TestCaseResult {
    if let Some(win) = verdict.win() {
        line(&win.line, game)?;
        // Too large a tree is not written.
        tree.into_iter().for_each(|tree| _ = replay(game, tree, false));
    }
    Ok(())
}

fn ask(solver: &mut Solver, game: &GameRecord, question: Question, nodes: u64) -> TestCaseResult {
    let mut board = Board::from_record(game);
    let before = board.clone();
    let stop = StopSignal::default();
    let is_legal = |mv: &Move| Position::from_record(game).is_ok_and(|position| position.check(*mv).is_ok());
    match question {
        Question::Vcf => {
            let verdict = solver.vcf(&mut board, nodes);
            fours(solver, &verdict, game)?;
        }
        Question::Shortest => {
            let verdict = solver.vcf_shortest(&mut board, nodes);
            fours(solver, &verdict, game)?;
        }
        Question::Within(moves) => {
            let verdict = solver.vcf_within(&mut board, moves, nodes);
            prop_assert!(verdict.win().is_none_or(|win| win.moves <= moves), "{verdict:?}");
            fours(solver, &verdict, game)?;
        }
        Question::AfterPass => {
            if let Ok(Some(threat)) = solver.vcf_after_pass(&mut board, nodes) {
                let mut passed = game.clone();
                passed.push(Move::PASS);
                line(&threat.win.line, &passed)?;
            }
        }
        Question::Vct(mode) => {
            let (verdict, tree) = solver.vct_tree(&mut board, mode, nodes, &stop);
            threats(tree.as_ref(), &verdict, game)?;
        }
        Question::Defend(mode) => {
            let defence = solver.defend(&mut board, mode, nodes.min(60), &stop);
            prop_assert!(defence.holding.iter().chain(&defence.unclear).all(is_legal), "{defence:?}");
        }
        Question::Probes(mode) => {
            let found =
                [solver.probe_vcf(&mut board, nodes), solver.probe_vct(&mut board, mode, nodes, &stop)];
            for probe in found {
                if let Probe::Win(mv, _) = probe {
                    prop_assert!(is_legal(&mv));
                }
            }
            let mut answers = MoveList::new();
            if let PassProbe::Threat(..) = solver.probe_pass(&mut board, nodes, &mut answers) {
                prop_assert!(answers.iter().all(is_legal), "{answers:?}");
            }
        }
    }
    prop_assert_eq!(board, before, "the board comes back as it was");
    Ok(())
}

#[test]
fn the_solver_takes_any_position() {
    // One solver for several positions, as in a game: what it remembers of one must not harm another.
    let asked = prop::collection::vec((sketch(), question()), 1..5);
    let input = (select(Rule::ALL.to_vec()), select(vec![0, 256, 1 << 16]), asked);
    hunt("solver", 64, &input, |(rule, memory, asked)| {
        let mut solver = Solver::new(memory);
        for (sketch, (question, nodes)) in asked {
            let game = sketch.under(rule).game(true);
            if Position::from_record(&game).is_ok_and(|position| position.status() == Status::Ongoing) {
                ask(&mut solver, &game, question, nodes)?;
            }
        }
        Ok(())
    });
}
