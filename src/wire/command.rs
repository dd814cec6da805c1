//! What a manager can say: one line, one [`Command`].

use std::fmt;

use super::block::BlockKind;
use super::error::WireError;
use super::info::Info;
use super::token::{Point, Token, clean, number, point, split_word};

/// A line from the manager, understood word by word but not yet judged by any board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line.
    Blank,
    /// `START n`, or `START w h`: a new game on a board of this size.
    Start {
        /// Columns.
        width: i64,
        /// Rows.
        height: i64,
    },
    /// `RECTSTART w,h`: the same for rectangles.
    RectStart {
        /// Columns.
        width: i64,
        /// Rows.
        height: i64,
    },
    /// `RESTART`: a new game on the same board.
    Restart,
    /// `BEGIN`: the engine plays the first move.
    Begin,
    /// `TURN x,y`: the opponent's stone, to be answered.
    Turn(Point),
    /// `HALF x,y`: the opponent's half stone, to be answered.
    Half(Point),
    /// `PLAY x,y`: the engine's move is this one.
    Play(Point),
    /// `TAKEBACK x,y`: the last piece goes.
    TakeBack(Point),
    /// The head of a block, with what follows on the same line.
    Block(BlockKind, String),
    /// `DONE` outside a block.
    Done,
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`.
    About,
    /// `END`.
    End,
    /// `YXSTOP` or `STOP`: end the running search and play.
    Stop,
    /// `YXSHOWINFO`: the manager speaks the Yixin dialect and asks for the limits.
    ShowInfo,
    /// `YXSHOWFORBID`: which points are forbidden.
    ShowForbid,
    /// `YXNBEST n`: search with this many lines.
    NBest(i64),
    /// `YXBALANCEONE b`: the move that makes the score nearest to `b`.
    BalanceOne(i64),
    /// `YXBALANCETWO b`: the two moves that do.
    BalanceTwo(i64),
    /// `YXHASHCLEAR`: forget earlier searches.
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full the table is.
    HashUsage,
    /// `YXHASHDUMP file`: write what the table knows; without a name, it is on the next line.
    HashDump(String),
    /// `YXHASHLOAD file`: read such a file; without a name, it is on the next line.
    HashLoad(String),
    /// `YXSEARCHDEFEND`: the moves that hold against what the opponent threatens.
    SearchDefend,
    /// `YXSWAP2STEP1` to `3`: the decisions of a swap2 opening.
    Swap2Step(u8),
    /// `YXSOOSORVSTEP1`: an opening for Soosõrv's rule; the other steps are blocks.
    SoosorvOpen,
    /// `YXDRAW`: the opponent offers a draw.
    Draw,
    /// `YXBLOCKRESET`: all points may be played again.
    BlockReset,
    /// `YXBLOCKPATHRESET`: all lines may be played again.
    BlockPathReset,
    /// `YXQUERYDATABASE…`: lines of points follow, and `DONE` unless the manager forgets it.
    DatabaseQuery(&'static str),
    /// A command of the dialect that is known and not supported.
    Unsupported(Unsupported),
}

/// A known command that the engine does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The command word.
    pub word: &'static str,
    /// What the manager sends after it.
    pub follows: Follows,
}

impl Unsupported {
    /// Whether it concerns a database of positions, of which there is none.
    pub fn concerns_database(self) -> bool {
        self.word.contains("DATABASE") || self.word.contains("DB")
    }
}

/// The lines that come after the line of an unsupported command and belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// None.
    Nothing,
    /// Lines of coordinates, and usually `DONE`.
    Points,
    /// One line with a file name.
    File,
}

const DATABASE_QUERIES: [&str; 4] =
    ["YXQUERYDATABASEALL", "YXQUERYDATABASEONE", "YXQUERYDATABASETEXT", "YXQUERYDATABASEALLT"];

const UNSUPPORTED: [(&str, Follows); 23] = [
    ("YXFORBID", Follows::Nothing),
    ("YXRESIGN", Follows::Nothing),
    ("YXPRINTFEATURE", Follows::Nothing),
    ("YXEDITTVDDATABASE", Follows::Points),
    ("YXEDITLABELDATABASE", Follows::Points),
    ("YXEDITTEXTDATABASE", Follows::Nothing),
    ("YXSETBESTMOVEDATABASE", Follows::Points),
    ("YXCLEARBESTMOVEDATABASE", Follows::Points),
    ("YXDELETEDATABASEONE", Follows::Points),
    ("YXDELETEDATABASEALL", Follows::Points),
    ("YXSETDATABASE", Follows::File),
    ("YXSAVEDATABASE", Follows::Nothing),
    ("YXDBTOTXT", Follows::File),
    ("YXDBTOTXTALL", Follows::File),
    ("YXTXTTODB", Follows::File),
    ("YXDBTOPOS", Follows::File),
    ("YXDBTOLIB", Follows::File),
    ("YXLIBTODB", Follows::File),
    ("YXDBSPLIT", Follows::File),
    ("YXDBMERGE", Follows::File),
    ("YXDBCHECK", Follows::Nothing),
    ("YXDBFIX", Follows::Nothing),
    ("RELOADCONFIG", Follows::Nothing),
];

const SIZE_FORM: &str = "a board size from 5 to 22";
const RECT_FORM: &str = "width,height";
const POINT_FORM: &str = "x,y";
const NUMBER_FORM: &str = "an integer";

/// Reads one line of raw bytes. Letter case, surrounding blanks, the line end and a byte order mark do not matter.
///
/// # Errors
/// [`WireError`], which says whether the command is unknown or its arguments are wrong.
///
/// ```
/// use halfstone::wire::{Command, Point, parse};
/// assert_eq!(parse(b"turn 7 , 8 \r\n"), Ok(Command::Turn(Point { x: 7, y: 8 })));
/// assert_eq!(parse(b"TURN 7").unwrap_err().to_string(), "TURN: bad argument '7' (allowed: x,y)");
/// ```
pub fn parse(line: &[u8]) -> Result<Command, WireError> {
    let text = clean(line);
    let (word, rest) = split_word(&text);
    let upper = word.to_ascii_uppercase();
    Ok(match upper.as_str() {
        "" => Command::Blank,
        "START" => start(rest)?,
        "RECTSTART" => {
            let size = point_of("RECTSTART", rest, RECT_FORM)?;
            Command::RectStart { width: size.x, height: size.y }
        }
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => Command::Turn(point_of("TURN", rest, POINT_FORM)?),
        "HALF" => Command::Half(point_of("HALF", rest, POINT_FORM)?),
        "PLAY" => Command::Play(point_of("PLAY", rest, POINT_FORM)?),
        "TAKEBACK" => Command::TakeBack(point_of("TAKEBACK", rest, POINT_FORM)?),
        "DONE" => Command::Done,
        "INFO" => Command::Info(Info::parse(rest)?),
        "ABOUT" => Command::About,
        "END" => Command::End,
        "STOP" | "YXSTOP" => Command::Stop,
        "YXSHOWINFO" => Command::ShowInfo,
        "YXSHOWFORBID" => Command::ShowForbid,
        "YXNBEST" => Command::NBest(number_of("YXNBEST", rest)?),
        "YXBALANCEONE" => Command::BalanceOne(number_of("YXBALANCEONE", rest)?),
        "YXBALANCETWO" => Command::BalanceTwo(number_of("YXBALANCETWO", rest)?),
        "YXHASHCLEAR" => Command::HashClear,
        "YXSHOWHASHUSAGE" => Command::HashUsage,
        "YXHASHDUMP" => Command::HashDump(rest.to_owned()),
        "YXHASHLOAD" => Command::HashLoad(rest.to_owned()),
        "YXSEARCHDEFEND" => Command::SearchDefend,
        "YXSWAP2STEP1" => Command::Swap2Step(1),
        "YXSWAP2STEP2" => Command::Swap2Step(2),
        "YXSWAP2STEP3" => Command::Swap2Step(3),
        "YXSOOSORVSTEP1" => Command::SoosorvOpen,
        "YXDRAW" => Command::Draw,
        "YXBLOCKRESET" => Command::BlockReset,
        "YXBLOCKPATHRESET" => Command::BlockPathReset,
        other => return extension(other, rest).ok_or_else(|| WireError::UnknownCommand(Token::new(word))),
    })
}

