//! The session, command by command and in mid-search. Nothing here depends on the strength of the engine.

use std::time::{Duration, Instant};

use crate::dialogue::Dialogue;

/// A search that ends only when it is told to.
const FOREVER: &str = "INFO timeout_turn 2000000\nINFO timeout_match 100000000\nINFO time_left 100000000";

#[test]
fn start_takes_squares_from_5_to_22_and_nothing_else() {
    let mut session = Dialogue::new();
    for line in
        ["START", "START abc", "START 99999999999999999999", "START 4", "START 23", "START 1000", "START -5"]
    {
        session.refused(line);
    }
    for line in ["START 15.5", "START 15 foo", "start 15 20", "RECTSTART 30,20", "RECTSTART 15", "RECTSTART"]
    {
        session.refused(line);
    }
    for line in ["START 5", "START 22", "start 15 15", "RECTSTART 15,15", "\tStArT\t20 \r"] {
        session.send(line);
        session.expect("OK");
    }
    session.end();
}

#[test]
fn nothing_happens_before_start() {
    let mut session = Dialogue::new();
    for line in
        ["BEGIN", "TURN 7,7", "HALF 7,7", "PLAY 7,7", "TAKEBACK 7,7", "RESTART", "YXNBEST 1", "YXSHOWFORBID"]
    {
        session.refused(line);
    }
    for line in ["BOARD\n7,7,2\nDONE", "YXBOARD 7,7,2 DONE", "SWAP2BOARD\nDONE", "DONE"] {
        session.refused(line);
    }
    session.end();
}

#[test]
fn a_refused_start_leaves_the_old_game() {
    let mut session = Dialogue::game(0, 15);
    session.send("TURN 7,7");
    session.mv();
    session.refused("RECTSTART 20,15");
    session.send("TURN 14,14");
    session.mv();
    session.end();
}

#[test]
fn turn_needs_an_empty_point() {
    let mut session = Dialogue::game(0, 15);
    for line in
        ["TURN 15,0", "TURN -1,0", "TURN 99999999999999999999,0", "TURN", "TURN 7", "TURN 7 7", "TURN a,b"]
    {
        session.refused(line);
    }
    session.send("TURN  7 , 7  ");
    let mv = session.mv();
    session.refused("TURN 7,7");
    session.refused(&format!("TURN {mv}"));
    session.send("BEGIN");
    session.error();
    session.send("turn 14,14\r");
    session.mv();
    session.end();
}

#[test]
fn takeback_takes_the_last_move_only() {
    let mut session = Dialogue::game(0, 15);
    session.refused("TAKEBACK 7,7");
    session.send("TURN 7,7");
    let mv = session.mv();
    for line in ["TAKEBACK 7,7", "TAKEBACK 14,0", "TAKEBACK 99,99", "TAKEBACK foo", "TAKEBACK"] {
        session.refused(line);
    }
    for point in [mv.as_str(), "7,7"] {
        session.send(&format!("TAKEBACK {point}"));
        session.expect("OK");
    }
    session.refused("TAKEBACK 7,7");
    session.send("TURN 7,7");
    session.mv();
    session.end();
}

#[test]
fn board_replaces_the_position() {
    let mut session = Dialogue::game(0, 15);
    session.send("TURN 13,14");
    session.mv();
    for block in [
        "BOARD\nDONE",
        "BOARD\n7,7,2\nDONE",
        "BOARD\r\n 7,7,1 \r\n8 , 8 , 2\r\n\r\ndone",
        "BOARD\n7,7,1\n8,8,1\n7,8,2\n8,7,2\nDONE",
        "board 7,7,1 8,8,2 DONE",
        "BOARD 7,7,1\n8,8,2 6,6,1 9,9,2\nDONE",
        "BOARD\n7,7,1\nDONE",
        "BOARD\n7,7,3\n8,8,2\nDONE",
    ] {
        session.send(block);
        session.mv();
    }
    session.send("TURN 13,14");
    session.mv();
    session.end();
}

