//! The line judge: what a finished run of stones means under each rule. Everything else follows from it.

use crate::types::{Color, Rule};

/// What stands at one end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flank {
    /// An empty point.
    Empty,
    /// A stone of the other colour.
    Enemy,
    /// The edge of the board, the half stone or a blocked point.
    Wall,
}

/// What the judge says of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Nothing,
    /// The run wins.
    Win,
    /// The run is too long to win; for Black under renju, a foul.
    TooLong,
}

/// Which runs win for one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineJudge {
    /// Five or more.
    FiveOrMore,
    /// Exactly five.
    ExactFive,
    /// Exactly five; longer runs and two fours in one line are fouls.
    RenjuBlack,
    /// Exactly five not enclosed by enemy stones at both ends, or six and more.
    Caro,
    /// Exactly five not enclosed by enemy stones at both ends.
    CaroFive,
}

impl LineJudge {
    /// The judge for `color` under `rule`. The half-stone rule judges as freestyle does: that a five of Black's is
    /// a foul while the half stone is in hand is a matter of the position, not of the line.
    pub const fn of(rule: Rule, color: Color) -> LineJudge {
        match (rule, color) {
            (Rule::Freestyle | Rule::HalfStone, _) | (Rule::Renju, Color::White) => LineJudge::FiveOrMore,
            (Rule::Standard, _) => LineJudge::ExactFive,
            (Rule::Renju, Color::Black) => LineJudge::RenjuBlack,
            (Rule::Caro, _) => LineJudge::Caro,
            (Rule::CaroFive, _) => LineJudge::CaroFive,
        }
    }

    /// Judges a run of `length` stones between two flanks.
    ///
    /// ```
    /// use halfstone::pattern::{Flank::*, LineJudge, Verdict};
    /// assert_eq!(LineJudge::Caro.judge(5, Enemy, Wall), Verdict::Win);
    /// assert_eq!(LineJudge::Caro.judge(5, Enemy, Enemy), Verdict::Nothing);
    /// assert_eq!(LineJudge::ExactFive.judge(6, Empty, Empty), Verdict::TooLong);
    /// ```
    pub fn judge(self, length: usize, left: Flank, right: Flank) -> Verdict {
        let enclosed = left == Flank::Enemy && right == Flank::Enemy;
        match (self, length) {
            (_, 0..=4) => Verdict::Nothing,
            (LineJudge::Caro | LineJudge::CaroFive, 5) if enclosed => Verdict::Nothing,
            (_, 5) | (LineJudge::FiveOrMore | LineJudge::Caro, _) => Verdict::Win,
            (LineJudge::ExactFive | LineJudge::RenjuBlack | LineJudge::CaroFive, _) => Verdict::TooLong,
        }
    }

    /// Whether an enemy stone and a wall differ at the end of a run.
    pub const fn tells_enemy_from_wall(self) -> bool {
        matches!(self, LineJudge::Caro | LineJudge::CaroFive)
    }
}
