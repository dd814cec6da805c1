//! A seeded generator and random positions dense enough for shapes.

use halfstone::game::{GameRecord, Setup};
use halfstone::types::{Cell, Color, Piece, Rule, Size};

/// A small seeded generator (xorshift), so that every failure can be repeated.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            rng.next();
        }
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    /// 0 to `n` − 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True `percent` times in a hundred.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

pub(crate) fn size(n: usize) -> Size {
    Size::new(n as i64).expect("test sizes are legal")
}

/// A record that sets up the given pieces.
pub(crate) fn record(rule: Rule, size: Size, pieces: Vec<(Cell, Piece)>, to_move: Color) -> GameRecord {
    GameRecord::with_setup(rule, size, Setup { pieces, to_move })
}

/// A random crowd of stones in a box inside a board, dense enough for shapes, with some dead points.
pub(crate) fn random_pieces(rng: &mut Rng, size: Size, percent: usize, dead: usize) -> Vec<(Cell, Piece)> {
    let n = size.get();
    let side = (5 + rng.below(6)).min(n);
    let (left, top) = (rng.below(n - side + 1), rng.below(n - side + 1));
    let mut pieces = Vec::new();
    let lean = 30 + rng.below(41);
    for y in top..top + side {
        for x in left..left + side {
            let cell = Cell::new(x, y, size).expect("the box lies on the board");
            if rng.percent(dead) {
                pieces.push((cell, Piece::Blocked));
            } else if rng.percent(percent) {
                let color = if rng.percent(lean) { Color::Black } else { Color::White };
                pieces.push((cell, Piece::Stone(color)));
            }
        }
    }
    pieces
}
