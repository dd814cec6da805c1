//! Lines of the protocol, in both directions.

use proptest::prelude::*;
use proptest::sample::select;

use halfstone::types::{Cell, Move, Size};
use halfstone::wire::{
    BlockKind, Command, Info, InfoKey, InfoValue, Point, Reply, Said, SearchInfo, parse, parse_block_part,
};

use super::hunt;
use super::mutate::{apply, mutations};

const WORDS: [&str; 46] = [
    "START",
    "RECTSTART",
    "TURN",
    "HALF",
    "PLAY",
    "TAKEBACK",
    "BOARD",
    "DONE",
    "INFO",
    "rule",
    "yxboard",
    "YXNBEST",
    "SWAP2BOARD",
    "7,7",
    "7,7,1",
    "-1,3",
    "7 ,7",
    ",",
    ",,",
    "15",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "99999999999999999999999",
    "timeout_turn",
    "folder",
    "tune",
    "0",
    "é",
    "STOP",
    "YXHASHLOAD",
    "YXHASHDUMP",
    "YXSOOSORVSTEP5",
    "yxsoosorvstep6",
    "YXSWAP2STEP2",
    "YXBLOCKPATH",
    "YXBLOCKUNDO",
    "yxsearchdefend",
    "YXSETDATABASE",
    "YXQUERYDATABASEALL",
    "pondering",
    "hash_size",
    "show_detail",
    "thread_num",
    "3",
    "evaluate",
];

/// Words that mean something, in no order that does.
pub(crate) fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(select(WORDS.to_vec()), 0..most).prop_map(|words| words.join(" "))
}

pub(crate) fn point() -> impl Strategy<Value = Point> {
    let number = || prop_oneof![8 => -2i64..24, 1 => any::<i64>()];
    (number(), number()).prop_map(|(x, y)| Point { x, y })
}

fn info() -> impl Strategy<Value = Command> {
    let key = || select(InfoKey::ALL.to_vec());
    let value = prop_oneof![
        (-2i64..300).prop_map(InfoValue::Number),
        any::<i64>().prop_map(InfoValue::Number),
        "[!-~é王]{1,9}( [!-~]{1,3})?".prop_map(InfoValue::Text),
        Just(InfoValue::Text(String::new())),
    ];
    // A key takes numbers or text.
    let is_text = |key: InfoKey| {
        let read = parse(format!("INFO {} 1", key.name()).as_bytes());
        matches!(read, Ok(Command::Info(Info { value: InfoValue::Text(_), .. })))
    };
    (key(), value)
        .prop_filter("the kind of the value", move |(key, value)| {
            is_text(*key) == matches!(value, InfoValue::Text(_))
        })
        .prop_map(|(key, value)| Command::Info(Info { key, value }))
}

/// Every command that there is.
fn command() -> impl Strategy<Value = Command> {
    let size = || (0i64..30, 0i64..30);
    let name = || "([A-Za-z:/.王][ -~]{0,8}[a-z])?";
    let with_numbers = prop_oneof![
        size().prop_map(|(width, height)| Command::Start { width, height }),
        size().prop_map(|(width, height)| Command::RectStart { width, height }),
        point().prop_map(Command::Turn),
        point().prop_map(Command::Half),
        point().prop_map(Command::Play),
        point().prop_map(Command::TakeBack),
        any::<i64>().prop_map(Command::NBest),
        any::<i64>().prop_map(Command::BalanceOne),
        any::<i64>().prop_map(Command::BalanceTwo),
        (1u8..4).prop_map(Command::Swap2Step),
    ];
    let with_text = prop_oneof![
        (select(BlockKind::ALL.to_vec()), "([0-9,]([0-9, ]{0,20}[0-9,])?)?")
            .prop_map(|(kind, rest)| Command::Block(kind, rest)),
        name().prop_map(Command::HashDump),
        name().prop_map(Command::HashLoad),
    ];
    let bare = select(vec![
        Command::Blank,
        Command::Restart,
        Command::Begin,
        Command::Done,
        Command::About,
        Command::End,
        Command::Stop,
        Command::ShowInfo,
        Command::ShowForbid,
        Command::HashClear,
        Command::HashUsage,
        Command::SearchDefend,
        Command::SoosorvOpen,
        Command::Draw,
        Command::BlockReset,
        Command::BlockPathReset,
    ]);
    let tabled = select(vec![
        "YXQUERYDATABASEALL",
        "YXQUERYDATABASETEXT",
        "YXDELETEDATABASEONE",
        "YXSETDATABASE",
        "YXDBFIX",
    ])
    .prop_map(|word| parse(word.as_bytes()).expect("a word of the dialect"));
    prop_oneof![10 => with_numbers, 3 => with_text, 4 => info(), 4 => bare, 1 => tabled]
}

