//! `match`: engines against engines.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::{files, signals};
use crate::arena::{
    self, Adviser, Config, Decision, EngineLimits, EngineSpec, Files, Job, Match, Observer, Outcome,
    PlayedGame, Resign, Sprt, State, Tally, Tournament,
};
use crate::control::StopSignal;
use crate::types::{Color, Move, Rule, Size};

/// Exit code of a match that was stopped by a signal.
const STOPPED: u8 = 130;
/// Without a terminal, the score is told so often.
const TOLD_EVERY: Duration = Duration::from_secs(10);
/// Time for the engine that balances an opening.
const BALANCE_MS: u64 = 300;

/// What `match` is asked to do.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// An engine; give it twice or more. Without cmd, or with cmd=self, it is this program
    #[arg(
        long = "engine",
        value_name = "name=NAME,cmd=COMMAND[,KEY=VALUE…]",
        required_unless_present = "resume"
    )]
    engines: Vec<String>,
    /// Rule: name or `INFO rule` number
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Size of the board, 5 to 22
    #[arg(long, value_name = "N", default_value = "15", value_parser = files::size)]
    size: Size,
    /// Games of each pairing
    #[arg(long, value_name = "N", default_value_t = 2)]
    games: usize,
    /// Time for a move; 0 asks for a move at once [default: 1000; with --match-ms, as long as that; else with --nodes
    /// or --depth, 60000]
    #[arg(long, value_name = "MS")]
    turn_ms: Option<u64>,
    /// Time for a game, 0 for no limit
    #[arg(long, value_name = "MS", default_value_t = 0)]
    match_ms: u64,
    /// Time that the clock of the game gains with each move
    #[arg(long, value_name = "MS", default_value_t = 0)]
    increment_ms: u64,
    /// Nodes of each search, 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    nodes: u64,
    /// Depth of each search, 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    depth: u64,
    /// Search threads, 0 to leave it to the engines
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u64,
    /// Memory that the engines are told to keep to, 0 for no limit
    #[arg(long, value_name = "BYTES", default_value_t = 367_001_600)]
    max_memory: u64,
    /// An engine that takes more memory loses the game, instead of being reported only
    #[arg(long)]
    strict_memory: bool,
    /// Openings: a file (text, pos, offset, psq, sgf, pgn, csv), random[:N], balanced[:N] or none; each is played with
    /// both colours
    #[arg(long, value_name = "FILE|random|balanced|none", default_value = "random")]
    openings: String,
    /// Seed of random openings
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Open by swap2: engines must know SWAP2BOARD
    #[arg(long, conflicts_with = "openings")]
    swap2: bool,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// A move later than its limit and this loses
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    tolerance_ms: u64,
    /// Draw once so many moves are on the board, those of the opening counted; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_moves: usize,
    /// Adjudicate a loss when an engine's own evaluation is -SCORE or less in N of its moves on end
    #[arg(long, value_name = "SCORE,N", value_parser = resign)]
    resign: Option<Resign>,
    /// Stop as soon as the test decides whether the first engine is stronger
    #[arg(long, value_name = "elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalized|logistic]")]
    sprt: Option<Sprt>,
    /// The first engine plays all others
    #[arg(long, conflicts_with = "round_robin")]
    gauntlet: bool,
    /// Everybody plays everybody (the default)
    #[arg(long)]
    round_robin: bool,
    /// Write the games as PGN, to a file that does not exist
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the games as SGF, to a file that does not exist
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write the games as psq, one file each
    #[arg(long, value_name = "DIR")]
    psq: Option<PathBuf>,
    /// Write results, settings and games as JSON, to a file that does not exist
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the dialogue of each game
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Save the state here, in a file that does not exist, and keep it [default: halfstone-match-PID.json, removed when
    /// the match is over]
    #[arg(long, value_name = "FILE")]
    autosave: Option<PathBuf>,
    /// Go on with a match from its state, and with its files; only --concurrency and --quiet go with it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engines", "rule", "size", "games", "turn_ms", "match_ms",
        "increment_ms", "nodes", "depth", "threads", "max_memory", "strict_memory", "openings", "seed", "swap2",
        "tolerance_ms", "max_moves", "resign", "sprt", "gauntlet", "round_robin", "pgn", "sgf", "psq", "json", "log",
        "autosave"])]
    resume: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

const HELP: &str = "\
Keys of --engine: name, cmd (split as a shell does; nothing is expanded), cwd, turn-ms, match-ms, increment-ms, \
nodes, depth, threads, max-memory, and info.KEY=VALUE for one more INFO line. They override the match for this engine.