/// The commands that are found by table: blocks, database queries and what is not supported.
fn extension(word: &str, rest: &str) -> Option<Command> {
    if let Some(kind) = BlockKind::ALL.into_iter().find(|kind| kind.name() == word) {
        return Some(Command::Block(kind, rest.to_owned()));
    }
    if let Some(query) = DATABASE_QUERIES.into_iter().find(|&query| query == word) {
        return Some(Command::DatabaseQuery(query));
    }
    let (word, follows) = UNSUPPORTED.into_iter().find(|&(known, _)| known == word)?;
    let follows = if follows == Follows::File && !rest.is_empty() { Follows::Nothing } else { follows };
    Some(Command::Unsupported(Unsupported { word, follows }))
}

fn start(rest: &str) -> Result<Command, WireError> {
    let bad = || WireError::Bad { command: "START", token: Token::new(rest), allowed: SIZE_FORM };
    let words: Vec<&str> = rest.split_ascii_whitespace().take(3).collect();
    match *words.as_slice() {
        [] => Err(WireError::Missing { command: "START", allowed: SIZE_FORM }),
        [size] => number(size).map(|n| Command::Start { width: n, height: n }).ok_or_else(bad),
        [width, height] => match (number(width), number(height)) {
            (Some(width), Some(height)) => Ok(Command::Start { width, height }),
            _ => Err(bad()),
        },
        _ => Err(bad()),
    }
}

fn point_of(command: &'static str, rest: &str, allowed: &'static str) -> Result<Point, WireError> {
    if rest.is_empty() {
        return Err(WireError::Missing { command, allowed });
    }
    point(rest).ok_or_else(|| WireError::Bad { command, token: Token::new(rest), allowed })
}

