//! The network beside the linear evaluation, as something to fit: the forward pass in real numbers, its gradient, and
//! the way to the whole numbers of [`Network`] and back.
//!
//! In log odds, with real numbers, the network is `b + Σ o[k] max(0, h[k] · x + c[k])`, where `x` has both sums of
//! point vectors, mover first, each lane divided by `SUM_UNIT` and cut off at `MOST_INPUT`.

use halfstone::pattern::{
    CODES, HIDDEN, HIDDEN_SHIFT, LANES, LineClass, MOST_BIAS, MOST_CODE, MOST_HIDDEN, Network, OUTPUT_SHIFT,
    SUM_SHIFT, TEMPO_SLOTS, code_of, lines_of,
};

use crate::features::Positions;
use crate::fit::{Evaluation, Model, cross_entropy, sigmoid};
use crate::rng::Rng;

/// A sum that counts as one at the hidden layer.
const SUM_UNIT: f64 = 16.0;
/// Units of the whole numbers: of the code vectors, the inputs and weights of the hidden layer, and the output.
const CODE_UNIT: f64 = 64.0;
const INPUT_UNIT: f64 = SUM_UNIT * CODE_UNIT / (1 << SUM_SHIFT) as f64;
const HIDDEN_UNIT: f64 = 256.0;
const Z_UNIT: f64 = INPUT_UNIT * HIDDEN_UNIT / (1 << HIDDEN_SHIFT) as f64;
const OUTPUT_UNIT: f64 = (1u32 << OUTPUT_SHIFT) as f64 / Z_UNIT;
/// The largest input of the hidden layer.
const MOST_INPUT: f64 = 8_191.0 / INPUT_UNIT;

/// Where the parts of a network begin among its numbers.
const THEIRS: usize = CODES * LANES;
const HIDDEN_FROM: usize = 2 * THEIRS;
const BIAS: usize = HIDDEN_FROM + HIDDEN * 2 * LANES;
const OUTPUT: usize = BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + HIDDEN;
/// Numbers of a network.
pub const NETWORK: usize = OUTPUT_BIAS + 1;

/// The code of a point that nothing is near. Its vectors stay zero, so that a large board is no other than a small
/// one.
pub fn void() -> u16 {
    code_of([LineClass::L1; 4])
}

/// A network to begin with. Its output is zero, so that one that learns nothing says nothing. The vectors of codes
/// are sums over their line classes, so that codes that hardly occur have a part in what is learnt from those they
/// resemble.
pub fn random(seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 1);
    let mut normal =
        || (0..12).map(|_| f64::from(rng.below(1 << 20) as u32) / f64::from(1 << 20)).sum::<f64>() - 6.0;
    let classes: Vec<[f64; LANES]> = (0..2 * 16).map(|_| [(); LANES].map(|()| 0.15 * normal())).collect();
    let mut numbers = vec![0.0; NETWORK];
    for (part, classes) in classes.chunks(16).enumerate() {
        for code in (0..CODES as u16).filter(|&code| code != void()) {
            let slots = numbers[part * THEIRS + usize::from(code) * LANES..].iter_mut().take(LANES);
            for (lane, slot) in slots.enumerate() {
                *slot = lines_of(code).iter().map(|line| classes[line.index()][lane]).sum();
            }
        }
    }
    numbers[HIDDEN_FROM..BIAS].iter_mut().for_each(|weight| *weight = normal() / (2.0 * LANES as f64).sqrt());
    numbers
}

/// The whole numbers of a network; `scale` is the unit of its value, in evaluation units per log odd.
pub fn to_network(numbers: &[f64], scale: f64) -> Network {
    let mut network = Network::ZERO;
    let head = &mut network.head;
    let codes = network.own.iter_mut().chain(&mut network.theirs).flatten();
    set(codes, &numbers[..HIDDEN_FROM], CODE_UNIT, MOST_CODE);
    set(head.hidden.iter_mut().flatten(), &numbers[HIDDEN_FROM..BIAS], HIDDEN_UNIT, MOST_HIDDEN);
    set(head.output.iter_mut(), &numbers[OUTPUT..OUTPUT_BIAS], OUTPUT_UNIT * scale, i16::MAX);
    let most = f64::from(MOST_BIAS);
    for (slot, number) in head.bias.iter_mut().zip(&numbers[BIAS..OUTPUT]) {
        *slot = (number * INPUT_UNIT * HIDDEN_UNIT).round().clamp(-most, most) as i32;
    }
    let bias = numbers[OUTPUT_BIAS] * scale * f64::from(1u32 << OUTPUT_SHIFT);
    head.output_bias = bias.round().clamp(-most, most) as i32;
    network
}

