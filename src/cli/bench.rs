//! `bench`: searches fixed positions to a fixed depth and prints a signature.
//!
//! Two builds that search alike print the same signature; a change that should not alter play must leave it equal.
//! It covers node counts, scores and moves, so that a change which happens to keep the number of nodes shows too.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::board::{self, Board};
use crate::control::{Limits, StopSignal};
use crate::engine;
use crate::game::{GameRecord, NotationError, parse_moves};
use crate::pattern::Patterns;
use crate::search::{self, Outcome, Settings};
use crate::solver::{self, Mode, Probe, Solver};
use crate::tt::Table;
use crate::types::{Rule, Size};

/// Positions: rule, size, moves. Openings and middle games, quiet and sharp, every rule, odd sizes.
const POSITIONS: [(Rule, i64, &str); 42] = [
    (Rule::Freestyle, 15, ""),
    (Rule::Freestyle, 15, "g10 e9 g7 f10"),
    (Rule::Freestyle, 15, "f11 g11 j9 g9 e9 f7"),
    (Rule::Freestyle, 15, "h8 i9 i8 g8 h9 h10 g10 j7 i10 f11"),
    (Rule::Freestyle, 20, "l12 m9 m10 n10 l10 n12"),
    (Rule::Freestyle, 20, "n12 k9 n10 k7 i7 n7"),
    (Rule::Standard, 15, "f5 i5 e8"),
    (Rule::Standard, 15, "k5 j8 i6"),
    (Rule::Standard, 15, "j11 k11 h9 h6 i8 k6"),
    (Rule::Renju, 15, "k6 i8 g11 g9 e6"),
    (Rule::Renju, 15, "e5 e7 h10 i8 f8"),
    (Rule::Renju, 15, "j11 g9 j9 h10 e9 e10"),
    (Rule::Renju, 15, "h8 h9 j10 i9 g9 i7 g7 i8 i10"),
    (Rule::Caro, 15, "e6 f7 i6 j8 g8"),
    (Rule::Caro, 15, "f11 e11 g11 h9 f9 j8"),
    (Rule::CaroFive, 15, "j7 g7 h6 h10 k6"),
    (Rule::CaroFive, 15, "e9 h6 g10"),
    (Rule::HalfStone, 15, "e5 f6 h7"),
    (Rule::HalfStone, 15, "k9 i8 *h10 h11 g11 i5"),
    (Rule::HalfStone, 15, "h8 g9 i8 g7 i10 j9 h9"),
    (Rule::Freestyle, 9, "e5 f6 e6 e7 f5"),
    (Rule::Standard, 22, "k11 l12 m11 m13 n10"),
    (Rule::Freestyle, 15, "h5 i8 i5 h8 f6 i6 g5"),
    (Rule::Freestyle, 15, "e7 h8 h6 g6 g7 f7 f8 e9 g5 h5 i4"),
    (Rule::Freestyle, 5, "c3 b2 d2"),
    (Rule::Freestyle, 6, "c3 d4"),
    (Rule::Freestyle, 10, "e5 f6 f5 e6"),
    (Rule::Freestyle, 22, "l11 m12 l12 m11 n13"),
    (Rule::Standard, 15, "j10 k10 i8 g11 j8 h8 i7 k9 j7"),
    (Rule::Standard, 12, "f6 g7 f7 g6 e8"),
    (Rule::Standard, 19, "j10 k10 i9 l11"),
    (Rule::Renju, 15, "e10 g10 j8 h5 h8 i8 i9 h10"),
    (Rule::Renju, 15, "f10 g8 i7 e7 h7 h8 i8"),
    (Rule::Renju, 13, "g7 h8 f8 g9"),
    (Rule::Renju, 19, "j10 k11 i11 j12 k9"),
    (Rule::Caro, 15, "g9 j9 h7 k9 j10 h8 g8"),
    (Rule::Caro, 20, "k10 l11 m10 l9"),
    (Rule::CaroFive, 15, "f5 e6 i6 h5 g7 g6 h8"),
    (Rule::CaroFive, 17, "i9 j10 h10"),
    (Rule::HalfStone, 15, ""),
    (Rule::HalfStone, 20, "k10 l11 *m12 k11 j9"),
    (Rule::HalfStone, 10, "e5 f6 g5 f4"),
];
const TABLE_BYTES: usize = 16 << 20;
/// Depth of the signature.
const DEPTH: u32 = 12;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    /// Search fixed positions and print the signature
    Search,
    /// Moves made and taken back per second, and the time that the tables take
    Board,
    /// Fixed problems for the mate solvers
    Solver,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to measure
    #[arg(value_enum, default_value_t = Target::Search)]
    target: Target,
    /// Depth of every search, in plies; the signature that commits quote is that of the default
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Search everything once more with so many threads, and compare the nodes per second
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Runs the subcommand. Exit code 0, or 2 when the report cannot be written.
pub(super) fn run(args: &Args) -> ExitCode {
    let (target, depth, threads) = (args.target, args.depth, args.threads.into());
    // The search recurses deeper than the main thread's stack is sure to reach.
    let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
    let report = builder.spawn(move || {
        let out = &mut io::stdout().lock();
        match target {
            Target::Search => measure(depth, threads, out),
            Target::Board => measure_board(out),
            Target::Solver => measure_solver(out),
        }
    });
    match report.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        // A reader that has seen enough is no failure.
        Ok(Ok(Err(error))) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(2),
    }
}