Every engine is a process of its own, ours too, started anew for each game. A move that is late, off the board, on a \
stone or a foul, a crash, a hang and a flood of output lose that game and nothing more. Ctrl-C stops the match and \
prints the command that resumes it.

Exit code: 0 done, 1 SPRT accepted H0, 2 error, 130 stopped by a signal.";

/// `SCORE,N`
fn resign(text: &str) -> Result<Resign, String> {
    let parts =
        text.split_once(',').and_then(|(score, moves)| Some((score.parse().ok()?, moves.parse().ok()?)));
    match parts {
        Some((score, moves)) if score > 0 && moves > 0 => Ok(Resign { score, moves }),
        _ => Err("two numbers from 1 are needed, such as 20000,3".to_owned()),
    }
}

/// Plays the match and prints the report. The exit code is 0 when it is done, 1 if the test accepts H0, 130 if it was
/// stopped.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (mut state, autosave) = match &args.resume {
        Some(path) => (State::load(path)?, path.clone()),
        None => (
            new_state(args)?,
            args.autosave.clone().unwrap_or_else(|| free_name(Path::new(""), std::process::id())),
        ),
    };
    if let Some(concurrency) = args.concurrency {
        state.config.concurrency = concurrency;
    }
    let mut contest = Match::new(state, Some(autosave.clone()))?;
    warn_of_load(contest.config());
    let stop = StopSignal::default();
    signals::listen(&stop);
    let mut progress = Progress::new(args.quiet, &contest);
    let outcome = contest.run(&stop, &mut progress);
    progress.end();
    if !matches!(outcome, Ok(Outcome::Finished | Outcome::Decided(_))) {
        say_how_to_go_on(&contest, &autosave);
    }
    let outcome = outcome?;

    files::print(arena::report(&contest).as_bytes())?;
    if let Some(path) = &contest.state().files.json {
        write_json(path, &contest)?;
    }
    if outcome == Outcome::Stopped {
        return Ok(ExitCode::from(STOPPED));
    }
    if !contest.state().keep {
        // Nothing is left to resume.
        let _ = std::fs::remove_file(&autosave);
    }
    Ok(if outcome == Outcome::Decided(Decision::H0) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Names the command that resumes a match, if its state could be written.
fn say_how_to_go_on(contest: &Match, state: &Path) {
    if !state.is_file() {
        return;
    }
    let program = std::env::current_exe().unwrap_or_else(|_| "pbrain-halfstone".into());
    let file = std::path::absolute(state).unwrap_or_else(|_| state.to_owned());
    eprintln!("stopped after {} of {} games; to go on:", contest.state().games.len(), contest.total());
    eprintln!(
        "  {} match --resume {}",
        arena::shell_word(&program.to_string_lossy()),
        arena::shell_word(&file.to_string_lossy())
    );
}

/// A state file that is not there yet: numbers of processes come again, and the state of a stopped match stays.
fn free_name(folder: &Path, process: u32) -> PathBuf {
    let mut path = folder.join(format!("halfstone-match-{process}.json"));
    let mut number = 1;
    while path.exists() {
        number += 1;
        path = folder.join(format!("halfstone-match-{process}-{number}.json"));
    }
    path
}

/// The match that the options describe.
fn new_state(args: &Args) -> anyhow::Result<State> {
    let absolute = |path: &Option<PathBuf>| match path {
        Some(path) => std::path::absolute(path).map(Some).context("cannot read the working directory"),
        None => Ok(None),
    };
    let files = Files {
        pgn: absolute(&args.pgn)?,
        sgf: absolute(&args.sgf)?,
        psq: absolute(&args.psq)?,
        json: absolute(&args.json)?,
    };
    files.refuse_existing()?;
    if let Some(path) = &args.autosave {
        arena::refuse_existing(path).context("--resume goes on with a match")?;
    }
    let own = files::own_command()?;
    let turn_ms = args.turn_ms.unwrap_or(match (args.match_ms, args.nodes | args.depth) {
        (0, 0) => 1_000,
        (0, _) => 60_000,
        (match_ms, _) => match_ms,
    });
    let limits = EngineLimits {
        turn_ms,
        match_ms: args.match_ms,
        increment_ms: args.increment_ms,
        nodes: args.nodes,
        depth: args.depth,
        threads: args.threads,
        max_memory: args.max_memory,
    };
    let engines: Result<Vec<EngineSpec>, _> =
        args.engines.iter().map(|text| EngineSpec::parse(text, limits, &own)).collect();
    let config = Config {
        engines: engines?,
        rule: args.rule.info_value(),
        size: args.size.get(),
        games: args.games,
        format: if args.gauntlet { Tournament::Gauntlet } else { Tournament::RoundRobin },
        swap2: args.swap2,
        tolerance_ms: args.tolerance_ms,
        start_ms: 10_000,
        end_ms: 1_000,
        max_moves: args.max_moves,
        resign: args.resign,
        strict_memory: args.strict_memory,
        sprt: args.sprt,
        concurrency: args.concurrency.unwrap_or(1),
        seed: args.seed,
        log: absolute(&args.log)?,
    };
    config.check()?;
    let openings = if args.swap2 { Vec::new() } else { openings(args, &own)? };
    let mut state = State::new(config, &openings, files);
    state.keep = args.autosave.is_some();
    Ok(state)
}

/// The openings that `--openings` asks for.
fn openings(args: &Args, own: &[String]) -> anyhow::Result<Vec<Vec<Move>>> {
    let (rule, size) = (args.rule, args.size);
    let (kind, count) = match args.openings.split_once(':') {
        Some((kind @ ("random" | "balanced"), count)) => {
            let count = count.parse().ok().filter(|&count| count > 0);
            (kind, count.with_context(|| format!("--openings {}: a number from 1 is needed", args.openings))?)
        }
        _ => (args.openings.as_str(), args.games.div_ceil(2).max(1)),
    };
    match kind {
        "none" => Ok(vec![Vec::new()]),
        "random" => Ok(arena::random_openings(rule, size, count, args.seed)?),
        "balanced" => {
            let drawn = arena::random_openings(rule, size, count, args.seed)?;
            let mut adviser = Adviser::start(own, rule, size, BALANCE_MS)?;
            if !args.quiet {
                eprintln!("balancing {count} openings");
            }
            Ok(drawn.iter().map(|moves| adviser.balance(moves, rule, size)).collect::<Result<_, _>>()?)
        }
        _ => Ok(arena::load_openings(Path::new(&args.openings), rule, size)?),
    }
}

/// Says when the machine is too small for its games, which falsifies timed results.
fn warn_of_load(config: &Config) {
    let threads = config.engines.iter().map(|spec| spec.limits.threads.max(1)).max().unwrap_or(1);
    let wanted = threads as usize * config.concurrency;
    match std::thread::available_parallelism() {
        Ok(cores) if wanted > cores.get() => {
            eprintln!("warning: {wanted} threads think at a time, and there are {cores} cores");
        }
        _ => {}
    }
}

fn write_json(path: &Path, contest: &Match) -> anyhow::Result<()> {
    let mut value = serde_json::to_value(contest.state())?;
    if let Some(object) = value.as_object_mut() {
        object.insert("result".to_owned(), arena::summary(contest));
    }
    let text = serde_json::to_string_pretty(&value)? + "\n";
    if let Err(error) = std::fs::write(path, text) {
        bail!("cannot write {}: {error}", path.display());
    }
    Ok(())
}

/// The progress of the match on stderr: a bar on a terminal, a line now and then elsewhere.
struct Progress {
    config: Config,
    total: usize,
    bar: Option<ProgressBar>,
    quiet: bool,
    told: Instant,
}

impl Progress {
    fn new(quiet: bool, contest: &Match) -> Progress {
        let (config, total) = (contest.config().clone(), contest.total());
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} [{elapsed}, {eta} to go] {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(contest.tally().total());
            bar.set_message(arena::live(&config, contest.tally()));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { config, total, bar, quiet, told: Instant::now() }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            // A closed stderr is no reason to stop.
            None => drop(writeln!(std::io::stderr(), "{line}")),
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn game_over(&mut self, _job: &Job, game: &PlayedGame, tally: &Tally) {
        if self.quiet {
            return;
        }
        let ending = &game.ending;
        if ending.reason.is_misbehaviour() {
            let loser = if ending.winner.is(Color::Black) { game.white } else { game.black };
            let name = self.config.engines.get(loser).map_or("?", |spec| spec.name.as_str());
            self.say(&format!("game {}: {name} lost by {ending}", game.index + 1));
        }
        let line = arena::live(&self.config, tally);
        match &self.bar {
            Some(bar) => {
                bar.set_position(tally.total());
                bar.set_message(line);
            }
            None if self.told.elapsed() >= TOLD_EVERY || tally.total() == self.total as u64 => {
                self.told = Instant::now();
                self.say(&format!("{}/{} {line}", tally.total(), self.total));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_there_keeps_its_name() {
        let folder = std::env::temp_dir().join(format!("halfstone-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for wanted in ["halfstone-match-7.json", "halfstone-match-7-2.json", "halfstone-match-7-3.json"] {
            let name = free_name(&folder, 7);
            assert_eq!(name, folder.join(wanted));
            std::fs::write(name, "{}").unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
