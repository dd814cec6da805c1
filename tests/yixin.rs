//! The Yixin-Board dialect: its dialogues, byte by byte as the board sends and reads them.

use std::fs;
use std::time::{Duration, Instant};

use crate::dialogue::{Dialogue, points};
use crate::support::program::folder;

/// A session as Yixin-Board begins it, with a game under this rule of its menu and short moves.
fn board(rule: i64) -> Dialogue {
    let mut session = Dialogue::new();
    session.send(&format!(
        "info show_detail 1\nyxshowinfo\nSTART 15 15\nINFO timeout_match 100000000\nINFO timeout_turn 200\n\
         INFO time_left 100000000\nINFO max_node -1\nINFO max_depth 100\nINFO time_increment 0\n\
         INFO caution_factor 1\nINFO thread_num 1\nINFO hash_size 4096\nINFO pondering 0\nINFO vcthread 0\n\
         INFO checkmate 0\nINFO rule {rule}"
    ));
    session.message("INFO MAX_THREAD_NUM");
    session.message("INFO MAX_HASH_SIZE");
    session.expect("OK");
    session
}

/// Two numbers with a blank between them, as the opening dialogues write points.
fn spaced(text: &str) -> (usize, usize) {
    let numbers: Vec<usize> = text.split(' ').map(|word| word.parse().unwrap()).collect();
    let &[x, y] = numbers.as_slice() else { panic!("two numbers in {text:?}") };
    assert!(x < 15 && y < 15, "{text}");
    (x, y)
}

#[test]
fn a_game_goes_as_the_board_plays_it() {
    let mut session = board(2);
    // The engine begins: a new position each time that the user changed something, then TURN.
    session.send("INFO time_left 100000000\nyxhashclear\nstart 15 15\nboard\ndone");
    session.expect("OK");
    let first = session.mv();
    session.send("yxshowforbid");
    session.expect("FORBID .");
    session.send(&format!("yxquerydatabaseall\n{first}\ndone"));
    session.silent();
    let reply = if first == "7,8" { "8,8" } else { "7,8" };
    // The query comes while the engine thinks, and is not answered.
    session.send(&format!("turn {reply}\nyxquerydatabaseall\n{first}\n{reply}\ndone"));
    session.mv();
    session.send("yxblockreset\nyxblockpathreset\nyxshowforbid");
    session.expect_start("FORBID ");
    session.end();
}

#[test]
fn taking_back_while_the_engine_thinks_gives_one_stale_move() {
    let mut session = board(2);
    session.send("INFO timeout_turn 2000000\nstart 15 15\nboard\n7,7,2\ndone");
    session.expect("OK");
    std::thread::sleep(Duration::from_millis(50));
    session.send("start 15 15\nyxboard\ndone\nyxshowforbid\nyxstop");
    session.mv();
    session.expect("OK");
    session.expect("FORBID .");
    session.end();
}

#[test]
fn the_engine_analyses_with_several_lines() {
    let mut session = board(0);
    session.send("INFO max_depth 3\nstart 15 15\nyxboard\n7,7,1\n8,8,2\ndone\nyxnbest 3");
    session.expect("OK");
    for line in ["1", "2", "3"] {
        let text = session.message("depth");
        assert!(text.contains(&format!(" multipv {line} ")), "{text}");
    }
    session.mv();
    session.end();
}

