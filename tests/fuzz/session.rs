//! Sessions: any bytes and words, commands with the number of lines that they are owed, and games played against the
//! model, which knows what each answer must be.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use halfstone::game::GameRecord;
use halfstone::rules::Position;
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};

use super::model::{Model, Sent, end, is_ongoing};
use super::mutate::{apply, mutations};
use super::wire::{point, words};
use super::{hunt, panics};
use crate::dialogue::{Dialogue, points};

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
        1 => select(vec!["0", "1", "4", "8", "9", "32", "3"]).prop_map(|rule| (format!("INFO rule {rule}"), 0, 0)),
        // A step of an opening is answered by messages, or refused.
        2 => (2u8..7, 0i64..10, points(9)).prop_map(|(step, count, points)| {
            let count = if matches!(step, 4 | 5) { format!(" {count}") } else { String::new() };
            (format!("YXSOOSORVSTEP{step}{count}\n{points}DONE"), 0, 1)
        }),
        1 => points(5).prop_map(|points| (format!("YXBLOCKPATH\n{points}DONE"), 0, 0)),
        1 => select(vec![
            "INFO pondering 1", "INFO pondering 0", "INFO hash_size 64", "INFO hash_size 0", "INFO show_detail 1",
            "INFO thread_num 3", "INFO max_memory 20000000", "INFO vcthread 2", "INFO time_left 5000",
        ]).prop_map(|line| (line.to_owned(), 0, 0)),
        2 => select(vec![
            ("RESTART", 1, 1), ("BEGIN", 1, 1), ("ABOUT", 1, 1), ("FOOBAR", 1, 1), ("YXNBEST 2", 1, 1),
            ("YXBALANCETWO 0", 1, 1), ("YXSHOWFORBID", 1, 1), ("DONE", 1, 1), ("STOP", 0, 0), ("INFO x y", 0, 0),
            ("YXQUERYDATABASEALL\n1,1\nDONE", 0, 0), ("YXBLOCK 1,1 DONE", 0, 0), ("YXBLOCKRESET", 0, 0), ("", 0, 0),
            ("yxhashload\nno such file", 0, 1), ("YXHASHCLEAR", 0, 0), ("YXSHOWHASHUSAGE", 0, 0), ("YXDRAW", 0, 0),
            ("YXSWAP2STEP1", 0, 1), ("YXSWAP2STEP2", 0, 1), ("YXSWAP2STEP3", 0, 1), ("YXSOOSORVSTEP1", 0, 1),
            ("YXSEARCHDEFEND", 1, 1), ("YXBLOCKPATHRESET", 0, 0), ("YXSETDATABASE\nno such file", 0, 0),
        ]).prop_map(|(line, least, most)| (line.to_owned(), least, most)),
    ]
}

/// Ends a session that may be waiting for a block's end, a file name, or a search of any length.
pub(crate) fn close(mut session: Dialogue) -> Result<Vec<String>, TestCaseError> {
    // Only a time that one of the lines has set could make this take long.
    session.send("INFO timeout_turn 0\nSTOP");
    let lines = session.close();
    prop_assert_eq!(panics(), Vec::<String>::new());
    Ok(lines)
}

#[test]
fn a_session_survives_any_bytes() {
    let chunks = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..8);
    hunt("session, bytes", 32, &chunks, |chunks| {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nSTART 15");
        chunks.iter().for_each(|chunk| session.raw(chunk));
        close(session).map(drop)
    });
}

#[test]
fn a_session_survives_any_words() {
    hunt("session, words", 32, &prop::collection::vec(words(6), 0..30), |lines| {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nSTART 7");
        // Whatever follows that word is a file that would be written.
        lines.iter().for_each(|line| session.send(&line.replace("YXHASHDUMP", "YXHASHLOAD")));
        close(session).map(drop)
    });
}

#[test]
fn a_session_survives_damaged_scripts() {
    let input = (prop::collection::vec(owed(), 1..20), mutations(8));
    hunt("session, damaged", 32, &input, |(commands, mutations)| {
        let mut session = Dialogue::new();
        session.send("INFO timeout_turn 0\nINFO max_node 200\nINFO rule 32\nSTART 7");
        let lines: Vec<&str> = commands.iter().map(|(line, ..)| line.as_str()).collect();
        let mut script = lines.join("\n").into_bytes();
        apply(&mut script, &mutations);
        session.raw(&script);
        session.raw(b"\n");
        close(session).map(drop)
    });
}

