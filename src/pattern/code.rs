//! Codes: the four line classes of a point as one number, whatever their order.

use once_cell::sync::Lazy;

use super::LineClass;

/// How many multisets of four line classes there are: C(17, 4).
pub const CODES: usize = 2380;

/// The code of four line classes, 0 to [`CODES`] − 1. Their order does not matter; four dead lines make code 0.
///
/// ```
/// use halfstone::pattern::{LineClass::*, code_of};
/// assert_eq!(code_of([C4, Dead, L3, C1]), code_of([C1, L3, Dead, C4]));
/// assert_eq!(code_of([Dead; 4]), 0);
/// ```
pub fn code_of(lines: [LineClass; 4]) -> u16 {
    let mut sorted = lines.map(LineClass::index);
    sorted.sort_unstable();
    rank(sorted)
}

/// The combinatorial number of an ascending sequence: adding 0, 1, 2, 3 makes it strictly ascending, and the sum of
/// C(value, place) numbers those without a gap.
fn rank([a, b, c, d]: [usize; 4]) -> u16 {
    let (b, c, d) = (b + 1, c + 2, d + 3);
    (a + b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6 + d * (d - 1) * (d - 2) * (d - 3) / 24) as u16
}

/// The four line classes behind a code, weakest first. Codes from [`CODES`] upwards read as code 0.
pub fn lines_of(code: u16) -> [LineClass; 4] {
    static LINES: Lazy<Vec<[LineClass; 4]>> = Lazy::new(|| {
        let mut lines = vec![[LineClass::Dead; 4]; CODES];
        for_each_multiset(|classes| lines[code_of(classes) as usize] = classes);
        lines
    });
    LINES.get(code as usize).copied().unwrap_or([LineClass::Dead; 4])
}

fn for_each_multiset(mut f: impl FnMut([LineClass; 4])) {
    let all = LineClass::ALL;
    for a in 0..all.len() {
        for b in a..all.len() {
            for c in b..all.len() {
                for d in c..all.len() {
                    f([all[a], all[b], all[c], all[d]]);
                }
            }
        }
    }
}

/// Four nibbles, one per direction → code. 128 KB, of which a game touches a small part.
pub(crate) type CodeTable = [u16; 1 << 16];

/// The table, built on first use.
pub(super) fn code_table() -> &'static CodeTable {
    static TABLE: Lazy<Box<CodeTable>> = Lazy::new(|| {
        let codes: Vec<u16> = (0..1u32 << 16)
            .map(|nibbles| code_of(std::array::from_fn(|d| LineClass::from_nibble(nibbles >> (4 * d)))))
            .collect();
        codes.into_boxed_slice().try_into().expect("one code per index")
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_number_the_multisets_without_a_gap() {
        let mut seen = vec![false; CODES];
        for_each_multiset(|classes| {
            let code = code_of(classes);
            assert!(!std::mem::replace(&mut seen[code as usize], true));
            assert_eq!(lines_of(code), classes);
        });
        assert!(seen.into_iter().all(|s| s));
    }
}
