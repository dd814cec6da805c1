//! Making and taking back moves: everything that a piece changes, and nothing else.
//!
//! A piece changes the keys of the empty cells within reach on its four lines, 25 to 30 of them in mid-game. Each
//! such cell's state is copied to the journal before it is overwritten; the totals are saved whole per ply, and the
//! class sets are turned back bit by bit.

use super::lines::{locate, squeeze, taken, turn};
use super::state::{CLASS_SLOTS, CellState, State};
use super::{Board, alive, near, zobrist};
use crate::pattern::{self, Delta, NARROW_KEYS, Patterns, PhaseTable, Pooling, Sums, WIDE_KEYS, WindowTable};
use crate::types::{Cell, Color, Direction, Move, MoveKind, PADDED_CELLS, Piece};

/// The most cells that one move can change: ten per line, and its own.
pub(super) const MAX_CHANGES: usize = 41;

/// Free slots that the journal always has, so that a move writes into an array of known length without a check.
pub(super) const CHUNK: usize = 64;

/// What a move overwrote apart from cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    pub(super) mv: Move,
    /// Whether the candidate set was left alone.
    light: bool,
    journal_start: u32,
    hash: u64,
    counts: [[u16; CLASS_SLOTS]; 2],
    values: [i32; 2],
    sums: Sums,
    alive: [u16; 2],
    near: near::Saved,
}

impl Board {
    /// Plays a move for the side to move. It must be possible: an empty point of the board, a half stone only while
    /// [`Board::half_in_hand`] and by Black. Fouls and finished games are not looked at.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.make_with::<false>(mv);
    }

    /// As [`Board::make`], without the parts that solvers do not need: the candidate set, the point values and the
    /// alive windows keep what they were before the first light move. Only light moves may follow until it is
    /// undone.
    #[inline]
    pub fn make_light(&mut self, mv: Move) {
        self.make_with::<true>(mv);
    }

    /// Gives up the turn.
    #[inline]
    pub fn pass(&mut self) {
        self.make(Move::PASS);
    }

    fn make_with<const LIGHT: bool>(&mut self, mv: Move) {
        let state = &mut self.state;
        self.plies.push(Ply {
            mv,
            light: LIGHT,
            journal_start: self.journal_top as u32,
            hash: state.hash,
            counts: state.counts,
            values: state.values,
            sums: state.sums,
            alive: state.alive,
            near: match mv.cell() {
                Some(cell) if !LIGHT => near::save(&state.near, cell),
                _ => near::Saved::default(),
            },
        });
        let mover = state.side;
        state.side = !mover;
        state.hash ^= zobrist::TURN;
        let piece = match mv.kind() {
            MoveKind::Pass => return,
            MoveKind::Stone => Piece::Stone(mover),
            MoveKind::Half => {
                debug_assert!(state.half_in_hand && mover == Color::Black, "there is a half stone to place");
                state.half_in_hand = false;
                state.hash ^= zobrist::hand(true);
                Piece::Half
            }
        };
        let Some(cell) = mv.cell() else { return };
        debug_assert!(state.empty.contains(cell), "moves go to empty points");
        if self.journal.len() < self.journal_top + CHUNK {
            // Only reached by games with more moves than the board has points.
            self.journal.resize(self.journal_top + 64 * CHUNK, CellState::blank(0));
        }
        let Some(journal) = self.journal[self.journal_top..].first_chunk_mut::<CHUNK>() else { return };
        let points = self.points.phase(state.half_in_hand);
        let mut change = Change { state, journal, used: 0, points, patterns: self.patterns };
        match self.patterns.windows() {
            WindowTable::Narrow(table) => change.place::<4, NARROW_KEYS, LIGHT>(table, cell, piece),
            WindowTable::Wide(table) => change.place::<5, WIDE_KEYS, LIGHT>(table, cell, piece),
        }
        self.journal_top += change.used;
        if !LIGHT {
            near::add(&mut self.state.near, cell, self.size);
            if piece == Piece::Half {
                self.state.sum_values(points);
            }
        }
    }

    /// Takes the last move back, light or not: afterwards every byte is what it was. Does nothing on a board
    /// without moves.
    pub fn undo(&mut self) {
        let Some(ply) = self.plies.pop() else { return };
        let state = &mut self.state;
        let mover = !state.side;
        state.side = mover;
        let (Some(cell), kind) = (ply.mv.cell(), ply.mv.kind()) else {
            state.hash = ply.hash;
            return;
        };
        let piece = if kind == MoveKind::Half { Piece::Half } else { Piece::Stone(mover) };
        state.half_in_hand |= kind == MoveKind::Half;
        state.lines.flip(cell, taken(piece));
        state.clear_piece(cell, piece);
        state.empty_count += 1;
        state.hash = ply.hash;
        state.counts = ply.counts;
        state.values = ply.values;
        state.sums = ply.sums;
        state.alive = ply.alive;
        if !ply.light {
            near::restore(&mut state.near, cell, &ply.near);
        }
        let start = ply.journal_start as usize;
        for old in self.journal[start..self.journal_top].iter().skip(1) {
            let entry = &mut state.cells[old.index as usize % PADDED_CELLS];
            for c in 0..2 {
                let (now, before) =
                    (entry.digests[c] as usize % CLASS_SLOTS, old.digests[c] as usize % CLASS_SLOTS);
                if now != before {
                    flip(&mut state.sets[c], now, old.index as usize);
                    flip(&mut state.sets[c], before, old.index as usize);
                }
            }
            *entry = *old;
        }
        // The cell itself comes first in the journal; while it was occupied it was in no set.
        if let Some(old) = self.journal.get(start) {
            for c in 0..2 {
                flip(&mut state.sets[c], old.digests[c] as usize % CLASS_SLOTS, old.index as usize);
            }
            state.cells[cell.index()] = *old;
        }
        self.journal_top = start;
    }
}

