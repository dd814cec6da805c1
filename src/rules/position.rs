//! A game in progress, under any rule: what may be played, and how the game stands.

use super::error::{BadPiece, IllegalMove, RecordError};
use super::grid::{Grid, View, spot};
use super::outcome::{Status, WinReason};
use super::renju::{self, Judgement};
use super::row::{wins_anywhere, wins_at};
use crate::game::GameRecord;
use crate::types::{Cell, Color, Move, MoveKind, Piece, Rule, Size};

/// A position of a game, played move by move.
///
/// ```
/// use halfstone::game::parse_moves;
/// use halfstone::rules::{Position, Status, WinReason};
/// use halfstone::types::{Color, Rule, Size};
/// let mut game = Position::new(Rule::HalfStone, Size::STANDARD);
/// for mv in parse_moves("h8 a1 g8 a3 f8 a5 e8 a7 d8", Size::STANDARD).unwrap() {
///     game.play(mv).unwrap();
/// }
/// // Black's fifth stone came before the half stone.
/// assert_eq!(game.status(), Status::Won { winner: Color::White, reason: WinReason::EarlyFive });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rule: Rule,
    grid: Grid,
    side_to_move: Color,
    half_in_hand: bool,
    status: Status,
}

impl Position {
    /// The empty board, Black to move.
    pub fn new(rule: Rule, size: Size) -> Position {
        Position {
            rule,
            grid: Grid::new(size),
            side_to_move: Color::Black,
            half_in_hand: rule == Rule::HalfStone,
            status: Status::Ongoing,
        }
    }

    /// The position at the end of a record.
    ///
    /// A starting position that already holds a winning row is a finished game; if it holds one of each colour, the
    /// side that is not to move, who played last, has won.
    ///
    /// # Errors
    /// [`RecordError`] names the first piece or move that cannot be there.
    pub fn from_record(game: &GameRecord) -> Result<Position, RecordError> {
        let size = game.size();
        let mut position = Position::new(game.rule(), size);
        position.side_to_move = game.setup().to_move;
        for (i, &(cell, piece)) in game.setup().pieces.iter().enumerate() {
            position.set_up(cell, piece).map_err(|reason| RecordError::Piece {
                number: i + 1,
                text: piece_text(cell, piece, size),
                reason,
            })?;
        }
        position.status = position.status_of_setup();

        for (i, &mv) in game.moves().iter().enumerate() {
            position.play(mv).map_err(|reason| RecordError::Move {
                number: i + 1,
                text: move_text(mv, size),
                reason,
            })?;
        }
        Ok(position)
    }

    fn set_up(&mut self, cell: Cell, piece: Piece) -> Result<(), BadPiece> {
        match self.grid.view(spot(cell)) {
            View::Outside => return Err(BadPiece::OffBoard),
            View::Taken(_) => return Err(BadPiece::Occupied),
            View::Empty => {}
        }
        if piece == Piece::Half {
            if self.rule != Rule::HalfStone {
                return Err(BadPiece::HalfUnderOtherRule(self.rule));
            }
            if !self.half_in_hand {
                return Err(BadPiece::SecondHalf);
            }
            self.half_in_hand = false;
        }
        self.grid.set(spot(cell), Some(piece));
        Ok(())
    }

    /// How the game stands before the first move of a record.
    fn status_of_setup(&self) -> Status {
        for color in [!self.side_to_move, self.side_to_move] {
            if wins_anywhere(&self.grid, self.rule, color) {
                return self.status_after_five(color);
            }
        }
        if self.grid.is_full() { Status::Drawn } else { Status::Ongoing }
    }

    /// How the game stands when `color` has a winning row.
    fn status_after_five(&self, color: Color) -> Status {
        if color == Color::Black && self.half_in_hand {
            Status::Won { winner: Color::White, reason: WinReason::EarlyFive }
        } else {
            Status::Won { winner: color, reason: WinReason::Five }
        }
    }

    /// Plays a move for the side to move, and says how the game stands after it. A pass is accepted under every rule.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move cannot be played; the position is then unchanged. A forbidden move of renju and an
    /// early black five *can* be played: they end the game with a loss.
    pub fn play(&mut self, mv: Move) -> Result<Status, IllegalMove> {
        self.check(mv)?;
        let color = self.side_to_move;
        self.side_to_move = !color;

        match (mv.kind(), mv.cell()) {
            (MoveKind::Stone, Some(cell)) => self.status = self.place_stone(cell, color),
            (MoveKind::Half, Some(cell)) => {
                self.grid.set(spot(cell), Some(Piece::Half));
                self.half_in_hand = false;
            }
            _ => {}
        }
        if self.status == Status::Ongoing && self.grid.is_full() {
            self.status = Status::Drawn;
        }
        Ok(self.status)
    }