#[test]
fn swap2_is_played_step_by_step() {
    let mut session = board(1);
    session.send("yxswap2step1");
    let stones: Vec<_> =
        ["SWAP2 MOVE1", "SWAP2 MOVE2", "SWAP2 MOVE3"].map(|word| spaced(&session.message(word))).into();
    let line = |(i, (x, y)): (usize, &(usize, usize))| format!("{x},{y},{}", if i % 2 == 0 { 1 } else { 2 });
    let block: Vec<String> = stones.iter().enumerate().map(line).collect();
    assert!((0..3).all(|i| !stones[..i].contains(&stones[i])));
    session.send(&format!("start 15 15\nyxboard\n{}\ndone\nyxswap2step2", block.join("\n")));
    session.expect("OK");
    let answer = session.message("SWAP2");
    assert!(["SWAP1 YES", "SWAP1 NO"].contains(&answer.as_str()) || answer.starts_with("MOVE4 "), "{answer}");
    session.refused("yxswap2step3");
    session.send("info rule 32\nyxboard 7,7,5 8,8,1 9,9,2 done");
    session.refused("yxswap2step2");
    session.send("info rule 1");
    // With an open four for Black nobody takes White, and without a clock nothing changes that.
    for (block, answer) in
        [("7,7,2 0,14,1 8,7,2 14,14,1 9,7,2", "YES"), ("0,14,2 7,7,1 14,14,2 8,7,1 0,0,2", "NO")]
    {
        session.send(&format!("yxboard {block} done\nyxswap2step3"));
        assert_eq!(session.message("SWAP2 SWAP2"), answer, "{block}");
    }
    session.end();
}

#[test]
fn soosorv_is_played_step_by_step() {
    let mut session = board(2);
    session.send("yxsoosorvstep1");
    let mut stones: Vec<_> =
        ["SOOSORV MOVE1", "SOOSORV MOVE2", "SOOSORV MOVE3"].map(|word| spaced(&session.message(word))).into();
    // One of the 26 openings.
    assert_eq!(stones[0], (7, 7));
    assert!(stones[1].0.abs_diff(7) <= 1 && stones[1].1.abs_diff(7) <= 1);
    assert!(stones[2].0.abs_diff(7) <= 2 && stones[2].1.abs_diff(7) <= 2);
    let lines = |stones: &[(usize, usize)]| {
        stones.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join("\n")
    };
    session.send(&format!("yxsoosorvstep2\n{}\ndone", lines(&stones)));
    assert!(["Y", "N"].contains(&session.message("SOOSORV SWAP1").as_str()));
    session.send(&format!("yxsoosorvstep3\n{}\ndone", lines(&stones)));
    let fourth = session.message("SOOSORV MOVE4");
    let (point, count) = fourth.rsplit_once(' ').unwrap();
    stones.push(spaced(point));
    let count: usize = count.parse().unwrap();
    assert!((1..=8).contains(&count));
    session.send(&format!("yxsoosorvstep4 {count}\n{}\ndone", lines(&stones)));
    assert!(["Y", "N"].contains(&session.message("SOOSORV SWAP2").as_str()));
    session.send(&format!("yxsoosorvstep5 4\n{}\ndone", lines(&stones)));
    assert_eq!(session.message("SOOSORV MOVE5"), "REFRESH");
    let fifths: Vec<_> = (0..4).map(|_| spaced(&session.message("SOOSORV MOVE5"))).collect();
    assert_eq!(session.message("SOOSORV MOVE5"), "DONE");
    assert!(fifths.iter().all(|fifth| !stones.contains(fifth)));
    session.send(&format!("yxsoosorvstep6\n{}\n{}\ndone", lines(&stones), lines(&fifths)));
    assert!(fifths.contains(&spaced(&session.message("SOOSORV MOVE5C"))));
    for line in [
        "yxsoosorvstep2\n7,7\n7,8\ndone",
        "yxsoosorvstep2\n7,7\n7,8\n0,0\ndone",
        "yxsoosorvstep2\n7,7\n7,8\n7,8\ndone",
        "yxsoosorvstep4\n7,7\n7,8\n7,9\n0,0\ndone",
        "yxsoosorvstep5 9\n7,7\n7,8\n7,9\n0,0\ndone",
        "yxsoosorvstep6\n7,7\n7,8\n7,9\n0,0\ndone",
        "yxsoosorvstep2 7,7 7,8 15,9 done",
    ] {
        session.refused(line);
    }
    session.end();
}

