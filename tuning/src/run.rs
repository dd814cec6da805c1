//! From files of games to a file of weights.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use halfstone::eval::{self, WeightFile};
use halfstone::pattern::{CODES, OFFSETS, SideWeights, TEMPO_SLOTS, Weights};
use halfstone::types::{Color, Rule};
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
/// made for another rule lends Black's numbers to both colours, and to the time while the half stone is in hand: a
/// guess for that time which thought less of Black's shapes played worse than the same numbers as they are.
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

/// The checksum of these weights, or of those that the engine judges by under `rule` without a file.
///
/// # Errors
/// If those that are built in are damaged.
pub fn checksum_of(rule: Rule, file: Option<&WeightFile>) -> Result<u32> {
    match file {
        Some(file) => Ok(checksum(file)),
        None if eval::HAND_SET => Ok(0),
        None => Ok(checksum(&eval::built_in(rule)?)),
    }
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

/// As [`fit()`], with the games at hand. `unit` is that of the prior, in evaluation units per log odd; without one it
/// is found out, which a prior with networks does not allow.
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
    let (training, validating) = split(all);
    let (train, validation) = (samples(rule, &training), samples(rule, &validating));
    ensure!(!train.positions.is_empty() && !validation.positions.is_empty(), "too few games");
    let tables = layout.tables();
    let sides: Vec<&SideWeights> = (0..tables)
        .map(|table| {
            let (hand, color) = layout.user(table);
            prior.side(hand, color)
        })
        .collect();
    let known = sides.iter().any(|side| side.network.is_some());
    ensure!(options.network || !known, "the start has a network, which only a fit with a network keeps");

    let mut values = joined(&sides, |side| &side.values);
    values.extend(joined(&sides, |side| &side.tempo));
    let unit = match unit {
        Some(unit) if known => unit,
        _ => fit::evaluation_unit(&train.positions, tables, &values),
    };
    values.iter_mut().for_each(|value| *value /= unit);
    let score_scale = fit::best_scale(&train.positions.score, &train.positions.result);
    // Values that go with a network say little alone: they are not fitted by themselves.
    let alone = Options { epochs: if known { 0 } else { options.epochs }, ..*options };
    let evaluation =
        fit::evaluation(&train.positions, &validation.positions, tables, score_scale, &mut values, &alone);
    let network = options.network.then(|| {
        values.extend(networks(&sides, unit, options.seed));
        fit::network(&train.positions, &validation.positions, tables, score_scale, &mut values, options)
    });

    let mut moves = joined(&sides, |side| &side.own);
    moves.extend(joined(&sides, |side| &side.theirs));
    moves.extend(joined(&sides, |side| &side.offsets[0]));
    moves.extend(joined(&sides, |side| &side.offsets[1]));
    let move_unit = fit::policy_unit(&train.choices, tables, &moves);
    moves.iter_mut().for_each(|score| *score /= move_unit);
    let policy = fit::policy(&train.choices, &validation.choices, tables, &mut moves, options);

    let scale = scale.unwrap_or(unit);
    let mut weights = Box::new(prior.clone());
    for (hand, color) in [false, true].into_iter().flat_map(|hand| Color::ALL.map(|color| (hand, color))) {
        let (side, table) = (weights.side_mut(hand, color), layout.table(hand, color));
        write_values(side, &values, tables, table, scale);
        write_moves(side, &moves, tables, table, move_unit);
    }
    let curve =
        |curve: &Curve| format!("{:.5} -> {:.5} (pass {})", curve.before(), curve.after(), curve.best);
    let provenance = format!(
        "{rule}: {} games, {} quiet positions and {} choices to learn from, {} and {} to validate; seed {}, lambda {}, \
         pull {}, step {}; search score scale {score_scale:.0}, units of the start: evaluation {unit:.0}, moves \
         {move_unit:.1}; validation loss {}{}, moves {}",
        training.len() + validating.len(),
        train.positions.len(),
        train.choices.len(),
        validation.positions.len(),
        validation.choices.len(),
        options.seed,
        options.lambda,
        options.pull,
        options.rate,
        curve(&evaluation),
        network.as_ref().map_or_else(String::new, |network| format!(", with a network {}", curve(network))),
        curve(&policy),
    );
    let file = WeightFile { rule, scale: scale.round().clamp(1.0, 6_000.0) as u16, provenance, weights };
    Ok(Fitted { file, evaluation, network, policy })
}

/// The games to learn from and those to validate with, each game once: from openings of few stones, self-play gives the
/// same game again and again. Which ones validate follows from their moves, so that it is the same in every file. Both
/// lists are in an order that does not depend on that of the file, since with several threads games are written as they
/// end.
fn split(all: &[Game]) -> (Vec<&Game>, Vec<&Game>) {
    let identity = |game: &Game| -> Vec<u8> {
        let moves = game.moves.iter().flat_map(|(mv, _)| mv.to_bits().to_le_bytes());
        moves.chain([game.size.get() as u8]).collect()
    };
    let mut games: BTreeMap<Vec<u8>, &Game> = BTreeMap::new();
    for game in all {
        // Copies can differ in their scores: the one with the lowest number stays, whichever was written first.
        let kept = games.entry(identity(game)).or_insert(game);
        if game.number < kept.number {
            *kept = game;
        }
    }
    let is_validation = |identity: &[u8]| crc32fast::hash(identity).is_multiple_of(VALIDATION);
    let chosen = |validation: bool| {
        let games = games.iter().filter(move |(identity, _)| is_validation(identity) == validation);
        games.map(|(_, &game)| game).collect()
    };
    (chosen(false), chosen(true))
}

/// Writes the fitted values of a table, in log odds, as whole units.
fn write_values(side: &mut SideWeights, values: &[f64], tables: usize, table: usize, scale: f64) {
    round(&mut side.values, &values[table * CODES..], scale);
    round(&mut side.tempo, &values[tables * CODES + table * TEMPO_SLOTS..], scale);
    let network = tables * (CODES + TEMPO_SLOTS) + table * NETWORK;
    side.network =
        values.get(network..network + NETWORK).map(|numbers| Arc::new(pooled::to_network(numbers, scale)));
}

/// Writes the fitted move scores of a table as whole units.
fn write_moves(side: &mut SideWeights, moves: &[f64], tables: usize, table: usize, unit: f64) {
    round(&mut side.own, &moves[table * CODES..], unit);
    round(&mut side.theirs, &moves[(tables + table) * CODES..], unit);
    for (n, offsets) in side.offsets.iter_mut().enumerate() {
        round(offsets, &moves[2 * tables * CODES + (n * tables + table) * OFFSETS..], unit);
    }
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
