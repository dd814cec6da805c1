//! `solve` on the command line: its text, its JSON and its SGF tell one strategy, and that strategy wins.

use std::fs;

use halfstone::game::{GameRecord, parse_moves};
use halfstone::rules::{Position, check_win};
use halfstone::types::{Move, Rule, Size};
use serde_json::Value;

use crate::support::program::{folder, run, stderr, stdout};

/// Rule and moves; the side to move wins by fours in the first three, by threats in the others.
const WINS: [(&str, &str, Rule); 6] = [
    ("vcf", "h8 a1 i8 a3 j8 a5", Rule::Freestyle),
    ("vcf", "a1 h8 a3 i8 a5 j8 a7", Rule::Renju),
    ("vcf", "h8 a1 i8 b1 j8 c1 k8 a3", Rule::HalfStone),
    ("vct", "h8 a1 i8 b1 j9 d2 j10 f1", Rule::Freestyle),
    ("vct", "a1 h8 b1 i8 d2 j9 f1 j10 o1", Rule::Renju),
    ("vct", "h8 a1 i8 b1 j9 d2 j10 f1", Rule::Standard),
];

/// Moves of the winner and the tree, as JSON tells them.
fn steps(tree: &Value) -> Vec<(usize, Move)> {
    let step = |step: &Value| {
        let depth = step[0].as_u64().unwrap() as usize;
        let name = step[1].as_str().unwrap();
        let mv = parse_moves(name, Size::STANDARD).map_or(Move::PASS, |moves| moves[0]);
        (depth, mv)
    };
    tree.as_array().unwrap().iter().map(step).collect()
}

#[test]
fn text_json_and_sgf_tell_one_winning_strategy() {
    for (question, moves, rule) in WINS {
        let sgf = folder("solve").join(format!("{question}-{}.sgf", rule.name()));
        let path = sgf.to_str().unwrap();
        let solve = ["solve", question, moves, "--rule", rule.name(), "--check"];
        let json = stdout(&[&solve[..], &["--json", "--sgf", path]].concat(), "");
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["verdict"], "win", "{json}");
        assert!(json["checked_replies"].as_u64().unwrap() > 0, "{json}");

        let mut game = GameRecord::new(rule, Size::STANDARD);
        parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
        let tree = steps(&json["tree"]);
        check_win(&Position::from_record(&game).unwrap(), &tree, true).unwrap();

        let text = stdout(&solve, "");
        assert!(text.lines().next().unwrap().contains("wins by continuous"), "{text}");
        let (_, variations) = text.split_once("\n\n").unwrap();
        assert_eq!(variations.lines().count(), tree.len(), "{text}");

        let sgf = fs::read_to_string(&sgf).unwrap();
        let nodes = [";B[", ";W[", ";HS["].map(|name| sgf.matches(name).count());
        assert_eq!(nodes.iter().sum::<usize>(), game.moves().len() + tree.len(), "{sgf}");
        assert_eq!(sgf.matches('(').count(), sgf.matches(')').count(), "{sgf}");
    }
}

#[test]
fn defend_lists_the_moves_that_hold() {
    // Against an open three either end holds, and so does an own four that is played first.
    for (rule, moves, expected) in [
        (Rule::Freestyle, "h8 a1 i8 a3 j8", vec!["g8", "k8"]),
        (Rule::Renju, "a1 h8 a3 i8 a5 j8", vec!["a2", "a4", "g8", "k8"]),
        (Rule::Freestyle, "h8 g8 i8 a3 j8 a5 k8", vec!["l8"]),
    ] {
        let json = stdout(&["solve", "defend", moves, "--rule", rule.name(), "--json"], "");
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["threatened"], true, "{json}");
        let mut holding: Vec<&str> =
            json["holding"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        holding.sort_unstable();
        assert_eq!(holding, expected, "{moves}");
        assert_eq!(json["not_decided"], Value::Array(Vec::new()), "{json}");
    }
    let text = stdout(&["solve", "defend", "h8 a1 i8", "--rule", "freestyle"], "");
    assert_eq!(text, "black threatens no win\n");
    let (code, text) = stderr(&["solve", "vcf", "h8 a1 i8 a2 j8 a3 k8 a4 l8"], "");
    assert_eq!(code, Some(2));
    assert!(text.contains("the game is over"), "{text}");
}

#[test]
fn options_that_say_nothing_to_the_question_are_refused() {
    for (question, option) in
        [("defend", "--check"), ("defend", "--brief"), ("defend", "--sgf=x.sgf"), ("vcf", "--threats")]
    {
        let (code, text) = stderr(&["solve", question, "h8 a1 i8", option], "");
        assert_eq!(code, Some(2), "{text}");
        let name = option.split('=').next().unwrap();
        assert!(text.contains(&format!("{name} goes with ")), "{text}");
    }
}

#[test]
fn without_a_win_no_sgf_is_written_and_the_user_is_told() {
    let sgf = folder("solve-nothing").join("none.sgf");
    let output = run(&["solve", "vcf", "h8 a1", "--sgf", sgf.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("black has no win by continuous fours\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not written, no win was found"), "{output:?}");
    assert!(!sgf.exists());
}

#[test]
fn a_position_is_read_as_other_commands_read_it() {
    // The rule of moves is freestyle, or that of the half stone among them; a record must tell its own.
    let json = |moves: &str| -> Value {
        serde_json::from_str(&stdout(&["solve", "vcf", moves, "--json"], "")).unwrap()
    };
    assert_eq!(json("h8 a1")["rule"], "freestyle");
    assert_eq!(json("h8 a1 *i8")["rule"], "half-stone");
    let (code, text) = stderr(&["solve", "vcf", "-"], "h8 a1\n");
    assert!(code == Some(2) && text.contains("stdin: the record does not tell its rule"), "{text}");
    let (code, text) = stderr(&["solve", "vcf", "-", "--nth", "3", "--rule", "4"], "h8 a1\nh8 b1\n");
    assert!(code == Some(2) && text.contains("stdin: there is no game 3 among 2"), "{text}");
    // What is written tells the rule that the proof holds under.
    let sgf = folder("solve-rule").join("win.sgf");
    let sgf = sgf.to_str().unwrap();
    stdout(&["solve", "vcf", "h8 a1 i8 b1 j8 c1", "--sgf", sgf], "");
    assert!(stdout(&["check", sgf], "").contains("freestyle"));
    let (code, text) = stderr(&["solve", "vcf", "no/such.sgf"], "");
    assert!(code == Some(2) && text.contains("cannot read no/such.sgf"), "{text}");
    let (code, text) = stderr(&["solve", "vcf", "h8 z9"], "");
    assert!(code == Some(2) && text.contains("'z9'"), "{text}");
}