#[test]
fn blocked_points_are_left_out_by_the_engine_and_by_nobody_else() {
    let mut session = Dialogue::game(0, 15);
    // The engine must answer a four at 5,7: told not to, it plays elsewhere and knows that it has lost.
    let four = "1,7,2 0,7,1 2,7,2 9,9,1 3,7,2 12,3,1 4,7,2";
    session.send(&format!("BOARD {four} DONE"));
    session.expect("5,7");
    session.send(&format!("yxblock\n5,7\ndone\nBOARD {four} DONE"));
    let text = session.message("depth");
    assert!(text.contains(" ev -M") || text.contains(" ev 0 "), "{text}");
    assert_ne!(session.mv(), "5,7");
    // Its own five it may not play either, while the opponent's one on the same point counts.
    session.send("BOARD 1,7,1 0,7,2 2,7,1 9,9,2 3,7,1 12,3,2 4,7,1 3,3,2 DONE");
    assert_ne!(session.mv(), "5,7");
    session.send("yxblockundo\n5,7\ndone\nBOARD 1,7,1 0,7,2 2,7,1 9,9,2 3,7,1 12,3,2 4,7,1 3,3,2 DONE");
    session.expect("5,7");
    session.end();
}

#[test]
fn a_blocked_path_counts_where_it_leads() {
    let mut session = Dialogue::game(0, 15);
    let four = ["1,7", "0,7", "2,7", "9,9", "3,7", "12,3", "4,7"];
    let fields: Vec<String> = four.iter().enumerate().map(|(i, p)| format!("{p},{}", 2 - i % 2)).collect();
    let ask = format!("BOARD\n{}\nDONE", fields.join("\n"));
    let path = four.join("\n");
    session.send(&format!("yxblockpath\n{path}\n5,7\ndone\n{ask}"));
    assert_ne!(session.mv(), "5,7");
    // Another way to the same point is another path.
    session.send(&format!("BOARD {} 5,5,1 6,1,2 DONE", fields.join(" ")));
    session.mv();
    session.send(&format!("yxblockpathundo\n{path}\n5,7\ndone\n{ask}"));
    session.expect("5,7");
    session.send(&format!("yxblockpath\n{path}\n5,7\ndone\nyxblockpathreset\n{ask}"));
    session.expect("5,7");
    session.end();
}

#[test]
fn defences_are_listed_and_one_of_them_is_played() {
    let mut session = Dialogue::game(0, 15);
    session.send("INFO timeout_turn 1000");
    // A live three: its two ends, the points behind them, and own fours.
    session.send("YXBOARD 6,7,2 0,0,1 7,7,2 14,14,1 8,7,2 DONE\nYXSEARCHDEFEND");
    let holds = session.message("DEFEND holds");
    let listed: Vec<&str> = holds.split(' ').collect();
    assert!(listed.contains(&"5,7") && listed.contains(&"9,7"), "{holds}");
    assert!(!listed.contains(&"3,3") && !listed.contains(&"7,8"), "{holds}");
    let mv = session.mv();
    assert!(listed.contains(&mv.as_str()), "{mv} of {holds}");
    session.send("YXBOARD 7,7,2 DONE\nYXSEARCHDEFEND");
    session.message("DEFEND nothing threatens");
    session.mv();
    session.end();
}

