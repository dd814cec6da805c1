//! From a code to the class and the value of a point.

use super::{CODES, LineClass, LineJudge, PointClass, lines_of};
use crate::types::{Color, Rule};

/// The class of a point and whether a stone there might be a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The class as if the move were legal.
    pub class: PointClass,
    /// Black under renju: it may be an overline, a double four or a double three (which only looking closer can
    /// tell). Never set for a point that makes five, which is always legal.
    pub foul_suspect: bool,
}

impl Digest {
    /// Set in [`Digest::to_bits`] of a foul suspect.
    pub(crate) const SUSPECT_BIT: u8 = 0x80;

    /// Class in the low nibble, suspicion in the top bit.
    #[inline]
    pub(crate) const fn to_bits(self) -> u8 {
        self.class as u8 | if self.foul_suspect { Digest::SUSPECT_BIT } else { 0 }
    }
}

/// Digests the four line classes of a point.
pub fn digest(judge: LineJudge, lines: [LineClass; 4]) -> Digest {
    let count = |f: fn(LineClass) -> bool| lines.iter().filter(|&&line| f(line)).count();
    let fives = count(|l| l == LineClass::W5);
    let straight = count(|l| l == LineClass::S4);
    let fours = count(LineClass::is_four);
    let threes = count(LineClass::is_live_three);
    let closed = count(|l| l == LineClass::C3);
    let twos = count(LineClass::is_live_two);
    let too_long = count(|l| l == LineClass::Over);
    let class = if fives > 0 {
        PointClass::Five
    } else if straight > 0 || fours >= 2 {
        PointClass::WinFour
    } else if fours > 0 && threes > 0 {
        PointClass::FourThree
    } else if fours > 0 && closed + twos > 0 {
        PointClass::FourPlus
    } else if fours > 0 {
        PointClass::Four
    } else if threes >= 2 {
        PointClass::ThreeThree
    } else if threes > 0 && closed + twos > 0 {
        PointClass::ThreePlus
    } else if threes > 0 {
        PointClass::Three
    } else if closed >= 2 || (closed > 0 && twos > 0) {
        PointClass::ClosedThreePlus
    } else if twos >= 2 {
        PointClass::TwoTwo
    } else if closed > 0 {
        PointClass::ClosedThree
    } else if twos > 0 {
        PointClass::Two
    } else {
        PointClass::None
    };
    let suspect = judge == LineJudge::RenjuBlack && fives == 0 && (too_long > 0 || fours >= 2 || threes >= 2);
    Digest { class, foul_suspect: suspect }
}

/// What each code is worth on an empty point, per colour: the positional part of an evaluation. The board keeps the
/// sum over its empty points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// `values[color][code]`, in evaluation units, seen from that colour.
    pub values: [[i16; CODES]; 2],
}

impl Weights {
    /// Every code is worth nothing.
    pub const ZERO: Weights = Weights { values: [[0; CODES]; 2] };
}

/// All that the board wants to know of a code, in four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointRecord {
    /// From [`Weights`].
    pub value: i16,
    /// As [`Digest::to_bits`].
    pub(crate) digest: u8,
}

/// Codes rounded up to a power of two, so that a masked index needs no check.
pub(crate) const CODE_SLOTS: usize = 4096;

/// Code → [`PointRecord`] for both colours under one rule and one set of weights.
#[derive(Debug)]
pub struct PointTable {
    records: [[PointRecord; CODE_SLOTS]; 2],
}

impl PointTable {
    /// The table for a rule, with the given values.
    pub fn new(rule: Rule, weights: &Weights) -> PointTable {
        let mut records = [[PointRecord::default(); CODE_SLOTS]; 2];
        for color in Color::ALL {
            let judge = LineJudge::of(rule, color);
            for code in 0..CODES as u16 {
                records[color.index()][code as usize] = PointRecord {
                    value: weights.values[color.index()][code as usize],
                    digest: digest(judge, lines_of(code)).to_bits(),
                };
            }
        }
        PointTable { records }
    }

    /// The record of a code.
    #[inline]
    pub fn get(&self, color: Color, code: u16) -> PointRecord {
        self.records[color.index()][code as usize & (CODE_SLOTS - 1)]
    }

    #[inline]
    pub(crate) fn at(&self, color: usize, code: u16) -> PointRecord {
        self.records[color & 1][code as usize & (CODE_SLOTS - 1)]
    }
}
