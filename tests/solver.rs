//! The mate solvers: every claim is replayed by the checker of the rules, and "no win" is compared with the naive
//! solver.

use std::time::{Duration, Instant};

use halfstone::board::Board;
use halfstone::control::StopSignal;
use halfstone::game::{GameRecord, Symmetry, parse_moves};
use halfstone::movegen::{Promises, fours};
use halfstone::pattern::PointClass;
use halfstone::rules::{Position, Status, WinReason, check_win};
use halfstone::solver::{Limit, Mode, Solver, Tree, Verdict, Why, Win};
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};
use serde::Deserialize;

use crate::support::random::{Rng, random_pieces, record, size};
use crate::support::vcf::{Solver as Naive, UNLIMITED};
use crate::support::{color, corpus, drawn, names};

const MEMORY: usize = 1 << 20;

fn steps(tree: &Tree) -> Vec<(usize, Move)> {
    tree.steps.iter().map(|step| (step.depth.into(), step.mv)).collect()
}

/// Replays a claim; the message of a failure shows the position and the claim.
pub(crate) fn replay(game: &GameRecord, tree: &Tree, thorough: bool) -> u64 {
    let position = Position::from_record(game).expect("test positions are legal");
    check_win(&position, &steps(tree), thorough).unwrap_or_else(|flaw| {
        let path: Vec<String> = flaw.path.iter().map(|mv| mv.text(game.size()).to_string()).collect();
        panic!(
            "{flaw} {path:?}\n{}\n{:?} to move, {}\n{}",
            crate::support::draw(&position).join("\n"),
            position.side_to_move(),
            game.rule(),
            tree.text(game.size(), position.side_to_move())
        )
    })
}

/// How much of a long test is run: all of it, or as many in a thousand as the environment variable `SOLVER_PERMILLE`
/// says.
pub(crate) fn scaled(full: usize) -> usize {
    let permille = std::env::var("SOLVER_PERMILLE").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    (full * permille / 1_000).max(1)
}

/// Whether the position is still a game.
pub(crate) fn is_open(game: &GameRecord) -> bool {
    Position::from_record(game).is_ok_and(|position| !position.status().is_over())
}

// The corpus of tactics.

#[derive(Deserialize)]
struct Tactic {
    id: String,
    rule: i64,
    board: Vec<String>,
    side: String,
    kind: String,
    vcf: Option<u32>,
    opponent_vcf: Option<u32>,
    #[serde(default)]
    vcf_first_moves: Vec<(usize, usize)>,
    only_defences: Option<Vec<(usize, usize)>>,
}

impl Tactic {
    fn game(&self) -> GameRecord {
        drawn(Rule::from_info(self.rule).unwrap(), &self.board, color(&self.side))
    }
}

fn points(cells: &[(usize, usize)], size: Size) -> Vec<Cell> {
    cells.iter().map(|&(x, y)| Cell::new(x, y, size).unwrap()).collect()
}

#[test]
fn wins_by_fours_of_the_corpus_are_found_and_nothing_else_is_claimed() {
    let mut solved = 0;
    for line in corpus::<Tactic>("tactics.jsonl") {
        let (id, game) = (&line.id, line.game());
        let mut board = Board::from_record(&game);
        let before = board.clone();
        let mut solver = Solver::new(MEMORY);
        let verdict = solver.vcf_shortest(&mut board, 1_000_000);
        assert_eq!(board, before, "{id}");
        let Some(length) = line.vcf else {
            assert_eq!(verdict, Verdict::NoWin, "{id}");
            continue;
        };
        let win = verdict.win().unwrap_or_else(|| panic!("{id}: {verdict:?}"));
        assert_eq!(win.moves, length, "{id}");
        replay(&game, &solver.vcf_tree(), true);
        if line.kind == "vcf" {
            let first = win.line[0].cell().unwrap();
            assert!(points(&line.vcf_first_moves, game.size()).contains(&first), "{id}: {first:?}");
            assert!(solver.vcf(&mut board, 1_000_000).is_win());
            replay(&game, &solver.vcf_tree(), true);
        }
        solved += 1;
    }
    println!("{solved} wins by fours");
}

#[test]
fn threats_and_defences_of_the_corpus_are_exact() {
    for line in corpus::<Tactic>("tactics.jsonl") {
        let (id, game) = (&line.id, line.game());
        let size = game.size();
        let mut board = Board::from_record(&game);
        let mut solver = Solver::new(MEMORY);
        let threatens = solver.vcf_after_pass(&mut board, 1_000_000).unwrap().is_some();
        if board.count(!board.side_to_move(), PointClass::Five) == 0
            && board.count(board.side_to_move(), PointClass::Five) == 0
        {
            assert_eq!(threatens, line.opponent_vcf.is_some(), "{id}");
        }
        if line.kind != "must_block" {
            continue;
        }
        let defence = solver.defend(&mut board, None, 1_000_000, &StopSignal::default());
        assert!(defence.unclear.is_empty(), "{id}");
        let own_fours = fours(&board, board.side_to_move());
        let quiet = defence.holding.iter().filter_map(|mv| mv.cell());
        let listed = points(line.only_defences.as_deref().unwrap_or_default(), size);
        let wanted = |cell: &Cell| !own_fours.contains(*cell) || listed.contains(cell);
        assert_eq!(names(quiet.filter(wanted), size), names(listed.iter().copied(), size), "{id}");
    }
}

