//! `tuning`: the command line of the pipeline.

mod contest;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use halfstone::eval::{self, WeightFile};
use halfstone::pattern::{PointTable, Weights};
use halfstone::types::{Rule, Size};
use halfstone_tuning::fit::Options;
use halfstone_tuning::games::{self, Settings, Writer};
use halfstone_tuning::selfplay::Desk;
use halfstone_tuning::{crew, files, report, run, selfplay};

use contest::{Duel, Spsa};

/// Self-play data and fitted evaluation tables for halfstone.
#[derive(Debug, Parser)]
#[command(name = "tuning", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games and append them to a file; goes on where an earlier run ended
    Datagen(Datagen),
    /// Play a match between two sets of numbers, inside this process
    Duel(Duel),
    /// Fit the tables of a rule to games and write its file of weights
    Fit(Fit),
    /// Join files of games of the same settings
    Merge {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where the result goes
        #[arg(long)]
        out: PathBuf,
    },
    /// Write the numbers set by hand as files of weights
    HandSet {
        /// The folder
        #[arg(long)]
        out: PathBuf,
    },
    /// Tune numbers of the search by SPSA; goes on where an earlier run ended
    Spsa(Spsa),
    /// Say what files of games hold
    Stats {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
struct Datagen {
    /// Name or number of the rule
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board sizes; one listed twice is drawn twice as often
    #[arg(long, value_delimiter = ',', default_value = "15")]
    sizes: Vec<i64>,
    /// Games of all shards together
    #[arg(long, default_value_t = 1_000)]
    games: u32,
    /// Nodes per move
    #[arg(long, default_value_t = 1_000)]
    nodes: u32,
    /// What all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only the games of shard i of n, counted from 0
    #[arg(long, default_value = "0/1", value_parser = shard)]
    shard: (u32, u32),
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// File of weights to play with, instead of those that are built in; one of another rule will do
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The file
    #[arg(long)]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct Fit {
    /// Files of games, all under one rule
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the file of weights goes
    #[arg(long)]
    out: PathBuf,
    /// File of weights to start from and be pulled to, instead of the numbers set by hand
    #[arg(long)]
    start: Option<PathBuf>,
    /// Where the curves go, as SVG
    #[arg(long)]
    svg: Option<PathBuf>,
    /// What the order of the samples comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Passes over the data at most
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Size of a step at the beginning
    #[arg(long, default_value_t = 0.005)]
    rate: f64,
    /// The part of the search's score in the target, 0 to 1; the rest is the result of the game
    #[arg(long, default_value_t = 0.5)]
    lambda: f64,
    /// How strongly numbers are pulled to those of the start, in samples
    #[arg(long, default_value_t = 20.0)]
    pull: f64,
    /// Fit a network beside the linear evaluation as well
    #[arg(long)]
    network: bool,
    /// Evaluation units at which a side wins 73 % of its games; 0 keeps the unit of the start
    #[arg(long, default_value_t = 200.0)]
    scale: f64,
}

fn shard(text: &str) -> Result<(u32, u32)> {
    let (i, n) = text.split_once('/').context("expected i/n, as in 0/4")?;
    let (i, n) = (i.parse()?, n.parse()?);
    ensure!(i < n, "shards are counted from 0 to n - 1");
    Ok((i, n))
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Datagen(args) => datagen(&args),
        Command::Duel(args) => contest::duel(&args),
        Command::Fit(args) => fit(&args),
        Command::Merge { files, out } => {
            println!("{} games", games::merge(&files, &out)?);
            Ok(())
        }
        Command::HandSet { out } => hand_set(&out),
        Command::Spsa(args) => contest::tune(&args),
        Command::Stats { files } => files.iter().try_for_each(|path| stats(path)),
    }
}

