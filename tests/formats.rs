//! `convert`, `render` and `check` as a user runs them, with outputs worked out by hand.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats");

/// Runs the program in the folder of the samples.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-halfstone"))
        .args(arguments)
        .current_dir(DATA)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A program that reads a file leaves stdin alone.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

/// What it prints, when all is well.
fn stdout(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

/// The exit code and what it says on stderr.
fn stderr(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = run(arguments, input);
    assert!(output.stdout.is_empty(), "{arguments:?} {output:?}");
    (output.status.code(), String::from_utf8(output.stderr).expect("text is UTF-8"))
}

/// A fresh folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

#[test]
fn one_small_game_in_every_format() {
    let rows = "\
game,number,color,kind,point,x,y,ms,comment,rule,size,black,white,event,round,date,result,reason,about
1,0,black,start,,,,,,half-stone,15,,,,,,,,
1,1,black,stone,h8,7,7,,,half-stone,15,,,,,,,,
1,2,white,stone,i9,8,6,,,half-stone,15,,,,,,,,
1,3,black,half,j10,9,5,,,half-stone,15,,,,,,,,
";
    let pgn = "\
[Event \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[Black \"?\"]
[White \"?\"]
[Result \"*\"]
[Rule \"32\"]
[BoardSize \"15\"]
[PlyCount \"3\"]

1. h8 i9 2. *j10 *
";
    for (format, golden) in [
        ("text", "#! rule half-stone\n#! size 15\nh8 i9 *j10\n"),
        ("psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n*10,6,0\n0\n#rule half-stone\n"),
        ("sgf", "(;FF[4]GM[4]CA[UTF-8]AP[halfstone]SZ[15]RU[half-stone]\n;B[hh];W[ig];HS[jf])\n"),
        ("pgn", pgn),
        ("pos", "h8i7*j6\n"),
        ("offset", "0,0, 1,-1, *2,-2\n"),
        ("csv", rows),
    ] {
        assert_eq!(stdout(&["convert", "--to", format], "h8 i9 *j10"), golden, "{format}");
        let back = stdout(&["convert", "--from", format], golden);
        assert_eq!(back, "#! rule half-stone\n#! size 15\nh8 i9 *j10\n", "{format}");
    }
}

#[test]
fn samples_convert_into_each_other_byte_by_byte() {
    for format in ["text", "psq", "sgf", "pgn", "pos", "offset", "csv"] {
        let name = if format == "text" { "demo.txt".to_owned() } else { format!("demo.{format}") };
        let golden = fs::read_to_string(Path::new(DATA).join(&name)).expect("the sample is there");
        // By detection alone: from the record that knows the most.
        assert_eq!(stdout(&["convert", "demo.pgn", "--to", format], ""), golden, "{format}");
        assert_eq!(stdout(&["convert", &name, "--to", format], ""), golden, "{format}");
    }
}

#[test]
fn several_games_go_into_one_file_or_into_one_file_each() {
    let folder = folder("several");
    let many = folder.join("game-{}.psq");
    let many = many.to_str().expect("the path is text");
    stdout(&["convert", "--rule", "renju", "--size", "7", "-o", many], "d4\n\nd4 e5\n");
    let second = fs::read_to_string(folder.join("game-2.psq")).expect("the file was written");
    assert_eq!(second, "Piskvorky 7x7, 11:11, 0\n4,4,0\n5,3,0\n0\n#rule renju\n");

    let both = [folder.join("game-1.psq"), folder.join("game-2.psq")];
    let both: Vec<&str> = both.iter().map(|path| path.to_str().expect("the path is text")).collect();
    let (code, text) = stderr(&["convert", "-o", many], "h8\nh8 --\n");
    assert!(
        code == Some(2) && text.contains("game-2.psq: game 2: the psq format cannot hold a pass"),
        "{text}"
    );
    let all = stdout(&["convert", both[0], both[1], "--to", "sgf"], "");
    assert_eq!(all.matches("(;FF[4]").count(), 2);
    assert_eq!(
        stderr(&["convert", both[0], both[1], "--to", "psq"], ""),
        (
            Some(2),
            "pbrain-halfstone: cannot write psq; give -o a name with {} in it for one file a game: game 2: the psq \
             format cannot hold more than one game\n"
                .to_owned()
        )
    );
}

#[test]
fn errors_name_file_format_and_place() {
    for (arguments, input, message) in [
        (
            &["convert", "--to", "sgf"][..],
            "h8 i9\nh8 p1\n",
            "stdin (text): line 2, column 4: 'p1' is off the board (allowed: columns a to o, rows 1 to 15)",
        ),
        (&["check", "no-such-file"], "", "cannot read no-such-file: No such file or directory (os error 2)"),
        (&["check"], "h8 i9", "stdin:1: the record does not tell its rule: give --rule"),
        (&["render", "renju.txt", "--game", "9"], "", "renju.txt: there is no game 9 among 4"),
        (&["render", "--moves", "h8 i9", "--at", "3"], "", "--at 3 (allowed: 0 to 2, the moves of the game)"),
        (
            &["render", "--moves", "h8", "--sheet"],
            "",
            "the record sheet is a picture: give --to svg or --to png",
        ),
        (&["render", "--moves", "h8", "--heat", "h9"], "", "--heat: the value of h9 is missing"),
    ] {
        assert_eq!(stderr(arguments, input), (Some(2), format!("pbrain-halfstone: {message}\n")));
    }
}

#[test]
fn check_tells_winners_and_fouls() {
    let text = stdout(&["check", "renju.txt", "demo.sgf", "demo.csv"], "");
    assert_eq!(
        text,
        "\
renju.txt:3: renju 15x15, 9 moves: white wins by foul: double-three at move 9, h8
renju.txt:5: renju 15x15, 11 moves: white wins by foul: overline at move 11, h8
renju.txt:7: renju 15x15, 9 moves: black wins by five at move 9, h8
renju.txt:8: renju 15x15, 2 moves: unfinished, black to move
demo.sgf:1: half-stone 15x15, 20 moves: white wins by five at move 20, e9
demo.csv:2: half-stone 15x15, 20 moves: white wins by five at move 20, e9
"
    );
}

#[test]
fn check_finds_what_is_illegal() {
    let output = run(&["check", "wrong.txt"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "\
wrong.txt:2: half-stone 15x15, 3 moves: ILLEGAL: move 3, h8: the point is taken
wrong.txt:3: half-stone 15x15, 2 moves: ILLEGAL: move 2, *i9: the half stone belongs to black
wrong.txt:4: half-stone 15x15, 3 moves: ILLEGAL: move 3, *j10: the half stone has been placed before
wrong.txt:5: half-stone 15x15, 9 moves: white wins by foul: five before the half stone at move 9, d8
wrong.txt:6: half-stone 15x15, 10 moves: ILLEGAL: move 10, a9: the game is over
wrong.txt:7: half-stone 15x15, 1 move: ILLEGAL: piece 2 of the starting position, black h8: the point is taken
wrong.txt:9: freestyle 15x15, 2 moves: ILLEGAL: move 2, *i9: there is no half stone under the rule freestyle
wrong.txt:11: freestyle 5x5, 9 moves: black wins by five at move 9, e1
"
    );
}

/// A PGN of this result, ended so, with these moves.
fn claim(result: &str, reason: &str, moves: &str) -> String {
    format!("[Rule \"0\"]\n[Termination \"{reason}\"]\n\n{moves} {result}\n")
}

#[test]
fn check_compares_claims_with_the_moves() {
    let won = "a1 a2 b1 b2 c1 c2 d1 d2 e1";
    let cases = [
        ("0-1", "five", won, 0, "black wins by five at move 9, e1"),
        // In the words of another program.
        ("0-1", "Black win by five connection", won, 0, "black wins by five at move 9, e1"),
        ("1-0", "five", won, 1, "black wins by five at move 9, e1; WRONG: the record claims white"),
        ("0-1", "time", won, 1, "black wins by five at move 9, e1; WRONG: the record claims time"),
        ("*", "", won, 0, "black wins by five at move 9, e1"),
        ("0-1", "time: 2000 ms", "h8 i9", 0, "unfinished, black to move"),
        ("1/2-1/2", "max-moves", "h8 i9", 0, "unfinished, black to move"),
        ("0-1", "five", "h8 i9", 1, "unfinished, black to move; WRONG: the record claims five"),
    ];
    for (result, reason, moves, code, verdict) in cases {
        let output = run(&["check"], &claim(result, reason, moves));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let count = moves.split(' ').count();
        assert_eq!(text, format!("stdin:1: freestyle 15x15, {count} moves: {verdict}\n"));
        assert_eq!(output.status.code(), Some(code), "{result} {reason}");
    }
}

#[test]
fn json_holds_no_controls_of_a_terminal() {
    let game = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\u{7f}b\u{9b}c\n0\n#rule freestyle\n";
    let text = stdout(&["analyze", "--game", "--nodes", "20", "--json", "-"], game);
    assert!(
        text.contains("a\\u007fb\\u009bc") && !text.contains(|c: char| c.is_control() && c != '\n'),
        "{text}"
    );
}

#[test]
fn check_writes_json_lines() {
    let text = stdout(&["check", "--json", "renju.txt"], "");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert_eq!(
        lines[0],
        serde_json::json!({
            "file": "renju.txt", "line": 3, "rule": "renju", "size": 15, "moves": 9, "legal": true,
            "illegal": null, "over": true, "winner": "white", "reason": "foul", "fouls": ["double-three"],
            "at": "move 9, h8", "to_move": null, "claim": null, "wrong_claim": null,
        })
    );
    assert_eq!((&lines[3]["over"], &lines[3]["to_move"]), (&false.into(), &"black".into()));
    let output = run(&["check", "--json"], "#! rule caro\nh8 h8\n");
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the line is JSON");
    assert_eq!((output.status.code(), &line["legal"]), (Some(1), &false.into()));
    assert_eq!(line["illegal"], "move 2, h8: the point is taken");
    // How the game stood before the illegal move.
    assert_eq!(line["to_move"], "white");
}

#[test]
fn the_terminal_shows_the_board() {
    let plain = stdout(&["render", "--size", "6"], "{blocked a6; half f1} c3 d4 c4");
    assert_eq!(
        plain,
        " 6  ▒─┬─┬─┬─┬─┐
 5  ├─┼─┼─┼─┼─┤
 4  ├─┼[●]○─┼─┤
 3  ├─┼─●─┼─┼─┤
 2  ├─┼─┼─┼─┼─┤
 1  └─┴─┴─┴─┴─◐
    A B C D E F
half-stone, 3 moves, last c4, white to move
"
    );
    let numbered =
        stdout(&["render", "--size", "5", "-n", "--rule", "freestyle", "--heat", "a1=3,e1=9"], "a5 c3 e5");
    assert_eq!(
        numbered,
        " 5  ●1─┬──┬──┬─[●3]
 4  ├──┼──┼──┼──┤
 3  ├──┼──○2─┼──┤
 2  ├──┼──┼──┼──┤
 1  b──┴──┴──┴──a
    A  B  C  D  E
freestyle, 3 moves, last e5, white to move
a e1  9
b a1  3
"
    );
}

#[test]
fn colours_come_only_when_asked_for() {
    let arguments = ["render", "--moves", "h8", "--color"];
    let with = |when: &str| stdout(&[&arguments[..], &[when]].concat(), "");
    assert!(with("always").contains("\x1b[48;5;179m"));
    assert!(!with("never").contains('\x1b') && !with("auto").contains('\x1b'));
}

#[test]
fn renju_s_forbidden_points_are_marked() {
    // Threes at g8 i8 and h7 h9 meet in h8.
    let text =
        stdout(&["render", "--rule", "renju", "--moves", "g8 a1 i8 c1 h7 e1 h9 g1", "--forbidden"], "");
    let row = text.lines().find(|line| line.starts_with(" 8")).expect("there is a row 8");
    assert_eq!(row, " 8  ├─┼─┼─┼─┼─┼─●─×─●─┼─┼─┼─┼─┼─┤");
    assert_eq!(text.matches('×').count(), 1);
    // They are renju's, whatever is played.
    let other = stdout(&["render", "--moves", "g8 a1 i8 c1 h7 e1 h9 g1", "--forbidden"], "");
    assert_eq!(other.lines().find(|line| line.starts_with(" 8")), Some(row));
    // Nor does it matter how the stones came there: h8, a foul in renju, is a move like any other here.
    let other = stdout(&["render", "--moves", "g8 a1 i8 c1 h7 e1 h9 g1 h8 j1", "--forbidden"], "");
    assert!(other.lines().any(|line| line.starts_with(" 8") && line.contains("●─●─●")), "{other}");
    // The half stone is dead for both.
    assert!(!stdout(&["render", "--moves", "g8 a1 i8 c1 h7 e1 h9 g1 *h8", "--forbidden"], "").contains('×'));
}

#[test]
fn svg_holds_stones_numbers_and_escaped_names() {
    let svg = stdout(&["render", "demo.pgn", "-n", "--to", "svg"], "");
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"650\" height=\"650\""),
        "{svg}"
    );
    assert!(svg.ends_with("</svg>\n"));
    // One half disc for the half stone; stars, shadows, stones, rims of white and half stones, the winning row, and
    // the ground of the number on the half stone.
    assert_eq!(svg.matches("A18.4 18.4 0 0 0").count(), 1);
    assert_eq!(svg.matches("<circle").count(), 5 + 20 + 20 + 10 + 1 + 5 + 1);
    for number in 1..=20 {
        assert!(svg.contains(&format!(">{number}</text>")), "{number}");
    }
    let sheet = stdout(
        &["render", "--sheet", "--to", "svg"],
        "(;RU[0]PB[<A & B>]PW[\u{738b}]DT[2026-11-29]RE[B+R];B[hh];W[ig])",
    );
    for text in ["&lt;A &amp; B&gt;", "\u{738b}", "谱纸", "2026-11-29", "Black wins (resign)", ">H8<", ">I9<"]
    {
        assert!(sheet.contains(text), "{text}");
    }
}

#[test]
fn png_shows_each_piece_where_it_belongs() {
    let file = folder("png").join("board.png");
    let name = file.to_str().expect("the path is text");
    let record = "{blocked b2} h8 i9 *j10 a1";
    let output = run(&["render", "-o", name, "--cell", "20", "--at", "3"], record);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let bytes = fs::read(&file).expect("the file was written");
    let picture = tiny_skia::Pixmap::decode_png(&bytes).expect("the file is a PNG");
    assert_eq!((picture.width(), picture.height()), (325, 325));
    // Points are 20 apart; a15 lies at (27, 18).
    let at = |x: u32, row: u32, aside: u32| {
        let pixel =
            picture.pixel(27 + 20 * x + aside, 18 + 20 * (15 - row)).expect("the point is in the picture");
        (pixel.red(), pixel.green(), pixel.blue())
    };
    let wood = (0xe5, 0xbd, 0x78);
    assert!(matches!(at(7, 8, 4), (..0x80, ..0x80, ..0x80)), "{:?}", at(7, 8, 4));
    assert!(matches!(at(8, 9, 4), (0xc0.., 0xc0.., 0xb0..)), "{:?}", at(8, 9, 4));
    // The half stone is dark on the left and light on the right; the mark of the last move is between.
    assert!(matches!(at(9, 10, 6), (0xf0.., 0xe0.., 0xd0..)), "{:?}", at(9, 10, 6));
    assert_eq!(at(1, 2, 3), (0x7a, 0x6c, 0x58));
    // Between the lines, and on a1, whose move comes later.
    assert_eq!(picture.pixel(37, 28).map(|p| (p.red(), p.green(), p.blue())), Some(wood));
    assert_eq!(picture.pixel(33, 292).map(|p| (p.red(), p.green(), p.blue())), Some(wood));

    for size in ["5", "22"] {
        let output = run(&["render", "--sheet", "--size", size, "--moves", "", "-o", name], "");
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn help_lists_the_formats() {
    for command in ["convert", "render", "check"] {
        let help = stdout(&[command, "--help"], "");
        assert!(help.contains("text, psq, sgf, pgn, pos, offset or csv"), "{help}");
    }
}
