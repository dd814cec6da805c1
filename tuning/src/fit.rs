//! Fitting: logistic regression of the evaluation and softmax regression of the move scores, both by Adam in
//! mini-batches with a pull towards the numbers that were there before.
//!
//! Everything is summed in fixed portions and a fixed order, so that the same data and seed give the same weights
//! whatever the number of threads.

use halfstone::pattern::{CODES, OFFSETS, TEMPO_SLOTS};
use rayon::prelude::*;

use crate::features::{Choice, Choices, Positions};
use crate::pooled::{NETWORK, Pooled};
use crate::rng::Rng;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What the order of the samples comes from.
    pub seed: u64,
    /// Passes over the data at most.
    pub epochs: usize,
    /// Passes without a gain on the validation games after which fitting ends.
    pub patience: usize,
    /// Samples per step.
    pub batch: usize,
    /// Step size at the beginning; it falls to a tenth over the passes.
    pub rate: f64,
    /// How strongly weights are pulled to where they began, in samples: a weight follows the data once it has
    /// been seen much more often than this.
    pub pull: f64,
    /// The part of the search's score in the target; the rest is the result of the game.
    pub lambda: f64,
    /// Whether a network is fitted as well, once the linear evaluation is.
    pub network: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 1,
            epochs: 30,
            patience: 10,
            batch: 4096,
            rate: 0.005,
            pull: 20.0,
            lambda: 0.5,
            network: false,
        }
    }
}

/// The course of a fit.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Training and validation loss before the first and after every pass.
    pub losses: Vec<(f64, f64)>,
    /// The pass whose weights were kept.
    pub best: usize,
}

/// The course of a fit: loss of its validation games before and after.
impl Curve {
    /// Validation loss at the start.
    pub fn before(&self) -> f64 {
        self.losses.first().map_or(f64::NAN, |loss| loss.1)
    }

    /// Validation loss of the weights that were kept.
    pub fn after(&self) -> f64 {
        self.losses.get(self.best).map_or(f64::NAN, |loss| loss.1)
    }
}

/// A model with a loss per sample.
pub(crate) trait Model: Sync {
    /// Adds the gradient of one sample's loss and returns the loss.
    fn learn(&self, weights: &[f64], sample: usize, gradient: &mut [f64]) -> f64;
    /// The loss of one sample.
    fn loss(&self, weights: &[f64], sample: usize) -> f64;
    /// How many samples there are.
    fn samples(&self) -> usize;
    /// How strongly a number is pulled to where it began, compared with the option.
    fn pull(&self, _number: usize) -> f64 {
        1.0
    }
}

/// Fits `weights`, and leaves in them those of the pass that did best on `validation`.
fn adam<M: Model>(train: &M, validation: &M, weights: &mut [f64], options: &Options) -> Curve {
    let start = weights.to_vec();
    let mut best = weights.to_vec();
    let mut curve = Curve::default();
    curve.losses.push((mean_loss(train, weights), mean_loss(validation, weights)));
    let (mut first, mut second) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut order: Vec<u32> = (0..train.samples() as u32).collect();
    let mut rng = Rng::new(options.seed, 0);
    let mut step = 0;
    for epoch in 0..options.epochs {
        rng.shuffle(&mut order);
        let rate = options.rate * 0.1f64.powf(epoch as f64 / options.epochs as f64);
        let mut total = 0.0;
        for batch in order.chunks(options.batch) {
            let (loss, gradient) = batch_gradient(train, weights, batch);
            total += loss;
            step += 1;
            let pull = options.pull / order.len() as f64;
            let correction = (1.0 - 0.999f64.powi(step)).sqrt() / (1.0 - 0.9f64.powi(step));
            for i in 0..weights.len() {
                let g = gradient[i] / batch.len() as f64 + pull * train.pull(i) * (weights[i] - start[i]);
                first[i] = 0.9 * first[i] + 0.1 * g;
                second[i] = 0.999 * second[i] + 0.001 * g * g;
                weights[i] -= rate * correction * first[i] / (second[i].sqrt() + 1e-9);
            }
        }
        let loss = mean_loss(validation, weights);
        curve.losses.push((total / order.len() as f64, loss));
        if loss < curve.after() {
            curve.best = epoch + 1;
            best.copy_from_slice(weights);
        } else if epoch + 1 - curve.best >= options.patience {
            break;
        }
    }
    weights.copy_from_slice(&best);
    curve
}

/// Samples that are summed before they are added to the others.
const PORTION: usize = 512;