/// Nodes for each mode on a line of the corpus.
const VCT_NODES: u64 = 12_000;

#[test]
fn wins_by_threats_of_the_corpus() {
    let (mut solved, mut lines) = (0, 0);
    for line in corpus::<Tactic>("tactics.jsonl").into_iter().filter(|line| line.kind == "vct") {
        lines += 1;
        solved += usize::from(solve_by_threats(&line, VCT_NODES).is_some());
    }
    println!("{solved} of {lines} wins by threats with {VCT_NODES} nodes");
    assert!(2 * solved >= lines);
}

#[test]
#[ignore = "up to 10 s a line"]
fn wins_by_threats_of_the_corpus_in_full() {
    for line in corpus::<Tactic>("tactics.jsonl") {
        if line.kind == "vct" || line.kind == "quiet" {
            let found = solve_by_threats(&line, 600_000);
            println!("{} {} {found:?}", line.id, line.kind);
            assert!(line.kind != "vct" || found.is_some_and(|(_, time)| time < Duration::from_secs(10)));
        }
    }
}

/// The moves and the time of a win by threats, replayed.
fn solve_by_threats(line: &Tactic, nodes: u64) -> Option<(u32, Duration)> {
    let game = line.game();
    let mut board = Board::from_record(&game);
    let before = board.clone();
    let mut solver = Solver::new(32 << 20);
    let started = Instant::now();
    for mode in [Mode::Narrow, Mode::Wide] {
        let (verdict, tree) = solver.vct_tree(&mut board, mode, nodes, &StopSignal::default());
        assert_eq!(board, before, "{}", line.id);
        if let Verdict::Win(win) = verdict {
            let time = started.elapsed();
            if let Some(tree) = tree {
                replay(&game, &tree, false);
            }
            return Some((win.moves, time));
        }
    }
    None
}

// Random positions.

/// A random crowd of stones, with either side to move, and in both phases of the half-stone rule.
pub(crate) fn crowd(rng: &mut Rng, rule: Rule, max: usize) -> GameRecord {
    let size = size(5 + rng.below(max - 4));
    let percent = 15 + rng.below(35);
    let dead = if rng.percent(15) { 4 } else { 0 };
    let mut pieces = random_pieces(rng, size, percent, dead);
    if rule == Rule::HalfStone && rng.percent(40) {
        let free: Vec<Cell> = size.cells().filter(|cell| pieces.iter().all(|(at, _)| at != cell)).collect();
        pieces.extend(rng.pick(&free).map(|cell| (cell, Piece::Half)));
    }
    let side = Color::ALL[rng.below(2)];
    record(rule, size, pieces, side)
}

/// A game of likely moves, up to some point.
pub(crate) fn game_position(rng: &mut Rng, rule: Rule) -> GameRecord {
    let mut game = GameRecord::new(rule, Size::STANDARD);
    let mut board = Board::new(rule, Size::STANDARD);
    for _ in 0..4 + rng.below(50) {
        let side = board.side_to_move();
        let place_half = board.half_in_hand() && side == Color::Black && rng.percent(4);
        let mut best: Vec<(i32, Cell)> = board
            .candidates()
            .filter(|&cell| board.class(side, cell) != PointClass::Five && !board.is_forbidden(cell))
            .map(|cell| (Promises::of(&board).get(Move::stone(cell)) + rng.below(40) as i32, cell))
            .collect();
        best.sort_by_key(|&(score, cell)| (-score, cell));
        let Some(&(_, cell)) = best.get(rng.below(3)) else { break };
        let mv = if place_half { Move::half(cell) } else { Move::stone(cell) };
        board.make(mv);
        game.push(mv);
    }
    game
}

#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    fours: usize,
    threats: usize,
    replies: u64,
}

/// Solves positions and replays every win.
fn soundness(rule: Rule, positions: usize, seed: u64, games: bool, vct_nodes: u64) -> Tally {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    let mut solver = Solver::new(MEMORY);
    while tally.positions < positions {
        let game = if games { game_position(&mut rng, rule) } else { crowd(&mut rng, rule, 15) };
        if !is_open(&game) {
            continue;
        }
        tally.positions += 1;
        let mut board = Board::from_record(&game);
        let before = board.clone();
        let thorough = tally.positions.is_multiple_of(16);
        if solver.vcf(&mut board, 2_000).is_win() {
            tally.fours += 1;
            tally.replies += replay(&game, &solver.vcf_tree(), thorough);
        } else if vct_nodes > 0 {
            let mode = if rng.percent(50) { Mode::Narrow } else { Mode::Wide };
            let (verdict, tree) = solver.vct_tree(&mut board, mode, vct_nodes, &StopSignal::default());
            if verdict.is_win() {
                tally.threats += 1;
                let tree = tree.expect("a search of few nodes gives a small tree");
                tally.replies += replay(&game, &tree, thorough);
            }
        }
        assert_eq!(board, before, "the board comes back as it was");
    }
    println!("{rule} {} from {seed}: {tally:?}", if games { "games" } else { "random" });
    tally
}

