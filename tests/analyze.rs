//! `shapes` and `analyze` as a user runs them, with outputs worked out by hand.

use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use crate::support::program::{folder, run, start, stderr, stdout};

/// Lines of JSON.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Black, to move, has four in a row.
const FOUR: &str = "h8 a1 i8 c1 j8 e1 k8 g1";

#[test]
fn shapes_are_told_line_by_line() {
    let threes = "\
black h8, freestyle
horizontal  live three, contiguous (连活三): g8 h8 i8, straight four at f8 j8
vertical    live three, contiguous (连活三): h9 h8 h7, straight four at h10 h6
diagonal \\  nothing
diagonal /  nothing
point       double three (三三); sente (先手)
";
    assert_eq!(stdout(&["shapes", "g8 a1 i8 c1 h7 e1 h9 g1", "h8"], ""), threes);
    // The last move of a record, from stdin.
    assert_eq!(stdout(&["shapes", "-"], "g8 a1 i8 c1 h7 e1 h9 g1 h8"), threes);
    let half = "\
black *d8, half-stone
point       half stone: dead for both sides (半子); black can now make five at i8; absolute sente (绝对先手)
";
    assert_eq!(stdout(&["shapes", "--rule", "32", "e8 a1 f8 c1 g8 e1 h8 g1", "*d8"], ""), half);
    // The game of the samples ends with five white stones on row 9; five before, white made a three there.
    let last = stdout(&["shapes", "demo.pgn"], "");
    assert!(last.starts_with("white e9, half-stone\nhorizontal  five (五连): e9 f9 g9 h9 i9\n"), "{last}");
    assert!(last.ends_with("makes five and wins (成五胜)\n"), "{last}");
    let foul = stdout(&["shapes", "renju.txt"], "");
    assert!(foul.contains("forbidden and loses: double three (三三禁手，判负)"), "{foul}");
}

#[test]
fn shapes_are_told_to_programs() {
    let text = stdout(&["shapes", "--json", "e8 d8 f8 a1 g8 c1", "h8"], "");
    let four = json!({
        "kind": "closed-four", "english": "four", "chinese": "冲四", "gaps": 0,
        "stones": ["e8", "f8", "g8", "h8"], "next": ["i8"], "wins": false,
    });
    let expected = json!({
        "move": "h8", "color": "black", "rule": "freestyle", "size": 15,
        "lines": [
            { "direction": "horizontal", "shapes": [four] },
            { "direction": "vertical", "shapes": [] },
            { "direction": "falling", "shapes": [] },
            { "direction": "rising", "shapes": [] },
        ],
        "combinations": [], "consequence": null, "fouls": [], "five_beats_foul": false,
        "sente": "absolute sente", "dormant": false, "wakes": [],
    });
    assert_eq!(objects(&text), [expected]);
}

#[test]
fn errors_name_the_bad_token() {
    let off = "(allowed: columns a to o, rows 1 to 15)";
    for (arguments, message) in [
        (
            &["shapes", "h8", "x"][..],
            "'x' at column 1 is not a move (allowed: a point such as h8, *h8 for the half stone, -- for a pass)"
                .to_owned(),
        ),
        (&["shapes", "h8", "h8"], "h8: the point is taken".to_owned()),
        (&["shapes", "h8", "--nth", "2", "i9"], "position: there is no game 2 among 1".to_owned()),
        (&["shapes", "h8", "--at", "9"], "--at 9 (allowed: 0 to 1, the moves of the game)".to_owned()),
        (&["analyze", "h8 i9", "--at", "3"], "position: --at 3 (allowed: 0 to 2, the moves of the game)".to_owned()),
        (&["shapes", "empty"], "position: there is no move to name".to_owned()),
        (
            &["shapes", "h8 --"],
            "'--' makes no shape (allowed: a point such as h8, *h8 for the half stone)".to_owned(),
        ),
        (&["analyze", "no.sgf"], "cannot read no.sgf: No such file or directory (os error 2)".to_owned()),
        (
            &["analyze", "h8", "i9 p1"],
            format!(
                "there is no file of this name, and as text it cannot be read: line 1, column 4: 'p1' is off the \
                 board {off}"
            ),
        ),
        (&["analyze", "h8 h8"], "position:1: move 2, h8: the point is taken".to_owned()),
        (&["analyze", "renju.txt", "--game", "--graph", "x.svg"], "a graph shows one game, but there are 4".to_owned()),
    ] {
        assert_eq!(stderr(arguments, ""), (Some(2), format!("pbrain-halfstone: {message}\n")));
    }
    for arguments in [
        &["analyze"][..],
        &["analyze", "h8", "--time", "never"],
        &["analyze", "h8", "--rule", "go"],
        &["analyze", "h8", "--graph", "x.svg"],
        &["analyze", "h8", "--lines", "0"],
    ] {
        let (code, text) = stderr(arguments, "");
        assert!(code == Some(2) && text.starts_with("error: "), "{arguments:?} {text}");
    }
}

