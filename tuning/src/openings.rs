//! Openings: random stones close together after which a search sees neither side ahead.

use halfstone::board::Board;
use halfstone::game::GameRecord;
use halfstone::pattern::PointClass;
use halfstone::types::{Cell, Color, Move, Rule, Score, Size};

use crate::rng::Rng;
use crate::selfplay::{Player, Seat};

/// Openings that are tried before the last one is taken as it is.
const SELF_PLAY_TRIES: usize = 20;
/// How many moves an opening of a self-play game has.
const SELF_PLAY_MOVES: std::ops::RangeInclusive<usize> = 1..=7;
/// An opening of a self-play game is balanced if the score is within this.
const SELF_PLAY_BALANCED: Score = 150;

/// How openings of matches are drawn. Fewer than three stones would often give the same game twice.
const MATCH_TRIES: usize = 200;
const MATCH_MOVES: std::ops::RangeInclusive<usize> = 3..=7;
/// Searches of a match opening, each only if the one before saw no more than its limit: nodes, limit.
const MATCH_BALANCED: [(u32, Score); 3] = [(300, 200), (3_000, 80), (12_000, 50)];

/// Draws an opening of a self-play game.
pub(crate) fn for_self_play(rng: &mut Rng, rule: Rule, size: Size, player: &Player) -> Vec<Move> {
    let limits = [(2 * player.nodes, SELF_PLAY_BALANCED)];
    balanced(rng, rule, size, player, SELF_PLAY_MOVES, SELF_PLAY_TRIES, &limits)
}

/// Draws opening `number` of the matches with this seed, as `judge` sees it; how many nodes it has does not matter. It
/// is balanced enough for either colour to win, so that the games of a pair tell more about the players than about
/// the opening.
pub fn for_match(seed: u64, number: u64, rule: Rule, size: Size, judge: &Player) -> Vec<Move> {
    let mut rng = Rng::new(seed, number);
    balanced(&mut rng, rule, size, judge, MATCH_MOVES, MATCH_TRIES, &MATCH_BALANCED)
}

fn balanced(
    rng: &mut Rng,
    rule: Rule,
    size: Size,
    judge: &Player,
    moves: std::ops::RangeInclusive<usize>,
    tries: usize,
    limits: &[(u32, Score)],
) -> Vec<Move> {
    let mut opening = Vec::new();
    for _ in 0..tries {
        opening = random(rng, rule, size, moves.clone());
        let mut record = GameRecord::new(rule, size);
        opening.iter().for_each(|&mv| record.push(mv));
        let mut seat = Seat::new(judge, &record);
        let mut within = |&(nodes, limit): &(u32, Score)| {
            seat.set_nodes(nodes);
            seat.think().is_some_and(|(_, score)| score.abs() <= limit)
        };
        if limits.iter().all(&mut within) {
            break;
        }
    }
    opening
}

/// Random stones close together, none of which makes a three. Half of the openings under the half-stone rule leave
/// the half stone for later; in the others it is one of them.
fn random(rng: &mut Rng, rule: Rule, size: Size, moves: std::ops::RangeInclusive<usize>) -> Vec<Move> {
    let mut board = Board::new(rule, size);
    let length = *moves.start() + rng.below(moves.clone().count());
    let half_at = (rule == Rule::HalfStone && rng.percent(50)).then(|| 2 * rng.below(length.div_ceil(2)));
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
