//! What the search has learnt about moves: a score per colour and move, one per pair of successive moves, the
//! counter-move to each move, and two killer moves per ply.

use crate::types::{Color, Depth, MARGIN, MAX_PLY, Move, PADDED_CELLS, Size};

/// Scores stay within ±this.
const LIMIT: i32 = 8_192;
/// Points of the largest board.
const POINTS: usize = Size::MAX.area();
/// Stones and half stones.
const MOVE_INDEXES: usize = 2 * PADDED_CELLS;

fn index(mv: Move) -> usize {
    usize::from(mv.to_bits()) % MOVE_INDEXES
}

/// The number of a move's point on the largest board.
fn point(mv: Move) -> Option<usize> {
    let at = mv.cell()?.index();
    let (x, y) = (at % 32 - MARGIN, at / 32 - MARGIN);
    Some(y * Size::MAX.get() + x)
}

/// Move statistics of one thread.
#[derive(Debug)]
pub(super) struct History {
    main: [Vec<i16>; 2],
    /// By the point played before and the point played.
    continuation: Vec<i16>,
    counter: [Vec<Option<Move>>; 2],
    killers: Vec<[Option<Move>; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: [vec![0; MOVE_INDEXES], vec![0; MOVE_INDEXES]],
            continuation: vec![0; 2 * POINTS * POINTS],
            counter: [vec![None; MOVE_INDEXES], vec![None; MOVE_INDEXES]],
            killers: vec![[None; 2]; MAX_PLY + 2],
        }
    }

    /// Within ±16,384.
    pub(super) fn score(&self, color: Color, previous: Option<Move>, mv: Move) -> i32 {
        let pair = pair(color, previous, mv).and_then(|i| self.continuation.get(i)).copied().unwrap_or(0);
        i32::from(self.main[color.index()][index(mv)]) + i32::from(pair)
    }

    pub(super) fn counter(&self, color: Color, previous: Option<Move>) -> Option<Move> {
        self.counter[color.index()][index(previous?)]
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// `best` refuted the previous move at this depth; `tried` were searched before it and did not.
    pub(super) fn reward(
        &mut self,
        color: Color,
        previous: Option<Move>,
        best: Move,
        tried: &[Move],
        depth: Depth,
        ply: usize,
    ) {
        let bonus = (16 * depth * depth + 64 * depth).clamp(0, 2_000);
        self.nudge(color, previous, best, bonus);
        for &mv in tried {
            self.nudge(color, previous, mv, -bonus / 2);
        }
        if let Some(previous) = previous {
            self.counter[color.index()][index(previous)] = Some(best);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    fn nudge(&mut self, color: Color, previous: Option<Move>, mv: Move, bonus: i32) {
        gravitate(&mut self.main[color.index()][index(mv)], bonus);
        if let Some(score) = pair(color, previous, mv).and_then(|i| self.continuation.get_mut(i)) {
            gravitate(score, bonus);
        }
    }
}

/// Where a pair of successive moves is kept, the second one by `color`.
fn pair(color: Color, previous: Option<Move>, mv: Move) -> Option<usize> {
    Some((color.index() * POINTS + point(previous?)?) * POINTS + point(mv)?)
}

/// Bounded update: the nearer the limit, the smaller the step.
fn gravitate(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}
