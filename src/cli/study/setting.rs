//! What a series of games of the study is played under.

use std::fmt;
use std::str::FromStr;

use anyhow::bail;
use clap::ValueEnum;

use crate::types::{Color, Rule};

/// How games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub(super) enum Opening {
    /// The empty board
    Empty,
    /// A few stones drawn at random, the same ones under every rule
    Random,
}

/// When Black may place the half stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Timing {
    /// Whenever the search wants to.
    AtWill,
    /// At this move of the game, an odd number, neither earlier nor later.
    At(usize),
}

/// Whom the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Opponent {
    /// Itself.
    Itself,
    /// Itself without knowledge of the half stone, [`crate::engine::proxy`]: White in even games, Black in odd ones.
    Proxy,
}

/// The conditions of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Setting {
    pub(super) nodes: u64,
    pub(super) opening: Opening,
    pub(super) rule: Rule,
    pub(super) timing: Timing,
    pub(super) opponent: Opponent,
}

impl Setting {
    /// Whether it is the half-stone rule with nothing prescribed.
    pub(super) fn is_natural(&self) -> bool {
        (self.rule, self.timing, self.opponent) == (Rule::HalfStone, Timing::AtWill, Opponent::Itself)
    }

    /// The colour that does not know the half stone in the game with this number.
    pub(super) fn proxy(&self, number: usize) -> Option<Color> {
        match self.opponent {
            Opponent::Itself => None,
            Opponent::Proxy if number.is_multiple_of(2) => Some(Color::White),
            Opponent::Proxy => Some(Color::Black),
        }
    }

    /// Which opening the game with this number has: against another opponent each is played with both colours.
    pub(super) fn opening_number(&self, number: usize) -> usize {
        match self.opponent {
            Opponent::Itself => number,
            Opponent::Proxy => number / 2,
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Opening::Empty => "empty",
            Opening::Random => "random",
        })
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Timing::AtWill => f.write_str("at-will"),
            Timing::At(number) => write!(f, "{number}"),
        }
    }
}

impl FromStr for Timing {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Timing> {
        match (text, text.parse::<usize>()) {
            ("at-will", _) => Ok(Timing::AtWill),
            ("first", _) => Ok(Timing::At(1)),
            (_, Ok(number)) if number % 2 == 1 => Ok(Timing::At(number)),
            _ => bail!("'{text}' is no moment (allowed: at-will, first, or the odd number of a move)"),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Opponent::Itself => "itself",
            Opponent::Proxy => "proxy",
        })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{},{}", self.rule, self.opening, self.nodes, self.timing, self.opponent)
    }
}

impl FromStr for Setting {
    type Err = anyhow::Error;

    /// Reads what [`Setting`]'s `Display` writes.
    fn from_str(text: &str) -> anyhow::Result<Setting> {
        let fields: Vec<&str> = text.split(',').collect();
        let &[rule, opening, nodes, timing, opponent] = fields.as_slice() else {
            bail!("'{text}' is no setting (allowed: rule,opening,nodes,half,opponent)")
        };
        let opponent = match opponent {
            "itself" => Opponent::Itself,
            "proxy" => Opponent::Proxy,
            other => bail!("'{other}' is no opponent (allowed: itself, proxy)"),
        };
        let opening = match opening {
            "empty" => Opening::Empty,
            "random" => Opening::Random,
            other => bail!("'{other}' is no opening (allowed: empty, random)"),
        };
        Ok(Setting { nodes: nodes.parse()?, opening, rule: rule.parse()?, timing: timing.parse()?, opponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_are_written() {
        for text in [
            "half-stone,empty,1000,at-will,itself",
            "half-stone,random,5000,5,itself",
            "renju,empty,1,1,proxy",
        ] {
            assert_eq!(text.parse::<Setting>().unwrap().to_string(), text);
        }
        for text in ["", "half-stone,empty,1000,at-will", "half-stone,full,1,1,itself", "go,empty,1,1,itself"]
        {
            assert!(text.parse::<Setting>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_half_stone_is_placed_at_blacks_moves() {
        assert_eq!("first".parse::<Timing>().unwrap(), Timing::At(1));
        assert!("4".parse::<Timing>().is_err() && "0".parse::<Timing>().is_err());
    }
}
