//! Starting searches and printing what they find.

use std::io::Write;
use std::time::Instant;

use crate::engine::{Answer, Event, SearchHandle, Task};
use crate::game::GameRecord;
use crate::types::{Cell, CellSet, Move, Piece};
use crate::wire::{Info, InfoKey, InfoValue, Reply};

use super::error::SessionError;
use super::openings::Step;
use super::queue::Forward;
use super::report::{Reporter, describe_defence};
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
    /// A step of an opening dialogue, answered by `MESSAGE` lines.
    Step(Step),
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
        self.set_up_engine();
        self.announce(game);
        let excluded = self.excluded_here(game);
        self.engine.set_excluded(excluded);
        self.searches += 1;
        let mut forward = Forward::new(self.sender.clone(), self.searches);
        let limits = self.options.limits(started);
        let listener = move |event| forward.send(event);
        let handle = self.engine.go(game, task, limits, listener);
        let lines = if let Task::BestMove { lines } = *task { lines } else { 1 };
        let reporter = Reporter::new(started, lines, self.options.realtime(), self.options.details());
        self.search = Some(Search { handle, id: self.searches, purpose, started, reporter });
        if self.options.realtime() {
            self.out.send(&Reply::Message("REALTIME REFRESH".to_owned()));
        }
    }

    /// Says what is being played with which means, whenever that has changed: a manager's log then shows what the
    /// engine understood.
    fn announce(&mut self, game: &GameRecord) {
        let size = game.size();
        let threads = if self.options.strength().is_full() { self.engine.threads() } else { 1 };
        let memory = self.options.memory().map_or("default".to_owned(), |bytes| bytes.to_string());
        let mut text = format!("rule {} size {size}x{size} threads {threads} memory {memory}", game.rule());
        let strength = self.options.strength();
        if !strength.is_full() {
            text.push_str(&format!(" strength {}", strength.level()));
        }
        if let Some(table) = self.options.table() {
            text.push_str(&format!(" table {table}"));
        }
        self.out.tell_of_log();
        if self.announced != text {
            self.out.send(&Reply::Message(text.clone()));
            self.announced = text;
        }
    }

    /// Hands the engine the means that it may use.
    pub(super) fn set_up_engine(&mut self) {
        self.engine.set_threads(self.options.threads());
        self.engine.set_max_memory(self.options.memory());
        self.engine.set_table_limit(self.options.table());
        self.engine.set_half_proxy(self.options.half_proxy());
        self.engine.set_strength(self.options.strength());
        self.engine.set_watched(self.options.realtime());
    }

    /// The points that `YXBLOCK` and `YXBLOCKPATH` rule out in this position: a path counts where the game stands one
    /// move before its end.
    fn excluded_here(&self, game: &GameRecord) -> CellSet {
        let pieces = game.pieces().filter(|&(_, piece)| piece != Piece::Blocked);
        let played: Vec<Cell> = pieces.map(|(cell, _)| cell).collect();
        let mut excluded = self.excluded;
        for path in &self.paths {
            if let Some((&last, before)) = path.split_last()
                && before == played
            {
                excluded.insert(last);
            }
        }
        excluded
    }

    /// `INFO`: takes the setting over; a move time of zero during a search means "move now".
    pub(super) fn info(&mut self, info: &Info) {
        if let Info { key: InfoKey::Tune, value: InfoValue::Text(text) } = info
            && let Err(problem) = self.engine.tune(text)
        {
            self.out.send(&Reply::Message(problem.to_string()));
        }
        if !Session::<W>::ponders_through(info) {
            self.stop_pondering();
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
            (Event::Trying(mv), Some(search)) if search.id == id => {
                if let Some(line) = search.reporter.trying(mv, Instant::now()) {
                    self.out.send(&line);
                }
            }
            (Event::Tried { mv, lost }, Some(search)) if search.id == id => {
                for line in search.reporter.tried(mv, lost, Instant::now()) {
                    self.out.send(&line);
                }
            }
            (Event::Defence(defence), Some(search)) if search.id == id => {
                for line in describe_defence(&defence) {
                    self.out.send(&line);
                }
            }
            (Event::Done(answer), Some(search)) if search.id == id => {
                for line in search.reporter.finish() {
                    self.out.send(&line);
                }
                if let Some(search) = self.search.take() {
                    if matches!(search.purpose, Purpose::Move | Purpose::Opening) {
                        self.options.clock.spend(search.started.elapsed());
                    }
                    for reply in self.replies_of(answer, search.purpose) {
                        self.out.send(&reply);
                    }
                    // Only now: what the search still has to tidy up must not delay its move.
                    search.handle.join();
                    if search.purpose == Purpose::Move {
                        self.start_pondering();
                    }
                }
            }
            _ => {}
        }
    }

    /// A search that died. Its command still gets its one line.
    pub(super) fn search_lost(&mut self, id: u64) {
        if self.search.as_ref().is_some_and(|search| search.id == id) {
            self.search = None;
            self.out.send(&Reply::Error(SessionError::SearchLost.to_string()));
        }
    }

    /// The lines that are owed for an answer; what is a move of the game is played.
    fn replies_of(&mut self, answer: Answer, purpose: Purpose) -> Vec<Reply> {
        match purpose {
            Purpose::Step(step) => {
                let nothing = || vec![Reply::Error(SessionError::NoMove.to_string())];
                step.lines(&answer).unwrap_or_else(nothing)
            }
            _ => vec![self.reply_of(answer, purpose)],
        }
    }

    /// The one line that is owed for an answer.
    fn reply_of(&mut self, answer: Answer, purpose: Purpose) -> Reply {
        let moves: Vec<Move> = match answer {
            Answer::Swap if purpose == Purpose::Opening => return Reply::Swap,
            Answer::Swap | Answer::Choice(_) => Vec::new(),
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
            Purpose::Points | Purpose::Opening | Purpose::Step(_) => {
                Reply::Points(moves.into_iter().filter_map(Move::cell).collect())
            }
        }
    }
}
