//! Self-play at a fixed number of nodes per move.
//!
//! Every game has a number, and everything in it follows from that, the seed and the settings: it starts from a
//! random opening that a search thinks balanced, a few of its early moves are drawn by chance, and it ends when the
//! side to move sees a forced win.

use std::sync::Arc;

use halfstone::board::Board;
use halfstone::game::GameRecord;
use halfstone::movegen::{self, MoveList, Situation};
use halfstone::pattern::{PointClass, PointTable};
use halfstone::selfplay::{self, Rng, Standing};
use halfstone::tt::Table;
use halfstone::types::{Color, MATE_IN_MAX_PLY, Move, Rule, Score, Size};

use crate::games::{Game, Settings, UNSEARCHED};

/// Bytes of the transposition table; small enough to be cleared for every game.
const TABLE_BYTES: usize = 2 << 20;
/// An opening is balanced if the score is within this.
const BALANCED: Score = 150;
/// Openings that are tried before the last one is taken as it is.
const OPENINGS: usize = 20;
/// Moves of an opening.
const OPENING_MOVES: std::ops::RangeInclusive<usize> = 1..=7;
/// Moves after the opening in which chance may choose.
const NOISY_MOVES: usize = 12;
/// How often it does, in per cent.
const NOISE_PERCENT: u32 = 8;
/// Chance chooses among this many of the most promising moves.
const NOISY_CHOICES: usize = 8;

/// Plays one game, judging by `points`.
pub fn play(settings: &Settings, points: &Arc<PointTable>, number: u32) -> Game {
    let mut rng = Rng::new(settings.seed, u64::from(number));
    let size = rng.pick(&settings.sizes).unwrap_or(Size::STANDARD);
    let table = Table::new(TABLE_BYTES);
    let opening = balanced_opening(&mut rng, settings, size, points, &table);
    let opening_moves = opening.len();
    let mut record = GameRecord::new(settings.rule, size);
    opening.iter().for_each(|&mv| record.push(mv));
    let mut moves: Vec<(Move, i16)> = opening.into_iter().map(|mv| (mv, UNSEARCHED)).collect();
    let winner = selfplay::Game::new(record, Arc::clone(points), table)
        .ok()
        .and_then(|mut game| play_on(&mut game, &mut moves, &mut rng, settings.nodes, opening_moves));
    Game { number, size, opening: opening_moves, winner, moves }
}

/// Plays to the end, appending the moves with their scores, and tells the winner.
fn play_on(
    game: &mut selfplay::Game,
    moves: &mut Vec<(Move, i16)>,
    rng: &mut Rng,
    nodes: u32,
    opening: usize,
) -> Option<Color> {
    loop {
        match game.standing() {
            Standing::Won(winner) => return Some(winner),
            Standing::Drawn => return None,
            Standing::Ongoing => {}
        }
        let chance = moves.len() < opening + NOISY_MOVES && rng.percent(NOISE_PERCENT);
        let (mv, score) = match chance.then(|| random_move(rng, game.board_mut())).flatten() {
            Some(mv) => (mv, UNSEARCHED),
            None => {
                let found = game.think(nodes.into())?;
                if found.score >= MATE_IN_MAX_PLY {
                    return Some(game.board().side_to_move());
                }
                (found.best, found.score as i16)
            }
        };
        moves.push((mv, score));
        game.play(mv).ok()?;
    }
}

/// One of the more promising moves, where nothing is forced.
fn random_move(rng: &mut Rng, board: &mut Board) -> Option<Move> {
    let mut moves = MoveList::new();
    if movegen::situation(board, &mut moves) != Situation::Free {
        return None;
    }
    movegen::candidate_moves(board, &mut moves);
    moves.sort_by_key(|&mv| -movegen::promise(board, mv));
    rng.pick(&moves[..moves.len().min(NOISY_CHOICES)])
}

/// Random stones close together after which the game is open. Half of the games under the half-stone rule start
/// with the half stone still to come; in the others it is part of the opening.
fn balanced_opening(
    rng: &mut Rng,
    settings: &Settings,
    size: Size,
    points: &Arc<PointTable>,
    table: &Table,
) -> Vec<Move> {
    let mut opening = Vec::new();
    for _ in 0..OPENINGS {
        opening = random_opening(rng, settings.rule, size);
        let mut record = GameRecord::new(settings.rule, size);
        opening.iter().for_each(|&mv| record.push(mv));
        let board = Board::from_record_with_points(&record, Arc::clone(points));
        let found = selfplay::think(&board, table, 2 * u64::from(settings.nodes));
        if found.is_some_and(|found| found.score.abs() <= BALANCED) {
            break;
        }
    }
    opening
}

fn random_opening(rng: &mut Rng, rule: Rule, size: Size) -> Vec<Move> {
    let mut board = Board::new(rule, size);
    let length = OPENING_MOVES.start() + rng.below(OPENING_MOVES.count());
    let half_at = (rule == Rule::HalfStone && rng.percent(50)).then(|| 2 * rng.below(length.div_ceil(2)));
    let mut moves = Vec::new();
    // Mostly around the centre, now and then anywhere.
    let margin = if rng.percent(80) { size.get() / 3 } else { 1 };
    for ply in 0..length {
        let first: Vec<_> = size
            .cells()
            .filter(|cell| [cell.x(), cell.y()].iter().all(|&i| i >= margin && i < size.get() - margin))
            .collect();
        let quiet = |&cell: &halfstone::types::Cell| {
            Color::ALL.iter().all(|&color| board.class(color, cell) < PointClass::Three)
                && !board.is_forbidden(cell)
        };
        let near: Vec<_> = board.candidates().filter(quiet).collect();
        let Some(cell) = rng.pick(if ply == 0 { &first } else { &near }) else { break };
        let mv = if half_at == Some(ply) { Move::half(cell) } else { Move::stone(cell) };
        board.make(mv);
        moves.push(mv);
    }
    moves
}
