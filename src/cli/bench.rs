//! `bench`: searches fixed positions to a fixed depth and prints a signature.
//!
//! Two builds that search alike print the same signature; a change that should not alter play must leave it equal.
//! It covers node counts, scores and moves, so that a change which happens to keep the number of nodes shows too.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::board;
use crate::control::{Limits, StopSignal};
use crate::engine;
use crate::game::{GameRecord, parse_moves};
use crate::pattern::Patterns;
use crate::search::{self, Settings};
use crate::solver;
use crate::tt::Table;
use crate::types::{Rule, Size};

/// Positions: rule, size, moves. Openings and middle games, quiet and sharp, every rule, odd sizes.
const POSITIONS: [(Rule, i64, &str); 22] = [
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
];
const TABLE_BYTES: usize = 16 << 20;
/// Depth of the signature.
const DEPTH: u32 = 7;

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
}

/// Runs the subcommand. Exit code 0, or 2 when the report cannot be written.
pub(super) fn run(args: &Args) -> ExitCode {
    let (target, depth) = (args.target, args.depth);
    // The search recurses deeper than the main thread's stack is sure to reach.
    let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
    let report = builder.spawn(move || {
        let out = &mut io::stdout().lock();
        match target {
            Target::Search => measure(depth, out),
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
    Ok(())
}

/// Runs the benchmark and prints its report.
///
/// # Errors
/// When `out` cannot be written, or if a built-in position were broken.
fn measure(depth: u32, out: &mut impl Write) -> io::Result<()> {
    let broken = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut nodes = 0;
    let mut signature = Signature::new();
    let mut time = Duration::ZERO;
    for (rule, size, moves) in POSITIONS {
        let size = Size::new(size).map_err(|e| broken(e.to_string()))?;
        let mut game = GameRecord::new(rule, size);
        parse_moves(moves, size).map_err(|e| broken(e.to_string()))?.into_iter().for_each(|mv| game.push(mv));
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let settings = Settings::default();
        let started = Instant::now();
        let table = Table::new(TABLE_BYTES);
        let found =
            search::search(&engine::board(&game), &table, &limits, settings, &StopSignal::default(), |_| {});
        let elapsed = started.elapsed();
        time += elapsed;
        let Some(found) = found else { continue };
        writeln!(
            out,
            "{:<10} {size:>2} {:<34} {:>4} {:>6} {:>9} nodes {:>6} ms",
            rule.name(),
            moves,
            found.best.text(size).to_string(),
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
    )
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
