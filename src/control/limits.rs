//! What a search is allowed to use.

use std::time::{Duration, Instant};

/// The limits of one search. The first one reached ends it; with none at all it runs until it is
/// stopped, the game is proven to be decided, or the deepest iteration is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move alone; zero asks for an answer as fast as possible.
    pub turn: Option<Duration>,
    /// Time left for all the player's remaining moves. Zero when the clock has run out.
    pub time_left: Option<Duration>,
    /// Time that the player's clock gains with each move.
    pub increment: Duration,
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// When the clock started: the arrival of the command. `None` means when the search starts.
    pub started: Option<Instant>,
}
