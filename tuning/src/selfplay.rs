//! Games inside one process at a fixed number of nodes per move: the loop that `datagen`, `duel` and `spsa` share, and
//! the self-play of `datagen`.
//!
//! Every game follows from its opening, its players and, in self-play, from its number, the seed and the settings. A
//! move that the rules force is played without a search, and a search ends once it has proved a win.

use std::sync::Arc;

use anyhow::{Context, Result};
use halfstone::board::Board;
use halfstone::control::{Limits, StopSignal};
use halfstone::game::GameRecord;
use halfstone::movegen::{self, MoveList, Promises, Situation};
use halfstone::pattern::PointTable;
use halfstone::rules::Position;
use halfstone::search::{self, Parameters};
use halfstone::selfplay::{self, Standing};
use halfstone::tt::Table;
use halfstone::types::{Color, MATE_IN_MAX_PLY, Move, Rule, Score, Size};

use crate::games::{Game, Settings, UNSEARCHED};
use crate::openings;
use crate::rng::Rng;

/// Bytes of a transposition table for each node of a move: enough for the nodes of a whole game, and little to clear
/// for every one. At least and at most so many.
const BYTES_PER_NODE: usize = 1 << 10;
const LEAST_BYTES: usize = 1 << 18;
const MOST_BYTES: usize = 1 << 24;
/// Bytes of the table with which openings are judged; always the same, so that they do not depend on the players.
const JUDGE_BYTES: usize = 1 << 20;
/// Moves after the opening of a self-play game in which chance may choose.
const NOISY_MOVES: usize = 12;
/// How often it does, in per cent.
const NOISE_PERCENT: u32 = 8;
/// Chance chooses among this many of the most promising moves.
const NOISY_CHOICES: usize = 8;

/// What a side plays with.
#[derive(Clone, Debug)]
pub struct Player {
    /// The numbers that it judges by.
    pub points: Arc<PointTable>,
    /// The numbers of its search.
    pub parameters: Parameters,
    /// Nodes per move.
    pub nodes: u32,
}

impl Player {
    /// A player of today's default search.
    pub fn new(points: Arc<PointTable>, nodes: u32) -> Player {
        Player { points, parameters: Parameters::default(), nodes }
    }
}

/// The tables of a thread that plays: made once and cleared for every game, so that no game depends on the one before.
#[derive(Debug)]
pub struct Desk {
    /// For judging openings.
    pub(crate) judge: Table,
    players: [Table; 2],
}

impl Desk {
    /// Tables for players with this many nodes per move.
    pub fn new(nodes: u32) -> Desk {
        let bytes = (nodes as usize).saturating_mul(BYTES_PER_NODE).clamp(LEAST_BYTES, MOST_BYTES);
        Desk { judge: Table::new(JUDGE_BYTES), players: [(); 2].map(|()| Table::new(bytes)) }
    }
}

/// A side of a game, or both: what it has in front of it and in memory.
pub(crate) struct Seat<'a> {
    player: &'a Player,
    board: Board,
    table: &'a Table,
}

impl<'a> Seat<'a> {
    pub(crate) fn new(player: &'a Player, record: &GameRecord, table: &'a Table) -> Seat<'a> {
        Seat { player, board: Board::from_record_with_points(record, Arc::clone(&player.points)), table }
    }

    /// What the search finds with the player's nodes.
    fn choose(&self) -> Option<(Move, Score)> {
        self.think(self.player.nodes)
    }

    /// The search's move and score. `None` if the board is full.
    pub(crate) fn think(&self, nodes: u32) -> Option<(Move, Score)> {
        let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
        let settings = search::Settings { parameters: self.player.parameters, ..search::Settings::default() };
        let proved = StopSignal::default();
        let found = search::search(&self.board, self.table, &limits, settings, &proved, |iteration| {
            if iteration.lines.first().is_some_and(|line| line.score >= MATE_IN_MAX_PLY) {
                proved.raise();
            }
        })?;
        Some((found.best, found.score))
    }

    /// The only move there is, where a five must be blocked.
    fn forced(&mut self) -> Option<Move> {
        let mut answers = MoveList::new();
        let situation = movegen::situation(&mut self.board, &mut answers);
        (situation == Situation::MustBlock && answers.len() == 1).then(|| answers[0])
    }
}

/// A game in progress, refereed by `rules`.
struct Playing<'a> {
    position: Position,
    /// One seat for both colours, or Black's and White's.
    seats: Vec<Seat<'a>>,
    moves: Vec<(Move, i16)>,
}

impl<'a> Playing<'a> {
    /// `None` if the opening cannot be played.
    fn new(
        rule: Rule,
        size: Size,
        opening: &[Move],
        players: &[&'a Player],
        tables: &'a mut [Table; 2],
    ) -> Option<Playing<'a>> {
        let mut record = GameRecord::new(rule, size);
        opening.iter().for_each(|&mv| record.push(mv));
        let position = Position::from_record(&record).ok()?;
        tables.iter_mut().take(players.len()).for_each(Table::clear);
        let seats = players.iter().zip(&*tables).map(|(player, table)| Seat::new(player, &record, table));
        let seats = seats.collect();
        Some(Playing { position, seats, moves: opening.iter().map(|&mv| (mv, UNSEARCHED)).collect() })
    }

    fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    fn seat(&mut self) -> &mut Seat<'a> {
        let index = self.mover().index() % self.seats.len();
        &mut self.seats[index]
    }

    /// The result, once the rules have given one or neither side can make a row of five any more.
    fn result(&self) -> Option<Option<Color>> {
        match selfplay::standing(&self.position, &self.seats[0].board) {
            Standing::Won(winner) => Some(Some(winner)),
            Standing::Drawn => Some(None),
            Standing::Ongoing => None,
        }
    }

    /// The mover's move with its score, or [`UNSEARCHED`]. `None` if there is none.
    fn choose(&mut self) -> Option<(Move, i16)> {
        let seat = self.seat();
        if let Some(mv) = seat.forced() {
            return Some((mv, UNSEARCHED));
        }
        seat.choose().map(|(mv, score)| (mv, score as i16))
    }

    /// `None` if the referee refuses the move.
    fn push(&mut self, mv: Move, score: i16) -> Option<()> {
        self.position.play(mv).ok()?;
        self.seats.iter_mut().for_each(|seat| seat.board.make(mv));
        self.moves.push((mv, score));
        Some(())
    }
}

/// A finished game between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Moves that were played, the opening included.
    pub moves: usize,
}

/// Plays a game from `opening` between Black's and White's player. It ends by the rules, when neither side can make a
/// row of five any more, or when one side has announced a forced win and the other one sees that it is lost: the
/// claim of one side alone does not count, or mistaken claims would be worth points.
///
/// # Errors
/// If the opening, or a move that a player chose, is against the rules.
pub fn contest(
    desk: &mut Desk,
    rule: Rule,
    size: Size,
    opening: &[Move],
    players: [&Player; 2],
) -> Result<Finished> {
    let game = Playing::new(rule, size, opening, &players, &mut desk.players);
    let mut game = game.context("the opening is against the rules")?;
    let mut claims = [false; 2];
    let winner = loop {
        if let Some(winner) = game.result() {
            break winner;
        }
        let mover = game.mover();
        let (mv, score) = game.choose().context("a player has no move")?;
        if score != UNSEARCHED {
            claims[mover.index()] = Score::from(score) >= MATE_IN_MAX_PLY;
            if Score::from(score) <= -MATE_IN_MAX_PLY && claims[(!mover).index()] {
                break Some(!mover);
            }
        }
        game.push(mv, score)
            .with_context(|| format!("{mover:?} played {} against the rules", mv.text(size)))?;
    };
    Ok(Finished { winner, moves: game.moves.len() })
}

/// Plays self-play game `number` of these settings, judging by `points`: a random opening that a search thinks
/// balanced, a few early moves drawn by chance, and an end when the side to move sees a
/// forced win or half of the points are taken.
///
/// # Errors
/// If the opening, or a move of the engine, is against the rules.
pub fn play(desk: &mut Desk, settings: &Settings, points: &Arc<PointTable>, number: u32) -> Result<Game> {
    let mut rng = Rng::new(settings.seed, u64::from(number));
    let size = rng.pick(&settings.sizes).unwrap_or(Size::STANDARD);
    let player = Player::new(Arc::clone(points), settings.nodes);
    let opening = openings::for_self_play(&mut desk.judge, &mut rng, settings.rule, size, &player);
    let length = opening.len();
    let game = Playing::new(settings.rule, size, &opening, &[&player], &mut desk.players);
    let mut game = game.context("the opening is against the rules")?;
    let winner = play_on(&mut game, &mut rng, length)?;
    Ok(Game { number, size, opening: length, winner, moves: game.moves })
}

/// The ply after which a game of self-play counts as drawn: half of the points are taken then. Fewer than one
/// game in two hundred is decided later (tuning/log.md).
pub(crate) fn last_ply(size: Size) -> usize {
    size.area() / 2
}

/// Plays a self-play game to its end and tells the winner.
fn play_on(game: &mut Playing<'_>, rng: &mut Rng, opening: usize) -> Result<Option<Color>> {
    loop {
        if let Some(winner) = game.result() {
            return Ok(winner);
        }
        if game.moves.len() >= last_ply(game.position.size()) {
            return Ok(None);
        }
        let chance = game.moves.len() < opening + NOISY_MOVES && rng.percent(NOISE_PERCENT);
        let (mv, score) = match chance.then(|| random_move(rng, &mut game.seat().board)).flatten() {
            Some(mv) => (mv, UNSEARCHED),
            None => game.choose().context("the engine has no move")?,
        };
        if Score::from(score) >= MATE_IN_MAX_PLY {
            return Ok(Some(game.mover()));
        }
        game.push(mv, score).context("a move of the engine is against the rules")?;
    }
}

/// One of the more promising moves, where nothing is forced.
fn random_move(rng: &mut Rng, board: &mut Board) -> Option<Move> {
    let mut moves = MoveList::new();
    if movegen::situation(board, &mut moves) != Situation::Free {
        return None;
    }
    movegen::candidate_moves(board, &mut moves);
    let promises = Promises::of(board);
    moves.sort_by_key(|&mv| -promises.get(mv));
    rng.pick(&moves[..moves.len().min(NOISY_CHOICES)])
}
