//! The names of the opening rules.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An opening rule: how the first stones come on the board and who gets which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// A stone, and the other player chooses the colour.
    SwapAfterFirst,
    /// Three stones; keep, swap, or two more.
    Swap2,
    /// RIF's rule of 26 openings with two fifth moves.
    Rif,
    /// Yamaguchi: the number of fifth moves is told with the opening.
    Yamaguchi,
    /// Soosõrv-8: the number of fifth moves, up to 8, is told with the fourth stone.
    Soosorv8,
    /// Taraguchi-10: a swap after each stone, or ten fifth moves.
    Taraguchi10,
}

/// A word that names no opening rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown opening rule '{0}' (allowed: swap, swap2, rif, yamaguchi, soosorv8, taraguchi10)")]
pub struct OpeningRuleError(pub String);

impl OpeningRule {
    /// Every opening rule.
    pub const ALL: [OpeningRule; 6] = [
        OpeningRule::SwapAfterFirst,
        OpeningRule::Swap2,
        OpeningRule::Rif,
        OpeningRule::Yamaguchi,
        OpeningRule::Soosorv8,
        OpeningRule::Taraguchi10,
    ];

    /// The name, as it is written on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::SwapAfterFirst => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Rif => "rif",
            OpeningRule::Yamaguchi => "yamaguchi",
            OpeningRule::Soosorv8 => "soosorv8",
            OpeningRule::Taraguchi10 => "taraguchi10",
        }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OpeningRule {
    type Err = OpeningRuleError;

    /// In any letter case, `soosorv-8`, `Soosõrv` and `taraguchi` too.
    fn from_str(s: &str) -> Result<OpeningRule, OpeningRuleError> {
        let plain = s.to_lowercase().replace(['-', '_', ' '], "").replace('õ', "o");
        OpeningRule::ALL
            .into_iter()
            .find(|rule| {
                let name = rule.name();
                // The number is part of the name of two rules and may be left out.
                let short =
                    if *rule == OpeningRule::Swap2 { name } else { name.trim_end_matches(char::is_numeric) };
                plain == name || plain == short
            })
            .ok_or_else(|| OpeningRuleError(s.chars().take(32).collect()))
    }
}
