//! Random positions and games, compared with an independent reference written in Python.
//!
//! The reference is not part of this repository. It is looked for in the file that the environment variable
//! `HALFSTONE_ORACLE` names, or else in `shared/tools/oracle.py` beside the repository; without it, or without
//! `python3`, the comparison is skipped and says so. `HALFSTONE_ORACLE_ROUNDS` multiplies the number of cases.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use halfstone::rules::{IllegalMove, Position, Status, WinReason};
use halfstone::types::{Color, Move, Rule, Size};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::{draw, position};

/// Loads the reference from the file named first, then answers each line of JSON with one.
const DRIVER: &str = r#"
import importlib.util, json, sys
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location('oracle', sys.argv[1])
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)

def forbidden(q):
    board = oracle.Board.from_rows(q['rows'])
    return sorted([p[0], p[1], kinds] for p, kinds in oracle.all_forbidden(board).items())

def fives(q):
    board = oracle.Board.from_rows(q['rows'])
    found = []
    for p in board.points(oracle.EMPTY):
        with oracle.put(board, p, q['color']):
            if oracle.wins(board, p, q['rule']):
                found.append(p)
    return sorted(found)

def game(q):
    g = oracle.HalfStoneGame(oracle.Board(q['size']))
    answers = []
    for x, y, half in q['moves']:
        try:
            g.play((x, y), half)
            answers.append([g.result, g.reason])
        except ValueError:
            answers.append(['illegal', None])
    return {'answers': answers, 'rows': g.board.rows()}

for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps(globals()[q['ask']](q)), flush=True)
"#;

/// The reference's file; prints why if there is none.
fn oracle_file() -> Option<PathBuf> {
    let file = match std::env::var_os("HALFSTONE_ORACLE") {
        Some(file) => PathBuf::from(file),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/tools/oracle.py"),
    };
    if !file.is_file() {
        println!("skipped: no reference at {} (HALFSTONE_ORACLE names another file)", file.display());
        return None;
    }
    if let Err(e) = Command::new("python3").arg("--version").output() {
        println!("skipped: python3 does not start: {e}");
        return None;
    }
    Some(file)
}

/// What the reference answers to these questions, in order; `None`, and a line that says why, if there is none.
fn ask<T: DeserializeOwned>(questions: &[Value]) -> Option<Vec<T>> {
    let file = oracle_file()?;
    let mut python = Command::new("python3")
        .args(["-c", DRIVER])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    let output = BufReader::new(python.stdout.take().unwrap());
    let answers = std::thread::scope(|scope| {
        // Written from a thread of its own, so that neither side waits for the other with a full pipe.
        scope.spawn(move || {
            for question in questions {
                // A reference that has died is reported below.
                if writeln!(input, "{question}").is_err() {
                    return;
                }
            }
        });
        output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect::<Vec<T>>()
    });
    assert!(python.wait().unwrap().success(), "the reference failed");
    assert_eq!(answers.len(), questions.len());
    println!("compared {} cases with the reference", answers.len());
    Some(answers)
}

