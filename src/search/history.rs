//! What the search has learnt about moves: a score per colour and move, one by the opponent's last move, one by the
//! mover's own last move, the counter-move to each move, and two killer moves per ply.

use crate::board::Board;
use crate::types::{Color, Depth, MARGIN, MAX_PLY, Move, PADDED_CELLS, STRIDE, Size};

/// Scores stay within ±this.
const LIMIT: i32 = 8_192;
/// Stones and half stones.
const MOVE_INDEXES: usize = 2 * PADDED_CELLS;
/// Points of the largest board, rounded up to a power of two, so that a masked index needs no check.
const POINTS: usize = 512;
/// The number of no point: scores here stay zero.
const NOWHERE: usize = Size::MAX.area();
const _: () = assert!(NOWHERE < POINTS);

/// One score for each move.
type MoveScores = [i16; MOVE_INDEXES];
/// One score for each point that a move can go to.
type PointScores = [i16; POINTS];
/// A row of scores per colour and point.
type RowTable = [PointScores; 2 * POINTS];

fn index(mv: Move) -> usize {
    usize::from(mv.to_bits()) % MOVE_INDEXES
}

/// The number of a move's point on the largest board, or [`NOWHERE`] for a pass.
#[inline]
fn point(mv: Move) -> usize {
    const WIDTH: usize = Size::MAX.get();
    let Some(cell) = mv.cell() else { return NOWHERE };
    // y * WIDTH + x, where the index is (y + MARGIN) * STRIDE + x + MARGIN.
    let index = cell.index();
    index.wrapping_sub(index / STRIDE * (STRIDE - WIDTH) + MARGIN * (WIDTH + 1)) % POINTS
}

/// What the scores of the moves of one position depend on apart from the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    color: Color,
    previous: Option<Move>,
    /// The rows of the pairs with the opponent's last move and with the mover's own.
    rows: [usize; 2],
}

/// The scores of the moves of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scores<'a> {
    main: &'a MoveScores,
    rows: [&'a PointScores; 2],
}

impl Scores<'_> {
    /// Within ±24,576.
    #[inline]
    pub(super) fn of(&self, mv: Move) -> i32 {
        let point = point(mv);
        i32::from(self.main[index(mv)]) + i32::from(self.rows[0][point]) + i32::from(self.rows[1][point])
    }
}

/// Move statistics of one thread.
#[derive(Debug)]
pub(super) struct History {
    main: [Box<MoveScores>; 2],
    /// By the point played one move or two moves before, and the point played.
    continuation: [Box<RowTable>; 2],
    counter: [Vec<Option<Move>>; 2],
    killers: Vec<[Option<Move>; 2]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: std::array::from_fn(|_| bytemuck::zeroed_box()),
            continuation: std::array::from_fn(|_| bytemuck::zeroed_box()),
            counter: [vec![None; MOVE_INDEXES], vec![None; MOVE_INDEXES]],
            killers: vec![[None; 2]; MAX_PLY + 2],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.main.iter_mut().for_each(|scores| scores.fill(0));
        self.continuation.iter_mut().for_each(|rows| rows.as_flattened_mut().fill(0));
        self.counter.iter_mut().for_each(|moves| moves.fill(None));
        self.killers.fill([None; 2]);
    }

    /// What the scores depend on in this position.
    pub(super) fn context(&self, board: &Board) -> Context {
        let color = board.side_to_move();
        let mut last = board.moves().rev();
        let (previous, own) = (last.next(), last.next());
        let row = |mv: Option<Move>| color.index() * POINTS + mv.map_or(NOWHERE, point);
        Context { color, previous, rows: [row(previous), row(own)] }
    }

    /// The scores of the moves of a position.
    #[inline]
    pub(super) fn scores(&self, context: &Context) -> Scores<'_> {
        let row = |n: usize| &self.continuation[n][context.rows[n] % (2 * POINTS)];
        Scores { main: &self.main[context.color.index()], rows: [row(0), row(1)] }
    }

    /// The score of one move, as [`Scores::of`].
    #[inline]
    pub(super) fn score(&self, context: &Context, mv: Move) -> i32 {
        self.scores(context).of(mv)
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
        let point = point(mv);
        for (table, row) in self.continuation.iter_mut().zip(context.rows) {
            if point != NOWHERE && row % POINTS != NOWHERE {
                gravitate(&mut table[row][point], bonus);
            }
        }
    }
}

/// Bounded update: the nearer the limit, the smaller the step.
fn gravitate(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}
