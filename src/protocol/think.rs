//! Starting searches and printing what they find.

use std::io::Write;
use std::time::Instant;

use crate::engine::{Answer, Engine, Event, SearchHandle, Task};
use crate::game::{GameRecord, Setup};
use crate::types::{Cell, Move, Piece};
use crate::wire::{Info, InfoKey, InfoValue, Reply};

use super::error::SessionError;
use super::queue::Forward;
use super::report::Reporter;
use super::session::Session;

/// What is done with the answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move of the game, on the game's clock.
    Move,
    /// A move of the game that an analysis asked for; the clock stands still.
    Analysis,
    /// Points to be shown; the game stays as it is.
    Points,
    /// As [`Purpose::Points`], or `SWAP`; on the clock.
    Opening,
}

/// The running search.
pub(super) struct Search {
    pub(super) handle: SearchHandle,
    id: u64,
    purpose: Purpose,
    started: Instant,
    reporter: Reporter,
}

impl<W: Write> Session<W> {
    /// Starts a search. The game must be going on and no search running.
    pub(super) fn think(&mut self, game: &GameRecord, task: &Task, purpose: Purpose, started: Instant) {
        self.announce(game);
        self.engine.set_threads(self.options.threads());
        self.engine.set_max_memory(self.options.memory());
        self.engine.set_half_proxy(self.options.half_proxy());
        self.searches += 1;
        let mut forward = Forward::new(self.sender.clone(), self.searches);
        let limits = self.options.limits(started);
        let listener = move |event| forward.send(event);
        let handle = match self.without_excluded(game, task) {
            Some(game) => self.engine.go(&game, task, limits, listener),
            None => self.engine.go(game, task, limits, listener),
        };
        let lines = if let Task::BestMove { lines } = *task { lines } else { 1 };
        let reporter = Reporter::new(started, lines, self.options.realtime());
        self.search = Some(Search { handle, id: self.searches, purpose, started, reporter });
        if self.options.realtime() {
            self.out.send(&Reply::Message("REALTIME REFRESH".to_owned()));
        }
    }

    /// Says what is being played with which means, whenever that has changed: a manager's log then shows what the
    /// engine understood.
    fn announce(&mut self, game: &GameRecord) {
        let size = game.size();
        let threads = self.options.threads().min(Engine::max_threads());
        let memory = self.options.memory().map_or("default".to_owned(), |bytes| bytes.to_string());
        let text = format!("rule {} size {size}x{size} threads {threads} memory {memory}", game.rule());
        if self.announced != text {
            self.out.send(&Reply::Message(text.clone()));
            self.announced = text;
        }
    }

    /// The position in which the points of `YXBLOCK` cannot be played, if there are any and if others are left.
    fn without_excluded(&self, game: &GameRecord, task: &Task) -> Option<GameRecord> {
        let free = |cell: &Cell| cell.on_board(game.size()) && game.piece_at(*cell).is_none();
        let excluded: Vec<_> = self.excluded.iter().filter(free).collect();
        let all = game.size().cells().filter(|cell| free(cell)).count() == excluded.len();
        if excluded.is_empty() || all || !matches!(task, Task::BestMove { .. }) {
            return None;
        }
        let mut setup: Setup = game.setup().clone();
        setup.pieces.extend(excluded.into_iter().map(|cell| (cell, Piece::Blocked)));
        let mut copy = GameRecord::with_setup(game.rule(), game.size(), setup);
        for &mv in game.moves() {
            copy.push(mv);
        }
        Some(copy)
    }

    /// `INFO`: takes the setting over; a move time of zero during a search means "move now".
    pub(super) fn info(&mut self, info: &Info) {
        if let Info { key: InfoKey::Tune, value: InfoValue::Text(text) } = info
            && let Err(problem) = self.engine.tune(text)
        {
            self.out.send(&Reply::Message(problem.to_string()));
        }
        self.options.set(info);
        let now = matches!(info, Info { key: InfoKey::TimeoutTurn, value: InfoValue::Number(..=0) });
        if let (true, Some(search)) = (now, &self.search) {
            search.handle.stop();
        }
    }

    /// News from a search; those of an abandoned one are ignored.
    pub(super) fn search_event(&mut self, id: u64, event: Event) {
        match (event, &mut self.search) {
            (Event::Report(report), Some(search)) if search.id == id => {
                for line in search.reporter.add(report, Instant::now()) {
                    self.out.send(&line);
                }
            }
            (Event::Done(answer), Some(search)) if search.id == id => {
                for line in search.reporter.flush() {
                    self.out.send(&line);
                }
                if let Some(search) = self.search.take() {
                    if matches!(search.purpose, Purpose::Move | Purpose::Opening) {
                        self.options.clock.spend(search.started.elapsed());
                    }
                    let reply = self.reply_of(answer, search.purpose);
                    self.out.send(&reply);
                    // Only now: what the search still has to tidy up must not delay its move.
                    search.handle.join();
                }
            }
            _ => {}
        }
    }

    /// A search that died. Its command still gets its one line.
    pub(super) fn search_lost(&mut self, id: u64) {
        if self.search.as_ref().is_some_and(|search| search.id == id) {
            self.search = None;
            self.out.send(&Reply::Error(SessionError::Lost.to_string()));
        }
    }

    /// Turns an answer into the line that is owed for it, and plays it where it is a move of the game.
    fn reply_of(&mut self, answer: Answer, purpose: Purpose) -> Reply {
        let moves: Vec<Move> = match answer {
            Answer::Swap if purpose == Purpose::Opening => return Reply::Swap,
            Answer::Swap => Vec::new(),
            Answer::Moves(moves) => moves.into_iter().filter(|mv| mv.cell().is_some()).collect(),
        };
        let Some(&first) = moves.first() else {
            return Reply::Error(SessionError::NoMove.to_string());
        };
        match purpose {
            Purpose::Move | Purpose::Analysis => {
                if let Some(game) = &mut self.game {
                    game.push(first);
                }
                Reply::Move(first)
            }
            Purpose::Points | Purpose::Opening => {
                Reply::Points(moves.into_iter().filter_map(Move::cell).collect())
            }
        }
    }
}