fn rounds() -> usize {
    std::env::var("HALFSTONE_ORACLE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Compares, and shows the question if the two differ.
fn same<T: PartialEq + Debug>(ours: &T, theirs: &T, question: &Value) {
    assert_eq!(ours, theirs, "ours and the reference's answer to {question:#}");
}

/// A board whose points are filled by chance, each mark with its probability.
fn random_rows(random: &mut StdRng, size: usize, marks: &[(char, f64)]) -> Vec<String> {
    let mark = |random: &mut StdRng| {
        let mut at: f64 = random.random();
        for &(mark, share) in marks {
            if at < share {
                return mark;
            }
            at -= share;
        }
        '.'
    };
    (0..size).map(|_| (0..size).map(|_| mark(random)).collect()).collect()
}

#[test]
fn renju_forbidden_points_are_those_of_the_reference() {
    let mut random = StdRng::seed_from_u64(1);
    let mut questions = Vec::new();
    for round in 0..rounds() * 10 {
        for size in 5..=22 {
            // Few white stones leave room for threes inside threes; many make closed fours.
            let black = random.random_range(0.08..0.4);
            let white = if round % 2 == 0 { 0.03 } else { random.random_range(0.0..0.25) };
            let rows = random_rows(&mut random, size, &[('X', black), ('O', white), ('H', 0.005)]);
            questions.push(json!({ "ask": "forbidden", "rows": rows }));
        }
    }
    type Foul = (usize, usize, Vec<String>);
    let Some(answers) = ask::<Vec<Foul>>(&questions) else {
        return;
    };
    let mut seen = BTreeMap::new();
    for (question, answer) in questions.iter().zip(answers) {
        // The reference has no blocked points, but reads its half stone as one under renju.
        let rows: Vec<String> = rows_of(question).iter().map(|row| row.replace('H', "#")).collect();
        let position = position(Rule::Renju, &rows, Color::Black);
        let mut ours: Vec<Foul> = position
            .forbidden_points()
            .into_iter()
            .map(|cell| {
                let kinds = position.judge(cell).fouls.names().map(|name| name.replace('-', "_")).collect();
                (cell.x(), cell.y(), kinds)
            })
            .collect();
        ours.sort();
        for (_, _, kinds) in &ours {
            *seen.entry(kinds.join(" ")).or_insert(0) += 1;
        }
        same(&ours, &answer, question);
    }
    println!("forbidden points: {seen:?}");
}

fn rows_of(question: &Value) -> Vec<String> {
    serde_json::from_value(question["rows"].clone()).unwrap()
}

#[test]
fn winning_points_of_every_rule_are_those_of_the_reference() {
    let mut random = StdRng::seed_from_u64(2);
    let mut questions = Vec::new();
    let mut rules = Vec::new();
    for _ in 0..rounds() * 3 {
        for size in 5..=22 {
            for rule in Rule::ALL {
                let name = match rule {
                    Rule::Caro => "caro6",
                    Rule::CaroFive => "caro",
                    Rule::HalfStone => "halfstone",
                    _ => rule.name(),
                };
                // Much of one colour for long rows, some of the other for their ends.
                let (many, few) = (random.random_range(0.4..0.75), random.random_range(0.05..0.2));
                for (color, black, white) in [("X", many, few), ("O", few, many)] {
                    let mut rows = random_rows(&mut random, size, &[('X', black), ('O', white)]);
                    if rule == Rule::HalfStone {
                        let at = random.random_range(0..size);
                        rows[random.random_range(0..size)].replace_range(at..=at, "H");
                    }
                    questions.push(json!({ "ask": "fives", "rule": name, "color": color, "rows": rows }));
                    rules.push(rule);
                }
            }
        }
    }
    let Some(answers) = ask::<Vec<(usize, usize)>>(&questions) else {
        return;
    };
    for ((question, answer), rule) in questions.iter().zip(answers).zip(rules) {
        let color = if question["color"] == "X" { Color::Black } else { Color::White };
        let position = position(rule, &rows_of(question), color);
        let mut ours: Vec<(usize, usize)> = position
            .empty_cells()
            .filter(|&cell| position.makes_five(cell, color))
            .map(|cell| (cell.x(), cell.y()))
            .collect();
        ours.sort();
        same(&ours, &answer, question);
    }
}

/// The reference's name for what a move led to.
fn answer_name(result: Result<Status, IllegalMove>) -> (Option<String>, Option<String>) {
    let (result, reason) = match result {
        Err(_) => (Some("illegal"), None),
        Ok(Status::Ongoing) => (None, None),
        Ok(Status::Drawn) => (Some("draw"), Some("full")),
        Ok(Status::Won { winner, reason }) => {
            let reason = match reason {
                WinReason::Five => "five",
                WinReason::EarlyFive => "black_five_without_half",
                WinReason::Foul(_) => "foul",
            };
            (Some(if winner == Color::Black { "black" } else { "white" }), Some(reason))
        }
    };
    (result.map(str::to_owned), reason.map(str::to_owned))
}

#[test]
fn half_stone_games_end_as_in_the_reference() {
    #[derive(serde::Deserialize)]
    struct Answer {
        answers: Vec<(Option<String>, Option<String>)>,
        rows: Vec<String>,
    }
    let mut random = StdRng::seed_from_u64(3);
    let mut questions = Vec::new();
    let mut games = Vec::new();
    let mut endings = BTreeMap::new();
    for round in 0..rounds() * 400 {
        let size = Size::new(random.random_range(5..=if round % 4 == 0 { 15 } else { 8 })).unwrap();
        let mut position = Position::new(Rule::HalfStone, size);
        // In some games Black hardly ever places it, so that early fives and late draws come up.
        let half_share = random.random_range(0.0..0.1);
        let cells: Vec<_> = size.cells().collect();
        let (mut moves, mut ours) = (Vec::new(), Vec::new());
        let mut after_the_end = 2;
        while after_the_end > 0 {
            let cell = cells[random.random_range(0..cells.len())];
            let half = random.random_bool(half_share);
            let result = position.play(if half { Move::half(cell) } else { Move::stone(cell) });
            moves.push(json!([cell.x(), cell.y(), half]));
            ours.push(answer_name(result));
            if position.status().is_over() {
                after_the_end -= 1;
            }
        }
        *endings.entry(format!("{:?}", position.status())).or_insert(0) += 1;
        questions.push(json!({ "ask": "game", "size": size.get(), "moves": moves }));
        games.push((ours, draw(&position)));
    }
    println!("endings: {endings:?}");
    assert_eq!(endings.len(), 4, "some ending never came up");
    let Some(answers) = ask::<Answer>(&questions) else {
        return;
    };
    for ((question, answer), (ours, rows)) in questions.iter().zip(answers).zip(games) {
        same(&ours, &answer.answers, question);
        same(&rows, &answer.rows, question);
    }
}
