//! The small network beside the linear evaluation: what codes mean together.
//!
//! Every empty point has a vector per colour, from the colour's own code there and the other's:
//! `max(0, own[code] + theirs[other code])`, lane by lane. The vectors of all points are summed (*pooled*); the board
//! keeps the sums up to date. The value of a position for the mover is a hidden layer over his sum and the other's:
//!
//! ```text
//! x      = min(sum >> 2, 8191)                 mover's lanes, then the other's
//! z[k]   = max(0, bias[k] + Σ hidden[k][i] x[i]) >> 8
//! value  = (output_bias + Σ output[k] z[k]) >> 13
//! ```
//!
//! All of it is whole numbers within bounds that [`Network::is_bounded`] checks, so that nothing overflows and every
//! machine gets the same result.

use std::sync::Arc;

use wide::{i16x8, i32x4, i32x8};

use super::{CODE_SLOTS, CODES};

/// Numbers in the vector of a point.
pub const LANES: usize = 8;
/// Units of the hidden layer.
pub const HIDDEN: usize = 16;
/// Largest number, up or down, in the vector of a code: the vectors of all 41 points that one move can change, added
/// up, still fit 16 bits.
pub const MOST_CODE: i16 = 383;
/// Largest weight of the hidden layer, up or down.
pub const MOST_HIDDEN: i16 = 8_191;
/// Largest bias of the hidden layer, up or down.
pub const MOST_BIAS: i32 = 1 << 30;
/// Right shift of a sum before the hidden layer.
pub const SUM_SHIFT: u32 = 2;
/// Right shift after the hidden layer.
pub const HIDDEN_SHIFT: u32 = 8;
/// Right shift after the output.
pub const OUTPUT_SHIFT: u32 = 13;
/// Largest input of the hidden layer; what is more counts as this.
const MOST_INPUT: i32 = 8_191;

/// One colour's network in one phase of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The vector of a code of the colour's own on an empty point.
    pub own: [[i16; LANES]; CODES],
    /// The vector of a code of the other colour on an empty point.
    pub theirs: [[i16; LANES]; CODES],
    /// What the colour thinks of the sums when it is to move.
    pub head: Head,
}

/// The layers after the sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Weights of a hidden unit: for the mover's lanes, then for the other's.
    pub hidden: [[i16; 2 * LANES]; HIDDEN],
    /// What is added to each hidden unit.
    pub bias: [i32; HIDDEN],
    /// Weights of the output.
    pub output: [i16; HIDDEN],
    /// What is added to the output.
    pub output_bias: i32,
}

impl Network {
    /// The network that values everything at zero.
    pub const ZERO: Network = Network {
        own: [[0; LANES]; CODES],
        theirs: [[0; LANES]; CODES],
        head: Head {
            hidden: [[0; 2 * LANES]; HIDDEN],
            bias: [0; HIDDEN],
            output: [0; HIDDEN],
            output_bias: 0,
        },
    };

    /// Whether all numbers are small enough for the sums to fit.
    pub fn is_bounded(&self) -> bool {
        let codes = self.own.iter().chain(&self.theirs).flatten();
        codes.copied().all(|n| n.unsigned_abs() <= MOST_CODE.unsigned_abs())
            && self.head.hidden.iter().flatten().all(|n| n.unsigned_abs() <= MOST_HIDDEN.unsigned_abs())
            && self.head.bias.iter().all(|n| n.unsigned_abs() <= MOST_BIAS.unsigned_abs())
    }
}

/// A [`Head`] laid out for vector instructions: the weights of two inputs for four units side by side, so that one
/// instruction multiplies and adds eight of them.
#[derive(Clone, Debug)]
pub struct ArrangedHead {
    /// By pair of inputs and group of four units: both weights of each unit in turn.
    hidden: [[i16x8; HIDDEN / 4]; LANES],
    bias: [i32x4; HIDDEN / 4],
    output: [i16; HIDDEN],
    output_bias: i32,
}

impl ArrangedHead {
    /// Lays a head out.
    pub fn new(head: &Head) -> ArrangedHead {
        let weights = |pair: usize, group: usize| {
            let weight = |n: usize| head.hidden[4 * group + n / 2][2 * pair + n % 2];
            i16x8::from(std::array::from_fn(weight))
        };
        ArrangedHead {
            hidden: std::array::from_fn(|pair| std::array::from_fn(|group| weights(pair, group))),
            bias: std::array::from_fn(|group| i32x4::from(std::array::from_fn(|n| head.bias[4 * group + n]))),
            output: head.output,
            output_bias: head.output_bias,
        }
    }

