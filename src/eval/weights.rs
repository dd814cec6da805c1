//! The numbers of the evaluation, set by hand: what a code is worth on an empty point.

use crate::pattern::{CODES, LineClass, LineJudge, PointClass, Weights, digest, lines_of};
use crate::types::{Color, Rule, Score};

/// What Black's points are worth while the half stone is in hand, of what they are worth after it.
pub(super) const IN_HAND_PERCENT: Score = 60;

/// What a point of each class adds, [`PointClass::None`] to [`PointClass::Five`].
const CLASS_VALUE: [i16; PointClass::COUNT] = [0, 4, 4, 12, 12, 22, 28, 50, 24, 36, 70, 80, 90];
/// What each of its lines adds, [`LineClass::Dead`] to [`LineClass::Five`].
const LINE_VALUE: [i16; LineClass::COUNT] = [0, 0, 0, 1, 1, 2, 3, 4, 2, 4, 6, 2, 6, 6];
/// The value of every code for either colour.
pub(super) fn point_weights() -> Weights {
    let mut weights = Weights::ZERO;
    for code in 0..CODES {
        let lines = lines_of(code as u16);
        let class = digest(LineJudge::of(Rule::Freestyle, Color::White), lines).class;
        let value = CLASS_VALUE[class.index()] + lines.iter().map(|l| LINE_VALUE[l.index()]).sum::<i16>();
        weights.values.iter_mut().for_each(|values| values[code] = value);
    }
    weights
}
