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
        let mut contest = Match { state, openings, jobs, tally, autosave, saved: None };
        contest.ask_test();
        Ok(contest)
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

    /// Plays what is left to play. Files of games are written anew: see [`super::Files::refuse_existing`].
    ///
    /// # Errors
    /// [`ArenaError`] if a file cannot be written; whatever an engine does is no error. The match ends then, and the
    /// state holds all games that have been played, as far as it can be written.
    pub fn run(&mut self, stop: &StopSignal, observer: &mut dyn Observer) -> Result<Outcome, ArenaError> {
        self.state.files.begin(&self.state.config, &self.state.games)?;
        self.save()?;
        let done: HashSet<usize> = self.state.games.iter().map(|game| game.index).collect();
        let left: VecDeque<Job> =
            self.jobs.iter().copied().filter(|job| !done.contains(&job.index)).collect();
        let workers = self.state.config.concurrency.min(left.len());
        let queue = Mutex::new(left);
        let enough = AtomicBool::new(self.state.decision != Decision::Continue);
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
            self.collect(&games, &enough, stop, observer)
        });
        self.openings = openings;
        let saved = self.save();
        result.and(saved)?;
        Ok(self.outcome())
    }

    /// How the match has ended, when no game is running any more.
    fn outcome(&self) -> Outcome {
        match self.state.decision {
            Decision::Continue if self.state.games.len() == self.jobs.len() => Outcome::Finished,
            Decision::Continue => Outcome::Stopped,
            decided => Outcome::Decided(decided),
        }
    }

    /// Takes the games as they end, till the last worker is done. After an error no game begins, and those that have
    /// ended meanwhile are taken all the same; the first error is returned.
    fn collect(
        &mut self,
        games: &Receiver<Played>,
        enough: &AtomicBool,
        stop: &StopSignal,
        observer: &mut dyn Observer,
    ) -> Result<(), ArenaError> {
        let mut result = Ok(());
        for played in games {
            let taken = played.and_then(|(job, game)| self.take(&job, game, observer));
            if taken.is_err() {
                stop.raise();
            }
            result = result.and(taken);
            if self.state.decision != Decision::Continue {
                enough.store(true, Ordering::Relaxed);
            }
        }
        result
    }

    /// Takes one game: into the results, then into the files.
    fn take(&mut self, job: &Job, game: PlayedGame, observer: &mut dyn Observer) -> Result<(), ArenaError> {
        self.tally.add(job, &game);
        self.ask_test();
        observer.game_over(job, &game, &self.tally);
        let written = self.state.files.add(&self.state.config, &game);
        // Whatever comes of the files, the game has been played.
        self.state.games.push(game);
        if self.saved.is_none_or(|saved| saved.elapsed() >= SAVE_INTERVAL) {
            self.save()?;
        }
        written
    }

    /// What the test has said; once it has decided, the games that were still running do not change that.
    pub fn decision(&self) -> Decision {
        self.state.decision
    }

    /// Asks the test unless it has decided.
    fn ask_test(&mut self) {
        if let (Some(sprt), Some(pairing)) = (&self.state.config.sprt, self.tally.pairings.first())
            && self.state.decision == Decision::Continue
        {
            self.state.decision = sprt.decide(&pairing.pairs);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::ending::{Reason, Winner};
    use crate::arena::files::Files;
    use crate::arena::sprt::{Model, Sprt};
    use crate::arena::tally::tests::{config, game};

    struct Nobody;

    impl Observer for Nobody {
        fn game_over(&mut self, _job: &Job, _game: &PlayedGame, _tally: &Tally) {}
    }

    /// A match of two engines that are never started.
    fn contest(games: usize, sprt: Option<Sprt>, files: Files, autosave: Option<PathBuf>) -> Match {
        let config = Config { sprt, ..config(2, games) };
        Match::new(State::new(config, &[], files), autosave).unwrap()
    }

    /// The game of this number, won by the first or the second engine.
    fn won(contest: &Match, index: usize, winner: usize) -> Played {
        let job = contest.jobs[index];
        let color = if job.black == winner { Winner::Black } else { Winner::White };
        Ok((job, game(&job, color, Reason::Five)))
    }

    /// Lets these games come in.
    fn collect(contest: &mut Match, games: Vec<Played>, stop: &StopSignal) -> (bool, Result<(), ArenaError>) {
        let (report, inbox) = channel();
        games.into_iter().for_each(|game| report.send(game).unwrap());
        drop(report);
        let enough = AtomicBool::new(false);
        let result = contest.collect(&inbox, &enough, stop, &mut Nobody);
        (enough.into_inner(), result)
    }

    #[test]
    fn a_decision_stands_whatever_the_games_that_were_running_bring() {
        let sprt = Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let mut contest = contest(400, Some(sprt), Files::default(), None);
        let mut index = 0;
        while contest.decision() == Decision::Continue {
            let game = won(&contest, index, 0);
            collect(&mut contest, vec![game], &StopSignal::default()).1.unwrap();
            index += 1;
        }
        assert_eq!(contest.decision(), Decision::H1);
        let mut undecided = false;
        for index in index..index + 12 {
            let game = won(&contest, index, 1);
            let (enough, result) = collect(&mut contest, vec![game], &StopSignal::default());
            assert!(enough && result.is_ok());
            undecided |= sprt.decide(&contest.tally.pairings[0].pairs) == Decision::Continue;
            assert_eq!(contest.outcome(), Outcome::Decided(Decision::H1));
        }
        assert!(undecided, "the lost games were to bring the test back between its bounds");

        // The same after the way through the file.
        let path = std::env::temp_dir().join(format!("halfstone-decided-{}.json", std::process::id()));
        contest.state().save(&path).unwrap();
        let state = State::load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(&state, contest.state());
        let mut resumed = Match::new(state, None).unwrap();
        let outcome = resumed.run(&StopSignal::default(), &mut Nobody).unwrap();
        assert_eq!((outcome, resumed.state().games.len()), (Outcome::Decided(Decision::H1), index + 12));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn games_that_cannot_be_written_are_in_the_state() {
        let path = std::env::temp_dir().join(format!("halfstone-full-{}.json", std::process::id()));
        let files = Files { pgn: Some("/dev/full".into()), ..Files::default() };
        let mut contest = contest(4, None, files, Some(path.clone()));
        let games = vec![won(&contest, 0, 0), won(&contest, 1, 1), won(&contest, 2, 1)];
        let stop = StopSignal::default();
        let (_, result) = collect(&mut contest, games, &stop);
        assert!(matches!(result, Err(ArenaError::File { .. })) && stop.is_raised());
        contest.save().unwrap();
        let state = State::load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(state.games.iter().map(|game| game.index).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
