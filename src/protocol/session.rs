//! The session: one loop over one queue, and the command table.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::engine::{Engine, FileTask, SearchHandle};
use crate::game::GameRecord;
use crate::types::{Cell, CellSet};
use crate::wire::{BlockKind, Command, Reply, WireError, clean, parse};

use super::blocks::{Block, OpenBlock};
use super::error::SessionError;
use super::leave::Unfinished;
use super::options::Options;
use super::output::Output;
use super::queue::{Event, Line, Queue};
use super::think::Search;
use super::yixin::Tail;

/// How long a search may take to answer once the input has ended.
const EOF_PATIENCE: Duration = Duration::from_millis(250);

/// What the handlers of commands return: what to print, if anything. A command that starts a search prints nothing; its
/// line comes when the search ends.
pub(super) type Handled = Result<Option<Reply>, SessionError>;

/// All the state there is.
pub(super) struct Session<W> {
    pub(super) out: Output<W>,
    queue: Queue,
    pub(super) sender: Sender<Event>,
    /// Held by whoever writes a file beside a search.
    pub(super) unfinished: Unfinished,
    pub(super) engine: Engine,
    pub(super) options: Options,
    /// `None` until the first `START`.
    pub(super) game: Option<GameRecord>,
    pub(super) search: Option<Search>,
    /// A search on the opponent's time.
    pub(super) ponder: Option<SearchHandle>,
    pub(super) searches: u64,
    /// The block whose lines are being read.
    block: Option<OpenBlock>,
    /// What an earlier command may still send.
    pub(super) tail: Tail,
    /// Points that `YXBLOCK` keeps the engine from playing.
    pub(super) excluded: CellSet,
    /// Lines of play that `YXBLOCKPATH` keeps it from going on with.
    pub(super) paths: Vec<Vec<Cell>>,
    /// What the manager was last told about the game and the means.
    pub(super) announced: String,
    ended: bool,
}

impl<W: Write> Session<W> {
    pub(super) fn new(
        out: Output<W>,
        queue: Queue,
        sender: Sender<Event>,
        unfinished: Unfinished,
    ) -> Session<W> {
        Session {
            out,
            unfinished,
            queue,
            sender,
            engine: Engine::new(),
            options: Options::new(),
            game: None,
            search: None,
            ponder: None,
            searches: 0,
            block: None,
            tail: Tail::Nothing,
            excluded: CellSet::default(),
            paths: Vec::new(),
            announced: String::new(),
            ended: false,
        }
    }

    /// Runs until `END`, the end of the input, or a closed output.
    pub(super) fn run(&mut self) {
        while !self.ended && !self.out.is_closed() {
            match self.queue.next() {
                Some(Event::Line(line)) => self.line(&line),
                Some(Event::Search(id, event)) => self.search_event(id, event),
                Some(Event::Lost(id)) => self.search_lost(id),
                Some(Event::Said(reply)) => self.out.send(&reply),
                Some(Event::Eof) | None => {
                    self.finish_search(Some(EOF_PATIENCE));
                    self.ended = true;
                    self.finish_file();
                }
            }
        }
        // The threads die with the process; nobody waits for them.
        if let Some(search) = &self.search {
            search.handle.stop();
        }
        if let Some(handle) = &self.ponder {
            handle.stop();
        }
        // But a file that was asked for is not left half written.
        self.engine.wait_for_file();
    }

    /// Waits for a file that is being written or read, and tells what came of it, before anything else is told.
    pub(super) fn finish_file(&mut self) {
        self.engine.wait_for_file();
        while let Some(event) = self.queue.next_new(Some(Instant::now())) {
            match event {
                Event::Said(reply) => self.out.send(&reply),
                other => self.queue.defer(other),
            }
        }
    }

    /// Ends the running search, if any, and prints its answer. Lines that arrive meanwhile are put off, except
    /// `END`. With `patience` the answer is given up after that time; without, thinking on the opponent's time ends
    /// as well.
    pub(super) fn finish_search(&mut self, patience: Option<Duration>) {
        if let Some(search) = &self.search {
            search.handle.stop();
        }
        let deadline = patience.map(|patience| Instant::now() + patience);
        while self.search.is_some() && !self.ended {
            match self.queue.next_new(deadline) {
                Some(Event::Search(id, event)) => self.search_event(id, event),
                Some(Event::Lost(id)) => self.search_lost(id),
                Some(Event::Said(reply)) => self.out.send(&reply),
                Some(Event::Line(line)) if parse(&line.bytes) == Ok(Command::End) => {
                    self.out.note(&line);
                    self.ended = true;
                }
                Some(event) => self.queue.defer(event),
                None => self.search = None,
            }
        }
        // Its answer may have set off thinking on the opponent's time, for which there is none now.
        if patience.is_none() {
            self.stop_pondering();
        }
    }