fn set<'a>(slots: impl Iterator<Item = &'a mut i16>, numbers: &[f64], unit: f64, most: i16) {
    let most = f64::from(most);
    slots.zip(numbers).for_each(|(slot, number)| *slot = (number * unit).round().clamp(-most, most) as i16);
}

/// The real numbers behind a network.
pub fn from_network(network: &Network, scale: f64) -> Vec<f64> {
    let head = &network.head;
    let part = |numbers: &mut dyn Iterator<Item = &i16>, unit: f64| -> Vec<f64> {
        numbers.map(|&number| f64::from(number) / unit).collect()
    };
    let wide = |number: &i32, unit: f64| f64::from(*number) / unit;
    let mut numbers = part(&mut network.own.iter().chain(&network.theirs).flatten(), CODE_UNIT);
    numbers.extend(part(&mut head.hidden.iter().flatten(), HIDDEN_UNIT));
    numbers.extend(head.bias.iter().map(|bias| wide(bias, INPUT_UNIT * HIDDEN_UNIT)));
    numbers.extend(part(&mut head.output.iter(), OUTPUT_UNIT * scale));
    numbers.push(wide(&head.output_bias, scale * f64::from(1u32 << OUTPUT_SHIFT)));
    numbers
}

/// The linear evaluation with a network per table: numbers of the former, then of the networks.
pub(crate) struct Pooled<'a> {
    linear: Evaluation<'a>,
    positions: &'a Positions,
    networks_from: usize,
    void: u16,
}

type Vector = [f64; LANES];

/// What the forward pass leaves for the gradient.
struct Pass {
    vectors: [Vec<Vector>; 2],
    inputs: [f64; 2 * LANES],
    hidden: [f64; HIDDEN],
    log_odds: f64,
}

impl<'a> Pooled<'a> {
    pub(crate) fn new(positions: &'a Positions, tables: usize, linear: Evaluation<'a>) -> Pooled<'a> {
        Pooled { linear, positions, networks_from: tables * (CODES + TEMPO_SLOTS), void: void() }
    }

    /// Where the networks of the mover and of the other colour begin.
    fn networks(&self, i: usize) -> [usize; 2] {
        let us = usize::from(self.positions.tempo[i]) / TEMPO_SLOTS;
        [us, self.positions.their_table[i].into()].map(|table| self.networks_from + table * NETWORK)
    }

    fn forward(&self, weights: &[f64], i: usize) -> Pass {
        let pairs = self.positions.pairs(i);
        let networks = self.networks(i);
        let mut pass = Pass {
            vectors: [(); 2].map(|()| Vec::with_capacity(pairs.len())),
            inputs: [0.0; 2 * LANES],
            hidden: [0.0; HIDDEN],
            log_odds: self.linear.log_odds(weights, i),
        };
        for (side, network) in networks.into_iter().enumerate() {
            let mut sum = Vector::default();
            for pair in pairs {
                let [own, theirs] = rows(network, pair.codes, side);
                let vector: Vector =
                    std::array::from_fn(|l| (weights[own + l] + weights[theirs + l]).max(0.0));
                sum.iter_mut().zip(&vector).for_each(|(sum, number)| *sum += f64::from(pair.count) * number);
                pass.vectors[side].push(vector);
            }
            let inputs = &mut pass.inputs[side * LANES..];
            inputs.iter_mut().zip(&sum).for_each(|(input, sum)| *input = (sum / SUM_UNIT).min(MOST_INPUT));
        }
        let head = &weights[networks[0]..][..NETWORK];
        pass.log_odds += head[OUTPUT_BIAS];
        for k in 0..HIDDEN {
            let row = &head[HIDDEN_FROM + k * 2 * LANES..][..2 * LANES];
            let sum: f64 = row.iter().zip(&pass.inputs).map(|(weight, input)| weight * input).sum();
            pass.hidden[k] = (sum + head[BIAS + k]).max(0.0);
            pass.log_odds += head[OUTPUT + k] * pass.hidden[k];
        }
        pass
    }

    /// Adds the gradient of the head for an error in the log odds, and returns that of its inputs.
    fn learn_head(&self, head: &[f64], pass: &Pass, error: f64, gradient: &mut [f64]) -> [f64; 2 * LANES] {
        let mut inputs = [0.0; 2 * LANES];
        gradient[OUTPUT_BIAS] += error;
        for k in (0..HIDDEN).filter(|&k| pass.hidden[k] > 0.0) {
            gradient[OUTPUT + k] += error * pass.hidden[k];
            let up = error * head[OUTPUT + k];
            gradient[BIAS + k] += up;
            let at = HIDDEN_FROM + k * 2 * LANES;
            for (j, input) in inputs.iter_mut().enumerate() {
                gradient[at + j] += up * pass.inputs[j];
                *input += up * head[at + j];
            }
        }
        for (up, &input) in inputs.iter_mut().zip(&pass.inputs) {
            *up = if input < MOST_INPUT { *up / SUM_UNIT } else { 0.0 };
        }
        inputs
    }
}

