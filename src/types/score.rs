//! Scores, depths and bounds.
//!
//! A score is seen from the side to move. Ordinary evaluations stay within ±[`MATE_IN_MAX_PLY`]; beyond it a score
//! says "won (or lost) in this many plies".

/// A score in evaluation units (about 200 to a win probability of 73 %), side to move's view.
pub type Score = i32;

/// Search depth in plies.
pub type Depth = i32;

/// The deepest ply that a search may reach: one game on the largest board.
pub const MAX_PLY: usize = 512;
/// A drawn position.
pub const DRAW: Score = 0;
/// The score of a win on the spot; a win in `n` plies is `MATE - n`.
pub const MATE: Score = 30_000;
/// The smallest score that means a proven win.
pub const MATE_IN_MAX_PLY: Score = MATE - MAX_PLY as Score;
/// Larger than every score.
pub const INFINITE: Score = 32_000;

/// The score of winning `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of losing `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The score is exact.
    Exact = 3,
}