    /// Whether a move can be played now.
    ///
    /// # Errors
    /// [`IllegalMove`] with the first reason why it cannot.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.status.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if mv.is_half() {
            if self.rule != Rule::HalfStone {
                return Err(IllegalMove::HalfUnderOtherRule(self.rule));
            }
            if self.side_to_move == Color::White {
                return Err(IllegalMove::HalfByWhite);
            }
            if !self.half_in_hand {
                return Err(IllegalMove::SecondHalf);
            }
        }
        match mv.cell().map(|cell| self.grid.view(spot(cell))) {
            Some(View::Outside) => Err(IllegalMove::OffBoard),
            Some(View::Taken(_)) => Err(IllegalMove::Occupied),
            Some(View::Empty) | None => Ok(()),
        }
    }

    /// Puts an ordinary stone on an empty point and says whether it ends the game; a full board is not looked at.
    fn place_stone(&mut self, cell: Cell, color: Color) -> Status {
        let judgement = if color == Color::Black { self.judge(cell) } else { Judgement::default() };
        self.grid.set(spot(cell), Some(Piece::Stone(color)));
        if wins_at(&self.grid, self.rule, spot(cell), color) {
            return self.status_after_five(color);
        }
        if judgement.is_forbidden() {
            return Status::Won { winner: Color::White, reason: WinReason::Foul(judgement.fouls) };
        }
        Status::Ongoing
    }

    /// The rule that is played.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.grid.size()
    }

    /// Who is to move, or would be if the game were not over.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Whether Black still owns an unplaced half stone. Always false outside the half-stone rule.
    pub fn half_in_hand(&self) -> bool {
        self.half_in_hand
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What lies on a cell; `None` for an empty point and off the board.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        match self.grid.view(spot(cell)) {
            View::Taken(piece) => Some(piece),
            View::Outside | View::Empty => None,
        }
    }

    /// Whether the cell is an empty point of the board.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.grid.is_empty(spot(cell))
    }

    /// The empty points, row by row from the top.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.size().cells().filter(|&cell| self.is_empty(cell))
    }

    /// Everything that can be placed now: ordinary stones row by row from the top, then half stones likewise. Moves
    /// that lose at once are among them; the pass, always possible, is not. Empty when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.status.is_over() {
            return Vec::new();
        }
        let mut moves: Vec<Move> = self.empty_cells().map(Move::stone).collect();
        if self.half_in_hand && self.side_to_move == Color::Black {
            moves.extend(self.empty_cells().map(Move::half));
        }
        moves
    }

    /// Whether an ordinary stone of this colour on this empty point would complete a winning row, were it that
    /// colour's turn and the half stone placed. False on any other point.
    pub fn makes_five(&self, cell: Cell, color: Color) -> bool {
        self.is_empty(cell) && wins_at(&self.grid, self.rule, spot(cell), color)
    }

    /// Whether an ordinary stone of this colour on this empty point would win at once, were it that colour's turn.
    pub fn would_win(&self, cell: Cell, color: Color) -> bool {
        !(color == Color::Black && self.half_in_hand) && self.makes_five(cell, color)
    }

    /// Whether an ordinary stone of this colour on this empty point would lose at once, were it that colour's turn: a
    /// forbidden move of renju, or a five before the half stone.
    pub fn would_lose(&self, cell: Cell, color: Color) -> bool {
        color == Color::Black
            && ((self.half_in_hand && self.makes_five(cell, color)) || self.judge(cell).is_forbidden())
    }

    /// What a black stone on this empty point would be under renju. Under other rules, and on points that are not
    /// empty, nothing is forbidden and nothing is counted.
    pub fn judge(&self, cell: Cell) -> Judgement {
        if self.rule != Rule::Renju || !self.is_empty(cell) {
            return Judgement::default();
        }
        renju::judge(&mut self.grid.clone(), spot(cell))
    }

    /// The empty points that are forbidden to Black, whoever is to move, row by row from the top. None outside renju.
    pub fn forbidden_points(&self) -> Vec<Cell> {
        self.empty_cells().filter(|&cell| self.judge(cell).is_forbidden()).collect()
    }
}

/// A piece of a set-up for an error message.
fn piece_text(cell: Cell, piece: Piece, size: Size) -> String {
    let point = if cell.on_board(size) { cell.text(size).to_string() } else { format!("{cell:?}") };
    match piece {
        Piece::Stone(color) => format!("{color} {point}"),
        Piece::Half => format!("half stone {point}"),
        Piece::Blocked => format!("blocked {point}"),
    }
}

/// A move for an error message. Text notation cannot name a cell off the board.
fn move_text(mv: Move, size: Size) -> String {
    match mv.cell() {
        Some(cell) if !cell.on_board(size) => format!("{mv:?}"),
        _ => mv.text(size).to_string(),
    }
}
