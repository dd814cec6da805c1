//! How fast the board is: moves made and taken back per second in middle-game positions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::{Board, zobrist};
use crate::pattern::PointClass;
use crate::types::{Cell, Color, Move, Rule, Size};

/// Stones on the board in the positions of an [`Exercise`].
const STONES: usize = 30;
/// Different positions, which are gone through in turn.
const POSITIONS: u64 = 16;

/// Reproducible middle-game positions with all their candidate moves.
pub struct Exercise {
    boards: Vec<(Board, Vec<Move>)>,
}

impl Exercise {
    /// The positions for a rule and a size.
    pub fn new(rule: Rule, size: Size) -> Exercise {
        let with_moves = |board: Board| {
            let moves = board.candidates().map(Move::stone).collect();
            (board, moves)
        };
        Exercise { boards: (0..POSITIONS).map(|seed| with_moves(middle_game(rule, size, seed))).collect() }
    }

    /// The positions.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.boards.iter().map(|(board, _)| board)
    }

    /// How many moves [`Exercise::run`] makes and takes back.
    pub fn pairs(&self) -> usize {
        self.boards.iter().map(|(_, moves)| moves.len()).sum()
    }

    /// Makes and takes back every move once, as a light move or a full one.
    pub fn run(&mut self, light: bool) {
        for (board, moves) in &mut self.boards {
            for &mv in moves.iter() {
                if light {
                    board.make_light(mv);
                } else {
                    board.make(mv);
                }
                black_box(board.hash());
                board.undo();
            }
        }
    }
}

/// What [`measure`] found.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Moves made and taken back.
    pub pairs: u64,
    /// The time that took.
    pub elapsed: Duration,
}

impl Measurement {
    /// Moves made and taken back per second.
    pub fn pairs_per_second(&self) -> f64 {
        self.pairs as f64 / self.elapsed.as_secs_f64()
    }
}

/// Makes and takes back at least `pairs` moves of an [`Exercise`], light moves or full ones. Building the positions and
/// the tables is not timed.
pub fn measure(rule: Rule, size: Size, pairs: u64, light: bool) -> Measurement {
    let mut exercise = Exercise::new(rule, size);
    // A board that is too small for a middle game has no move left; it still counts as a round.
    let each = exercise.pairs().max(1) as u64;
    let rounds = pairs.div_ceil(each);
    let start = Instant::now();
    for _ in 0..rounds {
        exercise.run(light);
    }
    Measurement { pairs: rounds * each, elapsed: start.elapsed() }
}

/// A position after [`STONES`] random moves close to each other in which nobody has made five.
fn middle_game(rule: Rule, size: Size, seed: u64) -> Board {
    let mut board = Board::new(rule, size);
    let mut random = seed;
    for _ in 0..STONES {
        let quiet =
            |cell: &Cell| Color::ALL.iter().all(|&color| board.class(color, *cell) != PointClass::Five);
        let cells: Vec<Cell> = board.candidates().filter(quiet).collect();
        let (next, number) = zobrist::split_mix(random);
        random = next;
        match cells.get(number as usize % cells.len().max(1)) {
            Some(&cell) => board.make(Move::stone(cell)),
            None => break,
        }
    }
    board
}