#[test]
fn a_bad_block_gets_one_error_and_changes_nothing() {
    let mut session = Dialogue::game(0, 15);
    session.send("TURN 7,7");
    session.mv();
    for line in
        ["15,0,2", "0,15,1", "-1,3,2", "99999999999,1,1", "3,3,0", "3,3,-1", "3,3,6", "foo", "3,3", "3,3,4"]
    {
        session.send(&format!("BOARD\n14,14,2\n{line}\n13,13,1\nDONE"));
        session.error();
        session.silent();
    }
    session.refused("BOARD\n7,7,1\nTURN 8,8\nSTART 15\n7,7,2\nDONE");
    session.send(&format!("BOARD\n{}DONE", "1,1,1\n".repeat(5_000)));
    session.error();
    session.send("TURN 7,7");
    session.error();
    session.send("TURN 14,14");
    session.mv();
    session.end();
}

#[test]
fn info_is_silent_whatever_it_says() {
    let mut session = Dialogue::game(0, 15);
    for line in [
        "INFO",
        "INFO rule",
        "INFO timeout_turn abc",
        "INFO foo bar baz 1,2",
        "info xyzzy",
        "INFO START 15",
        "INFO rule2 4",
        r"INFO folder C:\Program Files\gomo cup",
        "INFO folder C:\\棋 ё\\a b\\",
        "INFO evaluate 7,7",
        "INFO max_memory 1000000000000000000000000000000",
        "INFO max_memory -9223372036854775808",
        "INFO max_memory 0",
        "INFO thread_num -4",
        "INFO thread_num 0",
        "INFO CLEARPORTALS",
        "INFO WALL 3,3",
    ] {
        session.send(line);
        session.silent();
    }
    session.raw(b"INFO folder \xe9\xe8\xff latin\r\n");
    session.raw(&[b"INFO folder /".as_slice(), &[b'b'; 100_000], b"\r\n"].concat());
    session.silent();
    session.send("TURN 7,7");
    session.mv();
    session.end();
}

#[test]
fn settings_outlive_games_and_may_come_first() {
    let mut session = Dialogue::new();
    session.send("INFO rule 32\nINFO timeout_turn 20\nSTART 15");
    session.expect("OK");
    session.send("RESTART");
    session.expect("OK");
    session.send("START 15");
    session.expect("OK");
    let start = Instant::now();
    session.send("HALF 7,7");
    session.mv();
    assert!(start.elapsed() < Duration::from_secs(3), "not the default time");
    session.end();
}

#[test]
fn an_unknown_rule_is_refused_when_it_is_to_be_played() {
    for rule in [2, 3, 5, 6, 16, -1] {
        let mut session = Dialogue::game(0, 15);
        session.send(&format!("INFO rule {rule}"));
        session.silent();
        for line in
            ["BEGIN", "TURN 7,7", "BOARD\nDONE", "SWAP2BOARD\nDONE", "START 15", "RESTART", "YXNBEST 1"]
        {
            session.refused(line);
        }
        session.send("INFO rule 1\nBEGIN");
        session.mv();
        session.end();
    }
}

#[test]
fn rule_two_is_renju_for_yixin_boards() {
    let mut session = Dialogue::new();
    session.send("INFO rule 2\nSTART 15");
    session.error();
    session.send("yxshowinfo\nSTART 15");
    session.expect("OK");
    session.end();
}

#[test]
fn half_stones_follow_their_rule() {
    let mut session = Dialogue::game(32, 15);
    session.send("HALF 7,7");
    let mv = session.mv();
    assert!(!mv.starts_with("HALF"), "White has none");
    for line in ["HALF 14,14", "HALF 7,7", "TURN 7,7", "HALF", "HALF 7", "HALF a,b", "HALF 15,3"] {
        session.refused(line);
    }
    session.send(&format!("TAKEBACK {mv}"));
    session.expect("OK");
    session.send("TAKEBACK 7,7");
    session.expect("OK");
    session.send("HALF 14,14");
    session.mv();
    for block in
        ["7,7,4 8,8,2 6,6,4 9,6,2", "7,7,5 8,8,1 6,6,5", "7,7,4 8,8,5", "7,7,1 8,8,5", "7,7,2 8,8,4 6,6,2"]
    {
        session.refused(&format!("BOARD {block} DONE"));
    }
    session.send("BOARD 7,7,2 8,8,1 6,6,5 DONE");
    assert!(!session.mv().starts_with("HALF"), "it is on the board already");
    session.refused("HALF 13,13");
    for rule in [0, 1, 4, 8, 9] {
        let mut session = Dialogue::game(rule, 15);
        session.refused("HALF 7,7");
        session.refused("BOARD\n7,7,4\n8,8,2\nDONE");
        session.refused("YXBOARD 7,7,5 DONE");
        session.end();
    }
    session.end();
}

