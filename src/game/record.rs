//! What a game started from and what was played in it.

use crate::types::{Cell, Color, Move, MoveKind, Piece, Rule, Size};

/// A position that a game starts from. The default is the empty board with Black to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Pieces on the board, in no particular order, each on its own cell.
    pub pieces: Vec<(Cell, Piece)>,
    /// Who plays the first move of the record.
    pub to_move: Color,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { pieces: Vec::new(), to_move: Color::Black }
    }
}

/// A game: rule, board size, starting position and moves.
///
/// ```
/// use halfstone::game::GameRecord;
/// use halfstone::types::{Color, Move, Rule, Size};
/// let mut game = GameRecord::new(Rule::HalfStone, Size::STANDARD);
/// game.push(Move::half(Size::STANDARD.center()));
/// assert_eq!(game.side_to_move(), Color::White);
/// assert!(!game.half_in_hand());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    rule: Rule,
    size: Size,
    setup: Setup,
    moves: Vec<Move>,
}

impl GameRecord {
    /// An empty board under `rule`, Black to move.
    pub fn new(rule: Rule, size: Size) -> GameRecord {
        GameRecord::with_setup(rule, size, Setup::default())
    }

    /// A game that starts from `setup`.
    pub fn with_setup(rule: Rule, size: Size, setup: Setup) -> GameRecord {
        GameRecord { rule, size, setup, moves: Vec::new() }
    }

    /// The rule that the game is played under.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The same game under another rule.
    pub fn set_rule(&mut self, rule: Rule) {
        self.rule = rule;
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The starting position.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The moves, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Appends a move by the side to move. Nothing is checked.
    pub fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// Takes the last move back; `None` when only the starting position is left.
    pub fn pop(&mut self) -> Option<Move> {
        self.moves.pop()
    }

    /// Who is to move: passes and half stones are turns like any other.
    pub fn side_to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.setup.to_move } else { !self.setup.to_move }
    }

    /// Whether Black still owns an unplaced half stone. Always false outside the half-stone rule.
    pub fn half_in_hand(&self) -> bool {
        self.rule == Rule::HalfStone
            && !self.setup.pieces.iter().any(|&(_, piece)| piece == Piece::Half)
            && !self.moves.iter().any(|mv| mv.is_half())
    }

    /// Every piece on the board: those set up, then those played, in order.
    pub fn pieces(&self) -> impl Iterator<Item = (Cell, Piece)> + '_ {
        let mut color = self.setup.to_move;
        let played = self.moves.iter().filter_map(move |mv| {
            let player = color;
            color = !color;
            let piece = match mv.kind() {
                MoveKind::Stone => Piece::Stone(player),
                MoveKind::Half => Piece::Half,
                MoveKind::Pass => return None,
            };
            Some((mv.cell()?, piece))
        });
        self.setup.pieces.iter().copied().chain(played)
    }

    /// What lies on `cell`; `None` when it is empty.
    pub fn piece_at(&self, cell: Cell) -> Option<Piece> {
        self.pieces().find(|&(at, _)| at == cell).map(|(_, piece)| piece)
    }
}