    /// The value for the mover, given both sums.
    #[inline]
    pub fn value(&self, us: &[i32; LANES], them: &[i32; LANES]) -> i32 {
        let mut inputs = [0i16; 2 * LANES];
        for (input, sum) in inputs.iter_mut().zip(us.iter().chain(them)) {
            *input = (sum >> SUM_SHIFT).min(MOST_INPUT) as i16;
        }
        let pairs: [i32; LANES] = bytemuck::must_cast(inputs);
        let mut units = self.bias;
        for (pair, weights) in pairs.into_iter().zip(&self.hidden) {
            let pair: i16x8 = bytemuck::must_cast(i32x4::splat(pair));
            for (unit, weights) in units.iter_mut().zip(weights) {
                *unit += pair.dot(*weights);
            }
        }
        let units: [i32; HIDDEN] = bytemuck::must_cast(units);
        let products = self
            .output
            .iter()
            .zip(units)
            .map(|(&weight, unit)| i64::from(weight) * i64::from(unit.max(0) >> HIDDEN_SHIFT));
        let value = i64::from(self.output_bias) + products.sum::<i64>();
        (value >> OUTPUT_SHIFT).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}

/// What a code contributes to the vector of its point: its own colour's, and the other colour's.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Row {
    own: Lanes,
    other: Lanes,
}

/// One vector.
type Lanes = i16x8;

/// Both colours' networks in one phase, arranged for the board.
#[derive(Debug)]
pub(crate) struct Pooling {
    /// By colour of the code. Where the colours have the same network they share the rows, to spare the cache.
    rows: [Arc<[Row; CODE_SLOTS]>; 2],
    heads: [ArrangedHead; 2],
}

/// The change of both colours' sums by one move.
pub(crate) type Delta = [Lanes; 2];
/// Both colours' sums.
pub(crate) type Sums = [[i32; LANES]; 2];

impl Pooling {
    pub(super) fn new(networks: [&Network; 2]) -> Pooling {
        let rows = |color: usize| {
            let mut rows = vec![Row::default(); CODE_SLOTS];
            for (code, row) in rows.iter_mut().take(CODES).enumerate() {
                row.own = networks[color].own[code].into();
                row.other = networks[1 - color].theirs[code].into();
            }
            let rows: Box<[Row; CODE_SLOTS]> = rows.into_boxed_slice().try_into().expect("a row per slot");
            Arc::from(rows)
        };
        let black = rows(0);
        let white = if networks[0] == networks[1] { Arc::clone(&black) } else { rows(1) };
        Pooling { rows: [black, white], heads: networks.map(|network| ArrangedHead::new(&network.head)) }
    }

    pub(crate) fn head(&self, color: usize) -> &ArrangedHead {
        &self.heads[color & 1]
    }

    #[inline(always)]
    fn row(&self, color: usize, code: u16) -> &Row {
        &self.rows[color][code as usize & (CODE_SLOTS - 1)]
    }

    /// Both colours' vectors of a point with these codes.
    #[inline(always)]
    fn vectors(&self, codes: [u16; 2]) -> Delta {
        let [black, white] = [self.row(0, codes[0]), self.row(1, codes[1])];
        [(black.own + white.other).max(Lanes::ZERO), (white.own + black.other).max(Lanes::ZERO)]
    }

    /// Takes a point with the codes `before` out of the sums.
    #[inline(always)]
    pub(crate) fn remove(&self, delta: &mut Delta, before: [u16; 2]) {
        let before = self.vectors(before);
        for color in 0..2 {
            delta[color] -= before[color];
        }
    }

    /// Gives a point other codes.
    #[inline(always)]
    pub(crate) fn exchange(&self, delta: &mut Delta, before: [u16; 2], now: [u16; 2]) {
        let (before, now) = (self.vectors(before), self.vectors(now));
        for color in 0..2 {
            delta[color] += now[color] - before[color];
        }
    }

    /// Adds a point with these codes to the sums.
    pub(crate) fn add(&self, sums: &mut Sums, codes: [u16; 2]) {
        add(sums, &self.vectors(codes));
    }
}

/// Adds a change to the sums.
#[inline(always)]
pub(crate) fn add(sums: &mut Sums, delta: &Delta) {
    for (sums, delta) in sums.iter_mut().zip(delta) {
        let sum = i32x8::from(*sums) + i32x8::from_i16x8(*delta);
        *sums = sum.to_array();
    }
}