#[test]
fn swap2_takes_none_three_or_five_stones() {
    let mut session = Dialogue::game(1, 15);
    session.send("SWAP2BOARD\nDONE");
    let points = session.line();
    assert_eq!(crate::dialogue::points(&points), Some(3));
    session.send("SWAP2BOARD\n7,7\n8,8\n6,9\nDONE");
    let reply = session.line();
    assert!(reply == "SWAP" || matches!(crate::dialogue::points(&reply), Some(1 | 2)), "{reply}");
    session.send("swap2board 7,7 8,8 6,9 9,6 5,5 done");
    let reply = session.line();
    assert!(reply == "SWAP" || crate::dialogue::points(&reply) == Some(1), "{reply}");
    for block in ["7,7", "7,7 7,7 8,8", "7,7 8,8 15,0", "7,7 foo 8,8 9,9", "1,1 2,2 3,3 4,4"] {
        session.refused(&format!("SWAP2BOARD {block} DONE"));
    }
    session.send("BOARD 7,7,1 8,8,2 6,9,1 9,6,2 DONE");
    session.mv();
    session.end();
}

#[test]
fn the_yixin_dialect_is_understood() {
    let mut session = Dialogue::game(4, 15);
    session.send("YXBOARD\n7,7,1\n8,8,2\nDONE");
    session.silent();
    session.send("YXNBEST 0");
    session.mv();
    session.send("YXBOARD 7,7,1 8,8,2 DONE\nYXBALANCEONE 0");
    assert_eq!(crate::dialogue::points(&session.line()), Some(1));
    session.send("YXBALANCETWO -50");
    assert_eq!(crate::dialogue::points(&session.line()), Some(2));
    session.send("INFO rule 0\nyxshowforbid");
    session.expect("FORBID .");
    for line in [
        "yxblock\n7,7\n8,8\ndone",
        "yxblockundo\n7,7\nfoo\ndone",
        "yxblockreset",
        "yxblockpath\n7,7\n8,8\ndone",
        "yxblockpathreset",
        "YXHASHCLEAR",
        "YXSHOWHASHUSAGE",
        "YXHASHLOAD no such file.tt",
        "yxhashload\nno such file.tt",
        "yxquerydatabaseall\n7,7\n8,8\ndone",
        "YXQUERYDATABASEALL",
        "YXQUERYDATABASEONE\n7,7,1",
        "yxswap2step1",
        "yxsoosorvstep2\n7,7\n8,8\n9,9\ndone",
        "yxforbid add 7 7 1",
        "yxdeletedatabaseone\n7,7\ndone",
        "YXSTOP",
        "STOP",
    ] {
        session.send(line);
        session.silent();
    }
    session.end();
}

#[test]
fn blocked_points_are_not_played() {
    let mut session = Dialogue::game(0, 5);
    let all: Vec<String> = (0..25).map(|i| format!("{},{}", i % 5, i / 5)).collect();
    let but = |free: &str| all.iter().filter(|p| *p != free).cloned().collect::<Vec<_>>();
    session.send(&format!("YXBLOCK\n{}\nDONE\nBEGIN", but("3,1").join("\n")));
    session.expect("3,1");
    session.send(&format!("YXBLOCKRESET\nBOARD {},3 DONE", but("1,3").join(",3 ")));
    session.expect("1,3");
    session.end();
}

#[test]
fn garbage_is_survived() {
    let mut session = Dialogue::game(0, 15);
    session.raw(&[&[b'x'; 200_000], b"\r\n".as_slice()].concat());
    session.expect_start("UNKNOWN ");
    session.raw(b"\0\0abc\0\r\n");
    session.expect_start("UNKNOWN ");
    session.raw(b"TURN 7\0,7\r\n");
    session.error();
    session.raw(b"\xff\xfe\xfd\n");
    session.expect_start("UNKNOWN ");
    session.raw(b"\xef\xbb\xbfABOUT\r");
    session.expect_start("name=\"");
    session.raw(b"\r\n\n \t\n\r\r");
    session.silent();
    session.raw(&[b"BOARD ".as_slice(), &b"7,7,1 ".repeat(10_000), b"DONE\n"].concat());
    session.error();
    session.raw(b"STA");
    session.raw(b"RT 1");
    session.raw(b"5\r");
    session.expect("OK");
    session.raw(b"\nTURN 7,");
    session.raw(b"7\nABOUT\r\n");
    let mut replies = [session.line(), session.line()];
    replies.sort_unstable_by_key(|line| line.starts_with("name="));
    assert_eq!(crate::dialogue::points(&replies[0]), Some(1));
    session.end();
}

