//! The solver's short answers, as a search asks for them: they must be those of the long ones, and the moves that are
//! not listed against a threat must lose to it.

use halfstone::board::Board;
use halfstone::control::StopSignal;
use halfstone::game::GameRecord;
use halfstone::movegen::{MoveList, fours};
use halfstone::rules::Position;
use halfstone::solver::{Line, Mode, PassProbe, Probe, Solver, Verdict};
use halfstone::types::{Color, Move, Rule};

use crate::solver::{crowd, game_position, is_open};
use crate::support::random::Rng;

const MEMORY: usize = 1 << 18;
const NODES: u64 = 2_000;

/// Plays a line out on the reference rules: the side to move must win by it.
fn assert_wins(game: &GameRecord, line: &[Move]) {
    let mut position = Position::from_record(game).unwrap();
    let winner = position.side_to_move();
    for (i, &mv) in line.iter().enumerate() {
        let status = position.play(mv).unwrap_or_else(|error| panic!("{error} {line:?}\n{game:?}"));
        assert_eq!(status.is_over(), i + 1 == line.len(), "{line:?}\n{game:?}");
    }
    assert_eq!(position.status().winner(), Some(winner), "{line:?}\n{game:?}");
}

/// Random and likely positions under all rules, still open.
fn positions(seed: u64, per_rule: usize) -> impl Iterator<Item = GameRecord> {
    let mut rng = Rng::new(seed);
    let rules = Rule::ALL.into_iter().flat_map(move |rule| (0..per_rule).map(move |round| (rule, round)));
    rules.filter_map(move |(rule, round)| {
        let game = if round % 4 == 0 { game_position(&mut rng, rule) } else { crowd(&mut rng, rule, 15) };
        is_open(&game).then_some(game)
    })
}

#[test]
fn probes_say_what_the_verdicts_say() {
    let (mut by_fours, mut by_threats) = (0, 0);
    let mut solver = Solver::new(MEMORY);
    let mut line = Line::new();
    for game in positions(1, 300) {
        let mut board = Board::from_record(&game);
        let before = board.clone();
        let probe = solver.probe_vcf(&mut board, NODES);
        if let Probe::Win(mv, plies) = probe {
            solver.write_line(&mut board, &mut line);
            assert_eq!(line.first(), Some(&mv), "{game:?}");
            assert!(line.len() <= plies, "{line:?} {plies}\n{game:?}");
            assert_wins(&game, &line);
            by_fours += 1;
        }
        solver.clear();
        let verdict = solver.vcf(&mut board, NODES);
        assert_eq!(verdict.is_win(), matches!(probe, Probe::Win(..)), "{game:?}");
        assert_eq!(verdict == Verdict::NoWin, probe == Probe::NoWin, "{game:?}");
        if probe == Probe::NoWin {
            solver.clear();
            let probe = solver.probe_vct(&mut board, Mode::Narrow, 60, &StopSignal::default());
            solver.clear();
            let verdict = solver.vct(&mut board, Mode::Narrow, 60, &StopSignal::default());
            match (probe, &verdict) {
                (Probe::Win(mv, plies), Verdict::Win(win)) => {
                    assert_eq!(win.line.first(), Some(&mv), "{game:?}");
                    assert!(win.line.len() <= plies, "{game:?}");
                    assert_wins(&game, &win.line);
                    by_threats += 1;
                }
                (Probe::NoWin, Verdict::NoWin) | (Probe::Unknown, Verdict::Unknown(_)) => {}
                _ => panic!("{probe:?}, but {verdict:?}\n{game:?}"),
            }
        }
        assert_eq!(board, before, "the board comes back as it was");
    }
    println!("{by_fours} wins by fours, {by_threats} by threats");
    assert!(by_fours > 200 && by_threats > 20);
}

#[test]
fn moves_that_are_not_listed_against_a_threat_lose_in_time() {
    let mut solver = Solver::new(MEMORY);
    let mut answers = MoveList::new();
    let (mut threats, mut lost, mut tried, mut listed) = (0, 0, 0, 0);
    for game in positions(2, 250) {
        let mut board = Board::from_record(&game);
        let before = board.clone();
        let probe = solver.probe_pass(&mut board, NODES, &mut answers);
        assert_eq!(board, before, "the board comes back as it was");
        let PassProbe::Threat(first, plies) = probe else {
            assert!(answers.is_empty());
            continue;
        };
        threats += 1;
        listed += answers.len();
        lost += usize::from(answers.is_empty());
        board.pass();
        let again = solver.probe_vcf(&mut board, NODES);
        assert!(matches!(again, Probe::Win(mv, most) if mv == first && most == plies), "{game:?}");
        board.undo();
        let us = board.side_to_move();
        for cell in fours(&board, us) {
            let legal = us == Color::White || !board.is_forbidden(cell);
            assert_eq!(answers.contains(&Move::stone(cell)), legal, "{game:?}");
        }
        for mv in Position::from_record(&game).unwrap().legal_moves() {
            let is_foul = mv.cell().is_some_and(|cell| us == Color::Black && board.is_forbidden(cell));
            if mv.is_half() || answers.contains(&mv) || is_foul {
                continue;
            }
            board.make(mv);
            let moves = plies.div_ceil(2) as u32;
            assert!(solver.vcf_within(&mut board, moves, 100_000).is_win(), "{mv:?} holds\n{game:?}");
            board.undo();
            tried += 1;
        }
    }
    println!("{threats} threats, {lost} without an answer, {tried} moves not listed, {listed} listed");
    assert!(threats > 200);
}