#[test]
fn every_claim_in_random_positions_holds() {
    for rule in Rule::ALL {
        let tally = soundness(rule, 1_500, 100 + rule.index() as u64, false, 60);
        assert!(tally.fours > 50 && tally.threats > 5, "{rule} {tally:?}");
    }
}

#[test]
fn every_claim_in_game_positions_holds() {
    for rule in Rule::ALL {
        let tally = soundness(rule, 200, 200 + rule.index() as u64, true, 60);
        assert!(tally.fours > 5, "{rule} {tally:?}");
    }
}

/// A million random and 100,000 game positions per rule take hours. They come in hundredths, one rule after the other,
/// so that a run that is cut short has seen all rules alike; `SOLVER_FROM` is the hundredth to begin with.
#[test]
#[ignore = "a million random and 100,000 game positions per rule: hours"]
fn a_million_claims_hold() {
    let from = std::env::var("SOLVER_FROM").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    for part in from..from + scaled(100) as u64 {
        for rule in Rule::ALL {
            let seed = 1_000 * (part + 1) + rule.index() as u64;
            soundness(rule, 10_000, seed, false, 40);
            soundness(rule, 1_000, seed + 500, true, 40);
        }
    }
}

/// Verdicts on fours are those of the naive solver, both ways. (It knows no half stone in hand.)
fn compare_with_the_naive_solver(rule: Rule, positions: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(MEMORY);
    let (mut seen, mut wins) = (0, 0);
    while seen < positions {
        let game = crowd(&mut rng, rule, 9);
        let mut board = Board::from_record(&game);
        if !is_open(&game) || board.half_in_hand() {
            continue;
        }
        let position = Position::from_record(&game).unwrap();
        let Ok(expected) = Naive::new(3_000).wins(&position, UNLIMITED) else { continue };
        let verdict = solver.vcf(&mut board, 100_000);
        assert!(!matches!(verdict, Verdict::Unknown(_)));
        assert_eq!(verdict.is_win(), expected, "{game:?}");
        seen += 1;
        wins += usize::from(expected);
    }
    println!("{rule}: {seen} positions, {wins} wins");
    assert!(wins > positions / 20);
}

#[test]
fn verdicts_on_fours_are_those_of_the_naive_solver() {
    for rule in Rule::ALL {
        compare_with_the_naive_solver(rule, 150, 500 + rule.index() as u64);
    }
}

#[test]
#[ignore = "20,000 positions per rule: an hour"]
fn many_verdicts_on_fours_are_those_of_the_naive_solver() {
    for rule in Rule::ALL {
        compare_with_the_naive_solver(rule, scaled(20_000), 600 + rule.index() as u64);
    }
}

/// Every quiet stone outside the relevance set leaves the win by fours standing: the same line, in fact, so that the
/// solver finds it again.
fn irrelevant_stones_lose(rule: Rule, threats: usize, seed: u64, games: bool) -> u64 {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(MEMORY);
    let (mut seen, mut replies, mut relevant) = (0, 0, 0);
    while seen < threats {
        let game = if games { game_position(&mut rng, rule) } else { crowd(&mut rng, rule, 15) };
        if !is_open(&game) {
            continue;
        }
        let mut board = Board::from_record(&game);
        let Ok(Some(threat)) = solver.vcf_after_pass(&mut board, 2_000) else { continue };
        seen += 1;
        relevant += threat.relevant.len();
        let side = board.side_to_move();
        let counters = fours(&board, side);
        for cell in board.empty_cells().difference(&threat.relevant).difference(&counters) {
            if side == Color::Black && board.is_forbidden(cell) {
                continue;
            }
            board.make(Move::stone(cell));
            let verdict = solver.vcf(&mut board, 100_000);
            assert!(verdict.is_win(), "{} refutes {:?}\n{game:?}", cell.text(game.size()), threat.win.line);
            board.undo();
            replies += 1;
        }
    }
    println!("{rule}: {seen} threats, {replies} irrelevant replies, mean set {}", relevant / seen.max(1));
    replies
}

#[test]
fn stones_outside_the_relevance_set_lose() {
    for rule in Rule::ALL {
        irrelevant_stones_lose(rule, 120, 700 + rule.index() as u64, false);
        irrelevant_stones_lose(rule, 12, 750 + rule.index() as u64, true);
    }
}

#[test]
#[ignore = "20,000 threats per rule: half an hour"]
fn many_stones_outside_the_relevance_set_lose() {
    for rule in Rule::ALL {
        irrelevant_stones_lose(rule, scaled(20_000), 800 + rule.index() as u64, false);
        irrelevant_stones_lose(rule, scaled(2_000), 850 + rule.index() as u64, true);
    }
}

