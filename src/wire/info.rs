//! `INFO key value`: the settings that managers send.

use std::fmt;

use super::error::WireError;
use super::token::{Token, number, split_word};

/// Defines the keys with their names on the wire, so that the two cannot drift apart.
macro_rules! info_keys {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// The keys that managers are known to send. Those without an effect are listed too: they are silent.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum InfoKey {
            $($(#[$doc])* $variant,)+
        }

        impl InfoKey {
            /// Every key.
            pub const ALL: &'static [InfoKey] = &[$(InfoKey::$variant),+];

            /// The key as it is written on the wire, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(InfoKey::$variant => $name,)+
                }
            }
        }
    };
}

info_keys! {
    /// Time for each move in ms; 0 asks for an answer at once.
    TimeoutTurn = "timeout_turn",
    /// Time for the whole game in ms; 0 means none.
    TimeoutMatch = "timeout_match",
    /// What is left of it in ms; may be 0 or negative.
    TimeLeft = "time_left",
    /// Time in ms that the clock gains with each move.
    TimeIncrement = "time_increment",
    /// Memory limit in bytes; 0 means none.
    MaxMemory = "max_memory",
    /// Who the opponent is: 0 human, 1 engine, 2 tournament, 3 network tournament.
    GameType = "game_type",
    /// The rule's number.
    Rule = "rule",
    /// A point that the manager's user points at.
    Evaluate = "evaluate",
    /// A directory for persistent files.
    Folder = "folder",
    /// Deepest iteration.
    MaxDepth = "max_depth",
    /// Most nodes; -1 means no limit.
    MaxNode = "max_node",
    /// Search threads.
    ThreadNum = "thread_num",
    /// Size of the transposition table in KiB.
    HashSize = "hash_size",
    /// Whether to think on the opponent's time.
    Pondering = "pondering",
    /// Bit 0: board marks while searching; bit 1: detail lines.
    ShowDetail = "show_detail",
    /// Yixin tuning: width of the candidate set.
    CautionFactor = "caution_factor",
    /// Yixin tuning.
    ThreadSplitDepth = "thread_split_depth",
    /// Yixin tuning.
    VcThread = "vcthread",
    /// Yixin tuning.
    Checkmate = "checkmate",
    /// Yixin tuning.
    NBestSym = "nbestsym",
    /// Yixin tuning.
    StartDepth = "start_depth",
    /// Whether a position database may be used.
    UseDatabase = "usedatabase",
    /// Whether it may be written.
    DatabaseReadonly = "database_readonly",
    /// Ours: `random` plays the half-stone rule without knowing it.
    HalfProxy = "half_proxy",
    /// Rapfi: whether the opponent may swap.
    Swapable = "swapable",
    /// Rapfi: playing strength in percent.
    Strength = "strength",
    /// Ours: what the chance of a reduced strength is drawn from.
    StrengthSeed = "strength_seed",
    /// Rapfi: length of the game.
    MaxMoves = "max_moves",
    /// Rapfi: how a draw is scored.
    DrawResult = "draw_result",
    /// Rapfi: which search to use.
    SearchType = "search_type",
    /// Rapfi: how its evaluator treats draws.
    EvaluatorDrawBlackWinrate = "evaluator_draw_black_winrate",
    /// Rapfi: how its evaluator treats draws.
    EvaluatorDrawRatio = "evaluator_draw_ratio",
    /// `AlphaGomoku`: analysis instead of play.
    AnalysisMode = "analysis_mode",
    /// `AlphaGomoku`: time lost between manager and engine.
    ProtocolLag = "protocol_lag",
    /// `AlphaGomoku`: playing style.
    Style = "style",
    /// `AlphaGomoku`: thinking on the opponent's time.
    AutoPondering = "auto_pondering",
    /// Numbers of the search, `NAME=VALUE;NAME=VALUE…`: for measuring what a technique is worth.
    Tune = "tune",
    /// `RapfiPortal`'s own variant: a wall on a point.
    Wall = "wall",
    /// `RapfiPortal`'s own variant: a pair of portals.
    YxPortal = "yxportal",
    /// `RapfiPortal`'s own variant: no portals and walls.
    ClearPortals = "clearportals",
}

impl InfoKey {
    fn find(word: &str) -> Option<InfoKey> {
        InfoKey::ALL.iter().copied().find(|key| key.name().eq_ignore_ascii_case(word))
    }

    /// Whether the value is the rest of the line rather than an integer.
    const fn is_text(self) -> bool {
        matches!(
            self,
            InfoKey::Evaluate
                | InfoKey::Folder
                | InfoKey::HalfProxy
                | InfoKey::EvaluatorDrawBlackWinrate
                | InfoKey::EvaluatorDrawRatio
                | InfoKey::Style
                | InfoKey::Tune
                | InfoKey::Wall
                | InfoKey::YxPortal
                | InfoKey::ClearPortals
        )
    }
}

/// The value of an `INFO` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InfoValue {
    /// An integer; values beyond `i64` become the nearest one.
    Number(i64),
    /// The rest of the line, blanks included.
    Text(String),
}

/// An `INFO` line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// What is set.
    pub key: InfoKey,
    /// What it is set to.
    pub value: InfoValue,
}

impl Info {
    /// Reads what follows the word `INFO`.
    pub(super) fn parse(rest: &str) -> Result<Info, WireError> {
        let (word, rest) = split_word(rest);
        let key = InfoKey::find(word).ok_or_else(|| WireError::UnknownInfo(Token::new(word)))?;
        if key.is_text() {
            return Ok(Info { key, value: InfoValue::Text(rest.to_owned()) });
        }
        let (value, _) = split_word(rest);
        match number(value) {
            Some(value) => Ok(Info { key, value: InfoValue::Number(value) }),
            None => Err(WireError::InfoValue { key: key.name(), value: Token::new(value) }),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "INFO {}", self.key.name())?;
        match &self.value {
            InfoValue::Number(value) => write!(f, " {value}"),
            InfoValue::Text(text) if text.is_empty() => Ok(()),
            InfoValue::Text(text) => write!(f, " {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_in_any_letter_case() {
        for &key in InfoKey::ALL {
            assert_eq!(InfoKey::find(&key.name().to_ascii_uppercase()), Some(key));
        }
        assert_eq!(InfoKey::find("rule2"), None);
    }

    #[test]
    fn values_are_integers_or_the_rest_of_the_line() {
        let folder = Info::parse(r"folder C:\Program Files\gomo cup").unwrap();
        assert_eq!(folder.value, InfoValue::Text(r"C:\Program Files\gomo cup".to_owned()));
        assert_eq!(Info::parse("TIME_LEFT\t-500 junk").unwrap().value, InfoValue::Number(-500));
        for bad in ["", "rule", "timeout_turn abc", "foo bar baz"] {
            assert!(Info::parse(bad).unwrap_err().is_silent(), "{bad}");
        }
    }
}