#[test]
fn the_table_goes_to_a_file_and_comes_back() {
    let folder = folder("table file").join("表 a");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("B c.tt");
    let file = file.display();
    let mut session = Dialogue::game(0, 15);
    // By nodes: a loaded machine may find no time for anything that is worth storing.
    session.send("INFO timeout_turn 2000000\nINFO max_node 3000\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 1");
    session.mv();
    session.send("YXSHOWHASHUSAGE");
    session.message("hash usage ");
    session.send(&format!("yxhashdump\n{file}"));
    let dumped = session.message("hash dump:");
    session.send(&format!("YXHASHCLEAR\nYXHASHLOAD {file}"));
    assert_eq!(session.message("hash load:"), dumped);
    assert!(dumped.split_once(' ').unwrap().0.parse::<u64>().unwrap() > 100, "{dumped}");
    // What the next search is to use is of no concern to what this one has found.
    session.send(&format!("INFO max_memory 300000000\nINFO thread_num 2\nYXHASHDUMP {file}"));
    assert_eq!(session.message("hash dump:"), dumped);
    session.send(&format!("INFO rule 1\nYXHASHDUMP {file}"));
    session.message("hash dump failed: the table was made for ");
    session.send(&format!("YXHASHCLEAR\nYXHASHDUMP {file}"));
    session.message("hash dump failed: there is no table yet");
    session.send(&format!("YXHASHLOAD {file}"));
    session.message("hash load failed: the table was made for ");
    for (bad, why) in [("no such file", ""), (".", ""), ("Cargo.toml", "not a table file")] {
        session.send(&format!("yxhashload\n{bad}"));
        let text = session.message("hash load failed:");
        assert!(text.contains(why), "{text}");
    }
    // A name that is another command was forgotten; one in another encoding could be any.
    session.send("yxhashdump\nABOUT");
    session.message("hash dump failed: no name of a file");
    session.expect_start("name=\"");
    session.raw(b"yxhashload \xb2\xe2.tt\n");
    session.message("hash load failed: the name of the file is not UTF-8");
    session.send("yxhashdump\n/no such folder/x");
    session.message("hash dump failed:");
    // A pipe without another end would hold the session for ever.
    #[cfg(unix)]
    {
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for word in ["load", "dump"] {
            session.send(&format!("yxhash{word} {}", pipe.display()));
            let text = session.message(&format!("hash {word} failed:"));
            assert!(text.contains("not a table file"), "{text}");
        }
    }
    session.send("START 15\nTURN 7,7");
    session.expect("OK");
    session.mv();
    session.end();
}

#[test]
fn a_search_goes_on_beside_a_file_of_its_table() {
    let folder = folder("table file beside");
    let (one, two) = (folder.join("one.tt"), folder.join("two.tt"));
    let mut session = board(0);
    session.send("INFO timeout_turn 2000000\nstart 15 15\nboard\n7,7,2\n8,8,1\n7,8,2\ndone");
    session.expect("OK");
    std::thread::sleep(Duration::from_millis(50));
    session.send(&format!("yxhashdump {}", one.display()));
    session.message("hash dump: ");
    // One after the other, and both before the table is cleared.
    let (one, two) = (one.display(), two.display());
    session.send(&format!("yxhashload {one}\nyxhashdump {two}\nyxhashclear"));
    // The move that the clearing calls for may overtake what is told of the files.
    let (mut told, mut moves) = (Vec::new(), 0);
    while told.len() < 2 || moves == 0 {
        let line = session.any_line(Duration::from_secs(10)).expect("a line");
        told.extend(line.strip_prefix("MESSAGE hash ").map(|text| text[..5].to_owned()));
        moves += usize::from(points(&line) == Some(1));
    }
    assert_eq!((told.join(" "), moves), ("load: dump:".to_owned(), 1));
    session.send(&format!("yxhashload {two}"));
    session.message("hash load: ");
    session.end();
}

#[test]
fn realtime_marks_and_details_come_when_they_are_asked_for() {
    for (detail, marks, details) in [(0, false, false), (1, true, false), (2, false, true), (3, true, true)] {
        let mut session = Dialogue::game(0, 15);
        session.send(&format!("INFO show_detail {detail}\nTURN 7,7"));
        let (mut marked, mut detailed) = (false, false);
        loop {
            let line = session.any_line(Duration::from_secs(10)).expect("a line");
            marked |= line.starts_with("MESSAGE REALTIME BEST ");
            detailed |= line.starts_with("INFO BESTLINE ");
            if points(&line).is_some() {
                break;
            }
            assert!(line.starts_with("MESSAGE ") || line.starts_with("INFO "), "{line}");
        }
        assert_eq!((marked, detailed), (marks, details), "show_detail {detail}");
        session.end();
    }
}

/// All `MESSAGE REALTIME` lines up to the next move, without these two words.
fn realtime_lines(session: &mut Dialogue) -> Vec<String> {
    let mut marks = Vec::new();
    loop {
        let line = session.any_line(Duration::from_secs(10)).expect("a line");
        if points(&line).is_some() {
            return marks;
        }
        marks.extend(line.strip_prefix("MESSAGE REALTIME ").map(str::to_owned));
    }
}

