//! Numbers set by hand: what fitting starts from and is measured against.

use once_cell::sync::Lazy;

use super::weights::fact;
use super::{CODES, LineClass, LineJudge, PointClass, SideWeights, TEMPO_SLOTS, Weights, digest, lines_of};
use crate::types::{Color, Rule};

/// What a point of each class adds, [`PointClass::None`] to [`PointClass::Five`].
const CLASS_VALUE: [i16; PointClass::COUNT] = [0, 4, 4, 12, 12, 22, 28, 50, 24, 36, 70, 80, 90];
/// What each of its lines adds, in the order of [`LineClass::ALL`].
const LINE_VALUE: [i16; LineClass::COUNT] = [0, 0, 0, 1, 1, 2, 3, 4, 2, 4, 6, 2, 6, 6];
/// What Black's points are worth while the half stone is in hand, of what they are worth after it.
const IN_HAND_PERCENT: i32 = 60;

/// What playing a point of each class promises, [`PointClass::None`] to [`PointClass::Five`].
const CLASS_PROMISE: [i16; PointClass::COUNT] =
    [0, 20, 24, 50, 60, 110, 140, 300, 130, 200, 600, 1_000, 4_000];
/// What each of its lines adds, in the order of [`LineClass::ALL`].
const LINE_PROMISE: [i16; LineClass::COUNT] = [0, 0, 0, 2, 2, 4, 6, 8, 4, 8, 12, 4, 12, 12];

/// What being on the move is worth by itself.
const MOVE: i16 = 15;
/// What a fact adds to it.
const TEMPO: [(usize, i16); 7] = [
    (fact::OUR_FOUR_PLUS, 30),
    (fact::OUR_FOUR, 8),
    (fact::OUR_THREE_PLUS, 40),
    (fact::OUR_THREE, 22),
    (fact::THEIR_WIN_FOUR, -70),
    (fact::THEIR_FOUR_PLUS, -15),
    (fact::THEIR_THREE_PLUS, -12),
];

/// What a stone on a point with this code promises its own player, 0 to about 4,000.
#[inline]
pub fn hand_set_promise(code: u16) -> i16 {
    static PROMISE: Lazy<[i16; CODES]> =
        Lazy::new(|| std::array::from_fn(|code| by_class(code as u16, &CLASS_PROMISE, &LINE_PROMISE)));
    PROMISE.get(code as usize).copied().unwrap_or(0)
}

/// Adds up what the class of a code and its lines are worth. The class of a point does not depend on the rule once
/// its lines are known.
fn by_class(code: u16, classes: &[i16; PointClass::COUNT], lines: &[i16; LineClass::COUNT]) -> i16 {
    let four = lines_of(code);
    let class = digest(LineJudge::of(Rule::Freestyle, Color::White), four).class;
    classes[class.index()] + four.iter().map(|line| lines[line.index()]).sum::<i16>()
}

impl Weights {
    /// The numbers set by hand, the same for every rule.
    pub fn hand_set() -> Weights {
        Weights::alike(SideWeights {
            values: std::array::from_fn(|code| by_class(code as u16, &CLASS_VALUE, &LINE_VALUE)),
            tempo: std::array::from_fn(tempo),
            own: std::array::from_fn(|code| hand_set_promise(code as u16)),
            theirs: std::array::from_fn(|code| hand_set_promise(code as u16) / 2),
            ..SideWeights::ZERO
        })
    }

    /// The same numbers for both colours, and a guess from them for the time while the half stone is in hand: Black's
    /// shapes are then worth a tempo less.
    fn alike(live: SideWeights) -> Weights {
        let mut black = live.clone();
        black.values = live.values.map(|value| (i32::from(value) * IN_HAND_PERCENT / 100) as i16);
        black.tempo = std::array::from_fn(|facts| live.tempo[ours_delayed(facts)]);
        let mut white = live.clone();
        white.tempo = std::array::from_fn(|facts| live.tempo[theirs_delayed(facts)]);
        Weights { after: [live.clone(), live], in_hand: [black, white] }
    }
}

fn tempo(facts: usize) -> i16 {
    MOVE + TEMPO.iter().filter(|(fact, _)| facts & fact != 0).map(|(_, worth)| worth).sum::<i16>()
}

/// The facts with the mover's threats one tempo later: a straight four acts like a live three, the rest like less.
fn ours_delayed(facts: usize) -> usize {
    let three = if facts & fact::OUR_WIN_FOUR != 0 { fact::OUR_THREE } else { 0 };
    facts & fact::THEIRS | three
}

/// The facts with the opponent's threats one tempo later.
fn theirs_delayed(facts: usize) -> usize {
    let three = if facts & fact::THEIR_WIN_FOUR != 0 { fact::THEIR_THREE } else { 0 };
    facts & (TEMPO_SLOTS - 1) & !fact::THEIRS | three
}