/// The line of a claimed win is a game by the rules: it goes on until the attacker has won and no further, and takes as
/// many of his moves as are claimed.
fn assert_line_is_a_game(game: &GameRecord, win: &Win) {
    let mut position = Position::from_record(game).expect("test positions are legal");
    let attacker = position.side_to_move();
    let shown = |text: &str| {
        let moves: Vec<String> = win.line.iter().map(|mv| mv.text(game.size()).to_string()).collect();
        format!("{text}: {moves:?}, {} moves {:?}\n{game:?}", win.moves, win.why)
    };
    for (number, &mv) in win.line.iter().enumerate() {
        assert!(!position.status().is_over(), "{}", shown("goes on"));
        position.play(mv).unwrap_or_else(|flaw| panic!("{} at {number}", shown(&flaw.to_string())));
    }
    let Status::Won { winner, reason } = position.status() else { panic!("{}", shown("ends early")) };
    assert_eq!(winner, attacker, "{}", shown("lost"));
    let moves = win.line.len().div_ceil(2) as u32;
    if reason == WinReason::Five && position.side_to_move() != attacker {
        assert_eq!(moves, win.moves, "{}", shown("another number of moves"));
    } else {
        // The defender had nothing but fouls left.
        assert!(moves <= win.moves, "{}", shown("a foul"));
    }
}

fn lines_are_games(rule: Rule, wins: usize, seed: u64, max: usize) {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(MEMORY);
    let mut threats = 0;
    while threats < wins {
        let game = crowd(&mut rng, rule, max);
        if !is_open(&game) {
            continue;
        }
        let mut board = Board::from_record(&game);
        let shortest = solver.vcf_shortest(&mut board, 2_000);
        let mode = if rng.percent(50) { Mode::Narrow } else { Mode::Wide };
        let any = solver.vct(&mut board, mode, 200, &StopSignal::default());
        [&shortest, &any]
            .into_iter()
            .filter_map(Verdict::win)
            .for_each(|win| assert_line_is_a_game(&game, win));
        threats += usize::from(any.win().is_some_and(|win| win.why == Why::Threats));
    }
}

#[test]
fn the_line_of_a_win_is_a_game_that_ends_with_it() {
    for rule in Rule::ALL {
        lines_are_games(rule, 60, 1_100 + rule.index() as u64, 9);
        lines_are_games(rule, 20, 1_200 + rule.index() as u64, 15);
    }
}

#[test]
#[ignore = "minutes"]
fn many_lines_of_wins_are_games_that_end_with_them() {
    for rule in Rule::ALL {
        lines_are_games(rule, scaled(20_000), 1_300 + rule.index() as u64, 9);
    }
}

#[test]
fn lines_that_once_ended_in_the_wrong_place() {
    let renju = "a6 e9 d6 h7 a2 f9 e8 e3 i3 b9 h2 d5 f8 d8 a4 f4 b2 d1 a7 b6 d2 d7 f5 a8 g8 b5 i5";
    let half = "b7 e6 d2 e4 c5 a5 a7 b5 f5 a4 c2 c6 a3 c3 a1";
    for (rule, n, text) in [(Rule::Renju, 9, renju), (Rule::HalfStone, 7, half)] {
        let mut game = GameRecord::new(rule, size(n));
        parse_moves(text, size(n)).unwrap().into_iter().for_each(|mv| game.push(mv));
        let mut board = Board::from_record(&game);
        for mode in [Mode::Narrow, Mode::Wide] {
            let verdict = Solver::new(MEMORY).vct(&mut board, mode, 200, &StopSignal::default());
            let win = verdict.win().unwrap_or_else(|| panic!("{rule} {mode:?}: {verdict:?}"));
            assert_line_is_a_game(&game, win);
        }
    }
}

#[test]
fn a_table_of_sixteen_entries_is_still_sound() {
    let mut rng = Rng::new(9);
    let mut wins = 0;
    for round in 0..400 {
        let game = crowd(&mut rng, Rule::ALL[round % 6], 12);
        if !is_open(&game) {
            continue;
        }
        let mut board = Board::from_record(&game);
        let (verdict, tree) = Solver::new(0).vct_tree(&mut board, Mode::Narrow, 100, &StopSignal::default());
        if verdict.is_win() {
            replay(&game, &tree.expect("few nodes give a small tree"), false);
            wins += 1;
        }
    }
    assert!(wins > 20);
}

#[test]
fn the_same_position_takes_the_same_nodes() {
    let mut rng = Rng::new(10);
    for rule in Rule::ALL {
        let game = game_position(&mut rng, rule);
        let mut used = (0..2).map(|_| {
            let mut solver = Solver::new(MEMORY);
            let mut board = Board::from_record(&game);
            let verdict = solver.vct(&mut board, Mode::Wide, 500, &StopSignal::default());
            (verdict, solver.nodes())
        });
        assert_eq!(used.next(), used.next());
    }
}

#[test]
fn a_stopped_or_exhausted_search_knows_nothing() {
    let game = corpus::<Tactic>("tactics.jsonl").into_iter().find(|line| line.id == "ta-185").unwrap().game();
    let mut board = Board::from_record(&game);
    let before = board.clone();
    let stop = StopSignal::default();
    let few = Solver::new(MEMORY).vct(&mut board, Mode::Narrow, 50, &stop);
    assert!(matches!(few, Verdict::Unknown(_)), "{few:?}");
    stop.raise();
    let stopped = Solver::new(MEMORY).vct(&mut board, Mode::Wide, u64::MAX, &stop);
    assert!(matches!(stopped, Verdict::Unknown(_)), "{stopped:?}");
    assert_eq!(board, before);
}

// Cases by hand.

/// What is expected of a position by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    Wins(u32),
    NoWin,
}