#[test]
fn every_command_gets_what_it_is_owed() {
    hunt("session, owed", 32, &prop::collection::vec(owed(), 0..20), |commands| {
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
        let lines = close(session)?;
        prop_assert!((least..=most).contains(&lines.len()), "{least} to {most}: {:?}", lines);
        Ok(())
    });
}

/// Where a command points.
#[derive(Clone, Debug)]
enum At {
    /// An empty point.
    Empty(Index),
    /// The last move.
    Last,
    /// Beside a piece that lies there.
    Near(Index, i64, i64),
    /// Anywhere, on the board or not.
    Any(i64, i64),
}

/// What is asked of the session. All but the settings are answered, and the answer is waited for.
#[derive(Clone, Debug)]
enum Step {
    Start(i64),
    Restart,
    Begin,
    Turn {
        at: At,
        half: bool,
    },
    Play(At),
    TakeBack(At),
    /// Pieces as places and fields; whether a place that is taken is left out.
    Board {
        quiet: bool,
        one_line: bool,
        pieces: Vec<(Index, i64)>,
        distinct: bool,
    },
    /// The game as it stands, sent in its order.
    BoardAgain {
        quiet: bool,
    },
    Forbid,
    NBest(i64),
    Defend,
    Balance {
        two: bool,
        score: i64,
    },
    Rule(i64),
    /// A line without an answer, and whether the engine may play worse after it.
    Silent(&'static str, bool),
    /// A line with an answer that begins so, and changes nothing.
    Asked(&'static str, &'static str),
}

fn at() -> impl Strategy<Value = At> {
    let index = any::<Index>;
    prop_oneof![
        4 => index().prop_map(At::Empty),
        8 => (index(), -1i64..2, -1i64..2).prop_map(|(at, dx, dy)| At::Near(at, dx, dy)),
        1 => (-2i64..23, -2i64..23).prop_map(|(x, y)| At::Any(x, y)),
    ]
}

/// Blocks in the order of a game, with its stones grouped, and with anything.
fn pieces() -> impl Strategy<Value = Vec<(Index, i64)>> {
    let places = |most: usize| prop::collection::vec(any::<Index>(), 0..most);
    let by_turns = (places(30), any::<bool>(), prop::option::of(any::<Index>())).prop_map(
        |(places, own_first, half)| {
            let field = |i: usize| if i.is_multiple_of(2) == own_first { 1 } else { 2 };
            let half = half.map(|half| half.index(places.len() + 1));
            let field = |i: usize| if Some(i) == half { field(i) + 3 } else { field(i) };
            places.into_iter().enumerate().map(|(i, at)| (at, field(i))).collect()
        },
    );
    let field = select(vec![1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 0, 6]);
    prop_oneof![3 => by_turns, 2 => prop::collection::vec((any::<Index>(), field), 0..12)]
}

fn step() -> impl Strategy<Value = Step> {
    let block = (any::<bool>(), any::<bool>(), pieces(), prop::bool::weighted(0.9));
    prop_oneof![
        24 => (at(), prop::bool::weighted(0.1)).prop_map(|(at, half)| Step::Turn { at, half }),
        2 => at().prop_map(Step::Play),
        3 => Just(Step::TakeBack(At::Last)),
        1 => at().prop_map(Step::TakeBack),
        4 => block.prop_map(|(quiet, one_line, pieces, distinct)| Step::Board { quiet, one_line, pieces, distinct }),
        3 => any::<bool>().prop_map(|quiet| Step::BoardAgain { quiet }),
        2 => prop_oneof![4 => 5i64..9, 1 => 3i64..24].prop_map(Step::Start),
        1 => select(vec![0, 1, 4, 8, 9, 32, 32, 2, 3]).prop_map(Step::Rule),
        1 => prop_oneof![1i64..5, any::<i64>()].prop_map(Step::NBest),
        1 => (any::<bool>(), prop_oneof![-300i64..300, any::<i64>()])
            .prop_map(|(two, score)| Step::Balance { two, score }),
        4 => select(vec![Step::Restart, Step::Begin, Step::Forbid, Step::Forbid, Step::Defend]),
        2 => select(vec![
            ("INFO pondering 1", false), ("INFO pondering 0", false), ("INFO hash_size 1", false),
            ("INFO hash_size 0", false), ("INFO thread_num 2", false), ("INFO max_memory 1", false),
            ("INFO max_memory 0", false), ("INFO max_node 1", false), ("INFO max_depth 1", false),
            ("INFO show_detail 1", false), ("INFO strength 0", true), ("INFO half_proxy random", true),
            ("YXBLOCK 0,0 1,1 2,2 2,3 DONE", true), ("INFO rule x", false), ("YXSTOP", false), ("YXHASHCLEAR", false),
            ("YXBLOCK 1,1,1 foo DONE", true), ("YXBLOCKPATH 0,0 1,1 99,99 DONE", true),
        ]).prop_map(|(line, hinders)| Step::Silent(line, hinders)),
        1 => select(vec![
            ("ABOUT", "name="), ("FOOBAR", "UNKNOWN "), ("TURN x", "ERROR "), ("DONE", "ERROR "), ("TURN 1,1,1", "ERROR "),
            ("SWAP2BOARD 1,1 DONE", "ERROR "), ("BOARD 1,1 DONE", "ERROR "),
        ]).prop_map(|(line, answer)| Step::Asked(line, answer)),
    ]
}

/// How a command is written and what interrupts it.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// The end of its lines.
    end: &'static str,
    /// In pieces of so many bytes.
    piece: usize,
    /// Without limits, until this line ends it after so many milliseconds.
    ended_by: Option<(&'static str, u64)>,
}

fn style() -> impl Strategy<Value = Style> {
    let piece = prop_oneof![3 => Just(1_000), 1 => 1usize..9];
    let ended_by = prop_oneof![
        9 => Just(None),
        1 => (select(vec!["YXSTOP", "INFO timeout_turn 0", "STOP\nABOUT"]), 0u64..8).prop_map(Some),
    ];
    (select(vec!["\n", "\r\n", "\r", " \n\n"]), piece, ended_by).prop_map(|(end, piece, ended_by)| Style {
        end,
        piece,
        ended_by,
    })
}

/// A session and what it must hold.
struct Play {
    session: Dialogue,
    model: Model,
}

impl Play {
    fn new(rule: i64, size: i64) -> Play {
        let mut session = Dialogue::new();
        session.send(&format!("INFO timeout_turn 0\nINFO max_node 300\nINFO rule {rule}\nSTART {size}"));
        session.expect("OK");
        let rule_of_game = Rule::from_info(rule).expect("a rule");
        let game = GameRecord::new(rule_of_game, Size::new(size).expect("a size that is played"));
        Play { session, model: Model { rule, game: Some(game), hindered: false } }
    }

