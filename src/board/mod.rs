//! Layer 2: the position that the search works on, with every tactical fact kept up to date.
//!
//! [`Board`] holds stones, line words, line classes, codes and point classes of every empty point, counters and sets
//! of the points of each class, the hash, the candidate moves and the sum of the point values; [`Board::make`] and
//! [`Board::undo`] keep all of it exact without allocating. What a stone *means* under a rule comes from
//! [`crate::pattern`]; nothing here knows a rule except renju's fouls (`foul`), caro's answers to a five and
//! the narrower defences of renju (`defence`).

mod alive;
mod defence;
mod foul;
mod four;
mod lines;
mod make;
mod measure;
mod near;
mod scratch;
mod state;
mod zobrist;

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::game::GameRecord;
use crate::pattern::{Digest, LANES, LineClass, Patterns, PhaseTable, PointClass, PointTable, Weights};
use crate::types::{Cell, CellSet, Color, Direction, Move, MoveKind, Piece, Rule, Size};
pub use four::AfterFour;
use make::Ply;
pub use measure::{Exercise, Measurement, measure};
use state::{CellState, State};

/// A short list of cells, without allocation. Defence sets and fours fit with room to spare.
pub type CellList = ArrayVec<Cell, 128>;

/// A position and the way to it.
///
/// Cloning copies the position (some 20 KB) and the history, and makes room for a whole game (150 KB on 15×15). Two
/// boards are equal if rule, size, every byte of the position and the history are.
#[derive(Debug)]
pub struct Board {
    patterns: &'static Patterns,
    points: Arc<PointTable>,
    rule: Rule,
    size: Size,
    state: State,
    plies: Vec<Ply>,
    /// What [`Board::make`] overwrote, oldest first; everything from `journal_top` on is free.
    journal: Vec<CellState>,
    journal_top: usize,
}

impl Board {
    /// The empty board with Black to move. Point values are all zero.
    ///
    /// ```
    /// use halfstone::board::Board;
    /// use halfstone::types::{Move, Rule, Size};
    /// let mut board = Board::new(Rule::Freestyle, Size::STANDARD);
    /// board.make(Move::stone(Size::STANDARD.center()));
    /// board.undo();
    /// assert_eq!(board, Board::new(Rule::Freestyle, Size::STANDARD));
    /// ```
    pub fn new(rule: Rule, size: Size) -> Board {
        Board::with_weights(rule, size, &Weights::ZERO)
    }

    /// The empty board, with the point values whose sums [`Board::value`] returns.
    pub fn with_weights(rule: Rule, size: Size, weights: &Weights) -> Board {
        Board::with_points(rule, size, Arc::new(PointTable::new(rule, weights)))
    }

    /// The empty board, with a point table that may be shared between boards. It must have been made for `rule`.
    pub fn with_points(rule: Rule, size: Size, points: Arc<PointTable>) -> Board {
        Board::from_record_with_points(&GameRecord::new(rule, size), points)
    }

    /// The position at the end of a record, which must be legal: every piece on its own empty point. The moves of
    /// the record can be taken back.
    pub fn from_record(record: &GameRecord) -> Board {
        Board::from_record_with_points(record, Arc::new(PointTable::new(record.rule(), &Weights::ZERO)))
    }

    /// As [`Board::from_record`], with a point table made for the record's rule.
    pub fn from_record_with_points(record: &GameRecord, points: Arc<PointTable>) -> Board {
        let (rule, size) = (record.rule(), record.size());
        let patterns = Patterns::of(rule);
        let setup = record.setup();
        let hand = rule == Rule::HalfStone && !setup.pieces.iter().any(|&(_, piece)| piece == Piece::Half);
        let state =
            State::from_scratch(patterns, points.phase(hand), size, &setup.pieces, setup.to_move, hand);
        let mut board = Board {
            patterns,
            points,
            rule,
            size,
            state,
            plies: Vec::new(),
            journal: Vec::new(),
            journal_top: 0,
        };
        board.reserve();
        for &mv in record.moves() {
            board.make(mv);
        }
        board
    }

    /// Room for a whole game, so that no move allocates.
    fn reserve(&mut self) {
        let moves = self.size.area() + 64;
        self.plies.reserve(moves.saturating_sub(self.plies.len()));
        let slots = (moves * make::MAX_CHANGES).max(self.journal_top) + make::CHUNK;
        self.journal.resize(slots, CellState::blank(0));
    }

    /// Whether two boards agree in everything but their history: every byte of pieces, lines, classes, counters,
    /// sets, sums and hash.
    pub fn same_position(&self, other: &Board) -> bool {
        (self.rule, self.size) == (other.rule, other.size) && self.state == other.state
    }

    /// The rule that is played.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What codes and threats are worth in the present phase of the game.
    #[inline]
    pub fn points(&self) -> &PhaseTable {
        self.points.phase(self.state.half_in_hand)
    }

