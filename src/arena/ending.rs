//! How a game ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Claim;
use crate::rules::{Status, WinReason};
use crate::types::Color;

/// Who has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody.
    Nobody,
}

impl Winner {
    /// Whether this colour has won.
    pub fn is(self, color: Color) -> bool {
        self == Winner::from(color)
    }

    /// As a record claims it.
    pub fn claim(self) -> Claim {
        match self {
            Winner::Black => Claim::Won(Color::Black),
            Winner::White => Claim::Won(Color::White),
            Winner::Nobody => Claim::Drawn,
        }
    }
}

impl From<Color> for Winner {
    fn from(color: Color) -> Winner {
        match color {
            Color::Black => Winner::Black,
            Color::White => Winner::White,
        }
    }
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A winning row.
    Five,
    /// A forbidden move of renju.
    Foul,
    /// Five before the half stone.
    EarlyFive,
    /// The board is full.
    FullBoard,
    /// The limit of moves was reached.
    MaxMoves,
    /// The loser's own evaluation was hopeless for long enough.
    Resign,
    /// A move that cannot be played, or an answer to swap2 that means nothing.
    Illegal,
    /// No move in time.
    Time,
    /// The process ended or closed its output.
    Crash,
    /// The engine could not be started or refused the game.
    Start,
    /// More output than anybody could want.
    Flood,
    /// More memory than allowed.
    Memory,
}

impl Reason {
    /// The word that records and reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Five => "five",
            Reason::Foul => "foul",
            Reason::EarlyFive => "early-five",
            Reason::FullBoard => "full-board",
            Reason::MaxMoves => "max-moves",
            Reason::Resign => "resign",
            Reason::Illegal => "illegal",
            Reason::Time => "time",
            Reason::Crash => "crash",
            Reason::Start => "start",
            Reason::Flood => "flood",
            Reason::Memory => "memory",
        }
    }

    /// Whether the loser has misbehaved rather than been beaten.
    pub const fn is_misbehaviour(self) -> bool {
        matches!(
            self,
            Reason::Illegal | Reason::Time | Reason::Crash | Reason::Start | Reason::Flood | Reason::Memory
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Who has won.
    pub winner: Winner,
    /// Why.
    pub reason: Reason,
    /// More of it, in words; may be empty.
    #[serde(default)]
    pub detail: String,
}

impl Ending {
    /// The ending that the board shows; `None` while the game goes on.
    pub(super) fn on_board(status: Status) -> Option<Ending> {
        let (winner, reason, detail) = match status {
            Status::Ongoing => return None,
            Status::Drawn => (Winner::Nobody, Reason::FullBoard, String::new()),
            Status::Won { winner, reason: WinReason::Five } => (winner.into(), Reason::Five, String::new()),
            Status::Won { winner, reason: WinReason::EarlyFive } => {
                (winner.into(), Reason::EarlyFive, String::new())
            }
            Status::Won { winner, reason: WinReason::Foul(fouls) } => {
                let names: Vec<&str> = fouls.names().collect();
                (winner.into(), Reason::Foul, names.join(", "))
            }
        };
        Some(Ending { winner, reason, detail })
    }
}

impl fmt::Display for Ending {
    /// `time: no move within 50 + 1000 ms`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.name())?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Fouls;

    #[test]
    fn the_board_and_the_report_use_the_same_words() {
        let won = |reason| Status::Won { winner: Color::White, reason };
        let over = [Status::Drawn, won(WinReason::Five), won(WinReason::EarlyFive)];
        for status in over.into_iter().chain([won(WinReason::Foul(Fouls::default()))]) {
            let ending = Ending::on_board(status).unwrap();
            assert_eq!(Some(ending.reason.name()), status.reason());
        }
        assert_eq!((Ending::on_board(Status::Ongoing), Status::Ongoing.reason()), (None, None));
    }
}