#[test]
fn the_board_shows_what_is_being_searched() {
    let mut session = Dialogue::game(0, 15);
    session.send("INFO show_detail 1\nINFO timeout_turn 800\nBOARD 7,7,2 8,8,1 6,7,2 DONE");
    let marks = realtime_lines(&mut session);
    assert_eq!(marks[0], "REFRESH");
    let mut searched = None;
    let mut pairs = 0;
    for mark in &marks[1..] {
        let (word, rest) = mark.split_once(' ').unwrap();
        match word {
            // One at a time, and each comes to its end.
            "POS" => assert!(points(rest) == Some(1) && searched.replace(rest).is_none(), "{marks:?}"),
            "DONE" => {
                assert_eq!(searched.take(), Some(rest), "{marks:?}");
                pairs += 1;
            }
            "BEST" | "LOSE" => assert_eq!(points(rest), Some(1)),
            "VAL" => assert!(rest.parse::<i32>().is_ok(), "{mark}"),
            "PV" => assert!(points(rest).is_some(), "{mark}"),
            _ => panic!("{mark}"),
        }
    }
    assert!(searched.is_none() && (1..=14).contains(&pairs), "{marks:?}");
    session.end();
}

#[test]
fn the_board_shows_which_moves_lose() {
    // Black's straight four waits at e8 or i8 of f8-h8: of White's answers only a few hold, and with a second three
    // (f10-h10) none.
    let mut session = Dialogue::game(0, 15);
    session.send(
        "INFO show_detail 1\nINFO timeout_turn 2000000\nINFO max_depth 6\n\
         BOARD 5,7,2 0,0,1 6,7,2 14,14,1 7,7,2 0,14,1 5,4,2 14,0,1 6,4,2 3,14,1 7,4,2 DONE",
    );
    let marks = realtime_lines(&mut session);
    let losing: Vec<&str> = marks.iter().filter_map(|mark| mark.strip_prefix("LOSE ")).collect();
    assert!(!losing.is_empty(), "{marks:?}");
    let mut once = losing.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), losing.len(), "each is told once: {losing:?}");
    session.end();
}

#[test]
fn the_engine_thinks_on_the_opponents_time_and_never_speaks_of_it() {
    let mut session = Dialogue::game(0, 15);
    session.send("INFO pondering 1\nTURN 7,7");
    let mv = session.mv();
    std::thread::sleep(Duration::from_millis(300));
    session.send("yxshowforbid\nyxquerydatabaseall\n7,7\ndone\nINFO time_left 100000");
    session.expect("FORBID .");
    session.silent();
    // Nothing to stop, from the outside.
    session.send("YXSTOP");
    session.silent();
    session.send(&format!("TAKEBACK {mv}"));
    session.expect("OK");
    session.send("TURN 14,14\nSTART 20\nBEGIN");
    session.mv();
    session.expect("OK");
    session.mv();
    for line in
        ["RESTART", "YXHASHCLEAR", "INFO thread_num 2", "INFO max_memory 30000000", "INFO pondering 0"]
    {
        session.send(&format!("INFO pondering 1\nBOARD 9,9,2 DONE\n{line}"));
        session.mv();
        if line == "RESTART" {
            session.expect("OK");
        }
        session.silent();
    }
    session.send("INFO pondering 1\nBOARD 9,9,2 DONE");
    session.mv();
    let start = Instant::now();
    session.end();
    assert!(start.elapsed() < Duration::from_millis(500), "it ended after {:?}", start.elapsed());
}

#[test]
fn what_is_not_supported_says_so_in_a_message() {
    let mut session = board(2);
    for (line, answer) in [
        ("yxdraw", "DRAW REJECT"),
        ("yxresign", "YXRESIGN: not supported"),
        ("yxforbid add 7 7 1", "YXFORBID: not supported"),
        ("yxsetdatabase\nC:\\棋谱 a\\my.db", "YXSETDATABASE: there is no database"),
        ("yxdeletedatabaseone\n7,7\ndone", "YXDELETEDATABASEONE: there is no database"),
        ("yxtxttodb a.txt", "YXTXTTODB: there is no database"),
    ] {
        session.send(line);
        session.message(answer);
        session.silent();
    }
    session.end();
}