/// Pairs of moves made and taken back for each figure of the board.
const PAIRS: u64 = 1_000_000;

fn measure_board(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "rule        make+undo/s  light+undo/s  tables")?;
    for rule in Rule::ALL {
        let started = Instant::now();
        drop(Patterns::build(rule));
        let tables = started.elapsed();
        let [full, light] =
            [false, true].map(|light| board::measure(rule, Size::STANDARD, PAIRS, light).pairs_per_second());
        writeln!(out, "{:<10} {full:>12.0} {light:>13.0} {:>4} ms", rule.name(), tables.as_millis())?;
    }
    Ok(())
}

fn measure_solver(out: &mut impl Write) -> io::Result<()> {
    for found in solver::measure().into_iter().flatten() {
        let verdict = match &found.verdict {
            solver::Verdict::Win(win) => format!("win in {}", win.moves),
            solver::Verdict::NoWin => "no win".to_owned(),
            solver::Verdict::Unknown(_) => "not solved".to_owned(),
        };
        let micros = found.elapsed.as_secs_f64() * 1e6;
        writeln!(out, "{:<20} {verdict:<12} {:>9} nodes {micros:>12.1} µs", found.name, found.nodes)?;
    }
    writeln!(
        out,
        "\ngames of        positions  by fours  by threats  for the loser  nodes each  mean ms  worst ms"
    )?;
    for rule in Rule::ALL {
        let found = prove_games(rule).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
        let count = found.positions.max(1) as f64;
        let percent = |wins: u64| 100.0 * wins as f64 / count;
        writeln!(
            out,
            "{:<12} {:>12}  {:>6.1} %  {:>8.1} %  {:>13}  {:>10.0}  {:>7.2}  {:>8.1}",
            rule.name(),
            found.positions,
            percent(found.fours),
            percent(found.threats),
            found.losers,
            found.nodes as f64 / count,
            found.time.as_secs_f64() * 1e3 / count,
            found.worst.as_secs_f64() * 1e3
        )?;
    }
    Ok(())
}

/// Decisive games, one a line: rule and moves.
const GAMES: &str = include_str!("../../assets/games/decisive.txt");
/// Nodes for each of their positions.
const GAME_NODES: u64 = 20_000;

/// What the solver proves of the positions of decisive games, each by itself and in the view of the side to move.
#[derive(Default)]
struct Proven {
    positions: u64,
    /// Wins by fours, and all wins.
    fours: u64,
    threats: u64,
    /// Wins that the player had, and lost the game.
    losers: u64,
    nodes: u64,
    time: Duration,
    worst: Duration,
}

