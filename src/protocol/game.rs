//! The commands that make and change the game.

use std::io::Write;
use std::time::Instant;

use crate::engine::{Status, Task};
use crate::game::GameRecord;
use crate::types::{Cell, Color, Move, Piece, Rule, Size};
use crate::wire::{Point, Reply};

use super::blocks::{Block, opening, position};
use super::error::SessionError;
use super::session::{Handled, Session};
use super::think::Purpose;

/// The cell that a point names on a board of this size.
pub(super) fn cell_at(point: Point, size: Size) -> Result<Cell, SessionError> {
    Cell::from_wire(point.x, point.y, size).ok_or(SessionError::OffBoard { point, size })
}

pub(super) fn point_of(cell: Cell) -> Point {
    Point { x: cell.x() as i64, y: cell.y() as i64 }
}

impl<W: Write> Session<W> {
    /// A copy of the game under the rule that holds now, for a command that goes on with it.
    pub(super) fn current(&self) -> Result<GameRecord, SessionError> {
        let mut game = self.game.clone().ok_or(SessionError::NoGame)?;
        game.set_rule(self.options.rule()?);
        Ok(game)
    }

    /// How the game stands; fails if its pieces cannot lie there under its rule.
    pub(super) fn status(&self, game: &GameRecord) -> Result<Status, SessionError> {
        self.engine.status(game).map_err(|error| SessionError::Illegal(error.to_string()))
    }

    /// Fails unless the side to move has a move.
    pub(super) fn require_ongoing(&self, game: &GameRecord) -> Result<(), SessionError> {
        match self.status(game)? {
            Status::Ongoing => Ok(()),
            Status::Won(color) => Err(SessionError::Won(color)),
            Status::Drawn => Err(SessionError::Drawn),
        }
    }

    /// `START` and `RECTSTART`.
    pub(super) fn start(&mut self, width: i64, height: i64) -> Handled {
        if width != height {
            return Err(SessionError::Rectangle { width, height });
        }
        let size = Size::new(width)?;
        let rule = self.options.rule()?;
        Ok(Some(self.new_game(rule, size)))
    }

    /// `RESTART`.
    pub(super) fn restart(&mut self) -> Handled {
        let game = self.current()?;
        Ok(Some(self.new_game(game.rule(), game.size())))
    }

    fn new_game(&mut self, rule: Rule, size: Size) -> Reply {
        self.game = Some(GameRecord::new(rule, size));
        self.engine.new_game();
        self.options.clock.new_game();
        Reply::Ok
    }

    /// `BEGIN`.
    pub(super) fn begin(&mut self, arrived: Instant) -> Handled {
        let game = self.current()?;
        if game.pieces().any(|(_, piece)| piece != Piece::Blocked) {
            return Err(SessionError::NotEmpty);
        }
        self.think_about(game, arrived)
    }

    /// `TURN` and `HALF`: the opponent's move, which the engine answers.
    pub(super) fn opponent_move(&mut self, point: Point, half: bool, arrived: Instant) -> Handled {
        let mut game = self.current()?;
        let cell = self.playable(&game, point)?;
        if half {
            if game.rule() != Rule::HalfStone {
                return Err(SessionError::HalfRule(point));
            }
            if game.side_to_move() == Color::White {
                return Err(SessionError::HalfWhite(point));
            }
            if !game.half_in_hand() {
                return Err(SessionError::HalfTwice(point));
            }
        }
        game.push(if half { Move::half(cell) } else { Move::stone(cell) });
        self.think_about(game, arrived)
    }

    /// `PLAY`: the engine's move is this one.
    pub(super) fn play(&mut self, point: Point) -> Handled {
        let mut game = self.current()?;
        let mv = Move::stone(self.playable(&game, point)?);
        game.push(mv);
        self.game = Some(game);
        Ok(Some(Reply::Move(mv)))
    }

    /// The cell of a point on which a stone can be played in a game that goes on.
    fn playable(&self, game: &GameRecord, point: Point) -> Result<Cell, SessionError> {
        let cell = cell_at(point, game.size())?;
        if game.piece_at(cell).is_some() {
            return Err(SessionError::Occupied(point));
        }
        self.require_ongoing(game)?;
        Ok(cell)
    }

    /// `TAKEBACK`. Works under any rule number: it neither starts nor continues a game.
    pub(super) fn take_back(&mut self, point: Point) -> Handled {
        let game = self.game.as_mut().ok_or(SessionError::NoGame)?;
        let cell = cell_at(point, game.size())?;
        let last = game.moves().last().and_then(|mv| mv.cell());
        if last != Some(cell) {
            return Err(match last {
                Some(last) => SessionError::NotLast { point, last: point_of(last) },
                None => SessionError::NoMoves(point),
            });
        }
        game.pop();
        Ok(Some(Reply::Ok))
    }

    /// `BOARD`.
    pub(super) fn board(&mut self, block: Block) -> Handled {
        let arrived = block.arrived;
        let game = self.block_position(block)?;
        self.think_about(game, arrived)
    }

    /// `YXBOARD`: finished games can be looked at, too.
    pub(super) fn yx_board(&mut self, block: Block) -> Handled {
        let game = self.block_position(block)?;
        self.status(&game)?;
        self.game = Some(game);
        Ok(None)
    }

    fn block_position(&self, block: Block) -> Result<GameRecord, SessionError> {
        let current = self.current()?;
        position(&block.stones?, current.rule(), current.size())
    }

    /// `SWAP2BOARD`: a question about an opening. The game itself stays as it is until `BOARD` sets it.
    pub(super) fn swap2_board(&mut self, block: Block) -> Handled {
        let current = self.current()?;
        let stones = block.stones?;
        let task = match stones.len() {
            0 => Task::Swap2Open,
            3 => Task::Swap2Respond,
            5 => Task::Swap2Choose,
            count => return Err(SessionError::Swap2Count(count)),
        };
        let game = opening(&stones, current.rule(), current.size())?;
        self.require_ongoing(&game)?;
        self.think(&game, &task, Purpose::Opening, block.arrived);
        Ok(None)
    }

    /// Makes `game` the game and searches for its next move.
    fn think_about(&mut self, game: GameRecord, arrived: Instant) -> Handled {
        self.require_ongoing(&game)?;
        self.think(&game, &Task::BestMove { lines: 1 }, Purpose::Move, arrived);
        self.game = Some(game);
        Ok(None)
    }
}
