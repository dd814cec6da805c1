//! Layer 6: games of the engine against itself, in process, and the seeded generator that their chance is drawn from.
//!
//! [`Game`] keeps three views of one game in step: the record, the referee of [`crate::rules`], which alone says how
//! the game stands, and the board that is searched. With a node limit and one thread everything is reproducible.

mod rng;

use std::sync::Arc;

use thiserror::Error;

use crate::board::Board;
use crate::control::{Limits, StopSignal};
use crate::game::GameRecord;
use crate::pattern::PointTable;
use crate::rules::{IllegalMove, Position, RecordError, Status};
use crate::search::{self, Line, Outcome, Settings};
use crate::tt::Table;
use crate::types::{Color, Move};

pub use rng::Rng;

/// How a game stands, for those who play it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The side to move has a move that can matter.
    Ongoing,
    /// Won by this colour, by a five or the opponent's foul.
    Won(Color),
    /// The board is full, or no row of five is left that either side could fill.
    Drawn,
}

/// A move that the referee refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the engine played an illegal move: {0}")]
pub struct Refused(#[from] pub IllegalMove);

/// A game in progress.
#[derive(Debug)]
pub struct Game {
    record: GameRecord,
    referee: Position,
    board: Board,
    table: Table,
}

impl Game {
    /// A game that goes on from a record. The engine judges by `points`, made for the record's rule, and remembers in
    /// `table` until the end.
    ///
    /// # Errors
    /// [`RecordError`] names the piece or move that cannot be there.
    pub fn new(record: GameRecord, points: Arc<PointTable>, table: Table) -> Result<Game, RecordError> {
        let referee = Position::from_record(&record)?;
        let board = Board::from_record_with_points(&record, points);
        Ok(Game { record, referee, board, table })
    }

    /// The moves so far.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position, for questions that try moves out; it must come back as it was.
    pub fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    /// How the game stands.
    pub fn standing(&self) -> Standing {
        standing(&self.referee, &self.board)
    }

    /// The move of the side to move; `None` if the board is full.
    pub fn think(&self, nodes: u64) -> Option<Outcome> {
        think(&self.board, &self.table, nodes)
    }

    /// The best moves of the side to move with their scores, best first, at most `count`.
    pub fn lines(&self, nodes: u64, count: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let settings = Settings { lines: count.max(1), ..Settings::default() };
        let stop = StopSignal::default();
        search::search(&self.board, &self.table, &limits(nodes), settings, &stop, |iteration| {
            lines.clone_from(&iteration.lines);
        });
        lines
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// [`Refused`] if it cannot be played; nothing has changed then.
    pub fn play(&mut self, mv: Move) -> Result<(), Refused> {
        self.referee.play(mv)?;
        self.board.make(mv);
        self.record.push(mv);
        Ok(())
    }
}

/// How a game stands that this referee and this board agree on.
pub fn standing(referee: &Position, board: &Board) -> Standing {
    match referee.status() {
        Status::Won { winner, .. } => Standing::Won(winner),
        Status::Drawn => Standing::Drawn,
        Status::Ongoing if Color::ALL.iter().all(|&color| board.alive_windows(color) == 0) => Standing::Drawn,
        Status::Ongoing => Standing::Ongoing,
    }
}

/// The engine's move on a board, with one thread and this many nodes; `None` if the board is full.
pub fn think(board: &Board, table: &Table, nodes: u64) -> Option<Outcome> {
    let settings = Settings::default();
    search::search(board, table, &limits(nodes), settings, &StopSignal::default(), |_| {})
}

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
