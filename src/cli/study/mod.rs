//! `study`: the half-stone rule measured by games of the engine against itself.
//!
//! * `setting`: what games are played under;
//! * `play`: one game;
//! * `games`: the file of games;
//! * `placement`: when and what for the half stone was placed in a game;
//! * `summary`: what a series comes to;
//! * `verdict`, `page`: the same in words and tables.

mod games;
mod page;
mod placement;
mod play;
mod setting;
mod summary;
mod verdict;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use atomic_write_file::AtomicWriteFile;
use clap::ValueEnum;

use self::games::{Games, GamesFile};
use self::page::{Example, Findings};
use self::placement::{Placement, What};
use self::setting::{Opening, Opponent, Setting, Timing};
use super::{files, render};
use crate::arena;
use crate::search::STACK_BYTES;
use crate::types::{Color, Move, Rule, Size};

/// What is told on stderr comes so often.
const TOLD_EVERY: Duration = Duration::from_secs(30);
/// Games against the engine that does not know the half stone.
const PROXY_GAMES: usize = 100;

/// What `study` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Games of each series
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,
    /// Nodes of a move; several make several series
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1000")]
    nodes: Vec<u64>,
    /// Rules to compare
    #[arg(
        long,
        value_name = "RULE,…",
        value_delimiter = ',',
        default_value = "freestyle,half-stone,standard,renju"
    )]
    rules: Vec<Rule>,
    /// How games begin
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', default_value = "empty,random")]
    openings: Vec<Opening>,
    /// When Black places the half stone in games from the empty board: at-will, first, or the number of a move
    #[arg(long, value_name = "WHEN,…", value_delimiter = ',', default_value = "at-will,first,5")]
    half: Vec<Timing>,
    /// Play also against the engine without knowledge of the half stone, 100 games from random openings
    #[arg(long, value_enum, value_name = "KIND")]
    half_proxy: Option<HalfProxy>,
    /// Size of the board, 5 to 22
    #[arg(long, value_name = "N", default_value = "15", value_parser = files::size)]
    size: Size,
    /// What all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Keep the games here, a line each; those that are there already, by the same engine, are not played again
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Folder for study.json and the pictures; without it the tables are printed only
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Page whose marked parts are filled with words and tables
    #[arg(long, value_name = "FILE", requires = "out")]
    page: Option<PathBuf>,
}

/// Engines without knowledge of the half stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HalfProxy {
    /// Plays freestyle and drops the half stone at random
    Random,
}

