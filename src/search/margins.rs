//! The numbers of the search, each behind a name and a line of why. Depths are in plies, scores in evaluation units.

use once_cell::sync::Lazy;

use crate::types::{Depth, Score};

/// Deepest node at which razoring is tried.
pub(super) const RAZOR_DEPTH: Depth = 2;
/// Deepest node at which the static null move is tried.
pub(super) const STATIC_NULL_DEPTH: Depth = 8;
/// Shallowest node that is searched less deeply for want of a table move.
pub(super) const IIR_DEPTH: Depth = 4;
/// Deepest reduced search below which a quiet move must promise to reach the window.
pub(super) const FUTILITY_DEPTH: Depth = 6;

/// How far below the window an evaluation must be for razoring.
pub(super) fn razor(depth: Depth) -> Score {
    90 + 80 * depth
}

/// How far above the window an evaluation must be for the static null move.
pub(super) fn static_null(depth: Depth, improving: bool) -> Score {
    60 * (depth - Depth::from(improving))
}

/// The most that a quiet move is expected to add, by the depth it would be searched to.
pub(super) fn futility(reduced: Depth) -> Score {
    90 + 70 * reduced.max(0)
}

/// How many moves a node looks at: the rest come too late to matter.
pub(super) fn late_move_limit(depth: Depth, improving: bool) -> usize {
    static LIMITS: Lazy<[[usize; DEPTHS]; 2]> = Lazy::new(|| {
        let limit = |depth: usize| 5.0 + 1.5 * (depth as f64).powf(1.6);
        [
            std::array::from_fn(|depth| ((limit(depth) / 2.0) as usize).max(3)),
            std::array::from_fn(|depth| limit(depth) as usize),
        ]
    });
    LIMITS[usize::from(improving)][slot(depth)]
}

/// Late-move reduction before its corrections, in 1/1024 plies: grows with the logarithms of depth and move number.
pub(super) fn reduction(depth: Depth, index: usize) -> i32 {
    static TABLE: Lazy<Box<[[i32; MOVES]; DEPTHS]>> = Lazy::new(|| {
        let ln = |n: usize| (n.max(1) as f64).ln();
        Box::new(std::array::from_fn(|d| {
            std::array::from_fn(|i| (1024.0 * (0.3 + 0.8 * ln(d) * ln(i + 1))) as i32)
        }))
    });
    TABLE[slot(depth)][index.min(MOVES - 1)]
}

/// Taken off the reduction of a move with full history, in 1/1024 plies per point of history.
pub(super) fn history_credit(history: i32) -> i32 {
    history / 3
}

const DEPTHS: usize = 64;
const MOVES: usize = 128;

fn slot(depth: Depth) -> usize {
    (depth.max(0) as usize).min(DEPTHS - 1)
}
