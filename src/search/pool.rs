//! Several threads on one table: every helper searches the same position by itself, and they help each other
//! through what they store ("lazy SMP").

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::iterate::{Iteration, Plan};
use super::params::Parameters;
use super::pvs::{Spare, Worker};
use crate::board::Board;
use crate::control::{Clock, Limits, StopSignal};
use crate::tt::Table;
use crate::types::{CellSet, Depth, Move, Score};

/// The last iteration of a search without a depth limit.
const LAST_DEPTH: Depth = 200;

/// Stack of a searching thread: the deepest recursion with its move lists, several times over.
pub const STACK_BYTES: usize = 16 << 20;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Threads, at least 1. With one thread and a node limit the result is reproducible.
    pub threads: usize,
    /// Best lines to report, at least 1.
    pub lines: usize,
    /// Points that the side to move shall not play in this position, unless nothing else is left. Deeper in the tree
    /// they are points like others.
    pub excluded: CellSet,
    /// The numbers of the search.
    pub parameters: Parameters,
}

impl Default for Settings {
    /// One thread, one line, every move.
    fn default() -> Settings {
        Settings { threads: 1, lines: 1, excluded: CellSet::default(), parameters: Parameters::default() }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play.
    pub best: Move,
    /// Its score in the mover's view.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// What finished searches have left for the next ones, as many as ever ran at once.
static SPARES: Mutex<Vec<Spare>> = Mutex::new(Vec::new());

/// As good as new.
fn take_spare() -> Spare {
    match SPARES.lock().ok().and_then(|mut spares| spares.pop()) {
        Some(mut spare) => {
            spare.clear();
            spare
        }
        None => Spare::new(),
    }
}

fn keep_spare(spare: Spare) {
    if let Ok(mut spares) = SPARES.lock() {
        spares.push(spare);
    }
}

/// Searches the position on `board`, in which the game must go on, and tells `listener` of the main thread's iterations
/// (with the nodes of all threads). `None` only if the board is full.
pub fn search(
    board: &Board,
    table: &Table,
    limits: &Limits,
    settings: Settings,
    stop: &StopSignal,
    mut listener: impl FnMut(&Iteration),
) -> Option<Outcome> {
    table.age();
    let clock = Clock::new(limits);
    let threads = settings.threads.max(1);
    let node_limit = limits.nodes.map_or(u64::MAX, |nodes| (nodes / threads as u64).max(1));
    let depth = limits.depth.map_or(LAST_DEPTH, |depth| (depth as Depth).clamp(1, LAST_DEPTH));
    let helpers_nodes = AtomicU64::new(0);
    let excluded = settings.excluded;
    let helpers_stop = StopSignal::default();
    let mut outcome = None;
    std::thread::scope(|scope| {
        for helper in 1..threads {
            let (helpers_stop, helpers_nodes) = (&helpers_stop, &helpers_nodes);
            let builder = std::thread::Builder::new().name("helper".into()).stack_size(STACK_BYTES);
            // A helper that cannot be started is not missed.
            let _ = builder.spawn_scoped(scope, move || {
                let board = board.clone();
                let clock = Clock::new(&Limits::default());
                let mut worker = Worker::new(
                    board,
                    table,
                    helpers_stop,
                    clock,
                    node_limit,
                    settings.parameters,
                    take_spare(),
                );
                let first = 1 + (helper % 2) as Depth;
                worker.iterate(Plan { depth, lines: 1, first, excluded }, |_| {});
                helpers_nodes.fetch_add(worker.nodes, Relaxed);
                keep_spare(worker.into_spare());
            });
        }
        let mut worker =
            Worker::new(board.clone(), table, stop, clock, node_limit, settings.parameters, take_spare());
        worker.iterate(Plan { depth, lines: settings.lines.max(1), first: 1, excluded }, |iteration| {
            if let Some((best, line)) = iteration.lines.first().and_then(|l| Some((*l.pv.first()?, l))) {
                outcome = Some(Outcome { best, score: line.score, nodes: iteration.nodes });
            }
            listener(iteration);
        });
        helpers_stop.raise();
        keep_spare(worker.into_spare());
    });
    if let Some(outcome) = &mut outcome {
        outcome.nodes += helpers_nodes.load(Relaxed);
    }
    outcome
}