    /// What a line is depends on what came before it, in this order: `END` always is the end; a blank line is nothing;
    /// then the file name or the points that an earlier command waits for; then a line of an open block; and only then
    /// a command.
    fn line(&mut self, line: &Line) {
        self.out.note(line);
        let text = clean(&line.bytes);
        let command = parse(&line.bytes);
        if command == Ok(Command::End) {
            // Whatever is going on, a block without its DONE included.
            self.ended = true;
            return;
        }
        if text.is_empty() {
            return;
        }
        if let Tail::File(task) = self.tail {
            self.tail = Tail::Nothing;
            let is_name = is_file_name(&text, &command);
            let handled = match task {
                Some(task) if is_name => self.table_file(task, &text),
                Some(task) => self.no_file_name(task),
                None => Ok(None),
            };
            self.answer(handled);
            if is_name {
                return;
            }
        }
        if self.tail.takes(&text) {
            return;
        }
        if let Some(mut block) = self.block.take() {
            match Inside::of(block.kind, &command) {
                Inside::Line => {
                    if line.cut {
                        block.fail(SessionError::LongLine);
                    }
                    self.block_text(block, &text, line);
                    return;
                }
                Inside::Aside => self.block = Some(block),
                Inside::Instead => {}
            }
        }
        let handled = match command {
            Ok(command) => self.command(command, line),
            Err(error) if error.is_silent() => Ok(None),
            Err(error @ WireError::UnknownCommand(_)) => Ok(Some(Reply::Unknown(error.to_string()))),
            Err(error) => {
                // All commands that can be malformed need the game to themselves, and lines are answered in their order.
                self.finish_search(None);
                if self.ended {
                    return;
                }
                Err(error.into())
            }
        };
        self.answer(handled);
    }

    fn answer(&mut self, handled: Handled) {
        match handled {
            Ok(Some(reply)) => self.out.send(&reply),
            Ok(None) => {}
            Err(error) => self.out.send(&Reply::Error(error.to_string())),
        }
    }

    /// The command table.
    fn command(&mut self, command: Command, line: &Line) -> Handled {
        if interrupts(&command) {
            self.finish_search(None);
            if self.ended {
                return Ok(None);
            }
        }
        match command {
            Command::Start { width, height } | Command::RectStart { width, height } => {
                self.start(width, height)
            }
            Command::Restart => self.restart(),
            Command::Begin => self.begin(line.arrived),
            Command::Turn(point) => self.opponent_move(point, false, line.arrived),
            Command::Half(point) => self.opponent_move(point, true, line.arrived),
            Command::Play(point) => self.play(point),
            Command::TakeBack(point) => self.take_back(point),
            Command::Block(kind, rest) => {
                self.open_block(kind, &rest, line);
                Ok(None)
            }
            Command::Done => Err(SessionError::StrayDone),
            Command::Info(info) => {
                self.info(&info);
                Ok(None)
            }
            Command::About => Ok(Some(Reply::About)),
            Command::Stop => {
                self.stop_pondering();
                if let Some(search) = &self.search {
                    search.handle.stop();
                }
                Ok(None)
            }
            Command::NBest(lines) => self.n_best(lines, line.arrived),
            Command::BalanceOne(score) => self.balance(score, false, line.arrived),
            Command::BalanceTwo(score) => self.balance(score, true, line.arrived),
            Command::SearchDefend => self.search_defend(line.arrived),
            Command::Swap2Step(step) => self.swap2_step(step, line.arrived),
            Command::SoosorvOpen => self.soosorv_open(line.arrived),
            Command::ShowInfo => self.show_info(),
            Command::ShowForbid => self.show_forbid(),
            Command::HashClear => {
                self.engine.new_game();
                Ok(None)
            }
            Command::HashUsage => self.hash_usage(),
            Command::HashDump(file) => self.table_file_command(FileTask::Save, &file),
            Command::HashLoad(file) => self.table_file_command(FileTask::Load, &file),
            // Whoever offers a draw does not know better than the engine, which may still win.
            Command::Draw => Ok(Some(Reply::Message("DRAW REJECT".to_owned()))),
            Command::BlockReset => {
                self.excluded = CellSet::default();
                Ok(None)
            }
            Command::BlockPathReset => {
                self.paths.clear();
                Ok(None)
            }
            Command::DatabaseQuery(_) => {
                self.tail = Tail::Points;
                Ok(None)
            }
            Command::Unsupported(unsupported) => self.unsupported(unsupported),
            // Both are dealt with before any command is looked up.
            Command::Blank | Command::End => Ok(None),
        }
    }

