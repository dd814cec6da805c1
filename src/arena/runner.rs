//! The match itself: games side by side, results added up, files written, the test asked after each game.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::config::Config;
use super::error::ArenaError;
use super::game::{self, PlayedGame};
use super::schedule::{Job, jobs};
use super::sprt::Decision;
use super::state::State;
use super::tally::Tally;
use crate::control::StopSignal;
use crate::types::Move;

/// The state is not saved more often than this.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// Hears of the games as they end.
pub trait Observer {
    /// A game has ended.
    fn game_over(&mut self, job: &Job, game: &PlayedGame, tally: &Tally);
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every game has been played.
    Finished,
    /// The test has decided.
    Decided(Decision),
    /// It was stopped; the games that were running are forgotten.
    Stopped,
}

/// A match.
pub struct Match {
    state: State,
    openings: Vec<Vec<Move>>,
    jobs: Vec<Job>,
    tally: Tally,
    autosave: Option<PathBuf>,
    saved: Option<Instant>,
}

/// What a worker reports.
type Played = Result<(Job, PlayedGame), ArenaError>;

impl Match {
    /// A match that begins, or goes on, from this state.
    ///
    /// # Errors
    /// [`ArenaError`] if the settings do not fit together.
    pub fn new(mut state: State, autosave: Option<PathBuf>) -> Result<Match, ArenaError> {
        state.config.check()?;
        let mut openings = state.opening_moves().map_err(ArenaError::Settings)?;
        if openings.is_empty() {
            openings.push(Vec::new());
        }
        let jobs = jobs(&state.config);
        let mut tally = Tally::new(&state.config, &jobs);
        // A game that is in the file twice, or is not part of the match, does not count.
        let mut seen = HashSet::new();
        state.games.retain(|game| game.index < jobs.len() && seen.insert(game.index));
        for game in &state.games {
            if let Some(job) = jobs.get(game.index) {
                tally.add(job, game);
            }
        }
        Ok(Match { state, openings, jobs, tally, autosave, saved: None })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.state.config
    }

    /// The state, with all finished games.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The results so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many games there are in all.
    pub fn total(&self) -> usize {
        self.jobs.len()
    }

    /// Plays what is left to play.
    ///
    /// # Errors
    /// [`ArenaError`] if a file cannot be written; whatever an engine does is no error.
    pub fn run(&mut self, stop: &StopSignal, observer: &mut dyn Observer) -> Result<Outcome, ArenaError> {
        self.state.files.begin(&self.state.config, &self.state.games)?;
        self.save()?;
        let done: HashSet<usize> = self.state.games.iter().map(|game| game.index).collect();
        let left: VecDeque<Job> =
            self.jobs.iter().copied().filter(|job| !done.contains(&job.index)).collect();
        let workers = self.state.config.concurrency.min(left.len());
        let queue = Mutex::new(left);
        let enough = AtomicBool::new(self.decision() != Decision::Continue);
        let config = self.state.config.clone();
        let openings = std::mem::take(&mut self.openings);

        let result = thread::scope(|scope| {
            let (report, games) = channel();
            for _ in 0..workers {
                let report = report.clone();
                let (queue, enough, config, openings) = (&queue, &enough, &config, &openings);
                scope.spawn(move || work(queue, enough, config, openings, stop, &report));
            }
            drop(report);
            let result = self.collect(&games, &enough, observer);
            if result.is_err() {
                stop.raise();
            }
            result
        });
        self.openings = openings;
        result?;
        self.save()?;
        Ok(match self.decision() {
            Decision::Continue if self.state.games.len() == self.jobs.len() => Outcome::Finished,
            Decision::Continue => Outcome::Stopped,
            decided => Outcome::Decided(decided),
        })
    }

    /// Takes the games as they end.
    fn collect(
        &mut self,
        games: &Receiver<Played>,
        enough: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), ArenaError> {
        for played in games {
            let (job, game) = played?;
            self.tally.add(&job, &game);
            self.state.files.add(&self.state.config, &game)?;
            observer.game_over(&job, &game, &self.tally);
            self.state.games.push(game);
            if self.saved.is_none_or(|saved| saved.elapsed() >= SAVE_INTERVAL) {
                self.save()?;
            }
            if self.decision() != Decision::Continue {
                enough.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// What the test says.
    pub fn decision(&self) -> Decision {
        match (&self.state.config.sprt, self.tally.pairings.first()) {
            (Some(sprt), Some(pairing)) => sprt.decide(&pairing.pairs),
            _ => Decision::Continue,
        }
    }

    fn save(&mut self) -> Result<(), ArenaError> {
        self.saved = Some(Instant::now());
        self.autosave.as_ref().map_or(Ok(()), |path| self.state.save(path))
    }
}

/// Plays one game after the other: the work of one thread.
fn work(
    queue: &Mutex<VecDeque<Job>>,
    enough: &AtomicBool,
    config: &Config,
    openings: &[Vec<Move>],
    stop: &StopSignal,
    report: &Sender<Played>,
) {
    while !stop.is_raised() && !enough.load(Ordering::Relaxed) {
        let Some(job) = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front() else { return };
        let opening = match config.swap2 {
            true => &[],
            false => openings.get(job.opening % openings.len().max(1)).map_or(&[][..], Vec::as_slice),
        };
        let played = match game::play(config, job, opening, stop) {
            Ok(Some(game)) => Ok((job, game)),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        if report.send(played).is_err() {
            return;
        }
    }
}