/// Checks a drawn position in all eight symmetries, and with the colours exchanged where the rule treats them alike.
pub(crate) fn expect(rule: Rule, rows: &[&str], side: Color, expected: Expected) {
    let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    let swapped: Vec<String> = rows
        .iter()
        .map(|row| {
            row.chars()
                .map(|c| match c {
                    'X' => 'O',
                    'O' => 'X',
                    c => c,
                })
                .collect()
        })
        .collect();
    let mut games = vec![drawn(rule, &rows, side)];
    if !matches!(rule, Rule::Renju | Rule::HalfStone) {
        games.push(drawn(rule, &swapped, !side));
    }
    for game in games {
        for symmetry in Symmetry::ALL {
            let game = symmetry.record(&game);
            let mut board = Board::from_record(&game);
            let mut solver = Solver::new(MEMORY);
            let found = match solver.vcf_shortest(&mut board, 1_000_000) {
                Verdict::Win(win) => {
                    replay(&game, &solver.vcf_tree(), true);
                    Expected::Wins(win.moves)
                }
                Verdict::NoWin => Expected::NoWin,
                Verdict::Unknown(limit) => panic!("{limit:?}"),
            };
            assert_eq!(found, expected, "{rule} {symmetry:?} {}", rows.join("\n"));
        }
    }
}

#[test]
fn a_reply_that_makes_five_first_ends_the_attack() {
    // Black's only four is answered on a white five.
    let rows = [
        "XXX......",
        ".........",
        ".........",
        "....O....",
        "....O....",
        ".........",
        "....O....",
        ".........",
        ".........",
    ];
    // d9 makes a four, its answer e9 is far from the white three: then nothing more.
    expect(Rule::Freestyle, &rows, Color::Black, Expected::NoWin);
    let open = [
        ".........",
        "..XXX....",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Freestyle, &open, Color::Black, Expected::Wins(2));
    // White has a five already: a straight four comes too late, a five does not.
    let late = [
        "OOOO.....",
        ".........",
        "..XXX....",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Freestyle, &late, Color::Black, Expected::NoWin);
    let five = [
        "OOOO.....",
        ".........",
        ".XXXX....",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Freestyle, &five, Color::Black, Expected::Wins(1));
}

#[test]
fn a_counter_four_must_be_answered_with_a_four() {
    // Black's four on e9 or a9 is blocked on the other point. The block e9 gives White a four in column e, whose answer
    // is e5; with b5 to d5 black that answer is a straight four or better, with c5 and d5 gone it is nothing.
    let rows = |fifth: &'static str| {
        [
            ".XXX.....",
            "....O....",
            "....O....",
            "....O....",
            fifth,
            ".........",
            ".........",
            ".........",
            "O........",
        ]
    };
    // A straight four needs no counter.
    expect(Rule::Freestyle, &rows("........."), Color::Black, Expected::Wins(2));
    let closed = |fifth: &'static str| {
        [
            "OXXX.....",
            "....O....",
            "....O....",
            "....O....",
            fifth,
            ".........",
            ".........",
            ".........",
            ".........",
        ]
    };
    // f9 is Black's four that leaves e9 to White, who threatens on e5 then.
    expect(Rule::Freestyle, &closed("........."), Color::Black, Expected::NoWin);
    // Here the forced answer e5 makes a straight four of Black's own.
    expect(Rule::Freestyle, &closed(".XXX....."), Color::Black, Expected::Wins(2));
    expect(Rule::Freestyle, &closed(".XX.....O"), Color::Black, Expected::NoWin);
}

#[test]
fn six_in_a_row_is_no_five_where_five_must_be_exact() {
    let rows = [
        "O.........",
        "..........",
        ".XXX.X....",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
    ];
    // e8 makes five under freestyle at once; under standard b…f is exactly five too.
    expect(Rule::Freestyle, &rows, Color::Black, Expected::Wins(1));
    expect(Rule::Standard, &rows, Color::Black, Expected::Wins(1));
    let six = [
        "O.........",
        "..........",
        "XXX.XX....",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
        "..........",
    ];
    expect(Rule::Freestyle, &six, Color::Black, Expected::Wins(1));
    expect(Rule::Standard, &six, Color::Black, Expected::NoWin);
    expect(Rule::Caro, &six, Color::Black, Expected::Wins(1));
    expect(Rule::CaroFive, &six, Color::Black, Expected::NoWin);
}

