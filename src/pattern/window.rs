//! The one recursive definition of the line classes, and the tables that it fills.
//!
//! A *window* is the centre point and `L` cells on each side of it. Its *key* has two bits per cell, the centre left
//! out, the cell at offset −L lowest: bit 0 of a cell says that Black may still use it, bit 1 that White may. So 11
//! is empty, 01 a black stone, 10 a white one, and 00 a wall, a half stone or a blocked point.
//!
//! `L` = 4 is enough where longer runs win too: a five through the centre reaches ±4. Rules that look at the two
//! flanks of a five need `L` = 5. What lies outside the window can then change none of the classes from the live
//! three upward, because only runs through the centre count.

use super::{Flank, LineClass, LineJudge, Verdict};

/// Keys of a window with four cells on each side.
pub const NARROW_KEYS: usize = 1 << 16;
/// Keys of a window with five cells on each side.
pub const WIDE_KEYS: usize = 1 << 20;

/// Key → both colours' line classes in one byte: Black's in the low nibble, White's in the high one.
#[derive(Debug)]
pub enum WindowTable {
    /// Four cells on each side.
    Narrow(Box<[u8; NARROW_KEYS]>),
    /// Five cells on each side.
    Wide(Box<[u8; WIDE_KEYS]>),
}

impl WindowTable {
    /// Builds the table from the two colours' judges.
    pub(super) fn build(black: LineJudge, white: LineJudge) -> WindowTable {
        let narrow = black == LineJudge::FiveOrMore && white == LineJudge::FiveOrMore;
        if narrow {
            WindowTable::Narrow(merge::<NARROW_KEYS>(black, white))
        } else {
            WindowTable::Wide(merge::<WIDE_KEYS>(black, white))
        }
    }

    /// Cells on each side of the centre: 4 or 5.
    #[inline]
    pub const fn half(&self) -> usize {
        match self {
            WindowTable::Narrow(_) => 4,
            WindowTable::Wide(_) => 5,
        }
    }

    /// Both colours' classes for a key, which is cut to the width of the table.
    #[inline]
    pub fn get(&self, key: u32) -> u8 {
        match self {
            WindowTable::Narrow(table) => table[key as usize & (NARROW_KEYS - 1)],
            WindowTable::Wide(table) => table[key as usize & (WIDE_KEYS - 1)],
        }
    }
}

fn merge<const KEYS: usize>(black: LineJudge, white: LineJudge) -> Box<[u8; KEYS]> {
    let mut bytes = build_view(black, KEYS);
    let other = if white == black { None } else { Some(build_view(white, KEYS)) };
    // White's class of a key is the own-colour class of the key with the two bits of every cell exchanged. With one
    // judge for both colours the low nibbles stay what they were while the high ones are added.
    for key in 0..KEYS {
        let mirrored = swap_colors(key);
        let white_class = match &other {
            Some(view) => view[mirrored],
            None => bytes[mirrored] & 15,
        };
        bytes[key] |= white_class << 4;
    }
    bytes.into_boxed_slice().try_into().expect("the view has one byte per key")
}

/// The key of the same window with the colours exchanged.
const fn swap_colors(key: usize) -> usize {
    (key & 0x5_5555) << 1 | (key >> 1 & 0x5_5555)
}

/// The line classes of every key for the owner of bit 0, as bytes 0 to 13. `keys` is [`NARROW_KEYS`] or
/// [`WIDE_KEYS`].
///
/// An own stone clears bit 1 of an empty cell and an enemy stone bit 0: either way the key gets smaller. Going
/// upwards through the keys, the class of every line that is one stone further on is therefore known already, and
/// the recursion becomes a walk.
pub fn build_view(judge: LineJudge, keys: usize) -> Vec<u8> {
    let half = keys.ilog2() as usize / 4;
    let mut view = vec![LineClass::Dead as u8; keys];
    for key in 0..keys {
        // Where an enemy stone is as good as a wall, the key with walls instead of enemies has the answer.
        let enemies = key >> 1 & !key & 0x5_5555;
        view[key] = if enemies != 0 && !judge.tells_enemy_from_wall() {
            view[key & !(enemies << 1)]
        } else {
            classify(judge, half, key, &view) as u8
        };
    }
    view
}

