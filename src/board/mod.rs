//! Layer 2: the position that the search plays on, with the class of every point for both colours.
//!
//! A plain first version: a move reclassifies the points within reach on its four lines, and undoing it does so
//! again.

use crate::game::GameRecord;
use crate::pattern::{Classifier, Content, LineClass, PointClass, REACH, WINDOW, combine};
use crate::types::{Cell, CellSet, Color, Direction, Move, MoveKind, PADDED_CELLS, Piece, Rule, Size};

/// A position with its tactical state.
#[derive(Clone, Debug)]
pub struct Board {
    rule: Rule,
    size: Size,
    pieces: Vec<Option<Piece>>,
    on_board: CellSet,
    empty: CellSet,
    near: Vec<u8>,
    classifiers: [Classifier; 2],
    lines: [Vec<[LineClass; 4]>; 2],
    points: [Vec<PointClass>; 2],
    counts: [[u16; 13]; 2],
    to_move: Color,
    half_in_hand: bool,
    hash: u64,
    history: Vec<Move>,
}

/// `SplitMix64`: a fixed random number for each position feature.
fn feature_key(index: u64) -> u64 {
    let mut z = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

const WHITE_TO_MOVE: u64 = 4 * PADDED_CELLS as u64;
const IN_HAND: u64 = WHITE_TO_MOVE + 1;

fn piece_key(cell: Cell, piece: Piece) -> u64 {
    let kind = match piece {
        Piece::Stone(color) => color.index(),
        Piece::Half => 2,
        Piece::Blocked => 3,
    };
    feature_key((kind * PADDED_CELLS + cell.index()) as u64)
}

impl Board {
    /// The position at the end of a legal record.
    pub fn from_record(game: &GameRecord) -> Board {
        let size = game.size();
        let none = || vec![PointClass::None; PADDED_CELLS];
        let mut board = Board {
            rule: game.rule(),
            size,
            pieces: vec![None; PADDED_CELLS],
            on_board: size.cells().collect(),
            empty: size.cells().collect(),
            near: vec![0; PADDED_CELLS],
            classifiers: Color::ALL.map(|color| Classifier::new(game.rule(), color)),
            lines: [vec![[LineClass::Dead; 4]; PADDED_CELLS], vec![[LineClass::Dead; 4]; PADDED_CELLS]],
            points: [none(), none()],
            counts: [[0; 13]; 2],
            to_move: game.setup().to_move,
            half_in_hand: game.rule() == Rule::HalfStone,
            hash: 0,
            history: Vec::new(),
        };
        for color in Color::ALL {
            board.counts[color.index()][PointClass::None as usize] = size.area() as u16;
        }
        if board.half_in_hand {
            board.hash ^= feature_key(IN_HAND);
        }
        if board.to_move == Color::White {
            board.hash ^= feature_key(WHITE_TO_MOVE);
        }
        for cell in size.cells() {
            board.refresh(cell, &Direction::ALL);
        }
        for &(cell, piece) in &game.setup().pieces {
            board.put(cell, piece);
            if piece == Piece::Half && board.half_in_hand {
                board.set_hand(false);
            }
        }
        for &mv in game.moves() {
            board.make(mv);
        }
        board
    }

    fn set_hand(&mut self, in_hand: bool) {
        if self.half_in_hand != in_hand {
            self.half_in_hand = in_hand;
            self.hash ^= feature_key(IN_HAND);
        }
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) {
        if let Some(cell) = mv.cell() {
            let piece = if mv.kind() == MoveKind::Half { Piece::Half } else { Piece::Stone(self.to_move) };
            self.put(cell, piece);
            if piece == Piece::Half {
                self.set_hand(false);
            }
        }
        self.to_move = !self.to_move;
        self.hash ^= feature_key(WHITE_TO_MOVE);
        self.history.push(mv);
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        let Some(mv) = self.history.pop() else { return };
        self.to_move = !self.to_move;
        self.hash ^= feature_key(WHITE_TO_MOVE);
        if let Some(cell) = mv.cell() {
            if mv.is_half() {
                self.set_hand(true);
            }
            self.lift(cell);
        }
    }

    fn put(&mut self, cell: Cell, piece: Piece) {
        self.uncount(cell);
        self.pieces[cell.index()] = Some(piece);
        self.empty.remove(cell);
        self.hash ^= piece_key(cell, piece);
        self.spread(cell, 1);
    }

    fn lift(&mut self, cell: Cell) {
        if let Some(piece) = self.pieces[cell.index()].take() {
            self.hash ^= piece_key(cell, piece);
            self.empty.insert(cell);
            for color in Color::ALL {
                self.points[color.index()][cell.index()] = PointClass::None;
                self.counts[color.index()][PointClass::None as usize] += 1;
            }
            self.refresh(cell, &Direction::ALL);
            self.spread(cell, -1);
        }
    }

    fn uncount(&mut self, cell: Cell) {
        for color in Color::ALL {
            self.counts[color.index()][self.points[color.index()][cell.index()] as usize] -= 1;
        }
    }

    /// Brings everything within reach of a changed cell up to date.
    fn spread(&mut self, cell: Cell, step: i8) {
        for dy in -2..=2 {
            for dx in -2..=2 {
                let at = cell.index() as i32 + dy * 32 + dx;
                let near = &mut self.near[at as usize];
                *near = near.wrapping_add_signed(step);
            }
        }
        for direction in Direction::ALL {
            for k in (-(REACH as i32)..=REACH as i32).filter(|&k| k != 0) {
                if let Some(at) = cell.step(direction, k)
                    && self.empty.contains(at)
                {
                    self.refresh(at, &[direction]);
                }
            }
        }
    }

    fn refresh(&mut self, cell: Cell, directions: &[Direction]) {
        for color in Color::ALL {
            let c = color.index();
            for &direction in directions {
                let line = self.line(cell, direction, color);
                self.lines[c][cell.index()][direction.index()] = self.classifiers[c].classify(&line);
            }
            let point = combine(self.lines[c][cell.index()]);
            let old = std::mem::replace(&mut self.points[c][cell.index()], point);
            self.counts[c][old as usize] -= 1;
            self.counts[c][point as usize] += 1;
        }
    }

    /// The line through `cell` as `color` would see it with a stone of its own there.
    fn line(&self, cell: Cell, direction: Direction, color: Color) -> [Content; WINDOW] {
        std::array::from_fn(|i| {
            let k = i as i32 - REACH as i32;
            if k == 0 {
                return Content::Own;
            }
            match cell.step(direction, k) {
                Some(at) if self.on_board.contains(at) => match self.pieces[at.index()] {
                    None => Content::Empty,
                    Some(Piece::Stone(c)) if c == color => Content::Own,
                    Some(Piece::Stone(_)) => Content::Enemy,
                    Some(Piece::Half | Piece::Blocked) => Content::Wall,
                },
                _ => Content::Wall,
            }
        })
    }

    /// The rule in force.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Who is to move.
    pub fn side_to_move(&self) -> Color {
        self.to_move
    }

    /// Whether Black still holds the half stone.
    pub fn half_in_hand(&self) -> bool {
        self.half_in_hand
    }

    /// The position's key: pieces, side to move and the half stone in hand.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether nothing lies on `cell` and it is on the board.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.empty.contains(cell)
    }

    /// Number of empty points.
    pub fn empty_count(&self) -> usize {
        self.empty.len()
    }

    /// The last move made on this board.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last().copied()
    }

    /// What a stone of `color` on the empty `cell` would make, as if it were legal.
    pub fn class(&self, color: Color, cell: Cell) -> PointClass {
        self.points[color.index()][cell.index()]
    }

    /// What it would make in one line.
    pub fn line_class(&self, color: Color, cell: Cell, direction: Direction) -> LineClass {
        self.lines[color.index()][cell.index()][direction.index()]
    }

    /// Number of empty points with this class.
    pub fn count(&self, color: Color, class: PointClass) -> usize {
        usize::from(self.counts[color.index()][class as usize])
    }

    /// The empty points with this class, in index order.
    pub fn cells(&self, color: Color, class: PointClass) -> impl Iterator<Item = Cell> + '_ {
        let none = self.count(color, class) == 0;
        self.empty.iter().filter(move |&cell| !none && self.class(color, cell) == class)
    }

    /// Empty points near a stone: the ones worth searching. On an empty board, the centre.
    pub fn candidates(&self) -> impl Iterator<Item = Cell> + '_ {
        let bare = self.empty.len() == self.on_board.len();
        let center = self.size.center();
        self.empty.iter().filter(move |&cell| self.near[cell.index()] > 0 || bare && cell == center)
    }

    /// Whether renju forbids Black to play the empty `cell`.
    pub fn is_forbidden(&mut self, cell: Cell) -> bool {
        if self.rule != Rule::Renju {
            return false;
        }
        let lines = self.lines[Color::Black.index()][cell.index()];
        let count = |wanted: fn(LineClass) -> bool| lines.iter().filter(|&&l| wanted(l)).count();
        if count(|l| l == LineClass::Five) > 0 {
            return false;
        }
        if count(|l| l == LineClass::Over) > 0
            || count(|l| matches!(l, LineClass::Four | LineClass::StraightFour)) >= 2
        {
            return true;
        }
        if count(|l| l == LineClass::LiveThree) < 2 {
            return false;
        }
        self.put(cell, Piece::Stone(Color::Black));
        let real = Direction::ALL
            .into_iter()
            .filter(|d| lines[d.index()] == LineClass::LiveThree && self.three_is_real(cell, *d))
            .count();
        self.lift(cell);
        real >= 2
    }

    /// Whether the three through the black stone on `cell` can become a straight four by a legal move that does not
    /// make five at the same time.
    fn three_is_real(&mut self, cell: Cell, direction: Direction) -> bool {
        [1, -1].into_iter().any(|sign| {
            let next = (1..=REACH as i32)
                .filter_map(|k| cell.step(direction, sign * k))
                .find(|at| self.pieces[at.index()] != Some(Piece::Stone(Color::Black)));
            next.is_some_and(|at| {
                self.is_empty(at)
                    && self.line_class(Color::Black, at, direction) == LineClass::StraightFour
                    && self.class(Color::Black, at) != PointClass::Five
                    && !self.is_forbidden(at)
            })
        })
    }
}