#[test]
fn a_caro_five_enclosed_by_stones_does_not_win_and_one_at_the_edge_does() {
    let enclosed = [
        ".........",
        "OXXXX.O..",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Caro, &enclosed, Color::Black, Expected::NoWin);
    expect(Rule::Freestyle, &enclosed, Color::Black, Expected::Wins(1));
    let edge = [
        ".........",
        "XXXX.O...",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Caro, &edge, Color::Black, Expected::Wins(1));
    // A straight four with a white stone beyond one end is not straight: the block on the other side encloses it.
    let far = [
        ".........",
        "O..XXX...",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    expect(Rule::Freestyle, &far, Color::Black, Expected::Wins(2));
    expect(Rule::CaroFive, &far, Color::Black, Expected::Wins(2));
}

#[test]
fn renju_black_must_not_win_by_a_double_four_and_white_may() {
    let rows = [
        "...............",
        "...............",
        "...............",
        "....O..........",
        "....X..........",
        "....X..........",
        "....X..........",
        "...............",
        "OXXX...........",
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
        "...............",
    ];
    let swapped: Vec<String> = rows
        .iter()
        .map(|row| {
            row.chars()
                .map(|c| match c {
                    'X' => 'O',
                    'O' => 'X',
                    c => c,
                })
                .collect()
        })
        .collect();
    expect(Rule::Freestyle, &rows, Color::Black, Expected::Wins(2));
    // Black's only points in both lines make a double four; a four in one of them is blocked and leaves nothing.
    expect(Rule::Renju, &rows, Color::Black, Expected::NoWin);
    let rows: Vec<&str> = swapped.iter().map(String::as_str).collect();
    expect(Rule::Renju, &rows, Color::White, Expected::Wins(2));
}

// The half stone (numbers as in the design notes: R1 to R7).

fn half_stone_crowd(rng: &mut Rng, side: Color) -> (GameRecord, Board) {
    loop {
        let pieces = random_pieces(rng, size(7), 25, 0);
        let game = record(Rule::HalfStone, size(7), pieces, side);
        if is_open(&game) {
            let board = Board::from_record(&game);
            return (game, board);
        }
    }
}

#[test]
fn the_half_stone_in_hand_changes_what_wins() {
    use PointClass::{Five, FourThree, WinFour};
    let mut rng = Rng::new(31);
    let mut seen = [0; 7];
    for _ in 0..60_000 {
        let side = Color::ALL[rng.below(2)];
        let (game, mut board) = half_stone_crowd(&mut rng, side);
        let [black, white] = Color::ALL.map(|c| board.count(c, Five));
        let mut solver = Solver::new(0);
        let mut wins = |board: &mut Board, at_most: u32| {
            let verdict = solver.vcf_within(board, at_most, 10_000);
            if verdict.is_win() {
                replay(&game, &solver.vcf_tree(), false);
            }
            verdict.is_win()
        };
        if side == Color::White {
            if white == 0 && board.count(Color::White, WinFour) > 0 && seen[1] < 300 {
                assert!(wins(&mut board, 2), "R1 {game:?}");
                seen[1] += 1;
            }
            if white == 0 && black == 0 && board.count(Color::White, FourThree) > 0 && seen[6] < 300 {
                assert!(wins(&mut board, 3), "R7 {game:?}");
                seen[6] += 1;
            }
        } else if white == 0 {
            if black >= 2 && board.empty_count() > 3 && seen[2] < 300 {
                assert!(wins(&mut board, 2), "R2 {game:?}");
                seen[2] += 1;
            } else if black <= 1 && seen[5] < 300 {
                assert!(!wins(&mut board, 2), "R5, R6 {game:?}");
                seen[5] += 1;
            }
        } else if white >= 2 && seen[3] < 300 {
            assert!(!wins(&mut board, 50), "R3 {game:?}");
            seen[3] += 1;
        }
    }
    println!("{seen:?}");
    assert!([1, 2, 3, 5, 6].into_iter().all(|i| seen[i] > 20), "{seen:?}");
}

#[test]
fn a_white_four_can_be_answered_by_the_half_stone() {
    // White's four-three needs both answers refuted; Black's dormant five makes the half stone a counter-four.
    let mut game = GameRecord::new(Rule::HalfStone, Size::STANDARD);
    for mv in parse_moves("h8 a1 i8 b1 j8 c1 k8 a3", Size::STANDARD).unwrap() {
        game.push(mv);
    }
    let mut board = Board::from_record(&game);
    let mut solver = Solver::new(MEMORY);
    let Verdict::Win(win) = solver.vcf(&mut board, 10_000) else { panic!("Black wakes his straight four") };
    assert!(win.line[0].is_half());
    replay(&game, &solver.vcf_tree(), true);
    game.push(win.line[0]);
    game.push(parse_moves("g8", Size::STANDARD).unwrap()[0]);
    assert!(solver.vcf(&mut Board::from_record(&game), 10_000).is_win());
}

// Games.

/// The games of `bench solver`.
const GAMES: &str = include_str!("../assets/games/decisive.txt");

fn decisive_games() -> impl Iterator<Item = (Rule, Vec<Move>)> {
    GAMES.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (rule, moves) = line.split_once(": ").unwrap();
        let rule = Rule::ALL.into_iter().find(|known| known.name() == rule).unwrap();
        (rule, parse_moves(moves, Size::STANDARD).unwrap())
    })
}

/// Solves every `step`th position of the decisive games in the view of the side to move, and replays every win.
/// Positions, wins, and wins of the player who lost the game after all: those missed a proven win.
fn wins_in_games(nodes: u64, step: usize) -> (usize, usize, usize) {
    let mut solver = Solver::new(MEMORY);
    let (mut positions, mut wins, mut missed) = (0, 0, 0);
    for (rule, moves) in decisive_games() {
        let mut game = GameRecord::new(rule, Size::STANDARD);
        for (made, &mv) in moves.iter().enumerate() {
            if (moves.len() - made) % step <= 1 {
                positions += 1;
                let mut board = Board::from_record(&game);
                let (verdict, tree) =
                    solver.vct_tree(&mut board, Mode::Narrow, nodes, &StopSignal::default());
                if verdict.is_win() {
                    wins += 1;
                    missed += usize::from((moves.len() - made).is_multiple_of(2));
                    // Too large a tree is not written.
                    if let Some(tree) = tree {
                        replay(&game, &tree, false);
                    }
                }
            }
            game.push(mv);
        }
        assert!(!is_open(&game), "the game is decided");
    }
    println!("{positions} positions, {wins} wins, {missed} of them missed in the game");
    (positions, wins, missed)
}