fn batch_gradient<M: Model>(model: &M, weights: &[f64], batch: &[u32]) -> (f64, Vec<f64>) {
    let portions: Vec<(f64, Vec<f64>)> = batch
        .par_chunks(PORTION)
        .map(|portion| {
            let mut gradient = vec![0.0; weights.len()];
            let loss = portion.iter().map(|&i| model.learn(weights, i as usize, &mut gradient)).sum();
            (loss, gradient)
        })
        .collect();
    let mut sum = (0.0, vec![0.0; weights.len()]);
    for (loss, gradient) in portions {
        sum.0 += loss;
        sum.1.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += g);
    }
    sum
}

fn mean_loss<M: Model>(model: &M, weights: &[f64]) -> f64 {
    let all: Vec<u32> = (0..model.samples() as u32).collect();
    let sums: Vec<f64> = all
        .par_chunks(8 * PORTION)
        .map(|portion| portion.iter().map(|&i| model.loss(weights, i as usize)).sum())
        .collect();
    sums.iter().sum::<f64>() / all.len().max(1) as f64
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn cross_entropy(target: f64, predicted: f64) -> f64 {
    let p = predicted.clamp(1e-9, 1.0 - 1e-9);
    -(target * p.ln() + (1.0 - target) * (1.0 - p).ln())
}

/// The scale at which `scores` predict `results` best: win rate = σ(score / scale).
pub fn best_scale(scores: &[i16], results: &[f32]) -> f64 {
    lowest(10.0, 3_000.0, |scale| {
        let pairs = scores.iter().zip(results).filter(|(_, result)| !result.is_nan());
        pairs.map(|(&s, &r)| cross_entropy(r.into(), sigmoid(f64::from(s) / scale))).sum()
    })
}

/// The evaluation in units of log odds: code values of all tables, then tempo tables.
pub(crate) struct Evaluation<'a> {
    positions: &'a Positions,
    targets: Vec<f32>,
    tempo_from: usize,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(
        positions: &'a Positions,
        tables: usize,
        lambda: f64,
        score_scale: f64,
    ) -> Evaluation<'a> {
        let pairs = positions.score.iter().zip(&positions.result);
        let target = |(&score, &result): (&i16, &f32)| {
            let searched = sigmoid(f64::from(score) / score_scale);
            let told = if result.is_nan() { searched } else { result.into() };
            (lambda * searched + (1.0 - lambda) * told) as f32
        };
        Evaluation { positions, targets: pairs.map(target).collect(), tempo_from: tables * CODES }
    }

    pub(crate) fn target(&self, i: usize) -> f64 {
        self.targets[i].into()
    }

    pub(crate) fn log_odds(&self, weights: &[f64], i: usize) -> f64 {
        let sum: f64 =
            self.positions.codes(i).iter().map(|&(code, n)| weights[code as usize] * f64::from(n)).sum();
        sum + weights[self.tempo_from + self.positions.tempo[i] as usize]
    }

    /// Adds the gradient for an error in the log odds of a position.
    pub(crate) fn add_gradient(&self, i: usize, error: f64, gradient: &mut [f64]) {
        for &(code, n) in self.positions.codes(i) {
            gradient[code as usize] += error * f64::from(n);
        }
        gradient[self.tempo_from + self.positions.tempo[i] as usize] += error;
    }
}

impl Model for Evaluation<'_> {
    fn learn(&self, weights: &[f64], i: usize, gradient: &mut [f64]) -> f64 {
        let (target, predicted) = (self.target(i), sigmoid(self.log_odds(weights, i)));
        self.add_gradient(i, predicted - target, gradient);
        cross_entropy(target, predicted)
    }

    fn loss(&self, weights: &[f64], i: usize) -> f64 {
        cross_entropy(self.target(i), sigmoid(self.log_odds(weights, i)))
    }

    fn samples(&self) -> usize {
        self.positions.len()
    }
}

/// Fits code values and tempo tables, in log odds. `weights` has the values of all tables and then their tempo
/// entries; it is the start, and what is pulled to.
pub fn evaluation(
    train: &Positions,
    validation: &Positions,
    tables: usize,
    score_scale: f64,
    weights: &mut [f64],
    options: &Options,
) -> Curve {
    assert_eq!(weights.len(), tables * (CODES + TEMPO_SLOTS), "values and tempo entries of every table");
    let model = |positions| Evaluation::new(positions, tables, options.lambda, score_scale);
    adam(&model(train), &model(validation), weights, options)
}

