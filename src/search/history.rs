//! What the search has learnt about moves: a score per colour and move, the counter-move to each move, and two
//! killer moves per ply.

use crate::types::{Color, Depth, MAX_PLY, Move, PADDED_CELLS};

const LIMIT: i32 = 10_000;
/// Stones and half stones.
const MOVE_INDEXES: usize = 2 * PADDED_CELLS;

fn index(mv: Move) -> usize {
    usize::from(mv.to_bits()) % MOVE_INDEXES
}

/// Move statistics of one thread.
#[derive(Debug)]
pub(super) struct History {
    main: [Vec<i16>; 2],
    counter: [Vec<Option<Move>>; 2],
    killers: Vec<[Option<Move>; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: [vec![0; MOVE_INDEXES], vec![0; MOVE_INDEXES]],
            counter: [vec![None; MOVE_INDEXES], vec![None; MOVE_INDEXES]],
            killers: vec![[None; 2]; MAX_PLY + 2],
        }
    }

    /// Within ±10,000.
    pub(super) fn score(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.main[color.index()][index(mv)])
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
        let bonus = (25 * depth * depth + 105 * depth - 100).clamp(0, 2_500);
        self.nudge(color, best, bonus);
        for &mv in tried {
            self.nudge(color, mv, -bonus / 2);
        }
        if let Some(previous) = previous {
            self.counter[color.index()][index(previous)] = Some(best);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    /// Bounded gravity update: the nearer the limit, the smaller the step.
    fn nudge(&mut self, color: Color, mv: Move, bonus: i32) {
        let score = &mut self.main[color.index()][index(mv)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}