const EMPTY: usize = 3;
const OWN: usize = 1;
const ENEMY: usize = 2;

/// The run of own stones through the centre and the block-free stretch around it, in window cells.
struct Reach {
    /// Own stones, the centre included.
    run: usize,
    flanks: [Flank; 2],
    /// Usable cells, the centre included.
    span: usize,
    /// Own cells of the window beside the centre, as bit positions of their two key bits, that are in the span.
    first: usize,
    last: usize,
}

fn reach(half: usize, key: usize) -> Reach {
    // Key cells `half - 1` down to 0 lie left of the centre, `half` up to `2 * half - 1` right of it.
    let side = |k: usize, right: bool| -> Option<usize> {
        if k >= half {
            return None;
        }
        let cell = if right { half + k } else { half - 1 - k };
        Some(key >> (2 * cell) & 3)
    };
    let walk = |right: bool| {
        let run = (0..half).take_while(|&k| side(k, right) == Some(OWN)).count();
        let usable = (0..half).take_while(|&k| side(k, right).is_some_and(|v| v & OWN != 0)).count();
        let flank = match side(run, right) {
            Some(EMPTY) => Flank::Empty,
            Some(ENEMY) => Flank::Enemy,
            _ => Flank::Wall,
        };
        (run, usable, flank)
    };
    let (left_run, left, left_flank) = walk(false);
    let (right_run, right, right_flank) = walk(true);
    Reach {
        run: left_run + 1 + right_run,
        flanks: [left_flank, right_flank],
        span: left + 1 + right,
        first: half - left,
        last: half + right,
    }
}

/// The class of one line, given those of all smaller keys.
fn classify(judge: LineJudge, half: usize, key: usize, view: &[u8]) -> LineClass {
    let reach = reach(half, key);
    match judge.judge(reach.run, reach.flanks[0], reach.flanks[1]) {
        Verdict::Win => return LineClass::W5,
        Verdict::TooLong => return LineClass::Over,
        Verdict::Nothing => {}
    }
    if reach.span < 5 {
        return LineClass::Dead;
    }
    let empty = |cell: &usize| key >> (2 * cell) & 3 == EMPTY;
    let mut tally = [0usize; LineClass::COUNT];
    let mut completions = [0usize; 2];
    for cell in (reach.first..reach.last).filter(empty) {
        let raised = view[key & !(2 << (2 * cell))] as usize;
        tally[raised] += 1;
        if raised == LineClass::W5.index() {
            // The centre is not in the key: cells right of it are one further away than their numbers say.
            completions = [completions[1], if cell < half { cell } else { cell + 1 }];
        }
    }
    let count = |class: LineClass| tally[class.index()];
    if count(LineClass::W5) > 0 {
        // A straight four is one that no single enemy stone on the line stops. (`Over` can only mean two fours in
        // the line here, since an enemy stone does not lengthen the run.)
        let survives = (0..2 * half).filter(empty).all(|cell| {
            let blocked = LineClass::from_nibble(view[key & !(1 << (2 * cell))].into());
            blocked.is_four() || blocked == LineClass::Over
        });
        return if !survives {
            LineClass::C4
        } else if judge == LineJudge::RenjuBlack && completions[1] - completions[0] < 5 {
            LineClass::Over
        } else {
            LineClass::S4
        };
    }
    let live_threes = count(LineClass::L3) + count(LineClass::L3Plus);
    let live_twos = count(LineClass::L2a) + count(LineClass::L2b) + count(LineClass::L2c);
    if count(LineClass::S4) >= 2 {
        LineClass::L3Plus
    } else if count(LineClass::S4) == 1 {
        LineClass::L3
    } else if count(LineClass::C4) > 0 {
        LineClass::C3
    } else if live_threes >= 4 {
        LineClass::L2c
    } else if live_threes == 3 {
        LineClass::L2b
    } else if live_threes >= 1 {
        LineClass::L2a
    } else if count(LineClass::C3) > 0 {
        LineClass::C2
    } else if live_twos > 0 {
        LineClass::L1
    } else if count(LineClass::C2) > 0 {
        LineClass::C1
    } else {
        LineClass::Dead
    }
}
