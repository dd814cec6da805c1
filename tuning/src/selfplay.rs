//! Self-play at a fixed number of nodes per move.
//!
//! Every game has a number, and everything in it follows from that, the seed and the settings: it starts from a
//! random opening that a search thinks balanced, a few of its early moves are drawn by chance, and it ends when the
//! side to move sees a forced win.

use std::sync::Arc;

use halfstone::board::Board;
use halfstone::control::{Limits, StopSignal};
use halfstone::game::GameRecord;
use halfstone::movegen::{self, MoveList, Situation};
use halfstone::pattern::{PointClass, PointTable};
use halfstone::rules::{Position, Status};
use halfstone::search::{self, Outcome};
use halfstone::tt::Table;
use halfstone::types::{Color, MATE_IN_MAX_PLY, Move, Rule, Score, Size};

use crate::games::{Game, Settings, UNSEARCHED};
use crate::rng::Rng;

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
    let mut game = Player {
        record: GameRecord::new(settings.rule, size),
        moves: Vec::new(),
        table,
        nodes: settings.nodes,
    };
    opening.iter().for_each(|&mv| game.push(mv, UNSEARCHED));
    let winner = game.play_on(&mut rng, points, opening.len());
    Game { number, size, opening: opening.len(), winner, moves: game.moves }
}

/// A game in progress.
struct Player {
    record: GameRecord,
    moves: Vec<(Move, i16)>,
    table: Table,
    nodes: u32,
}

impl Player {
    fn push(&mut self, mv: Move, score: i16) {
        self.record.push(mv);
        self.moves.push((mv, score));
    }

    /// Plays to the end and tells the winner.
    fn play_on(&mut self, rng: &mut Rng, points: &Arc<PointTable>, opening: usize) -> Option<Color> {
        let Ok(mut position) = Position::from_record(&self.record) else { return None };
        let mut board = Board::from_record_with_points(&self.record, Arc::clone(points));
        loop {
            match position.status() {
                Status::Won { winner, .. } => return Some(winner),
                Status::Drawn => return None,
                Status::Ongoing => {}
            }
            if Color::ALL.iter().all(|&color| board.alive_windows(color) == 0) {
                return None;
            }
            let chance = self.moves.len() < opening + NOISY_MOVES && rng.percent(NOISE_PERCENT);
            let (mv, score) = match chance.then(|| random_move(rng, &mut board)).flatten() {
                Some(mv) => (mv, UNSEARCHED),
                None => {
                    let found = think(&board, &self.table, self.nodes)?;
                    if found.score >= MATE_IN_MAX_PLY {
                        return Some(board.side_to_move());
                    }
                    (found.best, found.score as i16)
                }
            };
            self.push(mv, score);
            board.make(mv);
            if position.play(mv).is_err() {
                return None;
            }
        }
    }
}

/// The search of one move.
fn think(board: &Board, table: &Table, nodes: u32) -> Option<Outcome> {
    let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
    let settings = search::Settings { threads: 1, lines: 1 };
    search::search(board, table, &limits, settings, &StopSignal::default(), |_| {})
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
        let found = think(&board, table, 2 * settings.nodes);
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