/// Plays what is missing and tells the results. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(args.games > 0 && args.nodes.iter().all(|&nodes| nodes > 0), "--games and --nodes begin at 1");
    // Read first: a page without its marks is better known before a day of games than after it.
    let page = args.page.as_deref().map(page::read).transpose()?;
    let plan = plan(args);
    let (file, known) = match &args.csv {
        Some(path) => {
            let (file, known) = GamesFile::open(path, args.size, args.seed)?;
            (Some(file), known)
        }
        None => (None, Games::new()),
    };
    let games = play_missing(args, &plan, known, file)?;
    let mut findings = findings(args, &plan, &games);
    if let Some(folder) = &args.out {
        write_pictures(folder, args, &games, &mut findings)?;
        // A line for each series, so that changes can be read.
        let series = findings.series.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        let json = format!("[\n{}\n]\n", series.join(",\n"));
        write(&folder.join("study.json"), &json)?;
    }
    match (&args.page, page) {
        (Some(path), Some(page)) => write(path, &page::fill(&page, &findings)?)?,
        _ => files::print(page::results(&findings).as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The series with their numbers of games, those of few nodes first.
fn plan(args: &Args) -> Vec<(Setting, usize)> {
    let mut plan = BTreeMap::new();
    for &nodes in &args.nodes {
        for &opening in &args.openings {
            for &rule in &args.rules {
                let timings: &[Timing] = match (rule, opening) {
                    (Rule::HalfStone, Opening::Empty) => &args.half,
                    _ => &[Timing::AtWill],
                };
                for &timing in timings {
                    let setting = Setting { nodes, opening, rule, timing, opponent: Opponent::Itself };
                    plan.insert(setting, args.games);
                }
            }
        }
        if args.half_proxy.is_some() {
            let (rule, timing) = (Rule::HalfStone, Timing::AtWill);
            let opening = Opening::Random;
            let setting = Setting { nodes, opening, rule, timing, opponent: Opponent::Proxy };
            plan.insert(setting, PROXY_GAMES.min(args.games));
        }
    }
    plan.into_iter().collect()
}

/// Plays the games that are not known yet and returns all.
fn play_missing(
    args: &Args,
    plan: &[(Setting, usize)],
    known: Games,
    file: Option<GamesFile>,
) -> anyhow::Result<Games> {
    let todo: Vec<(Setting, usize)> = plan
        .iter()
        .flat_map(|&(setting, games)| (0..games).map(move |number| (setting, number)))
        .filter(|key| !known.contains_key(key))
        .collect();
    let openings = if todo.iter().any(|(setting, _)| setting.opening == Opening::Random) {
        // Under the strictest rule, so that they are legal under all.
        arena::random_openings(Rule::Renju, args.size, args.games, args.seed)?
    } else {
        Vec::new()
    };
    let state = Mutex::new(State { games: known, file, failure: None, told: Instant::now() });
    let (next, started) = (AtomicUsize::new(0), Instant::now());
    let work = || {
        while let Some(&(setting, number)) = todo.get(next.fetch_add(1, Relaxed)) {
            let opening: &[Move] = match setting.opening {
                Opening::Empty => &[],
                Opening::Random => openings.get(setting.opening_number(number)).map_or(&[], Vec::as_slice),
            };
            let played = play::play(setting, args.size, args.seed, number, opening);
            let Ok(mut state) = state.lock() else { return };
            let result = played.and_then(|played| state.add(played));
            if let Err(error) = result {
                state.failure.get_or_insert(error);
                next.store(todo.len(), Relaxed);
            }
            state.tell(next.load(Relaxed).min(todo.len()), todo.len(), started);
        }
    };
    std::thread::scope(|scope| -> anyhow::Result<()> {
        for _ in 0..args.threads.max(1) {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).context("cannot start a thread")?;
        }
        Ok(())
    })?;
    let state = state.into_inner().map_err(|_| anyhow::anyhow!("a game ended in a panic"))?;
    state.failure.map_or(Ok(state.games), Err)
}

/// What the playing threads share.
struct State {
    games: Games,
    file: Option<GamesFile>,
    failure: Option<anyhow::Error>,
    told: Instant,
}

impl State {
    fn add(&mut self, played: play::Played) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            file.append(&played)?;
        }
        self.games.insert((played.setting, played.number), played);
        Ok(())
    }

    fn tell(&mut self, done: usize, all: usize, started: Instant) {
        if self.told.elapsed() < TOLD_EVERY {
            return;
        }
        self.told = Instant::now();
        let seconds = started.elapsed().as_secs_f64();
        let left = seconds / done.max(1) as f64 * (all - done) as f64;
        eprintln!("{done} of {all} games, {:.0} s, {:.0} min left", seconds, left / 60.0);
    }
}

fn findings(args: &Args, plan: &[(Setting, usize)], games: &Games) -> Findings {
    let series: Vec<_> =
        plan.iter().map(|&(setting, count)| summary::series(games, setting, count, args.size)).collect();
    let freestyle = |setting: Setting| Setting { rule: Rule::Freestyle, ..setting };
    let differences = plan
        .iter()
        .filter(|(setting, _)| setting.is_natural() && plan.iter().any(|(s, _)| *s == freestyle(*setting)))
        .map(|&(s, count)| (s, summary::difference(games, s, freestyle(s), count)))
        .collect();
    Findings {
        size: args.size,
        series,
        differences,
        examples: Vec::new(),
        maps: Vec::new(),
        command: command(args),
    }
}

