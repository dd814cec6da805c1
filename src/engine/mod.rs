//! Layer 7: the façade. It owns the table, the options and the running search; callers give it a record, limits
//! and a listener, and never touch a board.

mod defend;
mod memory;
mod opening;
pub mod proxy;
mod strength;
mod table_file;
mod task;

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::board::Board;
use crate::control::{Limits, StopSignal};
use crate::eval;
use crate::game::opening::{Choice, Opening};
use crate::game::{GameRecord, Setup};
use crate::rules::{self, Position, RecordError};
use crate::search::{self, ParameterError, Parameters};
use crate::tt::Table;
use crate::types::{Cell, CellSet, Color, Move, Rule, Score, Size};

pub use crate::eval::win_rate;
pub use crate::tt::TableFileError;
pub use defend::Defence;
pub use strength::Strength;
pub use table_file::FileTask;

/// What the search is to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The best move for the side to move.
    BestMove {
        /// Number of principal variations to report, at least 1.
        lines: usize,
    },
    /// Swap2, no stone placed: two black stones and a white one that make an even game.
    Swap2Open,
    /// Swap2 after three stones: take the other colour, keep White with a fourth stone, or place two more.
    Swap2Respond,
    /// Swap2 after five stones: take the other colour, or place the sixth stone.
    Swap2Choose,
    /// Renju, no stone placed: the most even of the 26 openings.
    RenjuOpen,
    /// The decision that this opening asks for; it must not be over.
    Opening(Opening),
    /// The best of the moves that hold against what the opponent threatens.
    Defend,
    /// The move after which the score is nearest to this one, in the mover's view.
    BalanceOne(Score),
    /// The two successive moves after which the score is nearest to this one, in the mover's view.
    BalanceTwo(Score),
}

/// What a search answers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One move or more, in order of play.
    Moves(Vec<Move>),
    /// Taking the other colour (swap2 only).
    Swap,
    /// The decision of a [`Task::Opening`].
    Choice(Choice),
}

/// The state of a search after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Deepest ply that was looked at.
    pub selective_depth: u32,
    /// Which of the best lines this is, from 1.
    pub line: usize,
    /// Score in the mover's view.
    pub score: Score,
    /// Nodes of all threads together.
    pub nodes: u64,
    /// Time since the clock started.
    pub elapsed: Duration,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// What a running search tells its listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An iteration is finished.
    Report(Report),
    /// The search begins with this move of the position ([`Engine::set_watched`] only).
    Trying(Move),
    /// It is done with it for the time being ([`Engine::set_watched`] only).
    Tried {
        /// The move.
        mv: Move,
        /// Whether it is proven to lose.
        lost: bool,
    },
    /// The solver has looked for defences ([`Task::Defend`] only).
    Defence(Defence),
    /// The search has ended. This comes exactly once, and last.
    Done(Answer),
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has a move.
    Ongoing,
    /// Won by this colour.
    Won(Color),
    /// The board is full.
    Drawn,
}

/// A running search.
#[derive(Debug)]
pub struct SearchHandle {
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

impl SearchHandle {
    /// Asks the search to end; its listener gets [`Event::Done`] within a millisecond or so.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Waits for the search to end.
    pub fn join(mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic inside was already answered with a move; there is nothing left to report.
            let _ = thread.join();
        }
    }
}

/// The position at the end of a legal record, on a board that keeps up what the evaluation needs.
pub fn board(game: &GameRecord) -> Board {
    Board::from_record_with_points(game, eval::points(game.rule()))
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    threads: usize,
    parameters: Parameters,
    max_memory: Option<u64>,
    table_limit: Option<u64>,
    half_proxy: bool,
    watched: bool,
    strength: Strength,
    excluded: CellSet,
    /// Made at the first search; a running search keeps its own reference.
    table: Option<Arc<Table>>,
    /// What the table's entries are good for, and the bytes that were asked for: the system may have granted less.
    table_of: Option<(Rule, Size, usize)>,
    /// Writes or reads a file of the table beside a search.
    file_thread: Option<JoinHandle<()>>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine {
            threads: 1,
            parameters: Parameters::default(),
            max_memory: None,
            table_limit: None,
            half_proxy: false,
            watched: false,
            strength: Strength::default(),
            excluded: CellSet::default(),
            table: None,
            table_of: None,
            file_thread: None,
        }
    }
}

