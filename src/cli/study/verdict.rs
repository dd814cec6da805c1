//! What the scores say, in plain words: English and Chinese.

use super::setting::{Opening, Opponent, Setting, Timing};
use super::summary::{Series, Share};
use crate::types::Rule;

/// Whom a score favours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lean {
    Even,
    Black,
    White,
}

/// How far from even a rule is, beside freestyle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Nearer,
    Alike,
    Farther,
}

fn lean(score: Share) -> Lean {
    match score.percent - 50.0 {
        off if off.abs() <= score.error => Lean::Even,
        off if off > 0.0 => Lean::Black,
        _ => Lean::White,
    }
}

/// Whether the distance to 50 % is smaller than freestyle's by more than the errors together allow for.
fn beside(score: Share, freestyle: Share) -> Beside {
    let gain = (freestyle.percent - 50.0).abs() - (score.percent - 50.0).abs();
    match gain {
        gain if gain.abs() <= score.error.hypot(freestyle.error) => Beside::Alike,
        gain if gain > 0.0 => Beside::Nearer,
        _ => Beside::Farther,
    }
}

/// The score of a rule under the conditions of `like`.
fn score_of(series: &[Series], like: Setting, rule: Rule) -> Option<Share> {
    let setting = Setting { rule, timing: Timing::AtWill, opponent: Opponent::Itself, ..like };
    series.iter().find(|series| series.setting == setting).map(|series| series.black)
}

/// The half-stone rule beside freestyle, under each condition that was played for both.
fn pairs(series: &[Series]) -> impl Iterator<Item = (Setting, Share, Share)> + '_ {
    series.iter().filter_map(|found| {
        let setting = found.setting;
        let own =
            Setting { timing: Timing::AtWill, opponent: Opponent::Itself, rule: Rule::HalfStone, ..setting };
        let freestyle = score_of(series, setting, Rule::Freestyle)?;
        (setting == own).then_some((setting, found.black, freestyle))
    })
}

/// A score as it is told.
pub(super) fn told(share: Share) -> String {
    format!("{:.1} % ± {:.1}", share.percent, share.error)
}

/// A number with commas.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One paragraph for each condition, as a list.
pub(super) fn english(series: &[Series]) -> String {
    let mut text = String::new();
    for (setting, half, freestyle) in pairs(series) {
        let from = match setting.opening {
            Opening::Empty => "from the empty board",
            Opening::Random => "from random openings",
        };
        let favour = match lean(half) {
            Lean::Even => "neither side is favoured measurably",
            Lean::Black => "Black is favoured",
            Lean::White => "White is favoured",
        };
        let beside = match beside(half, freestyle) {
            Beside::Nearer => "nearer to even than freestyle",
            Beside::Alike => "no nearer to even than freestyle, nor farther from it, within the error",
            Beside::Farther => "farther from even than freestyle",
        };
        text += &format!(
            "* **{} nodes a move, {from}:** Black scores {} under the half-stone rule and {} under freestyle: \
             {favour}, and the game is {beside}.\n",
            thousands(setting.nodes),
            told(half),
            told(freestyle),
        );
    }
    text
}

/// The same in Chinese.
pub(super) fn chinese(series: &[Series]) -> String {
    let mut text = String::new();
    for (setting, half, freestyle) in pairs(series) {
        let from = match setting.opening {
            Opening::Empty => "空盘开局",
            Opening::Random => "随机开局",
        };
        let favour = match lean(half) {
            Lean::Even => "双方机会在误差范围内相等",
            Lean::Black => "黑方占优",
            Lean::White => "白方占优",
        };
        let beside = match beside(half, freestyle) {
            Beside::Nearer => "比无禁手更接近均势",
            Beside::Alike => "与无禁手相比，离均势的距离在误差范围内相同",
            Beside::Farther => "比无禁手离均势更远",
        };
        text += &format!(
            "* **每步 {} 节点，{from}：** 黑方得分率：贴半子规则 {}，无禁手 {}。{favour}，{beside}。\n",
            thousands(setting.nodes),
            told(half),
            told(freestyle),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(percent: f64, error: f64) -> Share {
        Share { percent, error, count: 100 }
    }

    #[test]
    fn nothing_is_claimed_within_the_error() {
        assert_eq!(lean(share(52.0, 2.1)), Lean::Even);
        assert_eq!(lean(share(52.2, 2.1)), Lean::Black);
        assert_eq!(lean(share(45.0, 2.1)), Lean::White);
        // Errors of 3 and 4 make 5 together.
        assert_eq!(beside(share(53.0, 3.0), share(57.9, 4.0)), Beside::Alike);
        assert_eq!(beside(share(47.0, 3.0), share(58.1, 4.0)), Beside::Nearer);
        assert_eq!(beside(share(40.0, 3.0), share(54.9, 4.0)), Beside::Farther);
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!([7, 1_000, 12_345_678].map(thousands), ["7", "1,000", "12,345,678"]);
    }
}
