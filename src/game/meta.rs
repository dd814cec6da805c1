//! What surrounds the moves of a game: names, date, claimed result, and a note for each move.

use crate::types::Color;

/// The result that a record claims. Whether the moves bear it out is for [`crate::rules`] to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// This player won.
    Won(Color),
    /// Nobody won.
    Drawn,
    /// The game is said not to be over.
    Unfinished,
}

impl Claim {
    /// `black`, `white`, `draw` or `unfinished`.
    pub const fn name(self) -> &'static str {
        match self {
            Claim::Won(Color::Black) => "black",
            Claim::Won(Color::White) => "white",
            Claim::Drawn => "draw",
            Claim::Unfinished => "unfinished",
        }
    }

    /// The claim of this name, in any letter case; `None` for any other word.
    ///
    /// ```
    /// use halfstone::game::Claim;
    /// use halfstone::types::Color;
    /// assert_eq!(Claim::from_name("Black"), Some(Claim::Won(Color::Black)));
    /// assert_eq!(Claim::from_name("both"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Claim> {
        [Claim::Won(Color::Black), Claim::Won(Color::White), Claim::Drawn, Claim::Unfinished]
            .into_iter()
            .find(|claim| claim.name().eq_ignore_ascii_case(name))
    }
}

/// What is noted beside one move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNote {
    /// How long the move took, in milliseconds.
    pub time_ms: Option<u64>,
    /// Free text; empty when there is none.
    pub comment: String,
}

/// What is noted beside a game. Empty texts are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// Tournament or occasion.
    pub event: String,
    /// Round of the tournament.
    pub round: String,
    /// When the game was played, as written.
    pub date: String,
    /// The claimed result.
    pub result: Option<Claim>,
    /// What is said to have ended the game: `five`, `time`, `resign`, …
    pub reason: String,
    /// Free text about the game as a whole.
    pub comment: String,
    /// Notes by move, in the order of the record; moves beyond the end have none.
    pub notes: Vec<MoveNote>,
}

impl Meta {
    /// The note of the move with this index, from 0.
    pub fn note(&self, index: usize) -> Option<&MoveNote> {
        self.notes.get(index)
    }

    /// The note of the move with this index, from 0, for writing.
    pub fn note_mut(&mut self, index: usize) -> &mut MoveNote {
        if self.notes.len() <= index {
            self.notes.resize(index + 1, MoveNote::default());
        }
        &mut self.notes[index]
    }
}
