//! One search job on its thread: runs the task, reports iterations, and always answers exactly once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::{Answer, Event, Report, Strength, Task, defend, opening, proxy};
use crate::control::{Limits, StopSignal};
use crate::game::GameRecord;
use crate::pattern::PointClass;
use crate::search::{self, Excluded, Iteration, Line, News, Outcome, Parameters, Settings};
use crate::tt::Table;
use crate::types::{Cell, Color, Move};

/// Everything that a search thread needs.
pub(super) struct Job {
    pub(super) game: GameRecord,
    pub(super) task: Task,
    pub(super) limits: Limits,
    /// Moves that [`Task::BestMove`] and [`Task::Defend`] do not choose.
    pub(super) excluded: Excluded,
    pub(super) threads: usize,
    pub(super) parameters: Parameters,
    /// Play without knowing the half stone.
    pub(super) half_proxy: bool,
    /// Whether it tells which move it looks at.
    pub(super) watched: bool,
    /// How strongly [`Task::BestMove`] plays.
    pub(super) strength: Strength,
    pub(super) table: Arc<Table>,
    pub(super) stop: StopSignal,
}

impl Job {
    /// Runs the task and ends with [`Event::Done`], even if the search panics: then with the best move so far.
    pub(super) fn run(mut self, listener: &mut impl FnMut(Event)) {
        self.limits.started.get_or_insert_with(Instant::now);
        let mut best_so_far = None;
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&mut best_so_far, listener)));
        let answer = answer.unwrap_or_else(|_| self.fallback(best_so_far));
        listener(Event::Done(answer));
    }

    /// An answer without any thought, of the kind that the task asks for.
    pub(super) fn fallback(&self, best_so_far: Option<Move>) -> Answer {
        if let Task::Opening(opening) = &self.task
            && let Some(choice) = opening::any_choice(opening)
        {
            return Answer::Choice(choice);
        }
        // A manager takes fewer stones than it asked for as an illegal move.
        let stones = match self.task {
            Task::Swap2Open => 3,
            Task::BalanceTwo(_) => 2,
            _ => return Answer::Moves(best_so_far.or_else(|| self.any_move()).into_iter().collect()),
        };
        Answer::Moves(self.empty_cells().take(stones).map(Move::stone).collect())
    }

    fn answer(&self, best_so_far: &mut Option<Move>, listener: &mut impl FnMut(Event)) -> Answer {
        match self.task {
            Task::BestMove { .. } if self.half_proxy => {
                let seen = proxy::without_half_stone(&self.game);
                let found = self.search(&seen, &self.limits, 1, |_| {}).map(|outcome| outcome.best);
                let mv = found.or_else(|| self.any_move());
                let played = mv.map(|mv| proxy::with_random_half_stone(&self.game, mv, 0));
                Answer::Moves(played.into_iter().collect())
            }
            Task::BestMove { lines } if !self.strength.is_full() => {
                let found = self.weakened(lines.max(1), best_so_far, listener);
                Answer::Moves(found.or_else(|| self.any_move()).into_iter().collect())
            }
            Task::BestMove { lines } => {
                let outcome = self.best_move(lines, best_so_far, listener);
                Answer::Moves(outcome.map(|o| o.best).or_else(|| self.any_move()).into_iter().collect())
            }
            Task::Swap2Open => Answer::Moves(opening::swap2_open(self)),
            Task::Swap2Respond | Task::Swap2Choose => opening::swap2_choose(self),
            Task::RenjuOpen => Answer::Moves(opening::renju_open(self)),
            Task::Opening(ref opening) => match opening::decide(self, opening) {
                Some(choice) => Answer::Choice(choice),
                None => Answer::Moves(Vec::new()),
            },
            Task::Defend => defend::defend(self, best_so_far, listener)
                .unwrap_or_else(|| Answer::Moves(self.any_move().into_iter().collect())),
            Task::BalanceOne(bias) => Answer::Moves(opening::balance_one(self, bias)),
            Task::BalanceTwo(bias) => Answer::Moves(opening::balance_two(self, bias)),
        }
    }

    fn settings(&self, lines: usize, excluded: Excluded) -> Settings {
        Settings { threads: self.threads, lines, excluded, parameters: self.parameters }
    }

    /// Searches the position with all that is reported on the way.
    fn best_move(
        &self,
        lines: usize,
        best_so_far: &mut Option<Move>,
        listener: &mut impl FnMut(Event),
    ) -> Option<Outcome> {
        let settings = self.settings(lines, self.excluded);
        let board = super::board(&self.game);
        search::search_with_news(&board, &self.table, &self.limits, settings, &self.stop, |news| match news {
            News::Iteration(iteration) => {
                *best_so_far = iteration.lines.first().and_then(|line| line.pv.first().copied());
                reports(iteration).for_each(|report| listener(Event::Report(report)));
            }
            News::Trying(mv) if self.watched => listener(Event::Trying(mv)),
            News::Tried { mv, lost } if self.watched => listener(Event::Tried { mv, lost }),
            News::Trying(_) | News::Tried { .. } => {}
        })
    }

    /// The move that is played below full strength. Its line is reported last.
    fn weakened(
        &self,
        lines: usize,
        best_so_far: &mut Option<Move>,
        listener: &mut impl FnMut(Event),
    ) -> Option<Move> {
        let board = super::board(&self.game);
        let mut chance = self.strength.chance(board.hash());
        let five = Color::ALL.iter().any(|&color| board.count(color, PointClass::Five) > 0);
        let blind = self.strength.overlooks(&mut chance) && !(five && self.strength.sees_fives());
        let mut found = self.glance(self.excluded, lines, best_so_far, listener)?;
        if blind {
            let best = found.lines.remove(0);
            if found.lines.is_empty() {
                // There was nothing to choose, which took no time.
                let mut excluded = self.excluded;
                if let Some(cell) = best.pv.first().and_then(|mv| mv.cell()) {
                    excluded.stones.insert(cell);
                    excluded.halves.insert(cell);
                }
                let other = self.glance(excluded, lines, best_so_far, listener);
                found = other.unwrap_or(Iteration { lines: vec![best], ..found });
            }
        }
        let seems_best = self.strength.choose(&found.lines, &mut chance);
        if blind || seems_best > 0 {
            found.lines.get_mut(..=seems_best)?.rotate_right(1);
            found.lines.truncate(lines);
            reports(&found).for_each(|report| listener(Event::Report(report)));
        }
        found.lines.first()?.pv.first().copied()
    }

    /// The last whole iteration of a search as short and as broad as the strength says.
    fn glance(
        &self,
        excluded: Excluded,
        lines: usize,
        best_so_far: &mut Option<Move>,
        listener: &mut impl FnMut(Event),
    ) -> Option<Iteration> {
        let nodes = self.strength.nodes().min(self.limits.nodes.unwrap_or(u64::MAX));
        let limits = Limits { nodes: Some(nodes), ..self.limits };
        let broad = lines.max(self.strength.lines());
        let settings = Settings { threads: 1, ..self.settings(broad, excluded) };
        let mut last: Option<Iteration> = None;
        search::search(&super::board(&self.game), &self.table, &limits, settings, &self.stop, |iteration| {
            // One that was cut short does not compare the moves fairly.
            if iteration.complete || last.is_none() {
                *best_so_far = iteration.lines.first().and_then(|line: &Line| line.pv.first().copied());
                reports(iteration).take(lines).for_each(|report| listener(Event::Report(report)));
                last = Some(iteration.clone());
            }
        });
        last.filter(|iteration| !iteration.lines.is_empty())
    }

    /// Searches `game` on this job's table and threads.
    pub(super) fn search(
        &self,
        game: &GameRecord,
        limits: &Limits,
        lines: usize,
        listener: impl FnMut(&Iteration),
    ) -> Option<Outcome> {
        self.search_without(game, limits, lines, Excluded::default(), listener)
    }

    /// The same, leaving out some first moves.
    pub(super) fn search_without(
        &self,
        game: &GameRecord,
        limits: &Limits,
        lines: usize,
        excluded: Excluded,
        listener: impl FnMut(&Iteration),
    ) -> Option<Outcome> {
        let settings = self.settings(lines, excluded);
        search::search(&super::board(game), &self.table, limits, settings, &self.stop, listener)
    }

    /// The first empty point: the last resort.
    pub(super) fn any_move(&self) -> Option<Move> {
        self.empty_cells().next().map(Move::stone)
    }

    fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.game.size().cells().filter(|&cell| self.game.piece_at(cell).is_none())
    }
}

pub(super) fn reports(iteration: &Iteration) -> impl Iterator<Item = Report> + '_ {
    iteration.lines.iter().enumerate().map(|(index, line)| Report {
        depth: iteration.depth,
        selective_depth: iteration.selective_depth,
        line: index + 1,
        score: line.score,
        nodes: iteration.nodes,
        elapsed: iteration.elapsed,
        pv: line.pv.clone(),
    })
}
