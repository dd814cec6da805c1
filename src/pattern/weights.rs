//! The numbers of an evaluation: what codes and threats are worth, and what moves promise.

use std::sync::Arc;

use super::{CODES, Network, OFFSETS};
use crate::types::Color;

/// Entries of a tempo table: one for every combination of eleven facts.
pub const TEMPO_SLOTS: usize = 1 << 11;

/// What one colour thinks of a position in one phase of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideWeights {
    /// What a code of the colour's own is worth on an empty point, in evaluation units.
    pub values: [i16; CODES],
    /// What being on the move is worth, given the facts about both sides' hottest threats.
    pub tempo: [i16; TEMPO_SLOTS],
    /// What a stone of the colour promises on a point, by its own code there.
    pub own: [i16; CODES],
    /// What the same stone promises by the code that it takes from the other colour.
    pub theirs: [i16; CODES],
    /// What it promises by where it lies, in classes of offsets: from the opponent's last move, from its own player's.
    pub offsets: [[i16; OFFSETS]; 2],
    /// What codes are worth together, beyond the sum of the values. Without one, nothing.
    pub network: Option<Arc<Network>>,
}

impl SideWeights {
    /// Everything is worth nothing.
    pub const ZERO: SideWeights = SideWeights {
        values: [0; CODES],
        tempo: [0; TEMPO_SLOTS],
        own: [0; CODES],
        theirs: [0; CODES],
        offsets: [[0; OFFSETS]; 2],
        network: None,
    };
}

/// The numbers of both colours in both phases. Only the half-stone rule looks at `in_hand`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Once there is no half stone to place: all of the game under every other rule.
    pub after: [SideWeights; 2],
    /// While Black holds the half stone.
    pub in_hand: [SideWeights; 2],
}

impl Weights {
    /// Everything is worth nothing.
    pub const ZERO: Weights = Weights {
        after: [SideWeights::ZERO, SideWeights::ZERO],
        in_hand: [SideWeights::ZERO, SideWeights::ZERO],
    };

    /// The numbers of a colour in a phase.
    pub fn side(&self, half_in_hand: bool, color: Color) -> &SideWeights {
        if half_in_hand { &self.in_hand[color.index()] } else { &self.after[color.index()] }
    }

    /// As [`Weights::side`], to be changed.
    pub fn side_mut(&mut self, half_in_hand: bool, color: Color) -> &mut SideWeights {
        if half_in_hand { &mut self.in_hand[color.index()] } else { &mut self.after[color.index()] }
    }
}

/// The facts that choose an entry of a tempo table, one bit each. They are read off the counters of the board, as if
/// Black had no half stone in hand.
pub mod fact {
    /// The opponent can make five.
    pub const THEIR_FIVE: usize = 1;
    /// The mover can make a straight four or two fours.
    pub const OUR_WIN_FOUR: usize = 1 << 1;
    /// The opponent can make a straight four or two fours.
    pub const THEIR_WIN_FOUR: usize = 1 << 2;
    /// The mover can make a four that builds something else too.
    pub const OUR_FOUR_PLUS: usize = 1 << 3;
    /// The mover can make a plain four.
    pub const OUR_FOUR: usize = 1 << 4;
    /// The mover can make a live three that builds something else too.
    pub const OUR_THREE_PLUS: usize = 1 << 5;
    /// The mover can make a plain live three.
    pub const OUR_THREE: usize = 1 << 6;
    /// The opponent can make a four that builds something else too.
    pub const THEIR_FOUR_PLUS: usize = 1 << 7;
    /// The opponent can make a plain four.
    pub const THEIR_FOUR: usize = 1 << 8;
    /// The opponent can make a live three that builds something else too.
    pub const THEIR_THREE_PLUS: usize = 1 << 9;
    /// The opponent can make a plain live three.
    pub const THEIR_THREE: usize = 1 << 10;
    /// All facts about the opponent.
    pub const THEIRS: usize =
        THEIR_FIVE | THEIR_WIN_FOUR | THEIR_FOUR_PLUS | THEIR_FOUR | THEIR_THREE_PLUS | THEIR_THREE;
}
