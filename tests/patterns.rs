//! The pattern tables against a solver that places stones and counts runs, and against the class histograms.

use std::collections::HashMap;

use halfstone::pattern::{LineClass, LineJudge, NARROW_KEYS, Patterns, WIDE_KEYS, WindowTable, build_view};
use halfstone::types::{Color, Rule};

use crate::support::line::{At, Exact, Line};
use crate::support::random::Rng;

/// The exact part of a class, as the slow solver names it.
fn exact(class: LineClass) -> Exact {
    if class >= LineClass::L3 || class == LineClass::Over { Exact::Known(class) } else { Exact::Weaker }
}

fn assert_key(rule: Rule, key: u32, line: &Line, color: Color) {
    let judge = LineJudge::of(rule, color);
    let table = Patterns::of(rule).line_class(color, key);
    assert_eq!(exact(table), line.class(judge), "{rule} {color} {key:#x} {line:?}: the table says {table:?}");
}

#[test]
fn every_narrow_key_is_what_the_slow_solver_says() {
    for key in 0..1 << 16 {
        for color in Color::ALL {
            assert_key(Rule::Freestyle, key, &Line::from_key(key, 4, color.index()), color);
        }
    }
}

/// Sampled keys of the wide tables: half of them any key, half of them lines with few blocks.
fn check_wide_keys(rule: Rule, samples: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for sample in 0..samples {
        let mut key = rng.next() as u32 & 0xf_ffff;
        let color = Color::ALL[sample % 2];
        if sample % 4 < 2 {
            // Turn three quarters of the enemy stones and walls into empty or own cells.
            let keep = (rng.next() & rng.next()) as u32;
            let own = 0x5_5555 << color.index();
            key |= own & !keep;
        }
        assert_key(rule, key, &Line::from_key(key, 5, color.index()), color);
    }
}

const SAMPLES: usize = 1_000_000;

#[test]
fn wide_keys_of_standard_are_what_the_slow_solver_says() {
    check_wide_keys(Rule::Standard, SAMPLES, 1);
}

#[test]
fn wide_keys_of_renju_are_what_the_slow_solver_says() {
    check_wide_keys(Rule::Renju, SAMPLES, 2);
}

#[test]
fn wide_keys_of_caro_are_what_the_slow_solver_says() {
    check_wide_keys(Rule::Caro, SAMPLES, 3);
}

#[test]
fn wide_keys_of_caro_five_are_what_the_slow_solver_says() {
    check_wide_keys(Rule::CaroFive, SAMPLES, 4);
}

#[test]
#[ignore = "every wide key of every rule: a minute"]
fn every_wide_key_is_what_the_slow_solver_says() {
    for rule in [Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroFive] {
        for key in 0..1 << 20 {
            for color in Color::ALL {
                assert_key(rule, key, &Line::from_key(key, 5, color.index()), color);
            }
        }
    }
}

#[test]
fn cells_outside_the_window_never_matter_from_the_live_three_upward() {
    let mut rng = Rng::new(5);
    for rule in Rule::ALL {
        let half = Patterns::of(rule).windows().half();
        for sample in 0..40_000 {
            let color = Color::ALL[sample % 2];
            let mut key = rng.next() as u32 & ((1 << (4 * half)) - 1);
            if sample % 4 < 2 {
                key |= (0x5_5555 << color.index())
                    & ((1 << (4 * half)) - 1)
                    & !((rng.next() & rng.next()) as u32);
            }
            let mut line = Line::from_key(key, half, color.index());
            for _ in 0..4 {
                line.cells.insert(0, [At::Empty, At::Own, At::Own, At::Enemy][rng.below(4)]);
                line.cells.push([At::Empty, At::Own, At::Own, At::Enemy][rng.below(4)]);
                line.center += 1;
            }
            assert_key(rule, key, &line, color);
        }
    }
}

#[test]
fn tables_are_symmetric() {
    for rule in Rule::ALL {
        let patterns = Patterns::of(rule);
        let cells = 2 * patterns.windows().half();
        for key in 0..1u32 << (2 * cells) {
            let reversed = (0..cells).fold(0, |acc, i| acc | (key >> (2 * i) & 3) << (2 * (cells - 1 - i)));
            assert_eq!(patterns.windows().get(key), patterns.windows().get(reversed));
            if rule != Rule::Renju {
                let swapped = (key & 0x5_5555) << 1 | (key >> 1 & 0x5_5555);
                let [black, white] = Color::ALL;
                assert_eq!(patterns.line_class(black, key), patterns.line_class(white, swapped));
            }
        }
    }
}

#[test]
fn an_enemy_stone_never_raises_a_line() {
    for rule in Rule::ALL {
        let patterns = Patterns::of(rule);
        let cells = 2 * patterns.windows().half();
        for key in 0..1u32 << (2 * cells) {
            for color in Color::ALL {
                let class = patterns.line_class(color, key);
                for i in (0..cells).filter(|i| key >> (2 * i) & 3 == 3) {
                    let after = patterns.line_class(color, key & !(1 << (2 * i + color.index())));
                    // Two fours in one line of Black's are one four after the block: less, but no foul any more.
                    let was_foul =
                        LineJudge::of(rule, color) == LineJudge::RenjuBlack && class == LineClass::Over;
                    assert!(
                        after <= class || was_foul,
                        "{rule} {color} {key:#x} cell {i}: {class:?} to {after:?}"
                    );
                }
            }
        }
    }
}