fn prove_games(rule: Rule) -> Result<Proven, NotationError> {
    let mut proven = Proven::default();
    let mut solver = Solver::new(TABLE_BYTES);
    let games =
        GAMES.lines().filter_map(|line| line.split_once(": ")).filter(|(name, _)| *name == rule.name());
    for (_, moves) in games {
        let moves = parse_moves(moves, Size::STANDARD)?;
        let mut board = Board::new(rule, Size::STANDARD);
        for (made, &mv) in moves.iter().enumerate() {
            solver.clear();
            let (before, started) = (solver.nodes(), Instant::now());
            let by_fours = matches!(solver.probe_vcf(&mut board, GAME_NODES), Probe::Win(..));
            let stop = StopSignal::default();
            let wins = by_fours
                || matches!(solver.probe_vct(&mut board, Mode::Narrow, GAME_NODES, &stop), Probe::Win(..));
            let time = started.elapsed();
            proven.positions += 1;
            proven.fours += u64::from(by_fours);
            proven.threats += u64::from(wins);
            // The winner makes the last move.
            proven.losers += u64::from(wins && (moves.len() - made).is_multiple_of(2));
            proven.nodes += solver.nodes() - before;
            proven.time += time;
            proven.worst = proven.worst.max(time);
            board.make(mv);
        }
    }
    Ok(proven)
}

/// Runs the benchmark and prints its report.
///
/// # Errors
/// When `out` cannot be written, or if a built-in position were broken.
fn measure(depth: u32, threads: usize, out: &mut impl Write) -> io::Result<()> {
    let mut nodes = 0;
    let mut signature = Signature::new();
    let mut time = Duration::ZERO;
    for (rule, size, moves) in POSITIONS {
        let game = record(rule, size, moves)?;
        let (found, elapsed) = search_one(&game, depth, 1);
        time += elapsed;
        let Some(found) = found else { continue };
        writeln!(
            out,
            "{:<10} {size:>2} {:<34} {:>4} {:>6} {:>9} nodes {:>6} ms",
            rule.name(),
            moves,
            found.best.text(game.size()).to_string(),
            found.score,
            found.nodes,
            elapsed.as_millis()
        )?;
        nodes += found.nodes;
        signature.mix(found.nodes);
        signature.mix(found.score as u64);
        signature.mix(u64::from(found.best.to_bits()));
    }
    let rate = nodes as f64 / time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "\ntime  {} ms\nspeed {rate:.0} nodes/s\nBench: {nodes} {:08x}",
        time.as_millis(),
        signature.short()
    )?;
    if threads > 1 {
        // The number of nodes differs from run to run; only the speed says something.
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (rule, size, moves) in POSITIONS {
            let (found, elapsed) = search_one(&record(rule, size, moves)?, depth, threads);
            nodes += found.map_or(0, |found| found.nodes);
            time += elapsed;
        }
        let together = nodes as f64 / time.as_secs_f64().max(1e-9);
        let ratio = together / rate.max(1e-9);
        writeln!(
            out,
            "{threads} threads  {} ms, {together:.0} nodes/s, {ratio:.2} times those of one",
            time.as_millis()
        )?;
    }
    Ok(())
}

/// One of the positions.
///
/// # Errors
/// If it were broken.
fn record(rule: Rule, size: i64, moves: &str) -> io::Result<GameRecord> {
    let broken = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let size = Size::new(size).map_err(|e| broken(e.to_string()))?;
    let mut game = GameRecord::new(rule, size);
    parse_moves(moves, size).map_err(|e| broken(e.to_string()))?.into_iter().for_each(|mv| game.push(mv));
    Ok(game)
}

/// What a search of a position finds, and its time.
fn search_one(game: &GameRecord, depth: u32, threads: usize) -> (Option<Outcome>, Duration) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let settings = Settings { threads, ..Settings::default() };
    let started = Instant::now();
    let table = Table::new(TABLE_BYTES);
    let board = engine::board(game);
    let found = search::search(&board, &table, &limits, settings, &StopSignal::default(), |_| {});
    (found, started.elapsed())
}

/// FNV-1a over 64-bit words (Fowler, Noll, Vo).
struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn mix(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn short(&self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}