#[test]
fn a_search_can_be_stopped() {
    let mut session = Dialogue::game(0, 15);
    session.send(FOREVER);
    for stop in ["STOP", "yxstop", "INFO timeout_turn 0"] {
        session.send("BOARD 7,7,2 DONE");
        std::thread::sleep(Duration::from_millis(30));
        let start = Instant::now();
        session.send(stop);
        session.mv();
        assert!(start.elapsed() < Duration::from_millis(500), "{stop} took {:?}", start.elapsed());
        session.send("INFO timeout_turn 2000000");
        session.silent();
    }
    session.send("TURN 14,14\nSTOP");
    session.mv();
    session.end();
}

#[test]
fn queries_are_answered_during_a_search() {
    let mut session = Dialogue::game(0, 15);
    session.send(FOREVER);
    session.send("TURN 7,7\nINFO time_left 5000000\nyxquerydatabaseall\n7,7\ndone\nyxblock 1,1 done\nFOOBAR");
    session.expect_start("UNKNOWN ");
    session.send("YXSHOWFORBID\nABOUT");
    session.expect("FORBID .");
    session.expect_start("name=\"");
    session.send("STOP");
    session.mv();
    session.end();
}

#[test]
fn a_malformed_command_is_answered_after_the_move_that_is_due() {
    let mut session = Dialogue::game(0, 15);
    session.send(FOREVER);
    for line in ["TURN abc", "START abc", "YXNBEST", "TURN 15,15"] {
        session.send(&format!("BOARD 7,7,2 DONE\n{line}"));
        session.mv();
        session.error();
    }
    session.end();
}

#[test]
fn what_may_come_at_any_time_may_come_inside_a_block() {
    let mut session = Dialogue::game(0, 15);
    session.send("BOARD\n7,7,2\nINFO timeout_turn 40\nABOUT\nINFO no such key\nSTOP\n8,8,1\n9,9,2\nDONE");
    session.expect_start("name=\"");
    session.mv();
    session.send("TAKEBACK 9,9\nBOARD\n7,7,2\nSTART 15\nDONE");
    session.error();
    session.error();
    // A search goes on while points are blocked, and can be stopped.
    session.send(FOREVER);
    session.send("TURN 0,14\nYXBLOCK\n7,6\nABOUT");
    session.expect_start("name=\"");
    session.send("INFO timeout_turn 0");
    session.mv();
    // A block that is never answered does not swallow commands when it is not closed.
    for open in ["YXBLOCK\n3,3", "YXBLOCKPATHUNDO\n3,3\nfoo", "YXBLOCKUNDO"] {
        session.send(&format!("{open}\nBOARD\n7,7,2\nDONE"));
        session.mv();
    }
    session.end();
}

#[test]
fn a_balanced_move_is_found_where_every_move_wins() {
    let mut session = Dialogue::game(0, 5);
    // Black's five at 4,0 is the only move.
    let rows = ["OOOO.", "XXOXO", "OXXOX", "XOXXO", "XXOXO"];
    let stones = rows.iter().enumerate().flat_map(|(y, row)| {
        let field = |piece| if piece == 'O' { 1 } else { 2 };
        let stones = row.chars().enumerate().filter(|&(_, piece)| piece != '.');
        stones.map(move |(x, piece)| format!("{x},{y},{}", field(piece)))
    });
    session.send(&format!("YXBOARD {} DONE\nYXBALANCEONE 0", stones.collect::<Vec<_>>().join(" ")));
    session.expect("4,0");
    session.send("YXBALANCETWO 0");
    session.error();
    session.end();
}

