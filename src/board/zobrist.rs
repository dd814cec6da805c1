//! Random keys of the position hash, from a fixed seed: the same on every machine and in every version that keeps
//! it.

use crate::types::{Cell, Color, PADDED_CELLS, Piece};

/// One step of the `SplitMix64` generator (Steele, Lea and Flood, 2014): the state after the step and the number.
pub(super) const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

/// Black, white, dead.
const KINDS: usize = 3;

static KEYS: [[u64; PADDED_CELLS]; KINDS] = {
    let mut keys = [[0; PADDED_CELLS]; KINDS];
    let mut state = 0x6861_6c66_7374_6f6e;
    let mut i = 0;
    while i < KINDS * PADDED_CELLS {
        (state, keys[i / PADDED_CELLS][i % PADDED_CELLS]) = split_mix(state);
        i += 1;
    }
    keys
};

/// Turned over with every move.
pub(super) const TURN: u64 = split_mix(0x7475_726e).1;

const HAND: u64 = split_mix(0x6861_6e64).1;

/// The key of a piece on a cell.
#[inline]
pub(super) const fn piece(cell: Cell, piece: Piece) -> u64 {
    let kind = match piece {
        Piece::Stone(color) => color.index(),
        // Dead is dead: after the half stone is placed, the game is the one with a wall in its place.
        Piece::Half | Piece::Blocked => 2,
    };
    KEYS[kind][cell.index()]
}

/// The key of the side to move.
#[inline]
pub(super) const fn side(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => TURN,
    }
}

/// The key of the half stone in hand.
#[inline]
pub(super) const fn hand(in_hand: bool) -> u64 {
    if in_hand { HAND } else { 0 }
}
