//! Random input: the grammar and the session survive it, and every command gets the replies that it is owed.

use proptest::prelude::*;

use crate::dialogue::Dialogue;
use halfstone::control::StopSignal;
use halfstone::engine;
use halfstone::game::GameRecord;
use halfstone::rules::{Position, Status};
use halfstone::solver::{Mode, Solver};
use halfstone::types::{Cell, Move, Rule, Size};
use halfstone::wire::{BlockKind, Command, Info, InfoKey, InfoValue, Point, parse, parse_block_part};

/// So many cases, times `HALFSTONE_FUZZ` for a long run.
fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("HALFSTONE_FUZZ").ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(factor), max_shrink_iters: 50, ..ProptestConfig::default() }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "START",
        "TURN",
        "BOARD",
        "DONE",
        "INFO",
        "rule",
        "HALF",
        "yxboard",
        "YXNBEST",
        "7,7",
        "7,7,1",
        "-1,3",
        ",",
        "15",
        "\0",
        "\u{feff}",
        "99999999999999999999999",
        "timeout_turn",
        "0",
        "é",
        "TAKEBACK",
        "STOP",
        "YXHASHLOAD",
        "YXSOOSORVSTEP5",
        "yxsoosorvstep6",
        "YXSWAP2STEP2",
        "YXBLOCKPATH",
        "yxsearchdefend",
        "pondering",
        "hash_size",
        "show_detail",
        "thread_num",
        "3",
    ]);
    prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

fn point() -> impl Strategy<Value = Point> {
    (-2i64..17, -2i64..17).prop_map(|(x, y)| Point { x, y })
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        (0i64..30, 0i64..30).prop_map(|(width, height)| Command::Start { width, height }),
        (0i64..30, 0i64..30).prop_map(|(width, height)| Command::RectStart { width, height }),
        point().prop_map(Command::Turn),
        point().prop_map(Command::Half),
        point().prop_map(Command::Play),
        point().prop_map(Command::TakeBack),
        any::<i64>().prop_map(Command::NBest),
        any::<i64>().prop_map(Command::BalanceOne),
        any::<i64>().prop_map(Command::BalanceTwo),
        (prop::sample::select(BlockKind::ALL.to_vec()), "[0-9,]{0,9}")
            .prop_map(|(kind, rest)| Command::Block(kind, rest)),
        (any::<i64>(), prop::sample::select(vec![InfoKey::Rule, InfoKey::TimeLeft]))
            .prop_map(|(value, key)| Command::Info(Info { key, value: InfoValue::Number(value) })),
        "[a-z/]{1,9}( [a-z]{1,3})?"
            .prop_map(|text| Command::Info(Info { key: InfoKey::Folder, value: InfoValue::Text(text) })),
        prop::sample::select(vec![
            Command::Restart,
            Command::SearchDefend,
            Command::Swap2Step(2),
            Command::SoosorvOpen,
            Command::Draw,
            Command::HashDump("a b.tt".to_owned()),
            Command::HashLoad(String::new()),
            Command::Begin,
            Command::About,
            Command::End,
            Command::Stop
        ]),
    ]
}

/// Complete commands, each with how many lines that are no `MESSAGE` it is answered by, at least and at most.
fn owed() -> impl Strategy<Value = (String, usize, usize)> {
    let stones = prop::collection::vec((0i64..7, 0i64..7, 1i64..6), 0..6).prop_map(|stones| {
        stones.iter().map(|(x, y, field)| format!("{x},{y},{field}\n")).collect::<String>()
    });
    let points = |most: usize| {
        prop::collection::vec((0i64..8, 0i64..8), 0..most)
            .prop_map(|points| points.iter().map(|(x, y)| format!("{x},{y}\n")).collect::<String>())
    };
    let one = |line: String| (line, 1, 1);
    prop_oneof![
        6 => point().prop_map(move |p| one(format!("TURN {p}"))),
        2 => point().prop_map(move |p| one(format!("HALF {p}"))),
        1 => point().prop_map(move |p| one(format!("PLAY {p}"))),
        1 => point().prop_map(move |p| one(format!("TAKEBACK {p}"))),
        3 => stones.clone().prop_map(move |stones| one(format!("BOARD\n{stones}DONE"))),
        1 => stones.prop_map(|stones| (format!("YXBOARD {}DONE", stones.replace('\n', " ")), 0, 1)),
        1 => points(7).prop_map(move |points| one(format!("SWAP2BOARD\n{points}DONE"))),
        1 => (3i64..9).prop_map(move |n| one(format!("START {n}"))),
        1 => prop::sample::select(vec!["0", "1", "4", "8", "9", "32", "3"])
            .prop_map(|rule| (format!("INFO rule {rule}"), 0, 0)),
        // A step of an opening is answered by messages, or refused.
        2 => (2u8..7, 0i64..10, points(9)).prop_map(|(step, count, points)| {
            let count = if matches!(step, 4 | 5) { format!(" {count}") } else { String::new() };
            (format!("YXSOOSORVSTEP{step}{count}\n{points}DONE"), 0, 1)
        }),
        1 => points(5).prop_map(|points| (format!("YXBLOCKPATH\n{points}DONE"), 0, 0)),
        1 => prop::sample::select(vec![
            "INFO pondering 1", "INFO pondering 0", "INFO hash_size 64", "INFO hash_size 0", "INFO show_detail 1",
            "INFO thread_num 3", "INFO max_memory 20000000", "INFO vcthread 2", "INFO time_left 5000",
        ]).prop_map(|line| (line.to_owned(), 0, 0)),
        2 => prop::sample::select(vec![
            ("RESTART", 1, 1), ("BEGIN", 1, 1), ("ABOUT", 1, 1), ("FOOBAR", 1, 1), ("YXNBEST 2", 1, 1),
            ("YXBALANCETWO 0", 1, 1), ("YXSHOWFORBID", 1, 1), ("DONE", 1, 1), ("STOP", 0, 0), ("INFO x y", 0, 0),
            ("YXQUERYDATABASEALL\n1,1\nDONE", 0, 0), ("YXBLOCK 1,1 DONE", 0, 0), ("YXBLOCKRESET", 0, 0), ("", 0, 0),
            ("yxhashload\nno such file", 0, 1), ("YXHASHCLEAR", 0, 0), ("YXSHOWHASHUSAGE", 0, 0), ("YXDRAW", 0, 0),
            ("YXSWAP2STEP1", 0, 1), ("YXSWAP2STEP2", 0, 1), ("YXSWAP2STEP3", 0, 1), ("YXSOOSORVSTEP1", 0, 1),
            ("YXSEARCHDEFEND", 1, 1), ("YXBLOCKPATHRESET", 0, 0), ("YXSETDATABASE\nno such file", 0, 0),
        ]).prop_map(|(line, least, most)| (line.to_owned(), least, most)),
    ]
}

