//! The search against the tactical corpus, against brute force on small boards, and against itself.

use std::ops::ControlFlow;
use std::time::Duration;

use halfstone::board::Board;
use halfstone::control::{Limits, StopSignal};
use halfstone::engine;
use halfstone::eval;
use halfstone::game::{GameRecord, Setup, parse_moves};
use halfstone::rules::{Position, Status};
use halfstone::search::{Outcome, Settings, search};
use halfstone::solver::{Mode, Solver};
use halfstone::tt::Table;
use halfstone::types::{Cell, Color, MATE, MATE_IN_MAX_PLY, Move, Piece, Rule, Size};
use serde::Deserialize;

use crate::support::brute::{cannot_escape, forces_win};
use crate::support::random::Rng;
use crate::support::vcf::has_five;
use crate::support::{color, corpus, drawn};

fn run(game: &GameRecord, limits: Limits) -> Outcome {
    run_on(&engine::board(game), limits)
}

fn run_on(board: &Board, limits: Limits) -> Outcome {
    let table = Table::new(4 << 20);
    let settings = Settings::default();
    search(board, &table, &limits, settings, &StopSignal::default(), |_| {}).unwrap()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

// The corpus.

#[derive(Deserialize)]
struct TacticLine {
    id: String,
    rule: i64,
    board: Vec<String>,
    side: String,
    kind: String,
    only_defences: Option<Vec<(usize, usize)>>,
    best: Option<Vec<(usize, usize)>>,
}

impl TacticLine {
    fn game(&self) -> GameRecord {
        drawn(Rule::from_info(self.rule).unwrap(), &self.board, color(&self.side))
    }

    /// Whether the search's answer is the one that the line asks for: the five, the win, or the defence. A win by threats
    /// is right if it is known, or if none of the replies to its first move helps, so the solver.
    fn is_right(&self, outcome: &Outcome) -> bool {
        if let Some(best) = &self.best {
            return self.stones(best).contains(&outcome.best);
        }
        let Some(defences) = &self.only_defences else {
            return outcome.score >= MATE_IN_MAX_PLY
                || self.kind == "vct" && self.wins_by_threats(outcome.best);
        };
        // An own four first, with the defence after it, is as good.
        let position = Position::from_record(&self.game()).unwrap();
        let four = outcome.best.cell().is_some_and(|cell| {
            let mut after = position.clone();
            after.play(Move::stone(cell)).is_ok() && has_five(&after, position.side_to_move())
        });
        self.stones(defences).contains(&outcome.best) || four || outcome.score <= -MATE_IN_MAX_PLY
    }

    fn wins_by_threats(&self, mv: Move) -> bool {
        let mut board = engine::board(&self.game());
        board.make(mv);
        let (mut solver, stop) = (Solver::new(8 << 20), StopSignal::default());
        let defence = solver.defend(&mut board, Some(Mode::Narrow), 100_000, &stop);
        defence.is_needed == Some(true) && defence.holding.is_empty() && defence.unclear.is_empty()
    }

    fn stones(&self, points: &[(usize, usize)]) -> Vec<Move> {
        let size = self.game().size();
        points.iter().map(|&(x, y)| Move::stone(Cell::new(x, y, size).unwrap())).collect()
    }
}

/// The lines of a kind, with the search's answer to each.
fn answers(kind: &str, limit: u64) -> impl Iterator<Item = (TacticLine, Outcome)> {
    let lines: Vec<TacticLine> = corpus("tactics.jsonl");
    let kind = kind.to_string();
    lines.into_iter().filter(move |line| line.kind == kind).map(move |line| {
        let outcome = run(&line.game(), nodes(limit));
        (line, outcome)
    })
}

#[test]
fn a_five_is_played_at_once() {
    for (line, outcome) in answers("win1", 100) {
        let best = line.stones(line.best.as_deref().unwrap());
        if best.is_empty() {
            // A row that looks like a win and is none.
            assert_ne!(outcome.score, MATE - 1, "{}", line.id);
            continue;
        }
        assert!(best.contains(&outcome.best), "{}: {:?}", line.id, outcome.best);
        assert_eq!(outcome.score, MATE - 1, "{}", line.id);
    }
}

#[test]
fn wins_by_fours_are_found() {
    for (line, outcome) in answers("vcf", 300_000) {
        assert!(outcome.score >= MATE_IN_MAX_PLY, "{}: {}", line.id, outcome.score);
    }
}

#[test]
fn threats_are_answered() {
    // Half a second: a search leaves moves out, and at a third of these nodes one line is left to a win by nine fours.
    for (line, outcome) in answers("must_block", 300_000) {
        if line.only_defences.is_some() {
            assert!(line.is_right(&outcome), "{}: {:?}", line.id, outcome.best);
        }
    }
}

/// The best move within a second for 98 % of the lines that have one. For an optimized build, on an idle machine.
#[test]
#[ignore = "ten seconds, but a matter of speed"]
fn best_moves_come_within_a_second() {
    let limits = Limits { turn: Some(Duration::from_secs(1)), ..Limits::default() };
    let lines: Vec<TacticLine> = corpus("tactics.jsonl");
    let lines = lines.iter().filter(|line| {
        matches!(&*line.kind, "win1" | "vcf" | "vct") && line.best.as_deref() != Some(&[])
            || line.only_defences.is_some()
    });
    let (mut all, mut right) = (0, 0);
    for line in lines {
        let outcome = run(&line.game(), limits);
        all += 1;
        if line.is_right(&outcome) {
            right += 1;
        } else {
            println!("{}: {:?}, {}", line.id, outcome.best, outcome.score);
        }
    }
    println!("{right} of {all}");
    assert!(all > 40 && right * 100 >= all * 98);
}

// Brute force.

/// A random position of a small board, in which the game goes on.
fn small_position(rng: &mut Rng, rule: Rule) -> Option<GameRecord> {
    let size = Size::new(5 + rng.below(3) as i64).unwrap();
    let mut pieces = Vec::new();
    for cell in size.cells() {
        // Few empty points keep brute force short.
        if rng.percent(match size.get() {
            5 => 56,
            6 => 70,
            _ => 80,
        }) {
            let color = if rng.percent(50) { Color::Black } else { Color::White };
            pieces.push((cell, if rng.percent(6) { Piece::Blocked } else { Piece::Stone(color) }));
        }
    }
    let to_move = if rng.percent(50) { Color::Black } else { Color::White };
    let game = GameRecord::with_setup(rule, size, Setup { pieces, to_move });
    let position = Position::from_record(&game).ok()?;
    (position.status() == Status::Ongoing).then_some(game)
}

/// Every win or loss in at most five plies that the search announces is one.
fn announced_mates_are_real(rule: Rule, wanted: usize) {
    let mut rng = Rng::new(77 + rule as u64);
    let mut checked = 0;
    while checked < wanted {
        let Some(game) = small_position(&mut rng, rule) else { continue };
        let outcome = run(&game, depth(4));
        let plies = (MATE - outcome.score.abs()) as usize;
        if outcome.score.abs() < MATE_IN_MAX_PLY || plies > 5 {
            continue;
        }
        let position = Position::from_record(&game).unwrap();
        let real =
            if outcome.score > 0 { forces_win(&position, plies) } else { cannot_escape(&position, plies) };
        assert!(real, "{rule}: {} in {plies} claimed for {game:?}", outcome.score);
        checked += 1;
    }
}

#[test]
fn announced_mates_are_real_in_freestyle_and_standard() {
    announced_mates_are_real(Rule::Freestyle, 40);
    announced_mates_are_real(Rule::Standard, 40);
}

#[test]
fn announced_mates_are_real_in_renju() {
    announced_mates_are_real(Rule::Renju, 40);
}

#[test]
fn announced_mates_are_real_in_caro() {
    announced_mates_are_real(Rule::Caro, 40);
    announced_mates_are_real(Rule::CaroFive, 40);
}

#[test]
fn announced_mates_are_real_with_the_half_stone() {
    announced_mates_are_real(Rule::HalfStone, 60);
}

// Against itself.

const MIDDLE_GAME: &str = "h8 i9 i8 g8 h9 h10 g10 j7 i10 f11";

fn game(rule: Rule, moves: &str) -> GameRecord {
    let mut game = GameRecord::new(rule, Size::STANDARD);
    parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
    game
}

#[test]
fn the_same_nodes_give_the_same_result() {
    for rule in Rule::ALL {
        let game = game(rule, MIDDLE_GAME);
        assert_eq!(run(&game, nodes(20_000)), run(&game, nodes(20_000)), "{rule}");
    }
}

#[test]
fn several_threads_agree_on_what_is_forced_and_tell_the_line_that_they_play() {
    let settings = Settings { threads: 4, ..Settings::default() };
    for rule in Rule::ALL {
        // White's four e8-h8 with d8 taken (under caro other points stop it, too), and a middle game.
        for (moves, expected) in [("d8 e8 a1 f8 c1 g8 e1 h8", Some("i8")), (MIDDLE_GAME, None)] {
            let game = game(rule, moves);
            let table = Table::new(4 << 20);
            let (mut told, mut most) = (None, 0);
            let stop = StopSignal::default();
            let found = search(&engine::board(&game), &table, &nodes(20_000), settings, &stop, |iteration| {
                told = Some((iteration.lines[0].pv[0], iteration.lines[0].score));
                assert!(iteration.nodes >= most);
                most = iteration.nodes;
            });
            let found = found.unwrap();
            assert_eq!(told, Some((found.best, found.score)), "{rule}");
            assert!(found.nodes >= most && found.nodes <= 20_000 + 4 * 200, "{rule}: {} nodes", found.nodes);
            if let Some(expected) = expected.filter(|_| rule != Rule::CaroFive && rule != Rule::Caro) {
                // Under the half-stone rule the half stone stops a four there as well as a stone does.
                let expected = parse_moves(expected, game.size()).unwrap()[0];
                assert_eq!(found.best.cell(), expected.cell(), "{rule}");
                assert!(found.best == expected || rule == Rule::HalfStone, "{rule}");
            }
        }
    }
}

#[test]
fn after_the_half_stone_the_search_is_that_of_freestyle_with_a_wall() {
    let played = game(Rule::HalfStone, "h8 i9 i8 g8 h9 h10 *g10 j7 i10 f11");
    let mut pieces: Vec<(Cell, Piece)> = played.pieces().collect();
    for (_, piece) in &mut pieces {
        if *piece == Piece::Half {
            *piece = Piece::Blocked;
        }
    }
    let walled = GameRecord::with_setup(
        Rule::Freestyle,
        played.size(),
        Setup { pieces, to_move: played.side_to_move() },
    );
    // The last two moves count for ordering: play them on both.
    let (mut played, mut walled) = (played, walled);
    for mv in parse_moves("j9 k8", Size::STANDARD).unwrap() {
        played.push(mv);
        walled.push(mv);
    }
    // The evaluations of the two rules are fitted apart; everything else is to be the same.
    let walled = Board::from_record_with_points(&walled, eval::points(Rule::HalfStone));
    assert_eq!(run(&played, depth(6)), run_on(&walled, depth(6)));
}

#[test]
fn a_forced_move_comes_at_once_without_time() {
    // White's four e8–h8 with d8 taken: i8 or nothing.
    let game = game(Rule::Freestyle, "d8 e8 a1 f8 c1 g8 e1 h8");
    let limits = Limits { turn: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(run(&game, limits).best, parse_moves("i8", Size::STANDARD).unwrap()[0]);
}

#[test]
fn a_win_is_played_out_to_the_end() {
    let rows: Vec<TacticLine> = corpus("tactics.jsonl");
    for line in rows.iter().filter(|line| line.kind == "vcf").take(6) {
        let mut game = line.game();
        let winner = game.side_to_move();
        let mut last = i32::MAX;
        let end = (0..60).try_for_each(|_| {
            let outcome = run(&game, nodes(300_000));
            if game.side_to_move() == winner {
                let plies = MATE - outcome.score;
                assert!(
                    outcome.score >= MATE_IN_MAX_PLY && plies < last,
                    "{}: {plies} after {last}",
                    line.id
                );
                last = plies;
            }
            game.push(outcome.best);
            let status = Position::from_record(&game).unwrap().status();
            if status.is_over() { ControlFlow::Break(status) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(end, ControlFlow::Break(status) if status.winner() == Some(winner)), "{}", line.id);
    }
}
