//! The study subcommand, and the other commands on positions with the half stone, run as a user does.

use std::fs;

use crate::support::program::{folder, stderr, stdout};

const QUICK: [&str; 11] = [
    "study",
    "--games",
    "3",
    "--nodes",
    "40",
    "--size",
    "9",
    "--openings",
    "empty",
    "--rules",
    "freestyle,half-stone",
];

fn study(more: &[&str]) -> String {
    stdout(&[&QUICK[..], more].concat(), "")
}

/// The tables without the line that names the command.
fn tables(text: &str) -> &str {
    text.split_once('\n').unwrap().1
}

#[test]
fn a_study_does_not_depend_on_threads_and_goes_on_where_it_was_stopped() {
    let whole = study(&[]);
    assert_eq!(tables(&study(&["--threads", "2"])), tables(&whole));

    let folder = folder("study-csv");
    let csv = folder.join("games.csv");
    let csv = csv.to_str().unwrap();
    // One game of each series to begin with.
    let mut fewer = QUICK.to_vec();
    fewer[2] = "1";
    stdout(&[&fewer[..], &["--csv", csv][..]].concat(), "");
    let first = fs::read_to_string(csv).unwrap();
    assert_eq!(tables(&study(&["--csv", csv])), tables(&whole));
    let all = fs::read_to_string(csv).unwrap();
    assert!(all.starts_with(&first) && all.lines().count() > first.lines().count());
    // Nothing is left to play.
    assert_eq!(tables(&study(&["--csv", csv])), tables(&whole));
    assert_eq!(fs::read_to_string(csv).unwrap(), all);
    let (code, message) = stderr(&[&QUICK[..], &["--csv", csv, "--seed", "2"][..]].concat(), "");
    assert!(code == Some(2) && message.contains("seed 1"), "{message}");
}

#[test]
fn the_page_is_filled_between_its_marks_with_pictures_beside_it() {
    let folder = folder("study-page");
    let (page, out) = (folder.join("page.md"), folder.join("page"));
    let (page, out) = (page.to_str().unwrap(), out.to_str().unwrap());
    let marks = |name: &str| format!("<!-- {name} -->\nold\n<!-- end {name} -->\n");
    let text = format!("# A\n{}{}{}end\n", marks("verdict"), marks("verdict-chinese"), marks("results"));
    fs::write(page, &text).unwrap();
    study(&["--out", out, "--page", page]);
    let filled = fs::read_to_string(page).unwrap();
    assert!(
        filled
            .starts_with("# A\n<!-- verdict -->\n* **40 nodes a move, from the empty board:** Black scores")
    );
    assert!(filled.ends_with("<!-- end results -->\nend\n") && !filled.contains("old"), "{filled}");
    assert!(filled.contains("得分率") && filled.contains("](page/places-empty-40.svg)"), "{filled}");
    assert!(fs::read_to_string(format!("{out}/places-empty-40.svg")).unwrap().starts_with("<svg "));
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(format!("{out}/study.json")).unwrap()).unwrap();
    let games: u64 = json.as_array().unwrap().iter().map(|series| series["games"].as_u64().unwrap()).sum();
    // Freestyle, and the half stone at will, first and at move 5.
    assert_eq!(games, 12);

    fs::write(page, "no marks\n").unwrap();
    let (code, message) = stderr(&[&QUICK[..], &["--out", out, "--page", page][..]].concat(), "");
    assert!(code == Some(2) && message.contains("verdict"), "{message}");
    assert_eq!(fs::read_to_string(page).unwrap(), "no marks\n");
}

#[test]
fn the_engine_that_does_not_know_the_half_stone_plays_to_the_end() {
    let text = stdout(
        &[
            "study",
            "--games",
            "4",
            "--nodes",
            "40",
            "--size",
            "9",
            "--rules",
            "half-stone",
            "--openings",
            "random",
            "--half-proxy",
            "random",
        ],
        "",
    );
    assert!(text.contains("| 40 nodes, random openings | 4 |"), "{text}");
}

#[test]
fn other_commands_know_the_half_stone() {
    // Black's straight four is dormant; the half stone anywhere but on its ends wakes it.
    let four = "h8 a1 i8 a3 j8 a5 k8 a7";
    let solved = stdout(&["solve", "vcf", "--rule", "32", "--brief", "--check", four], "");
    assert!(solved.starts_with("black wins by continuous fours in 2 moves: *"), "{solved}");
    let best = stdout(&["analyze", "--rule", "32", "--nodes", "500", four], "");
    assert!(best.lines().last().unwrap().starts_with("best *"), "{best}");
    // White to move must take one of the ends, or lose to the same.
    let defended = stdout(&["solve", "defend", "--rule", "32", "h8 a1 i8 a3 j8 a5 k8"], "");
    assert!(defended.contains("these moves hold: g8 l8\n"), "{defended}");
    let sgf = stdout(&["convert", "--to", "sgf", "-"], "h8 i9 *j10\n");
    assert!(sgf.contains("HS[jf]"), "{sgf}");
    assert_eq!(
        stdout(&["convert", "--from", "sgf", "--to", "text", "-"], &sgf).lines().last(),
        Some("h8 i9 *j10")
    );
}

#[test]
fn a_page_without_its_marks_is_refused_before_any_game() {
    let folder = folder("study-no-marks");
    let (page, out, csv) = (folder.join("page.md"), folder.join("page"), folder.join("games.csv"));
    fs::write(&page, "nothing\n").unwrap();
    let more =
        ["--page", page.to_str().unwrap(), "--out", out.to_str().unwrap(), "--csv", csv.to_str().unwrap()];
    let (code, message) = stderr(&[&QUICK[..], &more[..]].concat(), "");
    assert!(
        code == Some(2) && message.contains("page.md: the page has no lines '<!-- verdict -->'"),
        "{message}"
    );
    assert!(!csv.exists() && !out.exists());
}