fn histogram(classes: impl Iterator<Item = LineClass>) -> [usize; LineClass::COUNT] {
    let mut counts = [0; LineClass::COUNT];
    for class in classes {
        counts[class.index()] += 1;
    }
    counts
}

fn view(judge: LineJudge, keys: usize) -> [usize; LineClass::COUNT] {
    histogram(build_view(judge, keys).into_iter().map(|byte| LineClass::from_nibble(byte.into())))
}

const EXACT_FIVE: [usize; LineClass::COUNT] =
    [884_547, 4_864, 6_489, 1_710, 30_177, 5_229, 810, 99, 52_623, 6_642, 603, 40_446, 2_817, 11_520];
const FIVE_OR_MORE: [usize; LineClass::COUNT] =
    [53_248, 0, 448, 121, 2_135, 400, 70, 13, 3_890, 582, 78, 3_214, 313, 1_024];

/// The class histograms of the tables, own-colour view, in the order of [`LineClass::ALL`].
#[test]
fn class_histograms_stay_what_they_are() {
    assert_eq!(view(LineJudge::FiveOrMore, NARROW_KEYS), FIVE_OR_MORE);
    assert_eq!(view(LineJudge::ExactFive, WIDE_KEYS), EXACT_FIVE);
    // Two fours in one line are fouls: 513 straight fours less, and what could become one with them.
    assert_eq!(
        view(LineJudge::RenjuBlack, WIDE_KEYS),
        [884_547, 5_377, 6_489, 1_710, 30_456, 5_058, 720, 81, 53_388, 6_048, 432, 40_446, 2_304, 11_520]
    );
    assert_eq!(
        view(LineJudge::Caro, WIDE_KEYS),
        [872_448, 0, 6_960, 864, 33_016, 3_077, 558, 117, 59_582, 4_836, 702, 48_495, 2_817, 15_104]
    );
    assert_eq!(
        view(LineJudge::CaroFive, WIDE_KEYS),
        [905_027, 4_864, 6_195, 724, 28_511, 2_280, 360, 44, 48_968, 2_952, 268, 36_891, 1_252, 10_240]
    );
}

/// The recursion as it is usually written: every stone that is added becomes the new centre, so that a five need
/// not contain the first one. Cells: block, empty, own as 0, 1, 2; what leaves the window is lost.
struct Recentred {
    half: usize,
    exact: bool,
    memo: HashMap<Vec<u8>, LineClass>,
}

impl Recentred {
    fn class(&mut self, line: &[u8]) -> LineClass {
        if let Some(&class) = self.memo.get(line) {
            return class;
        }
        let class = self.work_out(line);
        self.memo.insert(line.to_vec(), class);
        class
    }

    fn work_out(&mut self, line: &[u8]) -> LineClass {
        let half = self.half;
        let reach = |what: &dyn Fn(u8) -> bool| {
            let right = line[half..].iter().take_while(|&&cell| what(cell)).count();
            let left = line[..half].iter().rev().take_while(|&&cell| what(cell)).count();
            (half - left, half + right)
        };
        let (first, end) = reach(&|cell| cell == 2);
        match end - first {
            0..=4 => {}
            6.. if self.exact => return LineClass::Over,
            _ => return LineClass::W5,
        }
        let (first, end) = reach(&|cell| cell != 0);
        if end - first < 5 {
            return LineClass::Dead;
        }
        let mut tally = [0; LineClass::COUNT];
        for e in (first..end).filter(|&e| line[e] == 1) {
            let at = |i: usize| {
                let from = i as isize + e as isize - half as isize;
                usize::try_from(from).ok().and_then(|from| line.get(from)).copied().unwrap_or(0)
            };
            let mut next: Vec<u8> = (0..line.len()).map(at).collect();
            next[half] = 2;
            tally[self.class(&next).index()] += 1;
        }
        let count = |class: LineClass| tally[class.index()];
        let live_threes = count(LineClass::L3) + count(LineClass::L3Plus);
        let live_twos = count(LineClass::L2a) + count(LineClass::L2b) + count(LineClass::L2c);
        if count(LineClass::W5) >= 2 {
            LineClass::S4
        } else if count(LineClass::W5) == 1 {
            LineClass::C4
        } else if count(LineClass::S4) >= 2 {
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

    /// The histogram over all two-bit keys; an enemy stone and a wall are the same block.
    fn histogram(half: usize, exact: bool) -> [usize; LineClass::COUNT] {
        let mut recentred = Recentred { half, exact, memo: HashMap::new() };
        let mut counts = [0; LineClass::COUNT];
        for number in 0..3usize.pow(2 * half as u32) {
            let digit = |i: usize| (number / 3usize.pow(i as u32) % 3) as u8;
            let mut line: Vec<u8> = (0..2 * half).map(digit).collect();
            let blocks = line.iter().filter(|&&cell| cell == 0).count();
            line.insert(half, 2);
            counts[recentred.class(&line).index()] += 1 << blocks;
        }
        counts
    }
}

/// A five within reach of the first stone always contains it, so that the looser recursion comes to the same.
#[test]
fn the_recentred_recursion_has_the_same_histograms() {
    assert_eq!(Recentred::histogram(4, false), FIVE_OR_MORE);
    assert_eq!(Recentred::histogram(5, true), EXACT_FIVE);
}

#[test]
fn freestyle_and_half_stone_share_their_table() {
    assert!(std::ptr::eq(Patterns::of(Rule::Freestyle), Patterns::of(Rule::HalfStone)));
    assert!(matches!(Patterns::of(Rule::Freestyle).windows(), WindowTable::Narrow(_)));
}
