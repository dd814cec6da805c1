//! What a session must hold and answer, told by the contract in `protocol.md` and the reference rules alone.

use halfstone::game::{GameRecord, Setup};
use halfstone::rules::{Position, Status};
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};

/// One piece of a block as it is sent: x, y, field.
pub(crate) type Sent = (i64, i64, i64);

/// The state that the replies must fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// `INFO rule`, as it was sent.
    pub(crate) rule: i64,
    /// The game since the first `START`.
    pub(crate) game: Option<GameRecord>,
    /// Whether the engine was asked to play badly, without the half stone, or not everywhere.
    pub(crate) hindered: bool,
}

impl Model {
    /// The rule to play by, unless an unknown one was asked for.
    pub(crate) fn rule(&self) -> Option<Rule> {
        Rule::from_info(self.rule)
    }

    /// The game under the rule that holds now, for a command that goes on with it.
    pub(crate) fn current(&self) -> Option<GameRecord> {
        let (mut game, rule) = (self.game.clone()?, self.rule()?);
        game.set_rule(rule);
        Some(game)
    }

    /// The size of the board; that of a common one before the first game.
    pub(crate) fn size(&self) -> Size {
        self.game.as_ref().map_or(Size::STANDARD, GameRecord::size)
    }

    /// The empty points, in the order of the board.
    pub(crate) fn empty(&self) -> Vec<Cell> {
        let game = self.game.clone().unwrap_or_else(|| GameRecord::new(Rule::Freestyle, Size::STANDARD));
        game.size().cells().filter(|&cell| game.piece_at(cell).is_none()).collect()
    }

    /// The game after the opponent's move there, if the engine must answer it.
    pub(crate) fn after_turn(&self, (x, y): (i64, i64), half: bool) -> Option<GameRecord> {
        let mut game = self.current().filter(is_ongoing)?;
        let cell = Cell::from_wire(x, y, game.size())?;
        let mv = if half { Move::half(cell) } else { Move::stone(cell) };
        end(&game)?.check(mv).ok()?;
        game.push(mv);
        Some(game).filter(is_ongoing)
    }

    /// The game that a block describes, if it describes one.
    pub(crate) fn after_block(&self, sent: &[Sent]) -> Option<GameRecord> {
        let current = self.current()?;
        let (rule, size) = (current.rule(), current.size());
        let mut cells: Vec<Cell> = Vec::new();
        for &(x, y, field) in sent {
            let cell = Cell::from_wire(x, y, size)?;
            let known = if rule == Rule::HalfStone { 1..=5 } else { 1..=3 };
            if cells.contains(&cell) || !known.contains(&field) {
                return None;
            }
            cells.push(cell);
        }
        let count = |fields: [i64; 2]| sent.iter().filter(|(.., field)| fields.contains(field)).count();
        let (own, theirs) = (count([1, 4]), count([2, 5]));
        let engine = match (count([4, 4]), count([5, 5])) {
            _ if own == theirs => Color::Black,
            _ if own + 1 == theirs => Color::White,
            (1.., _) => Color::Black,
            (_, 1..) => Color::White,
            _ if (own + theirs) % 2 == 0 => Color::Black,
            _ => Color::White,
        };
        // Black owns the half stone, and there is one.
        let (halves, whites) = match engine {
            Color::Black => (count([4, 5]), count([5, 5])),
            Color::White => (count([4, 5]), count([4, 4])),
        };
        if halves > 1 || whites > 0 {
            return None;
        }
        let piece = |field: i64| match field {
            1 => Piece::Stone(engine),
            2 => Piece::Stone(!engine),
            3 => Piece::Blocked,
            _ => Piece::Half,
        };
        let all: Vec<(Cell, Piece)> =
            cells.iter().zip(sent).map(|(&cell, &(.., field))| (cell, piece(field))).collect();
        let (blocked, stones): (Vec<_>, Vec<_>) =
            all.iter().partition(|&&(_, piece)| piece == Piece::Blocked);
        let owner = |piece: Piece| if let Piece::Stone(color) = piece { color } else { Color::Black };
        let turn = |i: usize| if i.is_multiple_of(2) { Color::Black } else { Color::White };
        let in_order = turn(stones.len()) == engine
            && stones.iter().enumerate().all(|(i, &&(_, piece))| owner(piece) == turn(i));
        let mut game = if in_order {
            let setup = Setup { pieces: blocked.into_iter().copied().collect(), to_move: Color::Black };
            GameRecord::with_setup(rule, size, setup)
        } else {
            GameRecord::with_setup(rule, size, Setup { pieces: all.clone(), to_move: engine })
        };
        if in_order {
            stones.iter().for_each(|&&(cell, piece)| {
                game.push(if piece == Piece::Half { Move::half(cell) } else { Move::stone(cell) });
            });
        }
        end(&game).map(|_| game)
    }

    /// What is wrong with a move of the engine in this game, whose turn it is there.
    pub(crate) fn fault(&self, game: &GameRecord, mv: Move) -> Option<String> {
        let Some(position) = end(game) else { return Some("there is no position".to_owned()) };
        if let Err(illegal) = position.check(mv) {
            return Some(illegal.to_string());
        }
        let (side, cell) = (position.side_to_move(), mv.cell()?);
        if self.hindered {
            return None;
        }
        let loses =
            |mv: &Move| !mv.is_half() && mv.cell().is_some_and(|cell| position.would_lose(cell, side));
        if loses(&mv) && !position.legal_moves().iter().all(loses) {
            return Some("it loses at once, and others do not".to_owned());
        }
        let five = position.empty_cells().find(|&cell| position.would_win(cell, side));
        if let Some(five) = five
            && (mv.is_half() || !position.would_win(cell, side))
        {
            return Some(format!("it leaves out the five at {}", five.text(position.size())));
        }
        None
    }
}

/// The position at the end of a game. Which way led there is none of the engine's business: managers send stones in any
/// order.
pub(crate) fn end(game: &GameRecord) -> Option<Position> {
    let setup = Setup { pieces: game.pieces().collect(), to_move: game.side_to_move() };
    Position::from_record(&GameRecord::with_setup(game.rule(), game.size(), setup)).ok()
}

/// Whether the side to move has a move: the position is no end, and the last move was no foul.
pub(crate) fn is_ongoing(game: &GameRecord) -> bool {
    if end(game).is_none_or(|position| position.status() != Status::Ongoing) {
        return false;
    }
    let mut before = game.clone();
    let Some(last) = before.pop() else { return true };
    end(&before).is_some_and(|mut position| position.play(last) == Ok(Status::Ongoing))
}
