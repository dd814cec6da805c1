//! From files of games to a file of weights.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use halfstone::eval::WeightFile;
use halfstone::pattern::{CODES, OFFSETS, SideWeights, TEMPO_SLOTS, Weights};
use halfstone::types::Rule;
use rayon::prelude::*;

use crate::features::{Layout, Samples};
use crate::fit::{self, Curve, Options};
use crate::games::{self, Game};
use crate::pooled::{self, NETWORK};

/// One game in this many is kept for validation.
const VALIDATION: u32 = 10;

/// The outcome of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What was fitted, with a note on how.
    pub file: WeightFile,
    /// How the evaluation's fit went.
    pub evaluation: Curve,
    /// How the fit with a network went, if there was one.
    pub network: Option<Curve>,
    /// How the move scores' fit went.
    pub policy: Curve,
}

/// The numbers to start from and to be pulled to under a rule: those of a file, or those set by hand. A file that was
/// made for another rule lends Black's numbers to both colours, and to the time while the half stone is in hand: a guess
/// for that time which thought less of Black's shapes played worse than the same numbers as they are.
pub fn prior(rule: Rule, file: Option<WeightFile>) -> Box<Weights> {
    Box::new(match file {
        None => Weights::hand_set(),
        Some(file) if file.rule == rule => *file.weights,
        Some(file) => {
            let [black, _] = file.weights.after;
            let both = [black.clone(), black];
            Weights { after: both.clone(), in_hand: both }
        }
    })
}

/// Reads a file of weights.
///
/// # Errors
/// If it cannot be read or is refused.
pub fn read_weights(path: &Path) -> Result<WeightFile> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    WeightFile::from_bytes(&bytes).with_context(|| format!("{}", path.display()))
}

/// A checksum that tells files of weights apart. Not over the checksum at their end: with that, every file would give
/// the same number.
pub fn checksum(file: &WeightFile) -> u32 {
    let bytes = file.to_bytes();
    crc32fast::hash(&bytes[..bytes.len() - 4])
}

/// Fits the tables of a rule to the games in these files. `scale` is the unit of the result, in evaluation units
/// per log odd; without one it stays that of the prior.
///
/// # Errors
/// If a file cannot be read, they are for different rules, or there are too few games.
pub fn fit(
    files: &[PathBuf],
    start: Option<WeightFile>,
    options: &Options,
    scale: Option<f64>,
) -> Result<Fitted> {
    let mut all = Vec::new();
    let mut rule = None;
    for path in files {
        let file = games::read(path)?;
        let known = *rule.get_or_insert(file.settings.rule);
        ensure!(known == file.settings.rule, "{} has games of {}", path.display(), file.settings.rule);
        all.extend(file.games);
    }
    let rule = rule.context("no file of games")?;
    let unit = start.as_ref().map(|file| f64::from(file.scale));
    fit_games(rule, &all, &prior(rule, start), unit, options, scale)
}

