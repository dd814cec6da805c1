//! Several threads on one table: every helper searches the same position by itself, and they help each other
//! through what they store ("lazy SMP").

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::iterate::{Iteration, News, Plan};
use super::params::Parameters;
use super::pvs::{Spare, Worker};
use super::vote::{Ballot, vote};
use crate::board::Board;
use crate::control::{Clock, Limits, StopSignal};
use crate::tt::{PROVEN_DEPTH, Table};
use crate::types::{CellSet, Depth, Move, Score};

/// The last iteration of a search without a depth limit: an entry of the table that is a ply deeper still, after a
/// forced reply, is no proven one.
const LAST_DEPTH: Depth = PROVEN_DEPTH - 2;

/// Stack of a searching thread: the deepest recursion with its move lists, several times over.
pub const STACK_BYTES: usize = 16 << 20;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Threads, at least 1. With one thread and a node limit the result is reproducible.
    pub threads: usize,
    /// Best lines to report, at least 1.
    pub lines: usize,
    /// What the side to move shall not play in this position, unless nothing else is left. Deeper in the tree these are
    /// moves like others.
    pub excluded: Excluded,
    /// The numbers of the search.
    pub parameters: Parameters,
}

/// Moves that are ruled out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    /// The points where no stone is to be played.
    pub stones: CellSet,
    /// The points where the half stone is not to be placed.
    pub halves: CellSet,
}

impl Excluded {
    /// Whether this move is ruled out.
    pub fn contains(&self, mv: Move) -> bool {
        let cells = if mv.is_half() { &self.halves } else { &self.stones };
        mv.cell().is_none_or(|cell| cells.contains(cell))
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.stones.is_empty() && self.halves.is_empty()
    }
}

impl From<CellSet> for Excluded {
    /// Nothing at all is to be played on these points.
    fn from(cells: CellSet) -> Excluded {
        Excluded { stones: cells, halves: cells }
    }
}

impl Default for Settings {
    /// One thread, one line, every move.
    fn default() -> Settings {
        Settings { threads: 1, lines: 1, excluded: Excluded::default(), parameters: Parameters::default() }
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

/// A signal that is raised when this goes.
struct RaisedAtEnd<'a>(&'a StopSignal);

impl Drop for RaisedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
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

/// Lets go of what more than so many threads have left behind. It costs a few MiB for each.
pub fn keep_spares(threads: usize) {
    if let Ok(mut spares) = SPARES.lock() {
        spares.truncate(threads);
        spares.shrink_to_fit();
    }
}

fn keep_spare(spare: Spare) {
    if let Ok(mut spares) = SPARES.lock() {
        spares.push(spare);
    }
}

/// Searches the position on `board`, in which the game must go on, and tells `listener` of the main thread's iterations
/// (with the nodes of all threads). With several threads and one line they vote on the move; if another line than the
/// main thread's wins, its line is told last. `None` only if the board is full.
pub fn search(
    board: &Board,
    table: &Table,
    limits: &Limits,
    settings: Settings,
    stop: &StopSignal,
    mut listener: impl FnMut(&Iteration),
) -> Option<Outcome> {
    search_with_news(board, table, limits, settings, stop, |news| {
        if let News::Iteration(iteration) = news {
            listener(iteration);
        }
    })
}

/// As [`search`], for those who also want to know which move of the position is being looked at.
pub fn search_with_news(
    board: &Board,
    table: &Table,
    limits: &Limits,
    settings: Settings,
    stop: &StopSignal,
    mut listener: impl FnMut(News<'_>),
) -> Option<Outcome> {
    table.age();
    let threads = settings.threads.max(1);
    let node_limit = limits.nodes.map_or(u64::MAX, |nodes| (nodes / threads as u64).max(1));
    let depth = limits.depth.map_or(LAST_DEPTH, |depth| depth.clamp(1, LAST_DEPTH as u32) as Depth);
    let plan = Plan { depth, lines: settings.lines.max(1), thread: 0, excluded: settings.excluded };
    let helpers_nodes = AtomicU64::new(0);
    let helpers_stop = StopSignal::default();
    let worker = |stop, clock| {
        Worker::new(board.clone(), table, stop, clock, node_limit, settings.parameters, take_spare())
    };
    let (mut last, mut main_nodes) = (None, 0);
    let mut ballots = Vec::with_capacity(threads);
    std::thread::scope(|scope| {
        // Also if the main thread panics: the scope would wait for the helpers for ever.
        let helpers_end = RaisedAtEnd(&helpers_stop);
        let clock = Clock::new(limits);
        let mut helpers = Vec::with_capacity(threads - 1);
        for thread in 1..threads {
            let (helpers_stop, helpers_nodes, worker) = (&helpers_stop, &helpers_nodes, &worker);
            let builder = std::thread::Builder::new().name("helper".into()).stack_size(STACK_BYTES);
            let helper = builder.spawn_scoped(scope, move || {
                let mut worker = worker(helpers_stop, Clock::new(&Limits::default()));
                worker.counter = Some(helpers_nodes);
                let mut ballot = None;
                worker.iterate(Plan { lines: 1, thread, ..plan }, |news| {
                    if let News::Iteration(iteration) = news {
                        Ballot::update(&mut ballot, iteration);
                    }
                });
                worker.count();
                keep_spare(worker.into_spare());
                ballot
            });
            // A helper that cannot be started is not missed.
            helpers.extend(helper);
        }
        let mut worker = worker(stop, clock);
        let mut ballot = None;
        worker.iterate(plan, |news| {
            let News::Iteration(iteration) = news else { return listener(news) };
            Ballot::update(&mut ballot, iteration);
            main_nodes = iteration.nodes;
            let nodes = main_nodes + helpers_nodes.load(Relaxed);
            let iteration = Iteration { nodes, ..iteration.clone() };
            listener(News::Iteration(&iteration));
            last = Some(iteration);
        });
        drop(helpers_end);
        keep_spare(worker.into_spare());
        ballots.extend(ballot);
        // One that has panicked has no vote.
        ballots.extend(helpers.into_iter().filter_map(|helper| helper.join().ok().flatten()));
    });
    let (last, main) = (last?, ballots.first()?);
    let elected = if plan.lines == 1 { ballots.get(vote(&ballots))? } else { main };
    if elected.line != main.line {
        let lines = vec![elected.line.clone()];
        listener(News::Iteration(&Iteration { depth: elected.depth, lines, ..last }));
    }
    let nodes = main_nodes + helpers_nodes.load(Relaxed);
    Some(Outcome { best: *elected.line.pv.first()?, score: elected.line.score, nodes })
}
