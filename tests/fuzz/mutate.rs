//! Changes to a text or a file, as accidents and attackers make them.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Words that some reader gives a meaning to, and numbers at the ends of ranges.
const WORDS: [&str; 57] = [
    "0",
    "-1",
    "4",
    "5",
    "22",
    "23",
    "32",
    "255",
    "65536",
    "2147483647",
    "99999999999999999999",
    "-9223372036854775808",
    "1.5",
    "\x1b[7m",
    "1e9",
    "\0",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "\u{feff}",
    "\u{2003}",
    "é",
    "王",
    "\"",
    "'",
    "\\",
    ",",
    ";",
    ":",
    "*",
    "-",
    "--",
    "#",
    "#! ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "(;",
    ")\n(;",
    "h8",
    "a1",
    "v22",
    "w23",
    "*j10",
    "7,7",
    "DONE",
    "BOARD",
    "INFO ",
    "AB[aa:vv]",
    "1. ",
    "1-0",
    "\"\"",
];

/// One change. Places are relative, so that they fit any length.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    /// A byte becomes another.
    Set(Index, u8),
    /// A bit turns over.
    Flip(Index, u8),
    /// A word comes in.
    Insert(Index, &'static str),
    /// So many bytes go.
    Remove(Index, usize),
    /// A piece comes again, so many times.
    Repeat(Index, usize, usize),
    /// Two pieces change places.
    Swap(Index, Index, usize),
    /// Everything behind goes.
    Cut(Index),
}

/// A few changes, or none.
pub(crate) fn mutations(most: usize) -> impl Strategy<Value = Vec<Mutation>> {
    let at = any::<Index>;
    let one = prop_oneof![
        3 => (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        2 => (at(), 0u8..8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        5 => (at(), select(WORDS.to_vec())).prop_map(|(at, word)| Mutation::Insert(at, word)),
        3 => (at(), 1usize..9).prop_map(|(at, length)| Mutation::Remove(at, length)),
        1 => (at(), 1usize..40, 1usize..6).prop_map(|(at, length, times)| Mutation::Repeat(at, length, times)),
        1 => (at(), at(), 1usize..20).prop_map(|(one, other, length)| Mutation::Swap(one, other, length)),
        1 => at().prop_map(Mutation::Cut),
    ];
    prop::collection::vec(one, 0..=most)
}

/// Carries the changes out.
pub(crate) fn apply(bytes: &mut Vec<u8>, mutations: &[Mutation]) {
    for mutation in mutations {
        // A place may be the end.
        let length = bytes.len();
        let place = |at: &Index| at.index(length + 1);
        match mutation {
            Mutation::Set(at, byte) => {
                let at = place(at);
                bytes.iter_mut().skip(at).take(1).for_each(|old| *old = *byte);
            }
            Mutation::Flip(at, bit) => {
                let at = place(at);
                bytes.iter_mut().skip(at).take(1).for_each(|old| *old ^= 1 << bit);
            }
            Mutation::Insert(at, word) => {
                let at = place(at);
                bytes.splice(at..at, word.bytes());
            }
            Mutation::Remove(at, count) => {
                let at = place(at);
                bytes.drain(at..length.min(at + count));
            }
            Mutation::Repeat(at, count, times) => {
                let at = place(at);
                let piece = bytes[at..length.min(at + count)].repeat(*times);
                bytes.splice(at..at, piece);
            }
            Mutation::Swap(one, other, count) => {
                let (one, other) = (place(one), place(other));
                let (one, other) = (one.min(other), one.max(other));
                let count = (*count).min(other - one).min(length - other);
                let (before, behind) = bytes.split_at_mut(other);
                before[one..one + count].swap_with_slice(&mut behind[..count]);
            }
            Mutation::Cut(at) => {
                let at = place(at);
                bytes.truncate(at);
            }
        }
    }
}
