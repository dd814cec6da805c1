//! Every line of the corpora in `tests/data/cases` that the rules, with plain search on top, can decide.

use std::collections::BTreeMap;
use std::time::Instant;

use halfstone::rules::{Fouls, IllegalMove, Position, Status, WinReason};
use halfstone::types::{Cell, Color, Move, Rule, Size};
use serde::Deserialize;

use crate::support::vcf::{GaveUp, Solver, UNLIMITED, four_points, has_five};
use crate::support::{color, corpus, move_names, names, point, position};

// Renju's forbidden points.

#[derive(Deserialize)]
struct ForbiddenLine {
    id: String,
    board: Vec<String>,
    forbidden: Vec<(usize, usize)>,
    kinds: BTreeMap<String, Vec<String>>,
    legal_notable: BTreeMap<String, String>,
}

fn foul_names(fouls: Fouls) -> Vec<String> {
    fouls.names().map(|name| name.replace('-', "_")).collect()
}

#[test]
fn forbidden_points_are_exactly_those_of_the_corpus() {
    for line in corpus::<ForbiddenLine>("forbidden.jsonl") {
        let id = &line.id;
        let position = position(Rule::Renju, &line.board, Color::Black);
        let size = position.size();

        let expected = line.forbidden.iter().map(|&(x, y)| Cell::new(x, y, size).unwrap());
        let found = position.forbidden_points();
        assert_eq!(names(found.iter().copied(), size), names(expected, size), "{id}");

        assert_eq!(line.kinds.len(), found.len(), "{id}");
        for (at, kinds) in &line.kinds {
            assert_eq!(&foul_names(position.judge(point(at, size)).fouls), kinds, "{id} {at}");
        }
        for (at, why) in &line.legal_notable {
            let judgement = position.judge(point(at, size));
            assert!(!judgement.is_forbidden(), "{id} {at}");
            match why.as_str() {
                "five_first" => assert!(judgement.five, "{id} {at}"),
                "false_double_three" => assert!(judgement.apparent_threes >= 2, "{id} {at}"),
                _ => panic!("{id}: unknown reason {why}"),
            }
        }
    }
}

// The half stone.

#[derive(Deserialize)]
struct HalfStoneLine {
    id: String,
    side: String,
    half_placed: bool,
    half_point: Option<String>,
    board: Vec<String>,
    checks: Vec<Check>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Check {
    Sequence {
        moves: Vec<NamedMove>,
        result: String,
        reason: Option<String>,
    },
    #[serde(rename = "wins_in_1")]
    WinsIn1 {
        moves: Vec<NamedMove>,
    },
    #[serde(rename = "loses_in_1")]
    LosesIn1 {
        moves: Vec<NamedMove>,
    },
    #[serde(rename = "win_in_2")]
    WinIn2 {
        value: bool,
        moves: Option<Vec<NamedMove>>,
        half_anywhere_except: Option<Vec<String>>,
    },
    Threatened {
        value: bool,
    },
    MustDefend {
        moves: Vec<NamedMove>,
    },
    Lost {
        value: bool,
    },
}

#[derive(Debug, Deserialize)]
struct NamedMove(String, String);

impl NamedMove {
    fn read(&self, size: Size) -> Move {
        match self.1.as_str() {
            "stone" => Move::stone(point(&self.0, size)),
            "half" => Move::half(point(&self.0, size)),
            kind => panic!("unknown kind of move {kind}"),
        }
    }
}

/// The position after a legal move.
fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play(mv).unwrap();
    next
}

fn moves_where(position: &Position, good: impl Fn(Move, &Position) -> bool) -> Vec<String> {
    let moves = position.legal_moves().into_iter().filter(|&mv| good(mv, &after(position, mv)));
    move_names(moves, position.size())
}

/// Whether the side to move has a move that wins at once.
fn wins_now(position: &Position) -> bool {
    let side = position.side_to_move();
    !position.status().is_over()
        && position.legal_moves().into_iter().any(|mv| {
            // Only an ordinary stone can win, so that most moves need not be played.
            !mv.is_half() && mv.cell().is_some_and(|cell| position.would_win(cell, side))
        })
}