#[test]
fn a_second_command_ends_the_search_and_is_carried_out() {
    let mut session = Dialogue::game(0, 15);
    session.send(FOREVER);
    session.send("TURN 7,7\nTURN 14,14\nSTOP");
    session.mv();
    session.mv();
    session.send("TURN 13,14\nSTART 20");
    session.mv();
    session.expect("OK");
    session.send("TURN 19,19\nYXBOARD\n7,7,1\n8,8,2\nDONE\nYXSHOWFORBID\nYXSTOP");
    session.mv();
    session.expect("FORBID .");
    session.send("YXNBEST 1\nRESTART");
    session.mv();
    session.expect("OK");
    session.send("TURN 7,7\nTAKEBACK 7,7");
    session.mv();
    // The engine's own move was played before, and is the last.
    session.error();
    session.send("BOARD 7,7,2 DONE\nBOARD 8,8,2 DONE\nSTOP");
    session.mv();
    session.mv();
    session.end();
}

#[test]
fn end_is_immediate() {
    for before in ["", "START 15", "START 15\nBOARD\n7,7,2", "yxhashload", "yxquerydatabaseall\n7,7"] {
        let mut session = Dialogue::new();
        session.send(before);
        session.send(" end \r\nABOUT\nSTART 15");
        let lines = session.close();
        assert!(lines.iter().all(|line| line == "OK"), "{lines:?}");
    }
    let mut session = Dialogue::game(0, 15);
    session.send(FOREVER);
    session.send("TURN 7,7");
    session.silent();
    let start = Instant::now();
    session.send("END");
    assert!(session.close().is_empty(), "no move after END");
    assert!(start.elapsed() < Duration::from_millis(500));
}

#[test]
fn the_end_of_the_input_ends_a_search_with_its_move() {
    let mut session = Dialogue::new();
    session.raw(format!("START 15\n{FOREVER}\nBEGIN").as_bytes());
    let start = Instant::now();
    let lines = session.close();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(start.elapsed() < Duration::from_millis(800));
}

#[test]
fn the_input_may_end_anywhere() {
    let script = format!(
        "INFO rule 32\r\nSTART 15\r\n{FOREVER}\r\nABOUT\r\nHALF 7,7\r\nSTOP\r\nTAKEBACK 1,1\r\n\
         BOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\nYXSTOP\r\nSWAP2BOARD\r\n7,7\r\nDONE\r\nYXQUERYDATABASEALL\r\n7,7\r\n\
         YXBLOCK\r\n7,7\r\nDONE\r\nYXHASHLOAD\r\nno such file\r\nEND\r\n"
    );
    for cut in (0..script.len()).step_by(5) {
        let mut session = Dialogue::new();
        session.raw(&script.as_bytes()[..cut]);
        session.close();
    }
}

#[test]
fn a_closed_output_ends_the_session() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    // The input never ends by itself.
    let input = std::io::Read::chain(&b"START 15\n"[..], std::io::repeat(b' '));
    let code = halfstone::protocol::run(input, Closed);
    assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
}

#[test]
fn finished_games_have_no_next_move() {
    let mut session = Dialogue::game(0, 15);
    let five = "0,0,1 0,1,2 1,0,1 1,1,2 2,0,1 2,1,2 3,0,1 3,1,2 4,0,1 9,9,2";
    session.refused(&format!("BOARD {five} DONE"));
    // A straight four of the opponent: whichever end the engine closes, the other one ends the game.
    session.send("BOARD 1,1,1 1,14,2 8,1,1 2,14,2 9,9,1 3,14,2 3,1,1 4,14,2 DONE");
    let end = if session.mv() == "5,14" { "0,14" } else { "5,14" };
    session.refused(&format!("TURN {end}"));
    session.send("TURN 14,7");
    session.mv();
    session.send(&format!("YXBOARD {five} DONE"));
    session.silent();
    for line in ["TURN 7,7", "PLAY 7,7", "YXNBEST 1", "YXBALANCEONE 0"] {
        session.refused(line);
    }
    session.end();
}

#[test]
fn forbidden_points_are_blacks_in_renju() {
    let mut session = Dialogue::game(4, 15);
    session.send("YXBOARD 7,7,1 0,14,2 8,7,1 2,14,2 9,8,1 4,14,2 9,9,1 14,14,2 DONE\nYXSHOWFORBID");
    session.expect("FORBID 0907.");
    session.send("YXBOARD 7,7,2 0,14,1 8,7,2 2,14,1 9,8,2 4,14,1 9,9,2 14,14,1 0,0,2 DONE\nYXSHOWFORBID");
    session.expect("FORBID .");
    session.end();
}