    fn send(&mut self, text: &str, style: Style) {
        let text = format!("{}{}", text.replace('\n', style.end), style.end);
        text.as_bytes().chunks(style.piece).for_each(|chunk| self.session.raw(chunk));
    }

    fn place(&self, at: &At) -> (i64, i64) {
        let wire = |cell: Cell| (cell.x() as i64, cell.y() as i64);
        let game = self.model.game.as_ref();
        match *at {
            At::Empty(index) => {
                let empty = self.model.empty();
                if empty.is_empty() { (0, 0) } else { wire(*index.get(&empty)) }
            }
            At::Last => {
                let last = game.and_then(|game| game.moves().last()?.cell());
                last.map_or((0, 0), wire)
            }
            At::Near(index, dx, dy) => {
                let stones: Vec<Cell> =
                    game.into_iter().flat_map(GameRecord::pieces).map(|(cell, _)| cell).collect();
                let from = if stones.is_empty() { self.model.size().center() } else { *index.get(&stones) };
                let (x, y) = wire(from);
                (x + dx, y + dy)
            }
            At::Any(x, y) => (x, y),
        }
    }

    /// Sends a command that is answered by a move of the engine in `game`, or by an error if there is none.
    fn think(&mut self, text: &str, style: Style, game: Option<GameRecord>) -> TestCaseResult {
        let Some(mut game) = game.filter(is_ongoing) else { return self.refused(text, style) };
        if let Some((line, delay)) = style.ended_by {
            self.session.send("INFO timeout_turn 2000000\nINFO max_node 0");
            self.send(text, style);
            std::thread::sleep(Duration::from_millis(delay));
            self.session.send(line);
        } else {
            self.send(text, style);
        }
        let line = self.session.line();
        let (half, text_of_point) =
            line.strip_prefix("HALF ").map_or((false, line.as_str()), |point| (true, point));
        // The question that came with the stop may be answered before.
        let asked = style.ended_by.is_some_and(|(line, _)| line.ends_with("ABOUT"));
        if asked && line.starts_with("name=") {
            let mv = self.session.mv();
            return self.moved(&mut game, &mv, style);
        }
        prop_assert!(points(text_of_point) == Some(1), "{half} {line}");
        if asked {
            self.session.expect_start("name=");
        }
        self.moved(&mut game, &line, style)
    }

