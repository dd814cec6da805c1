//! Choosing and judging openings by search: swap2 as managers ask for it, balanced moves, and the decisions of every
//! opening rule of [`crate::game::opening`].
//!
//! Three questions come up again and again. *How even* is a position: the nearer the score to zero, the less it
//! matters who chooses the colour. *Who stands better*: he who may swap takes that side. And *what are n fifth moves
//! worth*: White picks the weakest, so they are worth what the n-th best of them is.

use std::time::{Duration, Instant};

use super::Answer;
use super::task::Job;
use crate::control::{Clock, Limits};
use crate::game::GameRecord;
use crate::game::opening::{Choice, Demand, NAMED, Opening, OpeningRule, Zone, distinct};
use crate::types::{Cell, Color, Move, Rule, Score, Size};

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
/// The least nodes for one position when a node limit is shared out.
const LEAST_NODES: u64 = 500;
/// Positions that [`balance_two`] searches.
const PAIRS: usize = 60;
/// White's fourth stones that are tried before a number of fifth moves is told.
const FOURTHS: usize = 6;

/// Three stones that make an even game: the shape whose search score for White, to move, is nearest to zero.
pub(super) fn swap2_open(job: &Job) -> Vec<Move> {
    let openings = SWAP2_SHAPES.iter().filter_map(|shape| shape_on(job.game.size(), shape)).collect();
    let first_three = || job.game.size().cells().take(3).map(Move::stone).collect();
    most_even(job, openings).unwrap_or_else(first_three)
}

/// One of the 26 openings, the most even.
pub(super) fn renju_open(job: &Job) -> Vec<Move> {
    let cells = NAMED.iter().filter_map(|named| named.cells(job.game.size()));
    let openings = cells.map(|cells| cells.into_iter().map(Move::stone).collect()).collect();
    most_even(job, openings).unwrap_or_default()
}

/// The opening from the empty board whose score is nearest to zero.
fn most_even(job: &Job, openings: Vec<Vec<Move>>) -> Option<Vec<Move>> {
    let judge = Judge::new(job, openings.len());
    let empty = GameRecord::new(job.game.rule(), job.game.size());
    judge.least(openings, |moves| judge.score(&played(&empty, moves)).abs())
}