    /// The pattern tables of the rule.
    #[inline]
    pub fn patterns(&self) -> &'static Patterns {
        self.patterns
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.state.side
    }

    /// Whether Black still owns the half stone. Always false outside the half-stone rule.
    #[inline]
    pub fn half_in_hand(&self) -> bool {
        self.state.half_in_hand
    }

    /// Whether `color` is Black with the half stone still in hand: his fives are fouls, his fours threaten nothing yet.
    /// Counters and sets of his classes do not know of it.
    #[inline]
    pub fn is_dormant(&self, color: Color) -> bool {
        self.state.half_in_hand && color == Color::Black
    }

    /// A key of the position: pieces, side to move and whether the half stone is in hand.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.state.hash
    }

    /// What [`Board::hash`] would be after the move, which must be possible.
    #[inline]
    pub fn hash_after(&self, mv: Move) -> u64 {
        let turned = self.state.hash ^ zobrist::TURN;
        match (mv.kind(), mv.cell()) {
            (MoveKind::Stone, Some(cell)) => turned ^ zobrist::piece(cell, Piece::Stone(self.state.side)),
            (MoveKind::Half, Some(cell)) => turned ^ zobrist::piece(cell, Piece::Half) ^ zobrist::hand(true),
            _ => turned,
        }
    }

    /// Moves made so far, passes included: how often [`Board::undo`] can be called.
    #[inline]
    pub fn ply(&self) -> usize {
        self.plies.len()
    }

    /// The last move made, if any.
    #[inline]
    pub fn last_move(&self) -> Option<Move> {
        self.plies.last().map(|ply| ply.mv)
    }

    /// The moves made so far, oldest first, those of the record included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// What lies on a cell. `None` when it is empty, and for a cell off the board.
    #[inline]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        self.state.piece(cell)
    }

    /// Whether the cell is an empty point of the board.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.state.empty.contains(cell)
    }

    /// The empty points.
    #[inline]
    pub fn empty_cells(&self) -> &CellSet {
        &self.state.empty
    }

    /// How many points are empty.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.state.empty_count as usize
    }

    /// How many pieces lie on the board: stones, the half stone and blocked points.
    #[inline]
    pub fn stones(&self) -> usize {
        self.size.area() - self.empty_count()
    }

    /// The stones of a colour.
    #[inline]
    pub fn stones_of(&self, color: Color) -> &CellSet {
        &self.state.stones[color.index()]
    }

    /// What the empty point `cell` is worth to `color`, as if the move were legal and fives counted at once.
    /// [`PointClass::None`] for an occupied cell.
    #[inline]
    pub fn class(&self, color: Color, cell: Cell) -> PointClass {
        PointClass::from_nibble(self.state.cells[cell.index()].digests[color.index()])
    }

    /// What one line through the empty point `cell` becomes when `color` plays there; [`LineClass::Dead`] for an
    /// occupied cell.
    #[inline]
    pub fn line_class(&self, color: Color, cell: Cell, direction: Direction) -> LineClass {
        let shift = 16 * color.index() + 4 * direction.index();
        LineClass::from_nibble(self.state.cells[cell.index()].lines >> shift)
    }

    /// The code of the point's four line classes, for tables; 0 for an occupied cell.
    #[inline]
    pub fn code(&self, color: Color, cell: Cell) -> u16 {
        self.state.cells[cell.index()].codes[color.index()]
    }

    /// As [`Board::code`], of both colours by [`Color::index`].
    #[inline]
    pub fn codes(&self, cell: Cell) -> [u16; 2] {
        self.state.cells[cell.index()].codes
    }

    /// How many empty points have this class for `color`.
    #[inline]
    pub fn count(&self, color: Color, class: PointClass) -> u32 {
        self.state.counts[color.index()][class.index()].into()
    }

    /// The empty points that have this class for `color`.
    #[inline]
    pub fn set(&self, color: Color, class: PointClass) -> &CellSet {
        &self.state.sets[color.index()][class.index()]
    }

    /// The empty points that have this class for `color`, in index order.
    pub fn cells(&self, color: Color, class: PointClass) -> impl Iterator<Item = Cell> + '_ {
        self.set(color, class).iter()
    }

    /// The first point in index order that has this class for `color`.
    #[inline]
    pub fn first(&self, color: Color, class: PointClass) -> Option<Cell> {
        if self.count(color, class) == 0 { None } else { self.set(color, class).first() }
    }

    /// The sum over the empty points of what their codes are worth to `color`, by the board's [`Weights`]. Not
    /// kept by [`Board::make_light`].
    #[inline]
    pub fn value(&self, color: Color) -> i32 {
        self.state.values[color.index()]
    }

    /// The sum over the empty points of their vectors in `color`'s network, for [`PhaseTable::network`]; zeros
    /// without one. Not kept by [`Board::make_light`].
    #[inline]
    pub fn pooled(&self, color: Color) -> &[i32; LANES] {
        &self.state.sums[color.index()]
    }

    /// How many rows of five points hold nothing that is foreign to `color`. At zero the colour can win by nothing but
    /// a foul of Black's (renju, or the half stone in hand). (Under the exact-five rules some of them may be useless
    /// all the same.) Not kept by [`Board::make_light`].
    #[inline]
    pub fn alive_windows(&self, color: Color) -> u32 {
        self.state.alive[color.index()].into()
    }

    /// Whether a black stone on the empty point `cell` *might* be a renju foul. [`Board::is_forbidden`] knows.
    #[inline]
    pub fn foul_suspect(&self, cell: Cell) -> bool {
        self.state.cells[cell.index()].digests[Color::Black.index()] & Digest::SUSPECT_BIT != 0
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        let mut board = Board {
            patterns: self.patterns,
            points: Arc::clone(&self.points),
            rule: self.rule,
            size: self.size,
            state: self.state.clone(),
            plies: self.plies.clone(),
            journal: self.journal[..self.journal_top].to_vec(),
            journal_top: self.journal_top,
        };
        board.reserve();
        board
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        (self.rule, self.size) == (other.rule, other.size)
            && self.state == other.state
            && self.plies == other.plies
            && self.journal[..self.journal_top] == other.journal[..other.journal_top]
    }
}

impl Eq for Board {}