#[test]
fn wins_in_decisive_games_are_real_and_mostly_the_winners() {
    let (positions, wins, missed) = wins_in_games(100, 8);
    assert!(wins * 8 > positions && missed * 5 < wins);
}

#[test]
#[ignore = "minutes"]
fn all_wins_in_decisive_games_are_real_and_mostly_the_winners() {
    let (positions, wins, missed) = wins_in_games(20_000, 1);
    assert!(wins * 100 >= positions * 18 && missed * 5 < wins);
}

/// Whoever is proven winning and plays the proof's move is proven winning on his next turn too, and never loses the
/// game: a later loser who had a proven win left it. Returns how often a proof was followed for a turn, and how often
/// one was left by the later loser.
fn followed_proofs(nodes: u64) -> (usize, usize) {
    let mut solver = Solver::new(8 * MEMORY);
    let (mut followed, mut left) = (0, 0);
    for (rule, moves) in decisive_games() {
        let mut game = GameRecord::new(rule, Size::STANDARD);
        // Whether a colour's last move was the one of a proof.
        let mut follows = [false; 2];
        for (made, &mv) in moves.iter().enumerate() {
            let mut board = Board::from_record(&game);
            let side = board.side_to_move().index();
            let mut solve = |nodes| solver.vct(&mut board, Mode::Narrow, nodes, &StopSignal::default());
            let mut verdict = solve(nodes);
            if follows[side] && !verdict.is_win() {
                verdict = solve(100 * nodes);
                assert!(verdict.is_win(), "{rule}, after {made} moves of {moves:?}");
            }
            followed += usize::from(follows[side]);
            follows[side] = verdict.win().is_some_and(|win| win.line[0] == mv);
            let loses = (moves.len() - made).is_multiple_of(2);
            left += usize::from(loses && verdict.is_win());
            game.push(mv);
        }
        // Nobody's foul ends these games, so the winner made the last move.
        assert!(!follows[moves.len() % 2], "a proof was followed to a loss: {rule}, {moves:?}");
    }
    println!("{followed} turns with a proof, {left} proofs left by the later loser");
    (followed, left)
}

#[test]
fn a_later_loser_with_a_proven_win_left_the_proof() {
    let (followed, left) = followed_proofs(150);
    assert!(followed > 10 * left.max(1));
}

#[test]
#[ignore = "minutes"]
fn a_later_loser_with_a_proven_win_left_the_proof_in_full() {
    let (followed, left) = followed_proofs(20_000);
    assert!(followed > 5 * left && left > 0);
}

// Defences.

/// Whether a move of the side to move does not lose to the opponent's fours, told by trying everything on the reference
/// rules. A four holds if after each answer some move does.
fn holds(position: &Position, mv: Move, depth: usize) -> Option<bool> {
    let us = position.side_to_move();
    let mut after = position.clone();
    if after.play(mv).ok()?.is_over() {
        return Some(after.status().winner() != Some(!us));
    }
    let fives = |position: &Position| -> Vec<Cell> {
        position.empty_cells().filter(|&cell| position.would_win(cell, us)).collect()
    };
    if Naive::new(20_000).wins(&after, UNLIMITED).ok()? {
        return Some(false);
    }
    if fives(&after).is_empty() {
        return Some(true);
    }
    for reply in after.legal_moves() {
        let mut answered = after.clone();
        match answered.play(reply) {
            // A foul, or the game is lost: no answer.
            Ok(status) if status.is_over() => continue,
            Ok(_) if fives(&answered).is_empty() => {}
            _ => continue,
        }
        if depth == 0 {
            return None;
        }
        let mut some = false;
        for next in answered.legal_moves() {
            if holds(&answered, next, depth - 1)? {
                some = true;
                break;
            }
        }
        if !some {
            return Some(false);
        }
    }
    Some(true)
}

#[test]
fn who_can_make_five_needs_no_other_defence() {
    let mut game = GameRecord::new(Rule::Freestyle, Size::STANDARD);
    let moves = parse_moves("h8 l8 i8 a1 j8 a2 k8 a3 o15 a4", Size::STANDARD).unwrap();
    moves.into_iter().for_each(|mv| game.push(mv));
    let mut board = Board::from_record(&game);
    let defence = Solver::new(MEMORY).defend(&mut board, None, 1_000, &StopSignal::default());
    let five = parse_moves("g8", Size::STANDARD).unwrap();
    assert_eq!((defence.is_needed, defence.holding), (Some(true), five));
}

