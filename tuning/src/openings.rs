//! Openings: random stones close together after which a search sees neither side ahead.

use std::ops::RangeInclusive;
use std::sync::Arc;

use halfstone::board::Board;
use halfstone::game::GameRecord;
use halfstone::pattern::PointClass;
use halfstone::tt::Table;
use halfstone::types::{Cell, Color, Move, Rule, Score, Size};

use crate::rng::Rng;
use crate::selfplay::{Desk, Player, Seat};

/// How openings are drawn.
struct Kind {
    /// Stones.
    moves: RangeInclusive<usize>,
    /// Openings that are tried before the last one is taken as it is.
    tries: usize,
    /// Searches, each only if the one before saw no more than its limit: nodes, limit.
    balanced: [(u32, Score); 3],
}

/// Draws an opening of a self-play game.
pub(crate) fn for_self_play(
    table: &mut Table,
    rng: &mut Rng,
    rule: Rule,
    size: Size,
    player: &Player,
) -> Vec<Move> {
    let nodes = player.nodes;
    let kind =
        Kind { moves: 1..=7, tries: 20, balanced: [(nodes / 8, 250), (nodes / 2, 200), (2 * nodes, 150)] };
    balanced(table, rng, rule, size, player, &kind)
}

/// Draws opening `number` of the matches with this seed, as `judge` sees it; how many nodes it has does not matter. It
/// is balanced enough for either colour to win, so that the games of a pair tell more about the players than about
/// the opening.
pub fn for_match(
    desk: &mut Desk,
    seed: u64,
    number: u64,
    rule: Rule,
    size: Size,
    judge: &Player,
) -> Vec<Move> {
    let mut rng = Rng::new(seed, number);
    // Fewer than three stones would often give the same game twice.
    let kind = Kind { moves: 3..=7, tries: 200, balanced: [(300, 200), (3_000, 80), (12_000, 50)] };
    balanced(&mut desk.judge, &mut rng, rule, size, judge, &kind)
}

fn balanced(
    table: &mut Table,
    rng: &mut Rng,
    rule: Rule,
    size: Size,
    judge: &Player,
    kind: &Kind,
) -> Vec<Move> {
    table.clear();
    let mut opening = Vec::new();
    // Settled before the tries: positions with the half stone in hand seem even less often, and would all but vanish.
    let half = rule == Rule::HalfStone && rng.percent(50);
    for _ in 0..kind.tries {
        let empty = Board::with_points(rule, size, Arc::clone(&judge.points));
        opening = random(rng, empty, kind.moves.clone(), half);
        let mut record = GameRecord::new(rule, size);
        opening.iter().for_each(|&mv| record.push(mv));
        let seat = Seat::new(judge, &record, table);
        let within =
            |&(nodes, limit): &(u32, Score)| seat.think(nodes).is_some_and(|(_, score)| score.abs() <= limit);
        if kind.balanced.iter().all(within) {
            break;
        }
    }
    opening
}

/// Random stones close together on an empty board, none of which makes a three; with `half`, one of Black's is the half
/// stone.
fn random(rng: &mut Rng, mut board: Board, moves: RangeInclusive<usize>, half: bool) -> Vec<Move> {
    let size = board.size();
    let length = *moves.start() + rng.below(moves.clone().count());
    let half_at = half.then(|| 2 * rng.below(length.div_ceil(2)));
    let mut opening = Vec::new();
    // Mostly around the centre, now and then anywhere.
    let margin = if rng.percent(80) { size.get() / 3 } else { 1 };
    for ply in 0..length {
        let first: Vec<_> = size
            .cells()
            .filter(|cell| [cell.x(), cell.y()].iter().all(|&i| i >= margin && i < size.get() - margin))
            .collect();
        let quiet = |&cell: &Cell| {
            Color::ALL.iter().all(|&color| board.class(color, cell) < PointClass::Three)
                && !board.is_forbidden(cell)
        };
        let near: Vec<_> = board.candidates().filter(quiet).collect();
        let Some(cell) = rng.pick(if ply == 0 { &first } else { &near }) else { break };
        let mv = if half_at == Some(ply) { Move::half(cell) } else { Move::stone(cell) };
        board.make(mv);
        opening.push(mv);
    }
    opening
}