/// Whether the side to move loses whatever it does: each move loses at once, or to the answer.
fn lost_in_two(position: &Position) -> bool {
    let side = position.side_to_move();
    !position.status().is_over()
        && position.legal_moves().into_iter().all(|mv| loses_to_next_move(side, &after(position, mv)))
}

/// Whether `side`, whose move led to `next`, has lost or loses to the next move.
fn loses_to_next_move(side: Color, next: &Position) -> bool {
    next.status().winner() == Some(!side) || wins_now(next)
}

fn check_half_stone(id: &str, position: &Position, check: &Check) {
    let size = position.size();
    let side = position.side_to_move();
    let expected = |moves: &[NamedMove]| move_names(moves.iter().map(|mv| mv.read(size)), size);
    match check {
        Check::Sequence { moves, result, reason } => {
            check_sequence(id, position, moves, result, reason.as_deref());
        }
        Check::WinsIn1 { moves } => {
            let found = moves_where(position, |_, next| next.status().winner() == Some(side));
            assert_eq!(found, expected(moves), "{id} wins_in_1");
        }
        Check::LosesIn1 { moves } => {
            let found = moves_where(position, |_, next| next.status().winner() == Some(!side));
            assert_eq!(found, expected(moves), "{id} loses_in_1");
        }
        Check::WinIn2 { value, moves, half_anywhere_except } => {
            let found = moves_where(position, |_, next| lost_in_two(next));
            let expected = match (moves, half_anywhere_except) {
                (Some(moves), None) => expected(moves),
                (None, Some(except)) => {
                    let except: Vec<Cell> = except.iter().map(|at| point(at, size)).collect();
                    let good = position.empty_cells().filter(|cell| !except.contains(cell));
                    move_names(good.map(Move::half), size)
                }
                _ => panic!("{id}: win_in_2 needs one list of moves"),
            };
            assert_eq!(found, expected, "{id} win_in_2");
            assert_eq!(!found.is_empty(), *value, "{id} win_in_2");
        }
        Check::Threatened { value } => {
            assert_eq!(wins_now(&after(position, Move::PASS)), *value, "{id} threatened");
        }
        Check::MustDefend { moves } => {
            let found = moves_where(position, |_, next| !loses_to_next_move(side, next));
            assert_eq!(found, expected(moves), "{id} must_defend");
        }
        Check::Lost { value } => assert_eq!(lost_in_two(position), *value, "{id} lost"),
    }
}

fn check_sequence(id: &str, position: &Position, moves: &[NamedMove], result: &str, reason: Option<&str>) {
    let mut position = position.clone();
    let mut last = Ok(position.status());
    for (i, mv) in moves.iter().enumerate() {
        last = position.play(mv.read(position.size()));
        assert!(last.is_ok() || i + 1 == moves.len(), "{id}: move {} is illegal", i + 1);
    }
    let found = match last {
        Err(_) => ("illegal", None),
        Ok(Status::Ongoing) => ("none", None),
        Ok(Status::Drawn) => ("draw", None),
        Ok(Status::Won { winner, reason }) => {
            let reason = match reason {
                WinReason::Five => "five",
                WinReason::EarlyFive => "black_five_without_half",
                WinReason::Foul(_) => "foul",
            };
            (if winner == Color::Black { "black" } else { "white" }, Some(reason))
        }
    };
    assert_ne!(last, Err(IllegalMove::OffBoard), "{id}");
    assert_eq!(found, (result, reason), "{id} {moves:?}");
}

#[test]
fn half_stone_lines_hold_by_brute_force() {
    let mut checks = 0;
    for line in corpus::<HalfStoneLine>("halfstone.jsonl") {
        let position = position(Rule::HalfStone, &line.board, color(&line.side));
        assert_eq!(position.half_in_hand(), !line.half_placed, "{}", line.id);
        if let Some(at) = &line.half_point {
            let piece = position.piece(point(at, position.size()));
            assert_eq!(piece, Some(halfstone::types::Piece::Half), "{}", line.id);
        }
        for check in &line.checks {
            check_half_stone(&line.id, &position, check);
            checks += 1;
        }
    }
    println!("{checks} checks of half-stone positions hold");
}

// Tactics.