proptest! {
    #[test]
    fn any_bytes_are_a_command_or_an_error(line in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = parse(&line) {
            let text = error.to_string();
            prop_assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text:?}");
        }
        for kind in BlockKind::ALL {
            parse_block_part(kind, &String::from_utf8_lossy(&line));
        }
    }

    #[test]
    fn any_words_are_a_command_or_an_error(line in words()) {
        if let Err(error) = parse(line.as_bytes()) {
            prop_assert!(!error.to_string().contains(char::is_control));
        }
        for kind in BlockKind::ALL {
            parse_block_part(kind, &line);
        }
    }

    #[test]
    fn commands_are_read_back_as_written(command in command()) {
        prop_assert_eq!(parse(command.to_string().as_bytes()), Ok(command.clone()));
        prop_assert_eq!(parse(format!(" {}\t\r\n", command.to_string().replacen(' ', "\t ", 1)).as_bytes()), Ok(command));
    }
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn a_session_survives_any_bytes(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..8)) {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nSTART 15");
        for chunk in &chunks {
            session.raw(chunk);
        }
        session.close();
    }

    #[test]
    fn a_session_survives_any_words(lines in prop::collection::vec(words(), 0..30)) {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nSTART 7");
        for line in &lines {
            session.send(line);
        }
        // Only a time that one of the lines has set could make this take long.
        session.send("INFO timeout_turn 0\nSTOP");
        session.close();
    }

    #[test]
    fn every_command_gets_what_it_is_owed(commands in prop::collection::vec(owed(), 0..20)) {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nINFO rule 32\nSTART 7");
        let (mut least, mut most) = (1, 1);
        for (line, at_least, at_most) in &commands {
            session.send(line);
            least += at_least;
            most += at_most;
        }
        // Waits for a search that still runs: the end of the input would give it only so much time.
        session.send("START 5");
        (least, most) = (least + 1, most + 1);
        let lines = session.close();
        prop_assert!((least..=most).contains(&lines.len()), "{least} to {most}: {:?}", lines);
    }
}

/// Positions by random moves for the solver.
fn moves() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (5usize..12).prop_flat_map(|size| (Just(size), prop::collection::vec((0..size, 0..size), 0..40)))
}

proptest! {
    #![proptest_config(config(64))]

    /// It neither panics nor changes the board, and the moves of its wins can be played. That they win is checked by the
    /// tests of the solver.
    #[test]
    fn the_solver_takes_any_position((size, points) in moves(), rule in prop::sample::select(Rule::ALL.to_vec())) {
        let size = Size::new(size as i64).unwrap();
        let mut game = GameRecord::new(rule, size);
        for (x, y) in points {
            let cell = Cell::new(x, y, size).unwrap();
            let before = game.clone();
            if game.piece_at(cell).is_none() {
                game.push(Move::stone(cell));
            }
            if !Position::from_record(&game).is_ok_and(|position| position.status() == Status::Ongoing) {
                game = before;
            }
        }
        let mut board = engine::board(&game);
        let hash = board.hash();
        let mut solver = Solver::new(1 << 16);
        let stop = StopSignal::default();
        let verdict = solver.vct(&mut board, Mode::Narrow, 200, &stop);
        solver.defend(&mut board, Some(Mode::Narrow), 50, &stop);
        prop_assert_eq!(board.hash(), hash);
        if let Some(win) = verdict.win() {
            for &mv in &win.line {
                let position = Position::from_record(&game).unwrap();
                // A line may show the five that would have come had the answer to a four been no foul.
                if position.status().is_over() {
                    break;
                }
                prop_assert!(position.check(mv).is_ok(), "{mv:?}");
                game.push(mv);
            }
        }
    }
}