    fn open_block(&mut self, kind: BlockKind, rest: &str, line: &Line) {
        let block = OpenBlock::new(kind);
        if line.cut {
            // Its DONE is lost with the rest of the line; waiting for another would swallow what follows.
            self.answer(Err(SessionError::LongLine));
        } else if rest.is_empty() {
            self.block = Some(block);
        } else {
            self.block_text(block, rest, line);
        }
    }

    fn block_text(&mut self, mut block: OpenBlock, text: &str, line: &Line) {
        if block.add(text) {
            let handled = self.block_done(block.close(line.arrived));
            self.answer(handled);
        } else {
            self.block = Some(block);
        }
    }

    fn block_done(&mut self, block: Block) -> Handled {
        match block.kind {
            BlockKind::Board => self.board(block),
            BlockKind::YxBoard => self.yx_board(block),
            BlockKind::Swap2Board => self.swap2_board(block),
            BlockKind::YxBlock => self.exclude(block, true),
            BlockKind::YxBlockUndo => self.exclude(block, false),
            BlockKind::YxBlockPath => self.exclude_path(block, true),
            BlockKind::YxBlockPathUndo => self.exclude_path(block, false),
            BlockKind::Soosorv2
            | BlockKind::Soosorv3
            | BlockKind::Soosorv4
            | BlockKind::Soosorv5
            | BlockKind::Soosorv6 => self.soosorv_step(block),
        }
    }
}

/// Whether a line that should be the name of a file is one, rather than the next command.
fn is_file_name(text: &str, command: &Result<Command, WireError>) -> bool {
    let ending = Path::new(text).extension().and_then(OsStr::to_str);
    let looks_like_one = ending.is_some_and(|ending| ending.chars().all(char::is_alphabetic));
    looks_like_one || text.contains(['/', '\\']) || matches!(command, Err(WireError::UnknownCommand(_)))
}

/// What a line is while a block is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// A line of the block, good or bad: `START` is a bad one.
    Line,
    /// A command that may come at any time and leaves the block open.
    Aside,
    /// A command in place of the `DONE` that is missing. The block is dropped.
    Instead,
}

impl Inside {
    fn of(kind: BlockKind, command: &Result<Command, WireError>) -> Inside {
        match command {
            Ok(Command::Info(_) | Command::About | Command::Stop) => Inside::Aside,
            Err(error) if error.is_silent() => Inside::Aside,
            // Blocks that are never answered would swallow everything without a word.
            Ok(command) if is_silent(kind) && *command != Command::Done => Inside::Instead,
            Err(WireError::Missing { .. } | WireError::Bad { .. }) if is_silent(kind) => Inside::Instead,
            _ => Inside::Line,
        }
    }
}

/// Whether nothing is printed in answer to a block, whatever it holds.
const fn is_silent(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::YxBlock | BlockKind::YxBlockUndo | BlockKind::YxBlockPath | BlockKind::YxBlockPathUndo
    )
}

/// Whether a command needs the game to itself, so that a running search ends first and plays its move. All others are
/// carried out at once.
fn interrupts(command: &Command) -> bool {
    match command {
        Command::Start { .. }
        | Command::RectStart { .. }
        | Command::Restart
        | Command::Begin
        | Command::Turn(_)
        | Command::Half(_)
        | Command::Play(_)
        | Command::TakeBack(_)
        | Command::NBest(_)
        | Command::BalanceOne(_)
        | Command::BalanceTwo(_)
        | Command::SearchDefend
        | Command::Swap2Step(_)
        | Command::SoosorvOpen
        | Command::HashClear => true,
        Command::Block(kind, _) => !is_silent(*kind),
        _ => false,
    }
}