/// The command that gives the same results.
fn command(args: &Args) -> String {
    fn list<T: ToString>(items: &[T]) -> String {
        items.iter().map(T::to_string).collect::<Vec<_>>().join(",")
    }
    let mut text = format!(
        "pbrain-halfstone study --games {} --nodes {} --rules {} --openings {} --half {} --size {} --seed {}",
        args.games,
        list(&args.nodes),
        list(&args.rules),
        list(&args.openings),
        list(&args.half),
        args.size,
        args.seed
    );
    if args.half_proxy.is_some() {
        text += " --half-proxy random";
    }
    for (option, path) in [("--out", &args.out), ("--page", &args.page)] {
        if let Some(path) = path {
            text += &format!(" {option} {}", arena::shell_word(&path.to_string_lossy()));
        }
    }
    text
}

/// Draws heat maps and example games, and notes in the findings where they are, as seen from the page.
fn write_pictures(folder: &Path, args: &Args, games: &Games, findings: &mut Findings) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let seen =
        args.page.as_deref().and_then(Path::parent).and_then(|parent| folder.strip_prefix(parent).ok());
    let seen = seen.unwrap_or(folder);
    let link = |name: &str| seen.join(name).to_string_lossy().into_owned();
    for series in findings.series.iter().filter(|series| series.setting.is_natural()) {
        let name = format!("places-{}-{}.svg", series.setting.opening, series.setting.nodes);
        let cells = args.size.cells();
        let values: Vec<_> = cells.zip(series.places.iter().flatten().copied()).collect();
        write(&folder.join(&name), &render::heat_map(args.size, &values))?;
        findings.maps.push((series.setting, link(&name)));
    }
    // The strongest play, from the empty board if there is any.
    let natural = findings.series.iter().map(|series| series.setting).filter(Setting::is_natural);
    let Some(setting) = natural.max_by_key(|s| (s.nodes, s.opening == Opening::Empty)) else { return Ok(()) };
    for (i, (title, game)) in examples(games, setting).into_iter().enumerate() {
        let name = format!("game-{}.svg", i + 1);
        write(&folder.join(&name), &render::diagram(&game.record))?;
        findings.examples.push(Example { game, title, file: link(&name) });
    }
    Ok(())
}

/// The first game of each kind that teaches something.
fn examples(games: &Games, setting: Setting) -> Vec<(&'static str, play::Played)> {
    type Shows = fn(&play::Played, Option<Placement>) -> bool;
    let kinds: [(&str, Shows); 4] = [
        ("The half stone wakes a four, and Black wins", |game, placed| {
            game.winner == Some(Color::Black) && placed.is_some_and(|p| p.wakes == What::Four)
        }),
        ("The half stone stops a four or a three of White's, and Black wins", |game, placed| {
            game.winner == Some(Color::Black) && placed.is_some_and(|p| p.stops != What::Nothing)
        }),
        ("White wins before the half stone is placed", |game, placed| {
            game.winner == Some(Color::White) && placed.is_none()
        }),
        ("White wins against the half stone on the board", |game, placed| {
            game.winner == Some(Color::White) && placed.is_some()
        }),
    ];
    let all: Vec<_> = games
        .range((setting, 0)..=(setting, usize::MAX))
        .map(|(_, game)| (game, Placement::of(&game.record)))
        .collect();
    let first = |shows: Shows| all.iter().find(|(game, placed)| shows(game, *placed));
    kinds.iter().filter_map(|&(title, shows)| Some((title, first(shows)?.0.clone()))).collect()
}

/// Replaces a file as a whole: the page also holds what was written by hand.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let replace = || {
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(text.as_bytes())?;
        file.commit()
    };
    replace().with_context(|| format!("cannot write {}", path.display()))
}