fn number_of(command: &'static str, rest: &str) -> Result<i64, WireError> {
    if rest.is_empty() {
        return Err(WireError::Missing { command, allowed: NUMBER_FORM });
    }
    number(rest).ok_or_else(|| WireError::Bad { command, token: Token::new(rest), allowed: NUMBER_FORM })
}

impl fmt::Display for Command {
    /// The line as a manager sends it, without the line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Blank => Ok(()),
            Command::Start { width, height } if width == height => write!(f, "START {width}"),
            Command::Start { width, height } => write!(f, "START {width} {height}"),
            Command::RectStart { width, height } => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(point) => write!(f, "TURN {point}"),
            Command::Half(point) => write!(f, "HALF {point}"),
            Command::Play(point) => write!(f, "PLAY {point}"),
            Command::TakeBack(point) => write!(f, "TAKEBACK {point}"),
            Command::Block(kind, rest) if rest.is_empty() => f.write_str(kind.name()),
            Command::Block(kind, rest) => write!(f, "{} {rest}", kind.name()),
            Command::Done => f.write_str("DONE"),
            Command::Info(info) => info.fmt(f),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::Stop => f.write_str("YXSTOP"),
            Command::ShowInfo => f.write_str("YXSHOWINFO"),
            Command::ShowForbid => f.write_str("YXSHOWFORBID"),
            Command::NBest(lines) => write!(f, "YXNBEST {lines}"),
            Command::BalanceOne(score) => write!(f, "YXBALANCEONE {score}"),
            Command::BalanceTwo(score) => write!(f, "YXBALANCETWO {score}"),
            Command::HashClear => f.write_str("YXHASHCLEAR"),
            Command::HashUsage => f.write_str("YXSHOWHASHUSAGE"),
            Command::HashDump(file) if file.is_empty() => f.write_str("YXHASHDUMP"),
            Command::HashDump(file) => write!(f, "YXHASHDUMP {file}"),
            Command::HashLoad(file) if file.is_empty() => f.write_str("YXHASHLOAD"),
            Command::HashLoad(file) => write!(f, "YXHASHLOAD {file}"),
            Command::SearchDefend => f.write_str("YXSEARCHDEFEND"),
            Command::Swap2Step(step) => write!(f, "YXSWAP2STEP{step}"),
            Command::SoosorvOpen => f.write_str("YXSOOSORVSTEP1"),
            Command::Draw => f.write_str("YXDRAW"),
            Command::BlockReset => f.write_str("YXBLOCKRESET"),
            Command::BlockPathReset => f.write_str("YXBLOCKPATHRESET"),
            Command::DatabaseQuery(word) => f.write_str(word),
            Command::Unsupported(unsupported) => f.write_str(unsupported.word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        parse(line.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn commands_are_read_in_any_dress() {
        assert_eq!(parse(b"start 15 15"), Ok(Command::Start { width: 15, height: 15 }));
        assert_eq!(parse(b"\xef\xbb\xbfABOUT"), Ok(Command::About));
        assert_eq!(parse(b"\t turn\t4,4\t\r\n"), Ok(Command::Turn(Point { x: 4, y: 4 })));
        assert_eq!(parse(b"RECTSTART 20, 15"), Ok(Command::RectStart { width: 20, height: 15 }));
        assert_eq!(parse(b" \r\n"), Ok(Command::Blank));
        assert_eq!(
            parse(b"YXBOARD 7,7,1 DONE"),
            Ok(Command::Block(BlockKind::YxBoard, "7,7,1 DONE".to_owned()))
        );
    }

    #[test]
    fn errors_name_the_token_and_what_is_allowed() {
        assert_eq!(error("FOOBAR x"), "unknown command 'FOOBAR'");
        assert_eq!(error("START"), "START: missing argument (allowed: a board size from 5 to 22)");
        assert_eq!(error("START 15.5"), "START: bad argument '15.5' (allowed: a board size from 5 to 22)");
        assert_eq!(error("TURN 7\0,7"), r"TURN: bad argument '7\0,7' (allowed: x,y)");
        assert_eq!(error("YXNBEST x"), "YXNBEST: bad argument 'x' (allowed: an integer)");
    }

    #[test]
    fn a_file_name_follows_only_when_it_is_not_on_the_line() {
        let follows = |line: &[u8]| match parse(line) {
            Ok(Command::Unsupported(unsupported)) => unsupported.follows,
            other => panic!("{other:?}"),
        };
        assert_eq!(follows(b"YXSETDATABASE"), Follows::File);
        assert_eq!(follows(b"YXSETDATABASE a.db"), Follows::Nothing);
        assert_eq!(follows(b"YXDELETEDATABASEONE"), Follows::Points);
        assert_eq!(parse(b"yxhashdump A b.tt"), Ok(Command::HashDump("A b.tt".to_owned())));
    }
}
