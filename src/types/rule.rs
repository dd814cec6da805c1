//! The rules that can be played, by name and by `INFO rule` number.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A rule set. What each one means is written in `docs/rules.md` and coded, slowly, in [`crate::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rule {
    /// Five or more wins.
    Freestyle = 0,
    /// Exactly five wins.
    Standard = 1,
    /// Black: exactly five, with fouls; White: five or more.
    Renju = 2,
    /// Exactly five not enclosed by enemy stones at both ends, or six and more.
    Caro = 3,
    /// Exactly five not enclosed by enemy stones at both ends.
    CaroFive = 4,
    /// Freestyle in which Black must have placed a dead half stone before making a five.
    HalfStone = 5,
}

/// A word that names no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown rule '{0}' (allowed: freestyle, standard, renju, caro, caro-five, half-stone, or 0, 1, 4, 8, 9, 32)"
)]
pub struct RuleError(pub String);

impl Rule {
    /// All rules, in the order of their discriminants.
    pub const ALL: [Rule; 6] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroFive, Rule::HalfStone];

    /// 0 to 5: an index for per-rule arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number that `INFO rule` uses.
    pub const fn info_value(self) -> i64 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroFive => 9,
            Rule::HalfStone => 32,
        }
    }

    /// The rule behind an `INFO rule` number; `None` for a number that stands for no rule played here.
    ///
    /// ```
    /// use halfstone::types::Rule;
    /// assert_eq!(Rule::from_info(4), Some(Rule::Renju));
    /// assert_eq!(Rule::from_info(3), None);
    /// ```
    pub fn from_info(value: i64) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.info_value() == value)
    }

    /// The name, as in text output: `freestyle`, `caro-five`, …
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroFive => "caro-five",
            Rule::HalfStone => "half-stone",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    /// By name (any letter case, `halfstone` and `half_stone` too) or by `INFO rule` number.
    fn from_str(s: &str) -> Result<Rule, RuleError> {
        // The text may come from a file and go to a terminal.
        let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let error = || RuleError(s.chars().take(32).map(shown).collect());
        if let Ok(number) = s.parse() {
            return Rule::from_info(number).ok_or_else(error);
        }
        let plain: String = s.to_ascii_lowercase().replace(['-', '_'], "");
        Rule::ALL.into_iter().find(|rule| rule.name().replace('-', "") == plain).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_round_trip() {
        for rule in Rule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
            assert_eq!(rule.info_value().to_string().parse(), Ok(rule));
            assert_eq!(Rule::ALL[rule.index()], rule);
        }
        assert_eq!("HalfStone".parse(), Ok(Rule::HalfStone));
        assert!("go".parse::<Rule>().is_err() && "2".parse::<Rule>().is_err());
        assert_eq!("\x1b[7m".parse::<Rule>(), Err(RuleError("\u{fffd}[7m".to_owned())));
    }
}
