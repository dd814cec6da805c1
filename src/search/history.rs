//! What the search has learnt about moves: a score per colour and move, one by the opponent's last move, one by the
//! mover's own last move, the counter-move to each move, and two killer moves per ply.

use crate::board::Board;
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

/// What the scores of the moves of one position depend on apart from the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    color: Color,
    previous: Option<Move>,
    /// Where the pairs with the opponent's last move and with the mover's own begin.
    rows: [Option<usize>; 2],
}

/// Move statistics of one thread.
#[derive(Debug)]
pub(super) struct History {
    main: [Vec<i16>; 2],
    /// By the point played one move or two moves before, and the point played.
    continuation: [Vec<i16>; 2],
    counter: [Vec<Option<Move>>; 2],
    killers: Vec<[Option<Move>; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: [vec![0; MOVE_INDEXES], vec![0; MOVE_INDEXES]],
            continuation: [vec![0; 2 * POINTS * POINTS], vec![0; 2 * POINTS * POINTS]],
            counter: [vec![None; MOVE_INDEXES], vec![None; MOVE_INDEXES]],
            killers: vec![[None; 2]; MAX_PLY + 2],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.main.iter_mut().chain(&mut self.continuation).for_each(|scores| scores.fill(0));
        self.counter.iter_mut().for_each(|moves| moves.fill(None));
        self.killers.fill([None; 2]);
    }

    /// What the scores depend on in this position.
    pub(super) fn context(&self, board: &Board) -> Context {
        let color = board.side_to_move();
        let mut last = board.moves().rev();
        let (previous, own) = (last.next(), last.next());
        let row = |mv: Option<Move>| Some((color.index() * POINTS + point(mv?)?) * POINTS);
        Context { color, previous, rows: [row(previous), row(own)] }
    }

    /// Within ±24,576.
    pub(super) fn score(&self, context: &Context, mv: Move) -> i32 {
        let mut score = i32::from(self.main[context.color.index()][index(mv)]);
        if let Some(point) = point(mv) {
            for (table, row) in self.continuation.iter().zip(context.rows) {
                score += row.and_then(|row| table.get(row + point)).map_or(0, |&score| i32::from(score));
            }
        }
        score
    }

    pub(super) fn counter(&self, color: Color, previous: Option<Move>) -> Option<Move> {
        self.counter[color.index()][index(previous?)]
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// `best` refuted the previous move at this depth; `tried` were searched before it and did not.
    pub(super) fn reward(&mut self, context: &Context, best: Move, tried: &[Move], depth: Depth, ply: usize) {
        let bonus = (16 * depth * depth + 64 * depth).clamp(0, 2_000);
        self.nudge(context, best, bonus);
        for &mv in tried {
            self.nudge(context, mv, -bonus / 2);
        }
        if let Some(previous) = context.previous {
            self.counter[context.color.index()][index(previous)] = Some(best);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    fn nudge(&mut self, context: &Context, mv: Move, bonus: i32) {
        gravitate(&mut self.main[context.color.index()][index(mv)], bonus);
        let Some(point) = point(mv) else { return };
        for (table, row) in self.continuation.iter_mut().zip(context.rows) {
            if let Some(score) = row.and_then(|row| table.get_mut(row + point)) {
                gravitate(score, bonus);
            }
        }
    }
}

/// Bounded update: the nearer the limit, the smaller the step.
fn gravitate(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}
