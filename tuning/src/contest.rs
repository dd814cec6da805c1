//! The commands that let sets of numbers play each other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use halfstone::eval;
use halfstone::pattern::PointTable;
use halfstone::search::Parameters;
use halfstone::types::{Rule, Size};
use halfstone_tuning::duel::{self, Terms};
use halfstone_tuning::run;
use halfstone_tuning::selfplay::Player;
use halfstone_tuning::spsa::{self, Number, Setup, State};

#[derive(Debug, Args)]
pub(crate) struct Duel {
    /// What the first player changes of the search, as NAME=VALUE;NAME=VALUE…
    #[arg(long, default_value = "")]
    a: String,
    /// What the second player changes
    #[arg(long, default_value = "")]
    b: String,
    /// The first player's file of weights, instead of those that are built in; one of another rule will do
    #[arg(long)]
    weights_a: Option<PathBuf>,
    /// The second player's
    #[arg(long)]
    weights_b: Option<PathBuf>,
    /// Name or number of the rule
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Size of the board
    #[arg(long, default_value_t = 15)]
    size: i64,
    /// Nodes per move
    #[arg(long, default_value_t = 3_000)]
    nodes: u32,
    /// Nodes per move of the second player, if others
    #[arg(long)]
    nodes_b: Option<u32>,
    /// Games; every opening is played twice
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// What the openings come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Say how things stand after every so many pairs; 0 only at the end
    #[arg(long, default_value_t = 50)]
    every: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Spsa {
    /// The numbers to tune, or all
    #[arg(long, value_delimiter = ',', required = true)]
    params: Vec<String>,
    /// Where they, and the other numbers, start if not at their defaults: NAME=VALUE;NAME=VALUE…
    #[arg(long, default_value = "")]
    start: String,
    /// File of weights to judge by, instead of those that are built in; one of another rule will do
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Name or number of the rule
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Size of the board
    #[arg(long, default_value_t = 15)]
    size: i64,
    /// Nodes per move
    #[arg(long, default_value_t = 2_000)]
    nodes: u32,
    /// Games; two per opening
    #[arg(long, default_value_t = 30_000)]
    games: u64,
    /// Pairs that are played from the same values
    #[arg(long, default_value_t = 8)]
    batch: u64,
    /// The gain at the end
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// What all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Say how things stand after about so many pairs
    #[arg(long, default_value_t = 100)]
    every: u64,
    /// The file that says how far things are
    #[arg(long)]
    state: PathBuf,
}

/// The point table of a file of weights, or the one that is built in.
fn points(rule: Rule, weights: Option<&Path>) -> Result<Arc<PointTable>> {
    let Some(path) = weights else { return Ok(eval::points(rule)) };
    Ok(Arc::new(PointTable::new(rule, &run::prior(rule, Some(run::read_weights(path)?)))))
}

fn player(rule: Rule, weights: Option<&Path>, changes: &str, nodes: u32) -> Result<Player> {
    let mut parameters = Parameters::default();
    parameters.set_all(changes).with_context(|| format!("in `{changes}`"))?;
    Ok(Player { points: points(rule, weights)?, parameters, nodes: nodes.max(1) })
}

/// Plays a match and prints its result in one line.
pub(crate) fn duel(args: &Duel) -> Result<()> {
    let a = player(args.rule, args.weights_a.as_deref(), &args.a, args.nodes)?;
    let b = player(args.rule, args.weights_b.as_deref(), &args.b, args.nodes_b.unwrap_or(args.nodes))?;
    let terms = Terms { rule: args.rule, size: Size::new(args.size)?, seed: args.seed };
    let started = Instant::now();
    let tally = duel::play(&terms, [&a, &b], args.games.div_ceil(2), args.threads, |tally| {
        let pairs = tally.pairs.total();
        if args.every > 0 && pairs.is_multiple_of(args.every) {
            eprintln!("{} ({:.0} s)", tally.line(), started.elapsed().as_secs_f64());
        }
    })?;
    println!("{}", tally.line());
    Ok(())
}

/// Tunes numbers of the search and prints what they come to.
pub(crate) fn tune(args: &Spsa) -> Result<()> {
    let player = player(args.rule, args.weights.as_deref(), &args.start, args.nodes)?;
    let setup = setup(args, &player)?;
    let mut state = State::new(setup);
    if args.state.exists() {
        let known = State::load(&args.state)?;
        let same = known.setup == state.setup;
        ensure!(same, "{} was begun with other settings or weights", args.state.display());
        state = known;
    }
    eprintln!("{}", state.line());
    let mut told = state.done;
    while !state.is_finished() {
        state.batch(&player, args.threads)?;
        state.save(&args.state)?;
        if state.done - told >= args.every || state.is_finished() {
            told = state.done;
            eprintln!("{}", state.line());
        }
    }
    println!("{}", state.answer());
    Ok(())
}

fn setup(args: &Spsa, player: &Player) -> Result<Setup> {
    let all = args.params.iter().any(|name| name == "all");
    let names: Vec<&str> = if all {
        Parameters::LIST.iter().map(|parameter| parameter.name).collect()
    } else {
        args.params.iter().map(String::as_str).collect()
    };
    let repeated = names.iter().enumerate().find(|&(i, name)| names[..i].contains(name));
    ensure!(repeated.is_none(), "a number is listed twice");
    ensure!(args.rate > 0.0 && args.rate <= 1.0, "--rate must be more than 0 and at most 1");
    let weights = args.weights.as_deref().map(run::read_weights).transpose()?;
    Ok(Setup {
        terms: Terms { rule: args.rule, size: Size::new(args.size)?, seed: args.seed },
        nodes: player.nodes,
        weights: run::checksum_of(args.rule, weights.as_ref())?,
        base: spsa::checksum(&player.parameters),
        pairs: args.games.div_ceil(2).max(1),
        batch: args.batch.max(1),
        rate: args.rate,
        numbers: names.iter().map(|name| Number::new(name, &player.parameters)).collect::<Result<_>>()?,
    })
}