fn shape_on(size: Size, shape: &[(i32, i32); 3]) -> Option<Vec<Move>> {
    let center = size.center();
    shape
        .iter()
        .map(|&(dx, dy)| {
            let (x, y) = (center.x() as i64 + i64::from(dx), center.y() as i64 + i64::from(dy));
            Cell::from_wire(x, y, size).map(Move::stone)
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
    // After one move the opponent is to move: his score is the negative of ours.
    let score = |mv: &Move| -judge.score(&played(&job.game, &[*mv]));
    // Where every move ends the game, one of them is still the answer.
    let any = || judge.best_within(&job.game, &job.limits).map(Move::stone);
    judge.least(moves, |mv| (score(mv) - bias).abs()).or_else(any).into_iter().collect()
}

/// The two successive moves (ours, then the opponent's) after which the mover's score is nearest to `bias`.
pub(super) fn balance_two(job: &Job, bias: Score) -> Vec<Move> {
    let clock = Judge::new(job, 1);
    // A spread over all pairs rather than the first ones, which all begin alike.
    let firsts = spread(single_moves(&job.game), PAIRS, 0);
    let seconds = PAIRS / firsts.len().max(1);
    let mut pairs = Vec::new();
    for (i, first) in firsts.into_iter().enumerate() {
        if !pairs.is_empty() && clock.is_over() {
            break;
        }
        let game = played(&job.game, &[first]);
        pairs.extend(spread(single_moves(&game), seconds, i).into_iter().map(|second| vec![first, second]));
    }
    let judge = Judge::new(job, pairs.len());
    let score = |pair: &Vec<Move>| judge.score(&played(&job.game, pair));
    judge.least(pairs, |pair| (score(pair) - bias).abs()).unwrap_or_default()
}

/// At most so many of the moves, at equal distances; `turn` says which of them comes first.
fn spread(moves: Vec<Move>, most: usize, turn: usize) -> Vec<Move> {
    let step = moves.len().div_ceil(most.max(1)).max(1);
    moves.into_iter().skip(turn % step).step_by(step).collect()
}

/// The decision that an opening asks for. It is always an allowed one, while there is one.
pub(super) fn decide(job: &Job, opening: &Opening) -> Option<Choice> {
    let record = opening.record();
    let choice = match opening.demand()? {
        Demand::Stone(zone) => stone(job, opening, zone).map(Choice::Stone),
        Demand::StoneAndCount { zone, most } => stone_and_count(job, opening, zone, most),
        Demand::Swap | Demand::SwapOrAdd => Some(keep_or_swap(job, opening)),
        Demand::Offer(count) => Some(Choice::Offer(best_distinct(&Judge::new(job, 1), record, count).0)),
        Demand::StoneOrOffer { zone, count } => Some(fifth(job, record, zone, count)),
        Demand::Pick => pick(job, opening).map(Choice::Pick),
    };
    choice.filter(|choice| opening.clone().choose(choice).is_ok()).or_else(|| any_choice(opening))
}

/// An allowed decision without any thought.
pub(super) fn any_choice(opening: &Opening) -> Option<Choice> {
    let record = opening.record();
    let free = |zone: Zone| {
        let size = record.size();
        size.cells().filter(move |&cell| zone.contains(cell, size) && record.piece_at(cell).is_none())
    };
    Some(match opening.demand()? {
        Demand::Stone(zone) | Demand::StoneOrOffer { zone, .. } => Choice::Stone(free(zone).next()?),
        Demand::StoneAndCount { zone, .. } => Choice::StoneAndCount(free(zone).next()?, 1),
        Demand::Swap | Demand::SwapOrAdd => Choice::Keep,
        Demand::Offer(count) => {
            let mut cells = distinct(record, &free(Zone::ANYWHERE).collect::<Vec<_>>());
            cells.truncate(count);
            Choice::Offer(cells)
        }
        Demand::Pick => Choice::Pick(*opening.offers().first()?),
    })
}

/// A stone of the opening: an even one while the opponent may still choose the colour, else the best.
fn stone(job: &Job, opening: &Opening, zone: Zone) -> Option<Cell> {
    let record = opening.record();
    let cells = stones_in(record, zone);
    if let &[only] = cells.as_slice() {
        return Some(only);
    }
    let placed = record.moves();
    let plan = match (opening.rule(), placed.len()) {
        (OpeningRule::Swap2, 0..=2) => {
            let shapes = SWAP2_SHAPES.iter().filter_map(|shape| shape_on(record.size(), shape));
            most_even(job, shapes.filter(|moves| moves.starts_with(placed)).collect())
        }
        (OpeningRule::Rif | OpeningRule::Yamaguchi | OpeningRule::Soosorv8, 1) => Some(renju_open(job)),
        _ => None,
    };
    if let Some(cell) = plan.and_then(|moves| moves.get(placed.len())?.cell()) {
        return Some(cell);
    }
    if opening.swap_follows() || opening.rule() == OpeningRule::Swap2 {
        let judge = Judge::new(job, cells.len());
        return judge.least(cells, |&cell| judge.score(&with(record, cell)).abs());
    }
    Judge::new(job, 1).best_within(record, &job.limits)
}

/// The points of a zone that are worth a thought, one of each kind.
fn stones_in(record: &GameRecord, zone: Zone) -> Vec<Cell> {
    let size = record.size();
    let mut cells: Vec<Cell> =
        size.cells().filter(|&cell| zone.contains(cell, size) && record.piece_at(cell).is_none()).collect();
    if zone == Zone::ANYWHERE && !record.moves().is_empty() {
        let near: Vec<Cell> = single_moves(record).into_iter().filter_map(Move::cell).collect();
        if !near.is_empty() {
            cells = near;
        }
    }
    distinct(record, &cells)
}

/// A stone and a number of fifth moves that together make an even game: White's fourth, or, where Black tells the
/// number with the opening, the third.
fn stone_and_count(job: &Job, opening: &Opening, zone: Zone, most: usize) -> Option<Choice> {
    let record = opening.record();
    let is_third = record.moves().len() < 3;
    let cells: Vec<Cell> = if is_third {
        stones_in(record, zone)
    } else {
        let judge = Judge::new(job, 2);
        judge.lines(record, FOURTHS).into_iter().map(|(cell, _)| cell).collect()
    };
    let judge = Judge::new(job, cells.len() * if is_third { 2 } else { 1 });
    let mut best: Option<(Score, Choice)> = None;
    for cell in cells {
        if best.is_some() && judge.is_over() {
            break;
        }
        let mut game = with(record, cell);
        if is_third {
            game = with(&game, judge.best(&game)?);
        }
        // The scores fall from line to line, so one of them is next to zero. Mirror images may not be offered.
        let lines = judge.lines(&game, most);
        let different = distinct(&game, &lines.iter().map(|&(cell, _)| cell).collect::<Vec<_>>());
        let lines = lines.into_iter().filter(|(cell, _)| different.contains(cell));
        for (index, (_, score)) in lines.enumerate() {
            if best.as_ref().is_none_or(|&(least, _)| score.abs() < least) {
                best = Some((score.abs(), Choice::StoneAndCount(cell, index + 1)));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// Takes the side that stands better.
fn keep_or_swap(job: &Job, opening: &Opening) -> Choice {
    let record = opening.record();
    let count = opening.count();
    let mover = match (count, record.moves().len()) {
        // White's best fourth stone, then so many fifth moves.
        (1.., 3) => {
            let judge = Judge::new(job, 2);
            judge.best(record).map_or(0, |cell| -best_distinct(&judge, &with(record, cell), count).1)
        }
        (1.., 4) => best_distinct(&Judge::new(job, 1), record, count).1,
        _ => Judge::new(job, 1).score(record),
    };
    let ours = opening.owner(record.side_to_move()) == opening.turn();
    if if ours { mover >= 0 } else { mover <= 0 } { Choice::Keep } else { Choice::Swap }
}

/// The best moves of which no two are the same up to symmetry, and the score of the last.
fn best_distinct(judge: &Judge<'_>, record: &GameRecord, count: usize) -> (Vec<Cell>, Score) {
    // Every symmetry doubles what has to be looked at.
    let everything = stones_in(record, Zone::ANYWHERE).len().max(1);
    let images = single_moves(record).len().div_ceil(everything);
    let lines = judge.lines(record, count * images);
    let mut cells: Vec<Cell> = lines.iter().map(|&(cell, _)| cell).collect();
    let size = record.size();
    let others = single_moves(record).into_iter().filter_map(Move::cell).chain(size.cells());
    cells.extend(others.filter(|&cell| record.piece_at(cell).is_none()));
    let mut chosen = distinct(record, &cells);
    chosen.truncate(count);
    let score_of = |cell: &Cell| lines.iter().find(|&(other, _)| other == cell).map(|&(_, score)| score);
    let last = chosen.last().and_then(score_of).unwrap_or(-crate::types::INFINITE);
    (chosen, last)
}

/// Taraguchi's fifth move: ten offers if Black stands better after the weakest of them, else one stone with which
/// nobody minds the swap.
fn fifth(job: &Job, record: &GameRecord, zone: Zone, count: usize) -> Choice {
    // The other half of the time is for the single stone.
    let (offers, last) = best_distinct(&Judge::new(job, 2), record, count);
    if last > 0 {
        return Choice::Offer(offers);
    }
    let size = record.size();
    let near: Vec<Cell> =
        stones_in(record, Zone::ANYWHERE).into_iter().filter(|&c| zone.contains(c, size)).collect();
    let judge = Judge::new(job, near.len());
    match judge.least(near, |&cell| judge.score(&with(record, cell)).abs()) {
        Some(cell) => Choice::Stone(cell),
        None => Choice::Offer(offers),
    }
}

/// White's pick: the fifth move after which White stands best.
fn pick(job: &Job, opening: &Opening) -> Option<Cell> {
    let judge = Judge::new(job, opening.offers().len());
    judge.least(opening.offers().to_vec(), |&cell| -judge.score(&with(opening.record(), cell)))
}

fn played(game: &GameRecord, moves: &[Move]) -> GameRecord {
    let mut game = game.clone();
    moves.iter().for_each(|&mv| game.push(mv));
    game
}

fn with(game: &GameRecord, cell: Cell) -> GameRecord {
    played(game, &[Move::stone(cell)])
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

/// Judges several positions within one limit, each with an equal share.
struct Judge<'a> {
    job: &'a Job,
    clock: Clock,
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl Judge<'_> {
    fn new(job: &Job, positions: usize) -> Judge<'_> {
        let positions = positions.max(1);
        let clock = Clock::new(&job.limits);
        let time = clock.planned().map(|left| left / positions as u32);
        let shared = job.limits.nodes.map(|nodes| (nodes / positions as u64).max(LEAST_NODES));
        let nodes = shared.or(time.is_none().then_some(DEFAULT_NODES));
        Judge { job, clock, time, nodes }
    }

    /// Whether it is time to answer with what is known.
    fn is_over(&self) -> bool {
        self.clock.is_over() || self.job.stop.is_raised()
    }

    /// The candidate of the least key, the first one of several; those that there is no time for are left out.
    fn least<T>(&self, candidates: Vec<T>, key: impl Fn(&T) -> Score) -> Option<T> {
        let mut best: Option<(Score, T)> = None;
        for candidate in candidates {
            if best.is_some() && self.is_over() {
                break;
            }
            let key = key(&candidate);
            if best.as_ref().is_none_or(|&(least, _)| key < least) {
                best = Some((key, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// The score for the side to move.
    fn score(&self, game: &GameRecord) -> Score {
        self.job.search(game, &self.limits(), 1, |_| {}).map_or(0, |outcome| outcome.score)
    }

    /// The best stone for the side to move.
    fn best(&self, game: &GameRecord) -> Option<Cell> {
        self.best_within(game, &self.limits())
    }

    /// The same under other limits than an equal share. The half stone is not placed in an opening, but it may be the
    /// best move.
    fn best_within(&self, game: &GameRecord, limits: &Limits) -> Option<Cell> {
        let best = self.job.search(game, limits, 1, |_| {})?.best;
        if best.is_half() { self.lines(game, 1).first().map(|&(cell, _)| cell) } else { best.cell() }
    }

    /// The best stones with their scores, best first; fewer if there are not so many.
    fn lines(&self, game: &GameRecord, count: usize) -> Vec<(Cell, Score)> {
        let asked = if game.rule() == Rule::HalfStone { 2 * count } else { count };
        let mut lines = Vec::new();
        self.job.search(game, &self.limits(), asked, |iteration| {
            let firsts = iteration.lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score)));
            let stones = firsts.filter(|(mv, _)| !mv.is_half());
            lines = stones.filter_map(|(mv, score)| Some((mv.cell()?, score))).collect();
        });
        lines.truncate(count);
        lines
    }

    fn limits(&self) -> Limits {
        Limits {
            turn: self.time,
            nodes: self.nodes,
            depth: self.job.limits.depth,
            started: Some(Instant::now()),
            ..Limits::default()
        }
    }
}