/// A line is a command that reads the same when it is written out, or an error that can be shown; whatever a manager
/// makes of it as a line of an engine.
fn take(line: &[u8]) -> Result<(), TestCaseError> {
    match parse(line) {
        // Only the word of a command without effect is kept.
        Ok(Command::Unsupported(unsupported)) => prop_assert!(parse(unsupported.word.as_bytes()).is_ok()),
        Ok(command) => prop_assert_eq!(parse(command.to_string().as_bytes()), Ok(command)),
        Err(error) => {
            let text = error.to_string();
            prop_assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text:?}");
        }
    }
    let text = String::from_utf8_lossy(line);
    for kind in BlockKind::ALL {
        let part = parse_block_part(kind, &text);
        prop_assert!(part.stones.iter().all(|stone| stone.field.is_some() == kind.has_field()));
    }
    Said::parse(line);
    if let Some(info) = SearchInfo::parse(&text) {
        prop_assert!(info.score().is_none_or(|score| score.abs() <= 30_000));
    }
    Ok(())
}

#[test]
fn any_bytes_are_a_command_or_an_error() {
    hunt("wire, bytes", 256, &prop::collection::vec(any::<u8>(), 0..200), |line| take(&line));
}

#[test]
fn any_words_are_a_command_or_an_error() {
    hunt("wire, words", 256, &words(7), |line| take(line.as_bytes()));
}

#[test]
fn damaged_commands_are_a_command_or_an_error() {
    hunt("wire, damaged", 512, &(command(), mutations(4)), |(command, mutations)| {
        let mut line = command.to_string().into_bytes();
        apply(&mut line, &mutations);
        take(&line)
    });
}

#[test]
fn commands_are_read_back_as_written() {
    hunt("wire, commands", 512, &command(), |command| {
        let text = command.to_string();
        prop_assert_eq!(parse(text.as_bytes()), Ok(command.clone()));
        prop_assert_eq!(parse(format!(" {}\t\r\n", text.replacen(' ', "\t ", 1)).as_bytes()), Ok(command));
        Ok(())
    });
}

fn reply() -> impl Strategy<Value = Reply> {
    let cell =
        || (0usize..22, 0usize..22).prop_map(|(x, y)| Cell::new(x, y, Size::MAX).expect("on the board"));
    prop_oneof![
        cell().prop_map(|cell| Reply::Move(Move::stone(cell))),
        cell().prop_map(|cell| Reply::Move(Move::half(cell))),
        prop::collection::vec(cell(), 1..9).prop_map(Reply::Points),
        prop::collection::vec(cell(), 0..99).prop_map(Reply::Forbid),
        any::<String>().prop_map(Reply::Message),
        any::<String>().prop_map(Reply::Error),
        any::<String>().prop_map(Reply::Unknown),
        any::<String>().prop_map(Reply::Detail),
        select(vec![Reply::Ok, Reply::Swap, Reply::About]),
    ]
}

#[test]
fn replies_are_one_line_and_mean_what_they_say() {
    hunt("wire, replies", 512, &reply(), |reply| {
        let line = reply.to_string();
        prop_assert!(line.len() < 2_000 && !line.contains(['\n', '\r', '\0']), "{line:?}");
        let heard = Said::parse(line.as_bytes());
        let at = |cell: &Cell| Point { x: cell.x() as i64, y: cell.y() as i64 };
        let wanted = match &reply {
            Reply::Ok => Said::Ok,
            Reply::Swap => Said::Swap,
            Reply::Move(mv) => Said::Move { point: at(&mv.cell().expect("no pass")), half: mv.is_half() },
            Reply::Points(points) if points.len() > 1 => Said::Points(points.iter().map(at).collect()),
            _ => return Ok(()),
        };
        prop_assert_eq!((heard.said, heard.strict), (wanted, true));
        Ok(())
    });
}