#[test]
fn a_win_on_the_spot_is_found_and_named() {
    let text = stdout(&["analyze", FOUR, "-n", "1000"], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1. position: freestyle 15x15, 8 moves, black to move");
    assert!(lines[1].starts_with("depth 0-0 line 1 score +M1 win 100.0% nodes 0 nps 0 time "), "{text}");
    assert!(lines[1].ends_with(" pv g8") || lines[1].ends_with(" pv l8"), "{text}");
    assert!(lines[2].ends_with(" score +M1 win 100.0%: five 五连; makes five and wins (成五胜)"), "{text}");
    assert_eq!(lines.len(), 3);

    let over = stdout(&["analyze", "h8 a1 i8 c1 j8 e1 k8 g1 l8"], "");
    assert!(over.ends_with("white to move\nthe game is over: black has won\n"), "{over}");
}

#[test]
fn several_lines_for_programs() {
    let text = stdout(&["analyze", "--json", "-l", "3", "-d", "2", "h8 i9", FOUR], "");
    let all = objects(&text);
    let of = |kind: &str, position: u64| -> Vec<&Value> {
        all.iter().filter(|object| object["type"] == kind && object["position"] == position).collect()
    };
    assert_eq!((of("position", 1).len(), of("line", 1).len(), of("best", 1).len()), (1, 6, 1));
    let lines = of("line", 1);
    let numbers: Vec<(u64, u64)> = lines
        .iter()
        .map(|line| (line["depth"].as_u64().expect("a number"), line["line"].as_u64().expect("a number")))
        .collect();
    assert_eq!(numbers, [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
    // The best move is that of the last iteration's first line, and its shapes are its own.
    let best = of("best", 1)[0];
    assert_eq!((&best["move"], &best["score"]), (&lines[3]["pv"][0], &lines[3]["score"]));
    assert_eq!(best["shapes"]["move"], best["move"]);
    let won = of("best", 2)[0];
    assert_eq!(
        (&won["mate"], &won["win_rate"], &won["shapes"]["consequence"]),
        (&json!(1), &json!(1.0), &json!("wins"))
    );
}

#[test]
fn the_table_is_redrawn_in_place_and_rows_never_wrap() {
    let text = stdout(&["analyze", "h8 i9", "-l", "2", "-d", "3", "--table", "always"], "");
    assert!(text.contains("\x1b[4A\x1b[Jdepth 3-"), "{text}");
    assert!(text.contains("\n #   score     win  variation\n 1 "), "{text}");
    for row in text.lines().filter(|row| !row.starts_with("1. ") && !row.starts_with("best ")) {
        assert!(row.trim_start_matches("\x1b[4A\x1b[J").chars().count() < 60, "{row}");
    }
    assert!(!stdout(&["analyze", "h8 i9", "-d", "1"], "").contains('\x1b'));
}

#[test]
fn a_whole_game_marks_the_missed_win() {
    let folder = folder("analyze");
    let graph = folder.join("graph.svg");
    let graph_name = graph.to_str().expect("the path is text");
    // Black has an open three and plays elsewhere, then comes back to it and wins.
    let game = "h8 a1 i8 o1 j8 a13 o13 c2 k8 e2 l8";
    let text = stdout(&["analyze", "--json", "--game", game, "-n", "300", "--graph", graph_name], "");
    let all = objects(&text);
    assert_eq!(all[0]["type"], "game");
    let moves: Vec<&Value> = all.iter().filter(|object| object["type"] == "move").collect();
    assert_eq!(moves.len(), 11);
    let at = |number: usize| moves[number - 1];
    // A straight four next wins in three plies, and five after whatever White does.
    assert_eq!((&at(7)["mate_before"], &at(7)["missed_win"]), (&json!(3), &json!(true)));
    assert!(at(7)["mistake"].is_string() && at(7)["mate_after"].is_null());
    // White does not see to it.
    assert_eq!(at(8)["mate_after"], json!(-3));
    assert_eq!(
        (&at(9)["mate_before"], &at(9)["mate_after"], &at(9)["mistake"]),
        (&json!(3), &json!(2), &Value::Null)
    );
    assert_eq!(
        (&at(10)["mate_before"], &at(10)["mate_after"], &at(10)["loss"]),
        (&json!(-2), &json!(-1), &json!(0.0))
    );
    assert_eq!((&at(11)["mate_before"], &at(11)["score_after"]), (&json!(1), &json!(30_000)));
    let summaries: Vec<&Value> = all.iter().filter(|object| object["type"] == "summary").collect();
    assert_eq!((&summaries[0]["color"], &summaries[0]["moves"]), (&json!("black"), &json!(6)));
    assert_eq!(summaries[0]["missed_wins"], 1);

    let svg = fs::read_to_string(&graph).expect("the graph was written");
    assert!(svg.starts_with("<svg ") && svg.contains("Black's chances by move"), "{svg}");
    // Five levels, eleven steps, and a disc for each mistake.
    let mistakes = moves.iter().filter(|mv| mv["mistake"].is_string()).count();
    assert_eq!((svg.matches("<path").count(), svg.matches("<circle").count()), (5 + 11, mistakes));

    let plain = stdout(&["analyze", "--game", game, "-n", "300"], "");
    let line = plain.lines().find(|line| line.starts_with("  7 black o13 ")).expect("there is a move 7");
    assert!(line.contains(" +M3 -> ") && line.contains("a proven win is missed"), "{plain}");
    assert!(plain.contains("\nthe game is over: black has won\nblack: 6 moves, "), "{plain}");
    // The same again: nothing depends on the clock.
    assert_eq!(stdout(&["analyze", "--game", game, "-n", "300"], ""), plain);
}

#[test]
fn whoever_has_seen_enough_may_go() {
    let mut child = start(&["analyze", "h8 i9", "-n", "50000"]);
    let mut out = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line comes");
    assert_eq!(line, "1. position: freestyle 15x15, 2 moves, black to move\n");
    drop(out);
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(run(&["analyze", "h8", "--help"], "").status.success());
}
