//! What to do against a threat: the solver finds the moves that hold, the search chooses among them.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::task::Job;
use super::{Answer, Event};
use crate::control::{Clock, StopSignal};
use crate::search::STACK_BYTES;
use crate::solver::{Mode, Solver};
use crate::types::Move;

/// Memory of the solver, in bytes.
const MEMORY: usize = 1 << 20;
/// Positions for each question that the solver is asked.
const NODES: u64 = 20_000;
/// How often the solver's thread is looked after.
const POLL: Duration = Duration::from_millis(2);

/// What the solver says about a threatened position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defence {
    /// Whether there is anything to defend against; `None` when that was not found out.
    pub is_needed: Option<bool>,
    /// The win that the opponent would have after a pass, if one was found; empty if he threatens five.
    pub threat: Vec<Move>,
    /// The moves that are proven not to lose to it.
    pub holding: Vec<Move>,
    /// Moves of which that is not known.
    pub unclear: Vec<Move>,
}

/// Tells the listener of the moves that hold, and answers with the best of them.
pub(super) fn defend(
    job: &Job,
    best_so_far: &mut Option<Move>,
    listener: &mut impl FnMut(Event),
) -> Option<Answer> {
    let defence = ask_solver(job);
    listener(Event::Defence(defence.clone()));
    let mut excluded = job.excluded;
    let moves = if defence.holding.is_empty() { &defence.unclear } else { &defence.holding };
    if defence.is_needed == Some(true) && !moves.is_empty() {
        for cell in job.game.size().cells() {
            if !moves.contains(&Move::stone(cell)) {
                excluded.stones.insert(cell);
            }
            if !moves.contains(&Move::half(cell)) {
                excluded.halves.insert(cell);
            }
        }
    }
    let outcome = job.search_without(&job.game, &job.limits, 1, excluded, |iteration| {
        *best_so_far = iteration.lines.first().and_then(|line| line.pv.first().copied());
        for report in super::task::reports(iteration) {
            listener(Event::Report(report));
        }
    });
    Some(Answer::Moves(vec![outcome?.best]))
}

/// The solver's answer, within half of the time. If it dies, nothing is known.
fn ask_solver(job: &Job) -> Defence {
    let clock = Clock::new(&job.limits);
    let half = clock.remaining().map(|left| clock.elapsed() + left / 2);
    let stop = StopSignal::default();
    let (sender, done) = channel();
    std::thread::scope(|scope| {
        let stop_solver = &stop;
        // The sender goes with it, so that a solver that dies is noticed.
        let solve = move || {
            let mut board = super::board(&job.game);
            let found = Solver::new(MEMORY).defend(&mut board, Some(Mode::Narrow), NODES, stop_solver);
            // The receiver waits until this has come.
            let _ = sender.send(Defence {
                is_needed: found.is_needed,
                threat: found.threat.map(|win| win.line).unwrap_or_default(),
                holding: found.holding,
                unclear: found.unclear,
            });
        };
        let builder = std::thread::Builder::new().name("solver".into()).stack_size(STACK_BYTES);
        let Ok(solver) = builder.spawn_scoped(scope, solve) else { return Defence::default() };
        loop {
            match done.recv_timeout(POLL) {
                Ok(defence) => return defence,
                Err(RecvTimeoutError::Disconnected) => {
                    // The scope would pass on the panic of a thread that nobody has joined.
                    let _ = solver.join();
                    return Defence::default();
                }
                Err(RecvTimeoutError::Timeout) => {
                    if job.stop.is_raised() || half.is_some_and(|half| clock.elapsed() >= half) {
                        stop.raise();
                    }
                }
            }
        }
    })
}