#[derive(Deserialize)]
struct TacticLine {
    id: String,
    rule: i64,
    board: Vec<String>,
    side: String,
    kind: String,
    vcf: Option<usize>,
    opponent_vcf: Option<usize>,
    #[serde(default)]
    vcf_first_moves: Vec<(usize, usize)>,
    only_defences: Option<Vec<(usize, usize)>>,
    best: Option<Vec<(usize, usize)>>,
    tags: Vec<String>,
}

/// Positions that the solver looks at before a line is called too slow.
const NODE_LIMIT: u64 = 400_000;

#[test]
fn tactical_lines_hold_by_the_naive_solver() {
    let mut too_slow = Vec::new();
    let lines: Vec<TacticLine> = corpus("tactics.jsonl");
    for line in &lines {
        let start = Instant::now();
        if check_tactic(line).is_err() {
            too_slow.push(line.id.as_str());
        }
        if std::env::var_os("CORPORA_TIMES").is_some() {
            println!("{} {} {:?}", line.id, line.kind, start.elapsed());
        }
    }
    assert!(too_slow.len() * 20 <= lines.len(), "the naive solver says little: {too_slow:?}");
    println!(
        "{} of {} tactical lines decided; too slow: {too_slow:?}",
        lines.len() - too_slow.len(),
        lines.len()
    );
}

fn check_tactic(line: &TacticLine) -> Result<(), GaveUp> {
    let id = &line.id;
    let rule = Rule::from_info(line.rule).unwrap();
    let side = color(&line.side);
    let position = position(rule, &line.board, side);
    let size = position.size();
    let listed =
        |points: &[(usize, usize)]| names(points.iter().map(|&(x, y)| Cell::new(x, y, size).unwrap()), size);
    let mut solver = Solver::new(NODE_LIMIT);

    // The side to move.
    if let Some(best) = &line.best {
        let wins = position.empty_cells().filter(|&cell| position.would_win(cell, side));
        assert_eq!(names(wins, size), listed(best), "{id} best");
    }
    match line.vcf {
        None => assert!(!solver.wins(&position, UNLIMITED)?, "{id} has a VCF"),
        Some(length) => {
            assert!(!solver.wins(&position, length - 1)?, "{id} has a shorter VCF");
            assert!(solver.wins(&position, length)?, "{id} has no VCF of {length}");
        }
    }
    if line.kind == "vcf" {
        let mut first_moves = Vec::new();
        for cell in four_points(&position, side) {
            if solver.wins_by(&position, cell, UNLIMITED)? {
                first_moves.push(cell);
            }
        }
        assert_eq!(names(first_moves, size), listed(&line.vcf_first_moves), "{id} vcf_first_moves");
    }

    // The opponent, if he were to move.
    let passed = after(&position, Move::PASS);
    match line.opponent_vcf {
        None => assert!(!solver.wins(&passed, UNLIMITED)?, "{id}: the opponent has a VCF"),
        Some(length) => {
            assert!(!solver.wins(&passed, length - 1)?, "{id}: the opponent has a shorter VCF");
            assert!(solver.wins(&passed, length)?, "{id}: the opponent has no VCF of {length}");
        }
    }
    if line.kind == "must_block" {
        check_defences(line, &position, &mut solver)?;
    }
    Ok(())
}

/// Exactly the listed quiet moves leave the opponent no VCF.
fn check_defences(line: &TacticLine, position: &Position, solver: &mut Solver) -> Result<(), GaveUp> {
    let id = &line.id;
    let size = position.size();
    let side = position.side_to_move();
    let listed: Vec<Cell> =
        line.only_defences.iter().flatten().map(|&(x, y)| Cell::new(x, y, size).unwrap()).collect();
    assert_eq!(listed.is_empty(), line.tags.iter().any(|tag| tag == "no_defence"), "{id}");
    for mv in position.legal_moves() {
        let next = after(position, mv);
        let cell = mv.cell().unwrap();
        let holds = !next.status().is_over() && !solver.wins(&next, UNLIMITED)?;
        let at = cell.text(size);
        if listed.contains(&cell) {
            assert!(holds, "{id}: {at} is no defence");
        } else if holds {
            // An own four may come first; whatever else holds must be listed.
            assert!(has_five(&next, side), "{id}: {at} is a defence that is not listed");
        }
    }
    Ok(())
}