fn fit(args: &Fit) -> Result<()> {
    let options = Options {
        seed: args.seed,
        epochs: args.epochs,
        rate: args.rate,
        lambda: args.lambda,
        pull: args.pull,
        network: args.network,
        ..Options::default()
    };
    let start = args.start.as_deref().map(run::read_weights).transpose()?;
    let fitted = run::fit(&args.files, start, &options, (args.scale > 0.0).then_some(args.scale))?;
    println!("{}", fitted.file.provenance);
    files::replace(&args.out, &fitted.file.to_bytes())?;
    if let Some(path) = &args.svg {
        let mut curves = vec![("evaluation", &fitted.evaluation), ("move scores", &fitted.policy)];
        curves.extend(fitted.network.as_ref().map(|curve| ("with a network", curve)));
        let svg = report::svg(&curves);
        files::replace(path, svg.as_bytes())?;
    }
    Ok(())
}

fn hand_set(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for rule in Rule::ALL {
        let mut weights = Box::new(Weights::hand_set());
        if rule != Rule::HalfStone {
            weights.in_hand = weights.after.clone();
        }
        let file = WeightFile { rule, scale: 200, provenance: "set by hand".into(), weights };
        let path = folder.join(rule.name()).with_extension("bin");
        files::replace(&path, &file.to_bytes())?;
    }
    Ok(())
}

fn stats(path: &Path) -> Result<()> {
    let file = games::read(path)?;
    let count = |winner| file.games.iter().filter(|game| game.winner == winner).count();
    let positions: usize = file.games.iter().map(|game| game.moves.len()).sum();
    use halfstone::types::Color::{Black, White};
    println!(
        "{}: {} games, {positions} positions; Black won {}, White won {}, drawn {}; {:.1} moves a game; {} nodes a move",
        path.display(),
        file.games.len(),
        count(Some(Black)),
        count(Some(White)),
        count(None),
        positions as f64 / file.games.len().max(1) as f64,
        file.settings.nodes
    );
    Ok(())
}

/// Plays the games of a shard that the file does not have yet.
fn datagen(args: &Datagen) -> Result<()> {
    let sizes = args.sizes.iter().map(|&n| Size::new(n)).collect::<Result<Vec<_>, _>>()?;
    ensure!((1..=games::MOST_SIZES).contains(&sizes.len()), "1 to {} board sizes", games::MOST_SIZES);
    let file = args.weights.as_deref().map(run::read_weights).transpose()?;
    let weights = run::checksum_of(args.rule, file.as_ref())?;
    let points = match file {
        None => eval::points(args.rule),
        file => Arc::new(PointTable::new(args.rule, &run::prior(args.rule, file))),
    };
    let (shard, shards) = args.shard;
    let settings = Settings {
        rule: args.rule,
        sizes,
        weights,
        nodes: args.nodes.max(1),
        seed: args.seed,
        shard,
        shards,
    };
    let (writer, known) = Writer::open(&args.out, &settings)?;
    let known: BTreeSet<u32> = known.into_iter().collect();
    let todo: Vec<u32> =
        (shard..args.games).step_by(shards as usize).filter(|number| !known.contains(number)).collect();
    eprintln!("{} games there, {} to play", known.len(), todo.len());
    let progress = Progress::new(todo.len());
    let writer = Mutex::new(writer);
    crew::share(
        args.threads,
        todo.len(),
        || Desk::new(settings.nodes),
        |desk, i| {
            let game = selfplay::play(desk, &settings, &points, todo[i])?;
            writer.lock().expect("no writer panics").append(&game)?;
            progress.add(game.moves.len());
            Ok(())
        },
    )
}

/// Tells every few seconds how far things are.
struct Progress {
    started: Instant,
    goal: usize,
    done: Mutex<(usize, usize, Instant)>,
}

impl Progress {
    fn new(goal: usize) -> Progress {
        Progress { started: Instant::now(), goal, done: Mutex::new((0, 0, Instant::now())) }
    }

    fn add(&self, positions: usize) {
        let mut done = self.done.lock().expect("nothing here panics");
        done.0 += 1;
        done.1 += positions;
        if done.0 < self.goal && done.2.elapsed() < Duration::from_secs(10) {
            return;
        }
        done.2 = Instant::now();
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = elapsed / done.0 as f64 * (self.goal - done.0) as f64;
        eprintln!(
            "{} of {} games, {} positions, {:.0} a second, {:.0} min left",
            done.0,
            self.goal,
            done.1,
            done.1 as f64 / elapsed,
            left / 60.0
        );
    }
}
