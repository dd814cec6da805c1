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
//! machine gets the same result. The loops are plain: compilers turn them into vector instructions.

use std::sync::Arc;

use super::{CODE_SLOTS, CODES};

/// Numbers in the vector of a point.
pub const LANES: usize = 8;
/// Units of the hidden layer.
pub const HIDDEN: usize = 16;
/// Largest number, up or down, in the vector of a code: the vectors of all 41 points that one move can change, added up,
/// still fit 16 bits.
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
    /// The network that values everything at nought.
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

impl Head {
    /// The value for the mover, given both sums.
    #[inline]
    pub fn value(&self, us: &[i32; LANES], them: &[i32; LANES]) -> i32 {
        let mut inputs = [0i16; 2 * LANES];
        for lane in 0..LANES {
            inputs[lane] = (us[lane] >> SUM_SHIFT).min(MOST_INPUT) as i16;
            inputs[LANES + lane] = (them[lane] >> SUM_SHIFT).min(MOST_INPUT) as i16;
        }
        let mut value = i64::from(self.output_bias);
        for (k, weights) in self.hidden.iter().enumerate() {
            let mut sum = self.bias[k];
            for (weight, input) in weights.iter().zip(&inputs) {
                sum += i32::from(*weight) * i32::from(*input);
            }
            value += i64::from(self.output[k]) * i64::from(sum.max(0) >> HIDDEN_SHIFT);
        }
        (value >> OUTPUT_SHIFT).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}

/// What a code contributes to the vector of its point: its own colour's, and the other colour's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
struct Row {
    own: [i16; LANES],
    other: [i16; LANES],
}

/// Both colours' networks in one phase, arranged for the board.
#[derive(Debug)]
pub(crate) struct Pooling {
    /// By colour of the code. Where the colours have the same network they share the rows, to spare the cache.
    rows: [Arc<[Row; CODE_SLOTS]>; 2],
    heads: [Head; 2],
}

/// The change of both colours' sums by one move.
pub(crate) type Delta = [[i16; LANES]; 2];
/// Both colours' sums.
pub(crate) type Sums = [[i32; LANES]; 2];

impl Pooling {
    pub(super) fn new(networks: [&Network; 2]) -> Pooling {
        let rows = |color: usize| {
            let mut rows = vec![Row::default(); CODE_SLOTS];
            for (code, row) in rows.iter_mut().take(CODES).enumerate() {
                row.own = networks[color].own[code];
                row.other = networks[1 - color].theirs[code];
            }
            let rows: Box<[Row; CODE_SLOTS]> = rows.into_boxed_slice().try_into().expect("a row per slot");
            Arc::from(rows)
        };
        let black = rows(0);
        let white = if networks[0] == networks[1] { Arc::clone(&black) } else { rows(1) };
        Pooling { rows: [black, white], heads: networks.map(|network| network.head.clone()) }
    }

    pub(crate) fn head(&self, color: usize) -> &Head {
        &self.heads[color & 1]
    }

    #[inline(always)]
    fn row(&self, color: usize, code: u16) -> &Row {
        &self.rows[color][code as usize & (CODE_SLOTS - 1)]
    }

    /// Both colours' vectors of a point with these codes.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "in this form the loop becomes vector instructions")]
    fn vectors(&self, codes: [u16; 2]) -> Delta {
        let [black, white] = [self.row(0, codes[0]), self.row(1, codes[1])];
        let mut vectors = [[0; LANES]; 2];
        for lane in 0..LANES {
            vectors[0][lane] = (black.own[lane] + white.other[lane]).max(0);
            vectors[1][lane] = (white.own[lane] + black.other[lane]).max(0);
        }
        vectors
    }

    /// Takes a point with the codes `before` out of the sums.
    #[inline(always)]
    pub(crate) fn remove(&self, delta: &mut Delta, before: [u16; 2]) {
        let before = self.vectors(before);
        for color in 0..2 {
            for lane in 0..LANES {
                delta[color][lane] -= before[color][lane];
            }
        }
    }

    /// Gives a point other codes.
    #[inline(always)]
    pub(crate) fn exchange(&self, delta: &mut Delta, before: [u16; 2], now: [u16; 2]) {
        let (before, now) = (self.vectors(before), self.vectors(now));
        for color in 0..2 {
            for lane in 0..LANES {
                delta[color][lane] += now[color][lane] - before[color][lane];
            }
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
    for color in 0..2 {
        for lane in 0..LANES {
            sums[color][lane] += i32::from(delta[color][lane]);
        }
    }
}
