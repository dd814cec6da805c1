//! Choosing and judging openings by search: the three cases of swap2, and balanced moves.

use std::time::{Duration, Instant};

use super::Answer;
use super::task::Job;
use crate::control::{Clock, Limits};
use crate::game::GameRecord;
use crate::types::{Color, Move, Score, Size};

/// Patterns of three stones (Black, White, Black) around the centre to choose a swap2 opening from, as offsets.
/// Ordinary shapes of neither colour's liking; which of them is most even is found by search.
const SWAP2_SHAPES: [[(i32, i32); 3]; 12] = [
    [(0, 0), (1, 0), (-4, 2)],
    [(0, 0), (1, 1), (-3, 3)],
    [(-2, -2), (0, 0), (3, -1)],
    [(-3, 0), (0, 0), (2, 2)],
    [(-3, 1), (0, 0), (3, 2)],
    [(-2, 3), (0, 0), (3, 0)],
    [(-4, -1), (0, 0), (1, 4)],
    [(-2, 0), (1, 0), (0, 4)],
    [(0, -4), (0, 0), (2, 3)],
    [(-3, -3), (0, 0), (4, 1)],
    [(-1, -3), (0, 0), (-1, 4)],
    [(-4, 0), (0, 0), (0, 3)],
];
/// Nodes to judge one position when there is no clock.
const DEFAULT_NODES: u64 = 20_000;
/// Positions that [`balance_two`] searches.
const PAIRS: usize = 60;

/// Three stones that make an even game: the shape whose search score for White, to move, is nearest to zero.
pub(super) fn swap2_open(job: &Job) -> Vec<Move> {
    let openings = SWAP2_SHAPES.iter().filter_map(|shape| shape_on(job.game.size(), shape));
    let mut fallback: Vec<Move> = job.game.size().cells().take(3).map(Move::stone).collect();
    let judge = Judge::new(job, SWAP2_SHAPES.len());
    let mut least = Score::MAX;
    for moves in openings {
        let mut game = GameRecord::new(job.game.rule(), job.game.size());
        moves.iter().for_each(|&mv| game.push(mv));
        let uneven = judge.score(&game).abs();
        if uneven < least {
            least = uneven;
            fallback = moves;
        }
    }
    fallback
}

fn shape_on(size: Size, shape: &[(i32, i32); 3]) -> Option<Vec<Move>> {
    let center = size.center();
    shape
        .iter()
        .map(|&(dx, dy)| {
            let (x, y) = (center.x() as i64 + i64::from(dx), center.y() as i64 + i64::from(dy));
            crate::types::Cell::from_wire(x, y, size).map(Move::stone)
        })
        .collect()
}

/// With White to move after three or five stones: keep White with the best move if it stands no worse, else swap.
///
/// After three stones the rules also allow placing two more and leaving the choice to the opponent; since that
/// opponent takes the better side, it can never be worth more than the better of the first two choices.
pub(super) fn swap2_choose(job: &Job) -> Answer {
    match job.search(&job.game, &job.limits, 1, |_| {}) {
        Some(outcome) if outcome.score >= 0 => Answer::Moves(vec![outcome.best]),
        _ => Answer::Swap,
    }
}

/// The move after which the mover's score is nearest to `bias`.
pub(super) fn balance_one(job: &Job, bias: Score) -> Vec<Move> {
    let moves = single_moves(&job.game);
    let judge = Judge::new(job, moves.len());
    nearest(bias, moves.into_iter().map(|mv| vec![mv]), |line| {
        let game = played(&job.game, line);
        // After one move the opponent is to move: his score is the negative of ours.
        -judge.score(&game)
    })
}

/// The two successive moves (ours, then the opponent's) after which the mover's score is nearest to `bias`.
pub(super) fn balance_two(job: &Job, bias: Score) -> Vec<Move> {
    let mut pairs = Vec::new();
    for first in single_moves(&job.game) {
        let game = played(&job.game, &[first]);
        pairs.extend(single_moves(&game).into_iter().map(|second| vec![first, second]));
    }
    // A spread over all pairs rather than the first ones, which all begin alike.
    let step = pairs.len().div_ceil(PAIRS).max(1);
    let pairs: Vec<_> = pairs.into_iter().step_by(step).collect();
    let judge = Judge::new(job, pairs.len());
    nearest(bias, pairs.into_iter(), |line| judge.score(&played(&job.game, line)))
}

fn nearest(
    bias: Score,
    lines: impl Iterator<Item = Vec<Move>>,
    score: impl Fn(&[Move]) -> Score,
) -> Vec<Move> {
    lines.min_by_key(|line| (score(line) - bias).abs()).unwrap_or_default()
}

fn played(game: &GameRecord, moves: &[Move]) -> GameRecord {
    let mut game = game.clone();
    moves.iter().for_each(|&mv| game.push(mv));
    game
}

/// Ordinary stones near the others that neither end the game nor are forbidden.
fn single_moves(game: &GameRecord) -> Vec<Move> {
    use crate::pattern::PointClass;
    let board = super::board(game);
    let us = board.side_to_move();
    let cells: Vec<_> =
        board.candidates().filter(|&cell| board.class(us, cell) != PointClass::Five).collect();
    cells
        .into_iter()
        .filter(|&cell| us == Color::White || !board.is_forbidden(cell))
        .map(Move::stone)
        .collect()
}

/// Judges several positions within one time limit, each with an equal share.
struct Judge<'a> {
    job: &'a Job,
    share: Option<Duration>,
}

impl Judge<'_> {
    fn new(job: &Job, positions: usize) -> Judge<'_> {
        let clock = Clock::new(&job.limits);
        let share = clock.remaining().map(|left| left / positions.max(1) as u32);
        Judge { job, share }
    }

    /// The score for the side to move.
    fn score(&self, game: &GameRecord) -> Score {
        let limits = Limits {
            turn: self.share,
            nodes: self.job.limits.nodes.or(self.share.is_none().then_some(DEFAULT_NODES)),
            depth: self.job.limits.depth,
            started: Some(Instant::now()),
            ..Limits::default()
        };
        self.job.search(game, &limits, 1, |_| {}).map_or(0, |outcome| outcome.score)
    }
}
