//! The words, in English and Chinese.

use super::line::{Kind, Shape};
use super::point::{Combination, Consequence, Sente};
use crate::rules::Fouls;

impl Kind {
    /// A word for programs: `straight-four`, `live-three`, …
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Five => "five",
            Kind::Overline => "overline",
            Kind::StraightFour => "straight-four",
            Kind::ClosedFour => "closed-four",
            Kind::LiveThree => "live-three",
            Kind::ClosedThree => "closed-three",
            Kind::LiveTwo => "live-two",
            Kind::ClosedTwo => "closed-two",
            Kind::DeadFour => "dead-four",
            Kind::DeadThree => "dead-three",
            Kind::DeadTwo => "dead-two",
        }
    }
}

impl Shape {
    /// The name in English, with how far apart the stones are where the field tells it.
    pub fn english(&self) -> &'static str {
        match (self.kind, self.gaps()) {
            (Kind::Five, _) => "five",
            (Kind::Overline, _) => "overline",
            (Kind::StraightFour, _) => "straight four",
            (Kind::ClosedFour, 0) => "four",
            (Kind::ClosedFour, _) => "split four",
            (Kind::LiveThree, 0) => "live three, contiguous",
            (Kind::LiveThree, _) => "live three, split",
            (Kind::ClosedThree, _) => "closed three",
            (Kind::LiveTwo, 0) => "live two, contiguous",
            (Kind::LiveTwo, 1) => "live two, split by one",
            (Kind::LiveTwo, _) => "live two, split by two",
            (Kind::ClosedTwo, _) => "closed two",
            (Kind::DeadFour, _) => "dead four",
            (Kind::DeadThree, _) => "dead three",
            (Kind::DeadTwo, _) => "dead two",
        }
    }

    /// The name in Chinese, in full: 连活三, not 连三.
    pub fn chinese(&self) -> &'static str {
        match (self.kind, self.gaps()) {
            (Kind::Five, _) => "五连",
            (Kind::Overline, _) => "长连",
            (Kind::StraightFour, _) => "活四",
            (Kind::ClosedFour, 0) => "冲四",
            (Kind::ClosedFour, _) => "跳冲四",
            (Kind::LiveThree, 0) => "连活三",
            (Kind::LiveThree, _) => "跳活三",
            (Kind::ClosedThree, _) => "眠三",
            (Kind::LiveTwo, 0) => "连活二",
            (Kind::LiveTwo, 1) => "跳活二",
            (Kind::LiveTwo, _) => "大跳活二",
            (Kind::ClosedTwo, _) => "眠二",
            (Kind::DeadFour, _) => "死四",
            (Kind::DeadThree, _) => "死三",
            (Kind::DeadTwo, _) => "死二",
        }
    }

    /// The short form of the Chinese name where there is one: 连三, 跳三, 连二, 跳二, 大跳二; else the full one.
    pub fn chinese_short(&self) -> &'static str {
        match (self.kind, self.gaps()) {
            (Kind::LiveThree, 0) => "连三",
            (Kind::LiveThree, _) => "跳三",
            (Kind::LiveTwo, 0) => "连二",
            (Kind::LiveTwo, 1) => "跳二",
            (Kind::LiveTwo, _) => "大跳二",
            _ => self.chinese(),
        }
    }
}

impl Combination {
    /// The name in English.
    pub const fn english(self) -> &'static str {
        match self {
            Combination::DoubleFour => "double four",
            Combination::FourThree => "four-three",
            Combination::DoubleThree => "double three",
        }
    }

    /// The name in Chinese.
    pub const fn chinese(self) -> &'static str {
        match self {
            Combination::DoubleFour => "四四",
            Combination::FourThree => "四三",
            Combination::DoubleThree => "三三",
        }
    }
}

impl Sente {
    /// The name in English.
    pub const fn english(self) -> &'static str {
        match self {
            Sente::Sente => "sente",
            Sente::Absolute => "absolute sente",
        }
    }

    /// The name in Chinese.
    pub const fn chinese(self) -> &'static str {
        match self {
            Sente::Sente => "先手",
            Sente::Absolute => "绝对先手",
        }
    }
}

impl Consequence {
    /// The name in English; `None` when nothing follows.
    pub fn english(self) -> Option<String> {
        match self {
            Consequence::Nothing => None,
            Consequence::Wins => Some("makes five and wins".to_owned()),
            Consequence::WinsDespite(fouls) => {
                Some(format!("makes five and wins: the five beats the foul ({})", foul_english(fouls)))
            }
            Consequence::Foul(fouls) => Some(format!("forbidden and loses: {}", foul_english(fouls))),
            Consequence::EarlyFive => Some("five before the half stone: a foul, and loses".to_owned()),
        }
    }

    /// The name in Chinese; `None` when nothing follows.
    pub fn chinese(self) -> Option<String> {
        match self {
            Consequence::Nothing => None,
            Consequence::Wins => Some("成五胜".to_owned()),
            Consequence::WinsDespite(fouls) => Some(format!("成五胜，{}失效", foul_chinese(fouls))),
            Consequence::Foul(fouls) => Some(format!("{}，判负", foul_chinese(fouls))),
            Consequence::EarlyFive => Some("未下半子而成五，犯规判负".to_owned()),
        }
    }

    /// A word for programs: `wins`, `foul`, `early-five`; `None` when nothing follows.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Consequence::Nothing => None,
            Consequence::Wins | Consequence::WinsDespite(_) => Some("wins"),
            Consequence::Foul(_) => Some("foul"),
            Consequence::EarlyFive => Some("early-five"),
        }
    }

    /// The fouls that were made, or that the five beats.
    pub fn fouls(self) -> Fouls {
        match self {
            Consequence::WinsDespite(fouls) | Consequence::Foul(fouls) => fouls,
            _ => Fouls::default(),
        }
    }
}

fn foul_english(fouls: Fouls) -> String {
    fouls.names().map(|name| name.replace('-', " ")).collect::<Vec<_>>().join(" and ")
}

fn foul_chinese(fouls: Fouls) -> String {
    let kinds = [(fouls.overline, "长连"), (fouls.double_four, "四四"), (fouls.double_three, "三三")];
    let kinds: Vec<&str> = kinds.iter().filter_map(|&(holds, kind)| holds.then_some(kind)).collect();
    format!("{}禁手", kinds.join("、"))
}