    /// Plays the engine's move, which must be one.
    fn moved(&mut self, game: &mut GameRecord, line: &str, style: Style) -> TestCaseResult {
        let mv = read_move(line, game.size());
        let fault = mv.map_or(Some("no such point".to_owned()), |mv| self.model.fault(game, mv));
        prop_assert!(fault.is_none(), "{line} in {game:?}: {fault:?}");
        game.push(mv.expect("no fault"));
        self.model.game = Some(game.clone());
        if style.ended_by.is_some() {
            self.session.send("INFO timeout_turn 0\nINFO max_node 300");
        }
        Ok(())
    }

    fn refused(&mut self, text: &str, style: Style) -> TestCaseResult {
        self.send(text, style);
        let line = self.session.line();
        prop_assert!(line.starts_with("ERROR "), "{text}: {line}, {:?}", self.model);
        Ok(())
    }

    /// `OK` or an error, as the model says.
    fn confirmed(&mut self, text: &str, style: Style, ok: bool) -> TestCaseResult {
        if !ok {
            return self.refused(text, style);
        }
        self.send(text, style);
        self.session.expect("OK");
        Ok(())
    }

    fn step(&mut self, step: &Step, style: Style) -> TestCaseResult {
        match step {
            Step::Start(n) => {
                let new = Size::new(*n).ok().zip(self.model.rule());
                self.confirmed(&format!("START {n}"), style, new.is_some())?;
                if let Some((size, rule)) = new {
                    self.model.game = Some(GameRecord::new(rule, size));
                }
                Ok(())
            }
            Step::Restart => {
                let game = self.model.current();
                self.confirmed("RESTART", style, game.is_some())?;
                if let Some(game) = game {
                    self.model.game = Some(GameRecord::new(game.rule(), game.size()));
                }
                Ok(())
            }
            Step::Begin => {
                let is_bare = |game: &GameRecord| game.pieces().all(|(_, piece)| piece == Piece::Blocked);
                self.think("BEGIN", style, self.model.current().filter(is_bare))
            }
            Step::Turn { at, half } => {
                let (x, y) = self.place(at);
                let word = if *half { "HALF" } else { "TURN" };
                self.think(&format!("{word} {x},{y}"), style, self.model.after_turn((x, y), *half))
            }
            Step::Play(at) => self.play(self.place(at), style),
            Step::TakeBack(at) => {
                let (x, y) = self.place(at);
                let cell = Cell::from_wire(x, y, self.model.size());
                let game = self.model.game.as_mut().expect("there was a START");
                let is_last = cell.is_some() && game.moves().last().and_then(|mv| mv.cell()) == cell;
                if is_last {
                    game.pop();
                }
                self.confirmed(&format!("TAKEBACK {x},{y}"), style, is_last)
            }
            Step::Board { quiet, one_line, pieces, distinct } => {
                let size = self.model.size();
                let cells: Vec<Cell> = size.cells().collect();
                let mut sent: Vec<Sent> = Vec::new();
                for (index, field) in pieces {
                    let cell = index.get(&cells);
                    let piece = (cell.x() as i64, cell.y() as i64, *field);
                    if !distinct || sent.iter().all(|&(x, y, _)| (x, y) != (piece.0, piece.1)) {
                        sent.push(piece);
                    }
                }
                self.board(*quiet, *one_line, &sent, style)
            }
            Step::BoardAgain { quiet } => {
                let Some(game) = self.model.game.clone() else { return Ok(()) };
                let us = game.side_to_move();
                let field = |piece| match piece {
                    Piece::Stone(color) => {
                        if color == us {
                            1
                        } else {
                            2
                        }
                    }
                    Piece::Blocked => 3,
                    Piece::Half => {
                        if us == Color::Black {
                            4
                        } else {
                            5
                        }
                    }
                };
                let sent: Vec<Sent> = game
                    .pieces()
                    .map(|(cell, piece)| (cell.x() as i64, cell.y() as i64, field(piece)))
                    .collect();
                self.board(*quiet, false, &sent, style)
            }
            Step::Forbid => self.forbid(style),
            Step::NBest(lines) => self.think(&format!("YXNBEST {lines}"), style, self.model.current()),
            Step::Defend => self.think("YXSEARCHDEFEND", style, self.model.current()),
            Step::Balance { two, score } => self.balance(*two, *score, style),
            Step::Rule(rule) => {
                self.model.rule = *rule;
                self.send(&format!("INFO rule {rule}"), style);
                Ok(())
            }
            Step::Silent(line, hinders) => {
                self.model.hindered |= hinders;
                self.send(line, style);
                Ok(())
            }
            Step::Asked(line, answer) => {
                self.send(line, style);
                self.session.expect_start(answer);
                Ok(())
            }
        }
    }