impl Engine {
    /// An engine with default options. Nothing large is allocated before the first search.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Number of search threads, clamped to 1..=[`Engine::max_threads`]. A search uses fewer if the memory is too small
    /// for them.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, Engine::max_threads());
    }

    /// The number of threads that a search uses: as many as there is memory for.
    pub fn threads(&self) -> usize {
        memory::threads_within(self.max_memory, self.threads)
    }

    /// Changes numbers of the search: `NAME=VALUE;NAME=VALUE…`, the names of [`Parameters::LIST`]. Takes effect with
    /// the next search.
    ///
    /// # Errors
    /// [`ParameterError`] names what is unknown or out of range; nothing changes then.
    pub fn tune(&mut self, text: &str) -> Result<(), ParameterError> {
        self.parameters.set_all(text)
    }

    /// Most threads that the engine will use on this machine.
    pub fn max_threads() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// Most memory that the whole process may use, in bytes; `None` for the default of 96 MiB. Takes effect with the
    /// next search.
    pub fn set_max_memory(&mut self, bytes: Option<u64>) {
        self.max_memory = bytes;
    }

    /// Most memory for the transposition table alone, in bytes; `None` for what `max_memory` allows.
    pub fn set_table_limit(&mut self, bytes: Option<u64>) {
        self.table_limit = bytes;
    }

    /// Whether to play the half-stone rule without knowing it: freestyle, with the half stone dropped at random
    /// ([`proxy`]). For measurements.
    pub fn set_half_proxy(&mut self, on: bool) {
        self.half_proxy = on;
    }

    /// Whether [`Task::BestMove`] at full strength tells which move it looks at: many times a second at first.
    pub fn set_watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// How strongly [`Task::BestMove`] is to play. Below full strength one thread does.
    pub fn set_strength(&mut self, strength: Strength) {
        self.strength = strength;
    }

    /// Points that [`Task::BestMove`] and [`Task::Defend`] shall not choose, unless there is nothing else. They are
    /// kept until they are set anew.
    pub fn set_excluded(&mut self, excluded: CellSet) {
        self.excluded = excluded;
    }

    /// The largest table that there is room for on this machine, in bytes.
    pub fn most_table_bytes() -> u64 {
        memory::most_table_bytes()
    }

    /// Bytes of the table as it is; 0 before the first search.
    pub fn table_bytes(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.bytes())
    }

    /// Forgets everything learnt from earlier games.
    pub fn new_game(&mut self) {
        self.table = None;
    }

    /// How full the transposition table is, in permille.
    pub fn table_permille(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.permille_used())
    }

    /// Whether the game goes on at the end of the record. Only that position and the last move count: managers send
    /// stones in any order, and what would have been a foul on the way is none of their business.
    ///
    /// # Errors
    /// [`RecordError`] names the move or piece that has no place on the board.
    pub fn status(&self, game: &GameRecord) -> Result<Status, RecordError> {
        let end = Setup { pieces: game.pieces().collect(), to_move: game.side_to_move() };
        let mut status =
            Position::from_record(&GameRecord::with_setup(game.rule(), game.size(), end))?.status();
        let mut before = game.clone();
        if status == rules::Status::Ongoing
            && let Some(last) = before.pop()
        {
            // Only a move can be a foul.
            let setup = Setup { pieces: before.pieces().collect(), to_move: before.side_to_move() };
            let mut game = GameRecord::with_setup(game.rule(), game.size(), setup);
            game.push(last);
            status = Position::from_record(&game)?.status();
        }
        Ok(match status {
            rules::Status::Ongoing => Status::Ongoing,
            rules::Status::Won { winner, .. } => Status::Won(winner),
            rules::Status::Drawn => Status::Drawn,
        })
    }

    /// Points that are forbidden to Black, row by row from the top; empty outside renju.
    pub fn forbidden(&self, game: &GameRecord) -> Vec<Cell> {
        if game.rule() != Rule::Renju {
            return Vec::new();
        }
        let board = board(game);
        game.size().cells().filter(|&cell| board.is_empty(cell) && board.is_forbidden(cell)).collect()
    }

    /// Starts a search of the recorded position and returns at once. `listener` is called from the search's thread.
    ///
    /// The game must be [`Status::Ongoing`].
    pub fn go(
        &mut self,
        game: &GameRecord,
        task: &Task,
        limits: Limits,
        listener: impl FnMut(Event) + Send + 'static,
    ) -> SearchHandle {
        let stop = StopSignal::default();
        let threads = self.threads();
        // What more threads have left behind is memory, too.
        search::keep_spares(threads);
        let job = task::Job {
            game: game.clone(),
            task: task.clone(),
            limits,
            threads,
            parameters: self.parameters,
            half_proxy: self.half_proxy && game.rule() == Rule::HalfStone,
            watched: self.watched,
            strength: self.strength,
            excluded: self.excluded.into(),
            table: self.table(game),
            stop: stop.clone(),
        };
        // The search recurses; the pages that it never reaches cost nothing.
        let builder = std::thread::Builder::new().name("search".into()).stack_size(search::STACK_BYTES);
        let listener = Arc::new(Mutex::new(listener));
        let (inner, fallback) = (listener.clone(), job.fallback(None));
        let thread = builder.spawn(move || job.run(&mut |event| tell(&inner, event)));
        if thread.is_err() {
            // No thread to be had: the answer still comes.
            tell(&listener, Event::Done(fallback));
        }
        SearchHandle { stop, thread: thread.ok() }
    }

    /// The table, made anew if its permitted size has changed or its entries are of another rule or board.
    fn table(&mut self, game: &GameRecord) -> Arc<Table> {
        let bytes = memory::table_bytes(self.max_memory, self.table_limit, self.threads());
        let wanted = Some((game.rule(), game.size(), bytes));
        if std::mem::replace(&mut self.table_of, wanted) != wanted {
            // The old one goes first: both together might not fit. One that is being written to a file stays a little
            // longer, at most the second that some gigabytes take, in which no search fills a tenth of the new one.
            self.table = None;
        }
        self.table.get_or_insert_with(|| Arc::new(Table::new(bytes))).clone()
    }
}

fn tell(listener: &Mutex<impl FnMut(Event)>, event: Event) {
    if let Ok(mut listener) = listener.lock() {
        listener(event);
    }
}
