//! How a game stands, and why it was won.

use super::renju::Fouls;
use crate::types::Color;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The side to move has a move.
    Ongoing,
    /// Somebody has won.
    Won {
        /// The winner.
        winner: Color,
        /// What decided the game.
        reason: WinReason,
    },
    /// The board is full and nobody has won.
    Drawn,
}

impl Status {
    /// Whether the game is over.
    pub const fn is_over(self) -> bool {
        !matches!(self, Status::Ongoing)
    }

    /// The winner; `None` while the game goes on and after a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Status::Won { winner, .. } => Some(winner),
            Status::Ongoing | Status::Drawn => None,
        }
    }

    /// The word by which records and reports tell why the game is over: `five`, `foul`, `early-five` or `full-board`;
    /// `None` while it goes on.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Status::Ongoing => None,
            Status::Drawn => Some("full-board"),
            Status::Won { reason: WinReason::Five, .. } => Some("five"),
            Status::Won { reason: WinReason::Foul(_), .. } => Some("foul"),
            Status::Won { reason: WinReason::EarlyFive, .. } => Some("early-five"),
        }
    }
}

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// The winner has a winning row.
    Five,
    /// Black played a forbidden move of renju.
    Foul(Fouls),
    /// Black made five or more with the half stone still in hand.
    EarlyFive,
}