/// As [`fit()`], with the games at hand. `unit` is that of the prior, in evaluation units per log odd; without one it is
/// found out, which a prior with networks does not allow.
///
/// # Errors
/// If there are too few games, or the prior has a network and none is to be fitted.
pub fn fit_games(
    rule: Rule,
    all: &[Game],
    prior: &Weights,
    unit: Option<f64>,
    options: &Options,
    scale: Option<f64>,
) -> Result<Fitted> {
    let layout = Layout::of(rule);
    let split = |validation: bool| {
        let chosen: Vec<&Game> =
            all.iter().filter(|game| (game.number % VALIDATION == 0) == validation).collect();
        samples(rule, &chosen)
    };
    let (train, validation) = (split(false), split(true));
    ensure!(!train.positions.is_empty() && !validation.positions.is_empty(), "too few games");
    let tables = layout.tables();
    let sides: Vec<&SideWeights> = (0..tables)
        .map(|table| {
            let (hand, color) = layout.user(table);
            prior.side(hand, color)
        })
        .collect();
    let mut values = joined(&sides, |side| &side.values);
    values.extend(joined(&sides, |side| &side.tempo));
    let mut moves = joined(&sides, |side| &side.own);
    moves.extend(joined(&sides, |side| &side.theirs));
    moves.extend(joined(&sides, |side| &side.offsets[0]));
    moves.extend(joined(&sides, |side| &side.offsets[1]));

    let score_scale = fit::best_scale(&train.positions.score, &train.positions.result);
    let known = sides.iter().any(|side| side.network.is_some());
    ensure!(options.network || !known, "the start has a network, which only a fit with a network keeps");
    let unit = match unit {
        Some(unit) if known => unit,
        _ => fit::evaluation_unit(&train.positions, tables, &values),
    };
    values.iter_mut().for_each(|value| *value /= unit);
    // Values that go with a network say little alone: they are not fitted by themselves.
    let alone = Options { epochs: if known { 0 } else { options.epochs }, ..*options };
    let evaluation =
        fit::evaluation(&train.positions, &validation.positions, tables, score_scale, &mut values, &alone);
    let scale = scale.unwrap_or(unit);
    let network = options.network.then(|| {
        values.extend(networks(&sides, unit, options.seed));
        fit::network(&train.positions, &validation.positions, tables, score_scale, &mut values, options)
    });
    let move_unit = fit::policy_unit(&train.choices, tables, &moves);
    moves.iter_mut().for_each(|score| *score /= move_unit);
    let policy = fit::policy(&train.choices, &validation.choices, tables, &mut moves, options);

    let mut weights = Box::new(prior.clone());
    for (hand, color) in
        [false, true].into_iter().flat_map(|hand| halfstone::types::Color::ALL.map(|c| (hand, c)))
    {
        let table = layout.table(hand, color);
        let side = weights.side_mut(hand, color);
        let tempo_from = tables * CODES + table * TEMPO_SLOTS;
        round(&mut side.values, &values[table * CODES..], scale);
        round(&mut side.tempo, &values[tempo_from..], scale);
        let network_from = tables * (CODES + TEMPO_SLOTS) + table * NETWORK;
        side.network = values
            .get(network_from..network_from + NETWORK)
            .map(|numbers| Arc::new(pooled::to_network(numbers, scale)));
        round(&mut side.own, &moves[table * CODES..], move_unit);
        round(&mut side.theirs, &moves[(tables + table) * CODES..], move_unit);
        for (n, offsets) in side.offsets.iter_mut().enumerate() {
            round(offsets, &moves[2 * tables * CODES + (n * tables + table) * OFFSETS..], move_unit);
        }
    }
    let beside = network.as_ref().map_or_else(String::new, |curve| {
        format!(", with a network {:.5} -> {:.5} (pass {})", curve.before(), curve.after(), curve.best)
    });
    let provenance = format!(
        "{rule}: {} games, {} quiet positions and {} choices to learn from, {} and {} to validate; seed {}, lambda {}, \
         shrink {}; search score scale {score_scale:.0}, units of the start: evaluation {unit:.0}, moves {move_unit:.1}; \
         validation loss {:.5} -> {:.5} (pass {}){beside}, moves {:.5} -> {:.5} (pass {})",
        all.len(),
        train.positions.len(),
        train.choices.len(),
        validation.positions.len(),
        validation.choices.len(),
        options.seed,
        options.lambda,
        options.shrink,
        evaluation.before(),
        evaluation.after(),
        evaluation.best,
        policy.before(),
        policy.after(),
        policy.best,
    );
    let file = WeightFile { rule, scale: scale.round().clamp(1.0, 6_000.0) as u16, provenance, weights };
    Ok(Fitted { file, evaluation, network, policy })
}

/// The networks to start from: those that are there, and random ones.
fn networks(sides: &[&SideWeights], scale: f64, seed: u64) -> Vec<f64> {
    let numbers = |side: &&SideWeights| match &side.network {
        Some(network) => pooled::from_network(network, scale),
        None => pooled::random(seed),
    };
    sides.iter().flat_map(numbers).collect()
}

/// One table of every side after the other.
fn joined(sides: &[&SideWeights], table: impl Fn(&SideWeights) -> &[i16]) -> Vec<f64> {
    sides.iter().flat_map(|side| table(side)).map(|&number| number.into()).collect()
}

/// The samples of many games, in their order.
fn samples(rule: Rule, games: &[&Game]) -> Samples {
    let portions: Vec<Samples> = games
        .par_chunks(64)
        .map(|games| {
            let mut samples = Samples::new();
            games.iter().for_each(|game| samples.add(rule, game));
            samples
        })
        .collect();
    let mut all = Samples::new();
    portions.iter().for_each(|portion| all.append(portion));
    all
}

/// Writes numbers in log odds as whole units.
fn round(table: &mut [i16], numbers: &[f64], unit: f64) {
    for (slot, number) in table.iter_mut().zip(numbers) {
        *slot = (number * unit).round().clamp(-8_000.0, 8_000.0) as i16;
    }
}