    fn play(&mut self, (x, y): (i64, i64), style: Style) -> TestCaseResult {
        let text = format!("PLAY {x},{y}");
        let mv = Cell::from_wire(x, y, self.model.size()).map(Move::stone);
        let game = self.model.current().filter(is_ongoing);
        let legal = |game: &GameRecord| mv.is_some_and(|mv| end(game).is_some_and(|p| p.check(mv).is_ok()));
        let Some(mut game) = game.filter(legal) else { return self.refused(&text, style) };
        self.send(&text, style);
        self.session.expect(&format!("{x},{y}"));
        mv.into_iter().for_each(|mv| game.push(mv));
        self.model.game = Some(game);
        Ok(())
    }

    fn board(&mut self, quiet: bool, one_line: bool, sent: &[Sent], style: Style) -> TestCaseResult {
        let lines: Vec<String> = sent.iter().map(|(x, y, field)| format!("{x},{y},{field}")).collect();
        let (word, separator) = (if quiet { "YXBOARD" } else { "BOARD" }, if one_line { " " } else { "\n" });
        let text = [&[word.to_owned()], lines.as_slice(), &["DONE".to_owned()]].concat().join(separator);
        let game = self.model.after_block(sent);
        if !quiet {
            return self.think(&text, style, game);
        }
        if game.is_none() {
            return self.refused(&text, style);
        }
        self.send(&text, style);
        self.model.game = game;
        self.session.silent();
        Ok(())
    }

    /// The forbidden points are those of the reference rules.
    fn forbid(&mut self, style: Style) -> TestCaseResult {
        let possible = self.model.current().filter(|game| end(game).is_some());
        let Some(game) = possible else { return self.refused("YXSHOWFORBID", style) };
        self.send("YXSHOWFORBID", style);
        let line = self.session.line();
        prop_assert!(line.starts_with("FORBID ") && line.ends_with('.'), "{}", line);
        if let Some(position) = end(&game) {
            let asked = position.rule() == Rule::Renju && position.side_to_move() == Color::Black;
            let points = if asked { position.forbidden_points() } else { Vec::new() };
            let digits: String =
                points.iter().map(|cell| format!("{:02}{:02}", cell.x(), cell.y())).collect();
            prop_assert_eq!(line, format!("FORBID {digits}."), "{:?}", game);
        }
        Ok(())
    }

    fn balance(&mut self, two: bool, score: i64, style: Style) -> TestCaseResult {
        let text = format!("{} {score}", if two { "YXBALANCETWO" } else { "YXBALANCEONE" });
        let Some(game) = self.model.current().filter(is_ongoing) else { return self.refused(&text, style) };
        self.send(&text, style);
        let line = self.session.line();
        let free = end(&game).map_or(0, |position: Position| position.empty_cells().count());
        if free > 1 || !two {
            prop_assert!(points(&line) == Some(1 + usize::from(two)), "{text}: {line} in {game:?}");
        }
        Ok(())
    }
}

pub(crate) fn read_move(line: &str, size: Size) -> Option<Move> {
    let (half, point) = line.strip_prefix("HALF ").map_or((false, line), |point| (true, point));
    let (x, y) = point.split_once(',')?;
    let cell = Cell::from_wire(x.parse().ok()?, y.parse().ok()?, size)?;
    Some(if half { Move::half(cell) } else { Move::stone(cell) })
}

#[test]
fn games_go_as_the_model_says() {
    let steps = prop::collection::vec((step(), style()), 0..40);
    let input = (select(vec![0, 1, 4, 4, 8, 9, 32, 32, 32]), prop_oneof![5 => 5i64..9, 1 => 9i64..23], steps);
    hunt("session, model", 24, &input, |(rule, size, steps)| {
        let mut play = Play::new(rule, size);
        for (step, style) in &steps {
            play.step(step, *style)?;
        }
        play.session.silent();
        let lines = close(play.session)?;
        prop_assert!(lines.is_empty(), "{:?}", lines);
        Ok(())
    });
}