#[test]
fn a_stopped_solver_says_that_it_was_stopped() {
    let stop = StopSignal::default();
    stop.raise();
    // Eight threes that have nothing to do with each other: thousands of ways to make fours in turn, and no win.
    let row = |y: usize| if y.is_multiple_of(5) { "OXXX............XXXO" } else { "...................." };
    let rows: Vec<String> = (0..20).map(|y| row(y).to_owned()).collect();
    let mut board = Board::from_record(&drawn(Rule::Freestyle, &rows, Color::Black));
    let mut patient = Solver::new(MEMORY);
    assert_eq!(patient.vcf(&mut board, 1_000_000), Verdict::NoWin);
    assert!(patient.nodes() > 3_000, "{}", patient.nodes());
    let mut solver = Solver::new(MEMORY);
    solver.set_stop(stop.clone());
    assert_eq!(solver.vcf(&mut board, 1_000_000), Verdict::Unknown(Limit::Stopped));
    assert!(solver.nodes() < 3_000, "{}", solver.nodes());

    let mut solver = Solver::new(MEMORY);
    let lines = corpus::<Tactic>("tactics.jsonl");
    let threatened: Vec<_> = lines.iter().filter(|line| line.kind == "must_block").take(20).collect();
    for line in threatened {
        let mut board = Board::from_record(&line.game());
        let defence = solver.defend(&mut board, Some(Mode::Narrow), 1_000_000, &stop);
        assert!(
            defence.is_needed == Some(true) && defence.holding.is_empty() && !defence.unclear.is_empty(),
            "{}",
            line.id
        );
    }
}

/// "Nothing threatens" is a theorem too.
#[test]
fn a_threat_that_was_not_seen_to_the_end_is_not_taken_for_none() {
    let stop = StopSignal::default();
    let lines = corpus::<Tactic>("tactics.jsonl");
    let mut asked = 0;
    for line in lines.iter().filter(|line| line.kind == "must_block" && line.opponent_vcf > Some(3)) {
        let mut board = Board::from_record(&line.game());
        assert_eq!(Solver::new(MEMORY).defend(&mut board, None, 1, &stop).is_needed, None, "{}", line.id);
        asked += 1;
    }
    assert!(asked > 5);
    // Three in a row and White to move: no win by fours threatens, one by threats does.
    let mut game = GameRecord::new(Rule::Freestyle, Size::STANDARD);
    parse_moves("h8 a1 i9 a3 h9", Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
    let mut board = Board::from_record(&game);
    let by_threats = |nodes, board: &mut Board| {
        Solver::new(MEMORY).defend(board, Some(Mode::Narrow), nodes, &stop).is_needed
    };
    assert_eq!(by_threats(10_000, &mut board), Some(true));
    assert_eq!(by_threats(2, &mut board), None);
    assert_eq!(Solver::new(MEMORY).defend(&mut board, None, 2, &stop).is_needed, Some(false));
}

/// What a search left unclear is not a disproof for the next one on the same table.
#[test]
fn a_table_does_not_turn_unclear_into_no() {
    // Two closed threes and an open pair: after a three and its answer, the search by fours has too much to choose from.
    let mut game = GameRecord::new(Rule::Freestyle, Size::STANDARD);
    let moves = parse_moves("h8 a1 i8 o15 b1 o13 c1 a15 d1 a13", Size::STANDARD).unwrap();
    moves.into_iter().for_each(|mv| game.push(mv));
    let mut board = Board::from_record(&game);
    let (mut solver, stop) = (Solver::new(MEMORY), StopSignal::default());
    let mut ask = || solver.vct(&mut board, Mode::Narrow, 100_000, &stop);
    assert_eq!([ask(), ask()], [Verdict::Unknown(Limit::Inner), Verdict::Unknown(Limit::Inner)]);
}

#[test]
fn the_moves_that_hold_are_those_that_survive_when_everything_is_tried() {
    let mut rng = Rng::new(77);
    let mut solver = Solver::new(MEMORY);
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroFive] {
        let (mut seen, mut lost) = (0, 0);
        while seen < 25 {
            let game = crowd(&mut rng, rule, 7);
            let mut board = Board::from_record(&game);
            let us = board.side_to_move();
            let decided = board.count(us, PointClass::Five) > 0 || board.count(!us, PointClass::Five) > 0;
            if !is_open(&game) || decided {
                continue;
            }
            let defence = solver.defend(&mut board, None, 100_000, &StopSignal::default());
            if defence.is_needed != Some(true) || !defence.unclear.is_empty() {
                continue;
            }
            let position = Position::from_record(&game).unwrap();
            let tried: Option<Vec<Move>> = position
                .legal_moves()
                .into_iter()
                .map(|mv| holds(&position, mv, 2).map(|holds| (mv, holds)))
                .collect::<Option<Vec<_>>>()
                .map(|all| all.into_iter().filter(|(_, holds)| *holds).map(|(mv, _)| mv).collect());
            let Some(mut tried) = tried else { continue };
            let mut listed = defence.holding.clone();
            tried.sort_by_key(|mv| mv.to_bits());
            listed.sort_by_key(|mv| mv.to_bits());
            assert_eq!(listed, tried, "{game:?}");
            seen += 1;
            lost += usize::from(listed.is_empty());
        }
        println!("{rule}: {seen} threats, {lost} of them without a defence");
    }
}