/// Where the vectors that a point has in a side's network begin: its own code's, and the other's.
fn rows(network: usize, codes: [u16; 2], side: usize) -> [usize; 2] {
    let (own, theirs) = (usize::from(codes[side]), usize::from(codes[1 - side]));
    [network + own * LANES, network + THEIRS + theirs * LANES]
}

impl Model for Pooled<'_> {
    fn learn(&self, weights: &[f64], i: usize, gradient: &mut [f64]) -> f64 {
        let pass = self.forward(weights, i);
        let (target, predicted) = (self.linear.target(i), sigmoid(pass.log_odds));
        let error = predicted - target;
        self.linear.add_gradient(i, error, gradient);
        let networks = self.networks(i);
        let head = networks[0]..networks[0] + NETWORK;
        let inputs = self.learn_head(&weights[head.clone()], &pass, error, &mut gradient[head]);
        for (side, network) in networks.into_iter().enumerate() {
            let up = &inputs[side * LANES..][..LANES];
            for (pair, vector) in self.positions.pairs(i).iter().zip(&pass.vectors[side]) {
                let rows = rows(network, pair.codes, side);
                for (row, code) in rows.into_iter().zip([pair.codes[side], pair.codes[1 - side]]) {
                    if code == self.void {
                        continue;
                    }
                    let slots = gradient[row..][..LANES].iter_mut().zip(vector).zip(up);
                    for ((slot, &number), up) in slots {
                        *slot += if number > 0.0 { f64::from(pair.count) * up } else { 0.0 };
                    }
                }
            }
        }
        cross_entropy(target, predicted)
    }

    fn loss(&self, weights: &[f64], i: usize) -> f64 {
        cross_entropy(self.linear.target(i), sigmoid(self.forward(weights, i).log_odds))
    }

    fn samples(&self) -> usize {
        self.positions.len()
    }

    /// A step of a vector moves the log odds by much less than one of a value does; the head is common to all
    /// positions.
    fn pull(&self, number: usize) -> f64 {
        match number.checked_sub(self.networks_from) {
            None => 1.0,
            Some(at) if at % NETWORK < HIDDEN_FROM => 1.0 / (SUM_UNIT * SUM_UNIT),
            Some(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use halfstone::board::Board;
    use halfstone::eval;
    use halfstone::pattern::{PointTable, SideWeights, Weights};
    use halfstone::types::{Cell, Color, Move, Rule, Size};

    use super::*;
    use crate::features::{Layout, Samples};
    use crate::games::Game;

    /// A game of moves here and there, every one of them as if a search had chosen it.
    fn game(rule: Rule, seed: u64) -> Game {
        let mut rng = Rng::new(seed, 0);
        let mut cells: Vec<Cell> = Size::new(9).unwrap().cells().collect();
        rng.shuffle(&mut cells);
        let mut moves: Vec<(Move, i16)> =
            cells.into_iter().take(16).map(|cell| (Move::stone(cell), rng.below(400) as i16 - 200)).collect();
        if let (Rule::HalfStone, Some(cell)) = (rule, moves[6].0.cell()) {
            moves[6].0 = Move::half(cell);
        }
        Game { number: 0, size: Size::new(9).unwrap(), opening: 0, winner: Some(Color::Black), moves }
    }

    fn positions(rule: Rule) -> Positions {
        let mut samples = Samples::new();
        samples.add(rule, &game(rule, 3));
        assert!(samples.positions.len() > 8);
        samples.positions
    }

    /// Numbers for every table: small linear ones, and networks that say something.
    fn numbers(tables: usize) -> Vec<f64> {
        let mut rng = Rng::new(8, 0);
        let linear = tables * (CODES + TEMPO_SLOTS);
        let mut numbers: Vec<f64> = (0..linear).map(|_| (rng.below(9) as f64 - 4.0) / 200.0).collect();
        for table in 0..tables {
            let mut network = random(table as u64);
            network[OUTPUT..].iter_mut().for_each(|weight| *weight += 0.1);
            numbers.extend(network);
        }
        numbers
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        for rule in [Rule::Freestyle, Rule::Renju, Rule::HalfStone] {
            let (positions, tables) = (positions(rule), Layout::of(rule).tables());
            let model = Pooled::new(&positions, tables, Evaluation::new(&positions, tables, 0.5, 150.0));
            let mut weights = numbers(tables);
            for i in 0..positions.len() {
                let mut gradient = vec![0.0; weights.len()];
                assert_eq!(model.learn(&weights, i, &mut gradient), model.loss(&weights, i));
                let moved: Vec<usize> = (0..weights.len()).filter(|&k| gradient[k] != 0.0).collect();
                for k in moved.iter().copied().step_by(1 + moved.len() / 60).chain([weights.len() - 1]) {
                    let (here, step) = (weights[k], 1e-6);
                    weights[k] = here + step;
                    let above = model.loss(&weights, i);
                    weights[k] = here - step;
                    let slope = (above - model.loss(&weights, i)) / (2.0 * step);
                    weights[k] = here;
                    assert!((slope - gradient[k]).abs() < 1e-5, "{rule}, {k}: {slope}, {}", gradient[k]);
                }
            }
        }
    }

    #[test]
    fn the_engine_says_what_the_fit_says() {
        const SCALE: f64 = 200.0;
        for rule in [Rule::Freestyle, Rule::Renju, Rule::HalfStone] {
            let (positions, layout) = (positions(rule), Layout::of(rule));
            let tables = layout.tables();
            let numbers = numbers(tables);
            let model = Pooled::new(&positions, tables, Evaluation::new(&positions, tables, 0.5, 150.0));
            let side = |hand, color| {
                let table = layout.table(hand, color);
                let whole = |number: &f64| (number * SCALE).round() as i16;
                let tempo = &numbers[tables * CODES + table * TEMPO_SLOTS..];
                let network = &numbers[tables * (CODES + TEMPO_SLOTS) + table * NETWORK..][..NETWORK];
                SideWeights {
                    values: std::array::from_fn(|code| whole(&numbers[table * CODES + code])),
                    tempo: std::array::from_fn(|facts| whole(&tempo[facts])),
                    network: Some(Arc::new(to_network(network, SCALE))),
                    ..SideWeights::ZERO
                }
            };
            let sides = |hand| Color::ALL.map(|color| side(hand, color));
            let weights = Weights { after: sides(false), in_hand: sides(true) };
            let game = game(rule, 3);
            let mut board = Board::with_points(rule, game.size, Arc::new(PointTable::new(rule, &weights)));
            let mut said = Vec::new();
            for (mv, _) in game.moves {
                said.push(f64::from(eval::evaluate(&board)));
                board.make(mv);
            }
            // No position of the game is left out but those with a five, of which there is none.
            assert_eq!(said.len(), positions.len());
            for (i, said) in said.into_iter().enumerate() {
                let fitted = SCALE * model.forward(&numbers, i).log_odds;
                assert!((said - fitted).abs() < 6.0, "{rule}, position {i}: {said}, {fitted}");
            }
        }
    }

    #[test]
    fn whole_numbers_lead_back_to_themselves() {
        let network = to_network(&random(4), 180.0);
        assert!(network.is_bounded() && network != Network::ZERO);
        assert_eq!(to_network(&from_network(&network, 180.0), 180.0), network);
        assert_eq!(network.own[usize::from(void())], [0; LANES]);
    }

    #[test]
    fn nothing_is_near_the_centre_of_an_empty_board() {
        for rule in Rule::ALL {
            let board = Board::new(rule, Size::STANDARD);
            for color in Color::ALL {
                assert_eq!(board.code(color, Size::STANDARD.center()), void(), "{rule}");
            }
        }
    }
}
