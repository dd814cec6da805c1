//! Random input: the grammar and the session survive it, and every command gets the replies that it is owed.

use proptest::prelude::*;

use crate::dialogue::Dialogue;
use halfstone::wire::{BlockKind, Command, Info, InfoKey, InfoValue, Point, parse, parse_block_part};

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
        "YXHASHDUMP",
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
            Command::Begin,
            Command::About,
            Command::End,
            Command::Stop
        ]),
    ]
}

/// Complete commands, each with how many lines that are no `MESSAGE` it is answered by.
fn owed() -> impl Strategy<Value = (String, usize)> {
    let stones = prop::collection::vec((0i64..7, 0i64..7, 1i64..6), 0..6).prop_map(|stones| {
        stones.iter().map(|(x, y, field)| format!("{x},{y},{field}\n")).collect::<String>()
    });
    prop_oneof![
        6 => point().prop_map(|p| (format!("TURN {p}"), 1)),
        2 => point().prop_map(|p| (format!("HALF {p}"), 1)),
        1 => point().prop_map(|p| (format!("PLAY {p}"), 1)),
        1 => point().prop_map(|p| (format!("TAKEBACK {p}"), 1)),
        3 => stones.prop_map(|stones| (format!("BOARD\n{stones}DONE"), 1)),
        1 => (0usize..7).prop_map(|n| {
            let points: String = (0..n).map(|i| format!("{i},1\n")).collect();
            (format!("SWAP2BOARD\n{points}DONE"), 1)
        }),
        1 => (3i64..9).prop_map(|n| (format!("START {n}"), 1)),
        1 => prop::sample::select(vec!["0", "1", "4", "8", "9", "32", "3"]).prop_map(|r| (format!("INFO rule {r}"), 0)),
        2 => prop::sample::select(vec![
            ("RESTART", 1), ("BEGIN", 1), ("ABOUT", 1), ("FOOBAR", 1), ("YXNBEST 2", 1), ("YXBALANCETWO 0", 1),
            ("YXSHOWFORBID", 1), ("DONE", 1), ("STOP", 0), ("INFO x y", 0), ("YXQUERYDATABASEALL\n1,1\nDONE", 0),
            ("YXBLOCK 1,1 DONE", 0), ("YXBLOCKRESET", 0), ("yxhashdump\nfile", 0), ("", 0),
        ]).prop_map(|(line, replies)| (line.to_owned(), replies)),
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
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 50, ..ProptestConfig::default() })]

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
        let mut owed = 1;
        for (line, replies) in &commands {
            session.send(line);
            owed += replies;
        }
        let lines = session.close();
        prop_assert_eq!(lines.len(), owed, "{:?}", lines);
    }
}