/// Turns one cell over in the set of a class.
#[inline(always)]
fn flip(sets: &mut [crate::types::CellSet; CLASS_SLOTS], class: usize, index: usize) {
    sets[class % CLASS_SLOTS].toggle_index(index);
}

/// The parts of a board that placing a piece works on, borrowed one by one.
struct Change<'a> {
    state: &'a mut State,
    journal: &'a mut [CellState; CHUNK],
    used: usize,
    points: &'a PhaseTable,
    patterns: &'static Patterns,
}

impl Change<'_> {
    /// Puts a piece on an empty cell.
    fn place<const HALF: usize, const KEYS: usize, const LIGHT: bool>(
        &mut self,
        table: &[u8; KEYS],
        cell: Cell,
        piece: Piece,
    ) {
        let state = &mut *self.state;
        if !LIGHT {
            alive::kill(state, cell, piece);
        }
        let old = std::mem::replace(&mut state.cells[cell.index()], CellState::blank(cell.index()));
        self.journal[0] = old;
        self.used = 1;
        for c in 0..2 {
            let class = old.digests[c] as usize % CLASS_SLOTS;
            flip(&mut state.sets[c], class, cell.index());
            state.counts[c][class] -= 1;
            if !LIGHT {
                state.values[c] -= i32::from(self.points.at(c, old.codes[c]).value);
            }
        }
        state.lines.flip(cell, taken(piece));
        state.set_piece(cell, piece);
        state.empty_count -= 1;
        state.hash ^= zobrist::piece(cell, piece);
        self.update_line::<HALF, KEYS, LIGHT, 0>(table, cell);
        self.update_line::<HALF, KEYS, LIGHT, 1>(table, cell);
        self.update_line::<HALF, KEYS, LIGHT, 2>(table, cell);
        self.update_line::<HALF, KEYS, LIGHT, 3>(table, cell);
        if !LIGHT && let Some(pooling) = self.points.pooling() {
            self.update_sums(pooling);
        }
    }

    /// Exchanges the vectors of all changed cells in the sums. The journal has the cells' old codes, that of the piece
    /// first.
    fn update_sums(&mut self, pooling: &Pooling) {
        let Some((placed, changed)) = self.journal[..self.used % CHUNK].split_first() else { return };
        let mut delta = Delta::default();
        pooling.remove(&mut delta, placed.codes);
        for old in changed {
            let now = self.state.cells[old.index as usize % PADDED_CELLS].codes;
            if now != old.codes {
                pooling.exchange(&mut delta, old.codes, now);
            }
        }
        pattern::add(&mut self.state.sums, &delta);
    }

    /// Looks the empty cells within reach on one line up again. The direction is a constant, so that every shift
    /// in here is one too.
    #[inline(always)]
    fn update_line<const HALF: usize, const KEYS: usize, const LIGHT: bool, const D: usize>(
        &mut self,
        table: &[u8; KEYS],
        cell: Cell,
    ) {
        let direction = const { Direction::ALL[D] };
        let (word, place) = locate(cell.index(), direction);
        // The cell 2·HALF before the piece comes lowest: every window of a cell in reach then starts at a shift.
        let word = turn(self.state.lines.word(word), place, 2 * HALF as u32);
        let reach = ((1u64 << (4 * HALF + 2)) - 1) & 0x5555_5555_5555_5555;
        let mut empty = (word & word >> 1) >> (2 * HALF) & reach;
        while empty != 0 {
            let shift = empty.trailing_zeros();
            empty &= empty - 1;
            let key = squeeze::<HALF>(word >> shift);
            let steps = (shift / 2) as isize - HALF as isize;
            let index = (cell.index() as isize + direction.delta() * steps) as usize % PADDED_CELLS;
            self.update_cell::<LIGHT, D>(index, table[key % KEYS].into());
        }
    }

    /// Gives an empty cell new classes for both colours in direction `D`.
    #[inline(always)]
    fn update_cell<const LIGHT: bool, const D: usize>(&mut self, index: usize, byte: u32) {
        let state = &mut *self.state;
        let entry = &mut state.cells[index];
        let old = *entry;
        let lines = old.lines & !(0x000f_000f << (4 * D)) | ((byte | byte << 12) & 0x000f_000f) << (4 * D);
        if lines == old.lines {
            return;
        }
        self.journal[self.used % CHUNK] = old;
        self.used += 1;
        entry.lines = lines;
        for c in 0..2 {
            let nibbles = lines >> (16 * c) & 0xffff;
            if nibbles == old.lines >> (16 * c) & 0xffff {
                continue;
            }
            let code = self.patterns.codes()[nibbles as usize];
            let record = self.points.at(c, code);
            entry.codes[c] = code;
            entry.digests[c] = record.digest;
            if !LIGHT {
                let before = self.points.at(c, old.codes[c]).value;
                state.values[c] += i32::from(record.value) - i32::from(before);
            }
            let (now, before) = (record.digest as usize % CLASS_SLOTS, old.digests[c] as usize % CLASS_SLOTS);
            flip(&mut state.sets[c], before, index);
            flip(&mut state.sets[c], now, index);
            state.counts[c][before] -= 1;
            state.counts[c][now] += 1;
        }
    }
}
