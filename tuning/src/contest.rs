//! The commands that let sets of numbers play each other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use halfstone::eval;
use halfstone::pattern::PointTable;
use halfstone::search::Parameters;
use halfstone::types::{Rule, Size};
use halfstone_tuning::duel::{self, Terms};
use halfstone_tuning::run;
use halfstone_tuning::selfplay::Player;

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
