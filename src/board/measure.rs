//! How fast the board is: made and undone moves per second in middle-game positions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::{Board, zobrist};
use crate::pattern::PointClass;
use crate::types::{Cell, Color, Move, Rule, Size};

/// Stones on the board in the positions that are measured.
const STONES: usize = 30;
/// Different positions, which are gone through in turn.
const POSITIONS: usize = 16;

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

/// Makes and takes back at least `pairs` moves in reproducible middle-game positions under a rule, light moves or
/// full ones. Building the positions and the tables is not timed.
pub fn measure(rule: Rule, size: Size, pairs: u64, light: bool) -> Measurement {
    let mut boards: Vec<(Board, Vec<Move>)> = (0..POSITIONS as u64)
        .map(|seed| {
            let board = middle_game(rule, size, seed);
            let moves = board.candidates().map(Move::stone).collect();
            (board, moves)
        })
        .collect();
    let mut done = 0;
    let start = Instant::now();
    while done < pairs {
        for (board, moves) in &mut boards {
            for &mv in moves.iter() {
                if light {
                    board.make_light(mv)
                } else {
                    board.make(mv)
                }
                black_box(board.hash());
                board.undo();
            }
            done += moves.len() as u64;
        }
    }
    Measurement { pairs: done, elapsed: start.elapsed() }
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
