//! From a code to the class and the value of a point.

use super::{
    CODES, LANES, LineClass, LineJudge, Network, OffsetTable, PointClass, Pooling, SideWeights, TEMPO_SLOTS,
    Weights, lines_of,
};
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

/// All that the board wants to know of a code, in four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointRecord {
    /// From [`SideWeights::values`](super::SideWeights::values).
    pub value: i16,
    /// As [`Digest::to_bits`].
    pub(crate) digest: u8,
}

/// Codes rounded up to a power of two, so that a masked index needs no check.
pub(crate) const CODE_SLOTS: usize = 4096;

/// What the codes mean to both colours under one rule and one set of weights, in every phase of the game.
#[derive(Debug)]
pub struct PointTable {
    after: Box<PhaseTable>,
    /// Only the half-stone rule has a phase of its own here.
    in_hand: Option<Box<PhaseTable>>,
}

/// What moves promise, by a code of their point.
#[derive(Debug)]
pub struct MoveTable([i16; CODE_SLOTS]);

impl MoveTable {
    /// What a move to a point with this code promises.
    #[inline]
    pub fn get(&self, code: u16) -> i32 {
        self.0[code as usize & (CODE_SLOTS - 1)].into()
    }
}

/// What the codes mean in one phase of the game.
#[derive(Debug)]
pub struct PhaseTable {
    records: [[PointRecord; CODE_SLOTS]; 2],
    /// Move scores by colour: of a code of his own, and of the other's.
    moves: [[MoveTable; 2]; 2],
    offsets: [[OffsetTable; 2]; 2],
    tempo: [[i16; TEMPO_SLOTS]; 2],
    pooling: Option<Pooling>,
}

impl PointTable {
    /// The table for a rule, with the given numbers.
    pub fn new(rule: Rule, weights: &Weights) -> PointTable {
        let phase = |sides| Box::new(PhaseTable::new(rule, sides));
        PointTable {
            after: phase(&weights.after),
            in_hand: (rule == Rule::HalfStone).then(|| phase(&weights.in_hand)),
        }
    }

    /// The table to use while the half stone is in hand, or else after it: under all other rules they are one.
    #[inline]
    pub fn phase(&self, half_in_hand: bool) -> &PhaseTable {
        match &self.in_hand {
            Some(table) if half_in_hand => table,
            _ => &self.after,
        }
    }
}

/// The networks of both colours. One that is missing values everything at zero.
fn pooling(sides: &[SideWeights; 2]) -> Option<Pooling> {
    let networks = sides.each_ref().map(|side| side.network.as_deref());
    match networks {
        [None, None] => None,
        _ => Some(Pooling::new(networks.map(|network| network.unwrap_or(&Network::ZERO)))),
    }
}

impl PhaseTable {
    fn new(rule: Rule, sides: &[SideWeights; 2]) -> PhaseTable {
        let mut table = PhaseTable {
            records: [[PointRecord::default(); CODE_SLOTS]; 2],
            moves: [const { [MoveTable([0; CODE_SLOTS]), MoveTable([0; CODE_SLOTS])] }; 2],
            offsets: sides.each_ref().map(|side| side.offsets.each_ref().map(OffsetTable::new)),
            tempo: [sides[0].tempo, sides[1].tempo],
            pooling: pooling(sides),
        };
        for color in Color::ALL {
            let judge = LineJudge::of(rule, color);
            let (c, side) = (color.index(), &sides[color.index()]);
            for code in 0..CODES {
                table.records[c][code] = PointRecord {
                    value: side.values[code],
                    digest: digest(judge, lines_of(code as u16)).to_bits(),
                };
                table.moves[c][0].0[code] = side.own[code];
                table.moves[c][1].0[code] = side.theirs[code];
            }
        }
        table
    }

    /// What the networks need of the board; `None` if there are none.
    #[inline]
    pub(crate) fn pooling(&self) -> Option<&Pooling> {
        self.pooling.as_ref()
    }

    /// What `color`'s network, when it is to move, thinks of both sums of point vectors.
    #[inline]
    pub fn network(&self, color: Color, us: &[i32; LANES], them: &[i32; LANES]) -> i32 {
        self.pooling.as_ref().map_or(0, |pooling| pooling.head(color.index()).value(us, them))
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

    /// What these facts (bits 0 to 10) are worth to `color` on the move.
    #[inline]
    pub fn tempo(&self, color: Color, facts: usize) -> i16 {
        self.tempo[color.index()][facts & (TEMPO_SLOTS - 1)]
    }

    /// What points promise `color` when he plays there himself, by his own code.
    #[inline]
    pub fn own_moves(&self, color: Color) -> &MoveTable {
        &self.moves[color.index()][0]
    }

    /// What moves promise `color` by where they lie: from the opponent's last move, and from its own.
    #[inline]
    pub fn offsets(&self, color: Color) -> &[OffsetTable; 2] {
        &self.offsets[color.index()]
    }

    /// What taking points promises `color`, by the code that they have for the other one.
    #[inline]
    pub fn their_moves(&self, color: Color) -> &MoveTable {
        &self.moves[color.index()][1]
    }
}
