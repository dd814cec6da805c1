//! The bytes of a position, and how to work them all out from the pieces alone.

use super::lines::{Lines, taken};
use super::{alive, near, zobrist};
use crate::pattern::{Patterns, PhaseTable, PointClass, Sums};
use crate::types::{Cell, CellSet, Color, Direction, PADDED_CELLS, Piece, STRIDE, Size};

/// What is known of an empty cell. Occupied cells and walls keep [`CellState::blank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellState {
    /// Line classes: nibble `4 * color + direction`.
    pub(super) lines: u32,
    /// Codes per colour.
    pub(super) codes: [u16; 2],
    /// [`crate::pattern::Digest`] bits per colour.
    pub(super) digests: [u8; 2],
    /// The cell's own index, so that a copy in the journal knows where it belongs.
    pub(super) index: u16,
}

impl CellState {
    pub(super) const fn blank(index: usize) -> CellState {
        CellState { lines: 0, codes: [0; 2], digests: [PointClass::None as u8; 2], index: index as u16 }
    }
}

/// Slots for the sets and counters of the classes: a power of two, so that a masked index needs no check.
pub(super) const CLASS_SLOTS: usize = 16;

/// A position without its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) cells: [CellState; PADDED_CELLS],
    pub(super) lines: Lines,
    /// Empty cells by colour and class.
    pub(super) sets: [[CellSet; CLASS_SLOTS]; 2],
    pub(super) counts: [[u16; CLASS_SLOTS]; 2],
    pub(super) empty: CellSet,
    pub(super) stones: [CellSet; 2],
    pub(super) half: Option<Cell>,
    pub(super) blocked: CellSet,
    /// Cells near a piece that was played, occupied ones included: one word per padded row.
    pub(super) near: [u32; STRIDE],
    pub(super) values: [i32; 2],
    /// Sums of the point vectors of the colours' networks.
    pub(super) sums: Sums,
    pub(super) alive: [u16; 2],
    pub(super) empty_count: u16,
    pub(super) hash: u64,
    pub(super) side: Color,
    pub(super) half_in_hand: bool,
}

impl State {
    /// Works everything out from the pieces. Slow, plain, and what the incremental state is tested against.
    pub(super) fn from_scratch(
        patterns: &Patterns,
        points: &PhaseTable,
        size: Size,
        pieces: &[(Cell, Piece)],
        side: Color,
        half_in_hand: bool,
    ) -> State {
        let mut state = State {
            cells: std::array::from_fn(CellState::blank),
            lines: Lines::new(size),
            sets: Default::default(),
            counts: Default::default(),
            empty: size.cells().collect(),
            stones: Default::default(),
            half: None,
            blocked: CellSet::default(),
            near: [0; STRIDE],
            values: [0; 2],
            sums: Sums::default(),
            alive: [0; 2],
            empty_count: (size.area() - pieces.len()) as u16,
            hash: zobrist::side(side) ^ zobrist::hand(half_in_hand),
            side,
            half_in_hand,
        };
        for &(cell, piece) in pieces {
            debug_assert!(state.empty.contains(cell), "one piece per point of the board");
            state.lines.flip(cell, taken(piece));
            state.hash ^= zobrist::piece(cell, piece);
            state.set_piece(cell, piece);
            near::add(&mut state.near, cell, size);
        }
        for cell in size.cells() {
            if state.empty.contains(cell) {
                state.classify(patterns, points, cell);
            }
            for color in Color::ALL {
                state.alive[color.index()] += alive::windows_from(&state, size, color, cell);
            }
        }
        state
    }

    /// Fills in an empty cell and adds it to the totals.
    fn classify(&mut self, patterns: &Patterns, points: &PhaseTable, cell: Cell) {
        let mut entry = CellState::blank(cell.index());
        for direction in Direction::ALL {
            let byte: u32 =
                patterns.windows().get(self.lines.key(cell, direction, patterns.windows().half())).into();
            entry.lines |= (byte & 15 | (byte >> 4) << 16) << (4 * direction.index());
        }
        for color in Color::ALL {
            let c = color.index();
            let code = patterns.codes()[(entry.lines >> (16 * c) & 0xffff) as usize];
            let record = points.get(color, code);
            entry.codes[c] = code;
            entry.digests[c] = record.digest;
            self.values[c] += i32::from(record.value);
            self.counts[c][record.digest as usize % CLASS_SLOTS] += 1;
            self.sets[c][record.digest as usize % CLASS_SLOTS].insert(cell);
        }
        if let Some(pooling) = points.pooling() {
            pooling.add(&mut self.sums, entry.codes);
        }
        self.cells[cell.index()] = entry;
    }

    /// Sums the values and vectors anew, when the half stone has changed what every point is worth.
    pub(super) fn sum_values(&mut self, points: &PhaseTable) {
        self.values = [0; 2];
        self.sums = Sums::default();
        for cell in self.empty.iter() {
            for color in Color::ALL {
                let code = self.cells[cell.index()].codes[color.index()];
                self.values[color.index()] += i32::from(points.get(color, code).value);
            }
            if let Some(pooling) = points.pooling() {
                pooling.add(&mut self.sums, self.cells[cell.index()].codes);
            }
        }
    }

    /// Notes a piece on an empty cell. Only the sets of pieces change.
    #[inline]
    pub(super) fn set_piece(&mut self, cell: Cell, piece: Piece) {
        self.empty.remove(cell);
        match piece {
            Piece::Stone(color) => self.stones[color.index()].insert(cell),
            Piece::Half => self.half = Some(cell),
            Piece::Blocked => self.blocked.insert(cell),
        }
    }

    /// Takes a piece that was played off its cell.
    #[inline]
    pub(super) fn clear_piece(&mut self, cell: Cell, piece: Piece) {
        self.empty.insert(cell);
        match piece {
            Piece::Stone(color) => self.stones[color.index()].remove(cell),
            Piece::Half => self.half = None,
            Piece::Blocked => self.blocked.remove(cell),
        }
    }

    /// What lies on a cell.
    pub(super) fn piece(&self, cell: Cell) -> Option<Piece> {
        if self.empty.contains(cell) {
            return None;
        }
        if let Some(color) = Color::ALL.into_iter().find(|color| self.stones[color.index()].contains(cell)) {
            return Some(Piece::Stone(color));
        }
        match self.half {
            Some(half) if half == cell => Some(Piece::Half),
            _ if self.blocked.contains(cell) => Some(Piece::Blocked),
            _ => None,
        }
    }
}
