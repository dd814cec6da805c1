//! A person's game against the engine, through a pipe.

use std::fs;

use crate::support::program::{folder, run, stderr, stdout};

/// What is said, without the rows of the board.
fn said(arguments: &[&str], input: &str) -> Vec<String> {
    let text = stdout(&[&["play"], arguments].concat(), input);
    let board = |line: &&str| line.starts_with("    A B") || line.contains(['┼', '┬', '┴']);
    text.lines().filter(|line| !board(line)).map(str::to_owned).collect()
}

#[test]
fn what_cannot_be_read_or_played_changes_nothing() {
    let lines = said(
        &["--color", "black", "--level", "1"],
        "undo\nh8\nfoo\nh8\n*i9\nj99\nc1 c2\nsave\nresign\nb2\nresign\nundo\nundo\nquit\nh8\n",
    );
    let help = "help lists the commands.";
    let expected = [
        "freestyle, 15x15. You play black. Type help for the commands.",
        "There is no move of yours to take back.",
        "You play h8: no shape",
        "I play ",
        &format!(
            "'foo' at column 1 is not a move (allowed: a point such as h8, *h8 for the half stone, -- for a pass); \
             {help}"
        ),
        "h8: the point is taken.",
        "*i9: there is no half stone under the rule freestyle.",
        &format!(
            "'j99' at column 1 is off the board (allowed on size 15: columns a to o, rows 1 to 15); {help}"
        ),
        "One move at a time: 'c1 c2' holds 2.",
        "save needs the name of a file.",
        "black resigns: white has won.",
        "undo, save FILE or quit?",
        "The game is over; undo takes the resignation back.",
        "The game is over.",
        "The resignation is taken back.",
        "Taken back: 2 moves.",
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line == expected || expected == "I play " && line.starts_with(expected), "{lines:#?}");
    }
}

#[test]
fn the_engine_begins_when_the_person_is_white() {
    let lines =
        said(&["--color", "WHITE", "--rule", "half-stone", "--size", "9", "--level", "1"], "hint\n--\n");
    assert_eq!(lines[0], "half-stone, 9x9. You play white. Type help for the commands.");
    assert!(lines[1].starts_with("I play "), "{lines:#?}");
    assert!(lines[2].starts_with("I would play ") && lines[2].contains(", score "), "{lines:#?}");
    assert_eq!(lines[3], "You play --: no shape");
    // The end of the input ends the game.
    assert!(lines[4].starts_with("I play ") && lines.len() == 5, "{lines:#?}");
}

#[test]
fn a_saved_game_can_be_read_again() {
    let folder = folder("person");
    let file = folder.join("game.sgf");
    let name = file.to_str().expect("the path is text");
    let save = format!("*e5\nsave {name}\nresign\nsave {name}\n");
    let lines = said(&["--color", "black", "--rule", "32", "--size", "9", "--level", "1"], &save);
    assert_eq!(lines.iter().filter(|line| **line == format!("Saved to {name} (sgf).")).count(), 2);
    let text = fs::read_to_string(&file).expect("the game was written");
    assert!(
        text.contains("PB[person]") && text.contains("PW[halfstone]") && text.contains("HS[ee]"),
        "{text}"
    );
    let checked = stdout(&["check", name], "");
    assert!(checked.ends_with(": half-stone 9x9, 2 moves: unfinished, black to move\n"), "{checked}");

    // Another game does not write over it, unless told to.
    let lines =
        said(&["--color", "black", "--level", "1"], &format!("save {name}\nsave! {name}\nsave /no/such\n"));
    assert_eq!(lines[1], format!("{name} exists; save! {name} writes over it."));
    assert_eq!(lines[2], format!("Saved to {name} (sgf)."));
    assert!(lines[3].starts_with("Not saved: cannot write /no/such"), "{lines:#?}");
}

#[test]
fn the_board_shows_both_moves() {
    let text = stdout(&["play", "--color", "black", "--level", "1", "--size", "6"], "c3\nboard\n");
    let row = text.lines().rev().find(|line| line.starts_with(" 3 ")).expect("there is a row 3");
    assert!(row.contains('●') && text.matches('○').count() >= 2, "{text}");
}

#[test]
fn errors_of_a_reduced_strength_can_be_repeated() {
    let game = |seed: u32| {
        let seed = seed.to_string();
        let options = ["--color", "black", "--level", "1", "--strength", "0", "--seed", &seed];
        said(&options, "h8\nh9\nh10\nquit\n")
    };
    assert_eq!(game(5), game(5));
    assert!((0..9).any(|seed| game(seed) != game(9)));
}

#[test]
fn without_a_colour_it_is_the_protocol_and_options_of_the_game_are_refused() {
    let output = run(&["play"], "START 15\nEND\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "OK\n");
    for arguments in [
        &["play", "--rule", "renju"][..],
        &["play", "--level", "3"],
        &["play", "--threads", "4"],
        &["play", "--memory", "350"],
        &["play", "--color", "red"],
        &["play", "--color", "black", "--level", "11"],
        &["play", "--color", "black", "--level", "1", "--time", "1"],
        &["play", "--color", "black", "--strength", "101"],
        &["play", "--color", "black", "--seed", "1"],
    ] {
        let (code, text) = stderr(arguments, "");
        assert!(code == Some(2) && text.starts_with("error: "), "{arguments:?} {text}");
    }
}