/// Fits code values, tempo tables and networks together. `weights` goes on with the numbers of each table's network,
/// in the order of [`crate::pooled`].
pub fn network(
    train: &Positions,
    validation: &Positions,
    tables: usize,
    score_scale: f64,
    weights: &mut [f64],
    options: &Options,
) -> Curve {
    assert_eq!(weights.len(), tables * (CODES + TEMPO_SLOTS + NETWORK), "all numbers of every table");
    let model = |positions| {
        Pooled::new(positions, tables, Evaluation::new(positions, tables, options.lambda, score_scale))
    };
    adam(&model(train), &model(validation), weights, options)
}

/// The move scores in units of log odds: own scores of all tables, the others', and the offsets of all tables, from the
/// opponent's last move and from the mover's own.
struct Policy<'a> {
    choices: &'a Choices,
    tables: usize,
}

impl Policy<'_> {
    /// The numbers that add up to the score of a move.
    fn features(&self, choice: &Choice) -> impl Iterator<Item = usize> {
        let theirs = self.tables * CODES;
        let codes = [usize::from(choice.codes[0]), theirs + usize::from(choice.codes[1])];
        let from = [2 * theirs, 2 * theirs + self.tables * OFFSETS];
        let offsets = choice.offsets.into_iter().zip(from);
        codes.into_iter().chain(offsets.filter_map(|(offset, from)| Some(from + usize::from(offset?))))
    }

    /// The probability of every candidate.
    fn predict(&self, weights: &[f64], i: usize, out: &mut Vec<f64>) {
        let score = |choice: &Choice| self.features(choice).map(|at| weights[at]).sum::<f64>();
        out.clear();
        out.extend(self.choices.moves(i).iter().map(score));
        let most = out.iter().copied().fold(f64::MIN, f64::max);
        out.iter_mut().for_each(|x| *x = (*x - most).exp());
        let sum: f64 = out.iter().sum();
        out.iter_mut().for_each(|x| *x /= sum);
    }
}

impl Model for Policy<'_> {
    fn learn(&self, weights: &[f64], i: usize, gradient: &mut [f64]) -> f64 {
        let mut chances = Vec::new();
        self.predict(weights, i, &mut chances);
        for (k, choice) in self.choices.moves(i).iter().enumerate() {
            let error = chances[k] - if k == 0 { 1.0 } else { 0.0 };
            self.features(choice).for_each(|at| gradient[at] += error);
        }
        -chances[0].max(1e-9).ln()
    }

    fn loss(&self, weights: &[f64], i: usize) -> f64 {
        let mut chances = Vec::new();
        self.predict(weights, i, &mut chances);
        -chances[0].max(1e-9).ln()
    }

    fn samples(&self) -> usize {
        self.choices.len()
    }
}

/// Fits move scores, in log odds. `weights` has the own scores of all tables, then the others', then those of
/// the offsets from the opponent's last move and from the mover's own.
pub fn policy(
    train: &Choices,
    validation: &Choices,
    tables: usize,
    weights: &mut [f64],
    options: &Options,
) -> Curve {
    assert_eq!(weights.len(), 2 * tables * (CODES + OFFSETS), "all move scores of every table");
    let model = |choices| Policy { choices, tables };
    adam(&model(train), &model(validation), weights, options)
}

/// The unit of values set by hand: in it, their sums are log odds that predict the results best.
pub fn evaluation_unit(positions: &Positions, tables: usize, values: &[f64]) -> f64 {
    best_unit(&Evaluation::new(positions, tables, 0.0, 1.0), values, 10.0)
}

/// The unit of move scores set by hand: in it, their softmax predicts the played moves best.
pub fn policy_unit(choices: &Choices, tables: usize, scores: &[f64]) -> f64 {
    best_unit(&Policy { choices, tables }, scores, 2.0)
}

/// The divisor of `numbers`, from `least` to 300 times that, that makes the smallest loss.
fn best_unit<M: Model>(model: &M, numbers: &[f64], least: f64) -> f64 {
    lowest(least, 300.0 * least, |unit| {
        let weights: Vec<f64> = numbers.iter().map(|number| number / unit).collect();
        mean_loss(model, &weights)
    })
}

/// Where a loss that first falls and then rises is lowest: narrowed down by thirds of the logarithm.
fn lowest(mut low: f64, mut high: f64, loss: impl Fn(f64) -> f64) -> f64 {
    while high / low > 1.01 {
        let third = (high / low).cbrt();
        if loss(low * third) < loss(high / third) { high /= third } else { low *= third }
    }
    (low * high).sqrt()
}
