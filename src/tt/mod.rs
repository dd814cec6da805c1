//! Layer 1: the transposition table.
//!
//! Entries are two `AtomicU64` words: the data, and the data xor the position's key. A torn or foreign entry fails
//! the comparison, so threads share the table without locks and without undefined behaviour (R. Hyatt, "A lock-less
//! transposition table", 1999). Relaxed loads compile to plain loads.

mod file;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::types::{Bound, Depth, MATE, MATE_IN_MAX_PLY, Move, Score};

pub use file::TableFileError;

const WAYS: usize = 4;
const GENERATIONS: u8 = 64;
/// Depths are stored in eight bits, shifted so that those below zero fit.
const DEPTH_OFFSET: Depth = 32;

/// The depth of a score that is proven: no search, however deep, knows better.
pub const PROVEN_DEPTH: Depth = 200;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move, if one is known. It was legal in the position that stored it; check it before playing it.
    pub mv: Option<Move>,
    /// Score from the viewpoint of the probing ply.
    pub score: Score,
    /// Static evaluation.
    pub eval: Score,
    /// Depth of the search behind the score, −32 to 223.
    pub depth: Depth,
    /// How the score relates to the true one.
    pub bound: Bound,
}

/// Words of a slot: the check word, then the data.
const SLOT: usize = 2;
/// Words of a bucket: one cache line.
const BUCKET: usize = WAYS * SLOT;
const BUCKET_BYTES: usize = BUCKET * size_of::<u64>();

/// A shared, fixed-size transposition table.
#[derive(Debug)]
pub struct Table {
    /// Zeroed by the system and never touched before it is used, so a large table costs nothing to make.
    words: Box<[AtomicU64]>,
    /// Words to skip so that buckets lie on cache lines.
    skip: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl Table {
    /// A table of at most `bytes` bytes (at least one bucket of 64). Where the system does not grant that much, it is
    /// half as large, or a quarter, and so on.
    pub fn new(bytes: usize) -> Table {
        let mut buckets = Table::rounded(bytes) / BUCKET_BYTES;
        let words: Box<[AtomicU64]> = loop {
            match bytemuck::try_zeroed_slice_box((buckets + 1) * BUCKET) {
                Ok(words) => break words,
                Err(()) if buckets > 1 => buckets /= 2,
                // With not even a bucket to be had nothing else can go on either.
                Err(()) => break bytemuck::zeroed_slice_box(2 * BUCKET),
            }
        };
        let skip = words.as_ptr().align_offset(BUCKET_BYTES).min(BUCKET);
        Table { words, skip, buckets, generation: AtomicU8::new(0) }
    }

    /// The size in bytes that a table made for `bytes` really has.
    pub fn rounded(bytes: usize) -> usize {
        (bytes / BUCKET_BYTES).max(1) * BUCKET_BYTES
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets * BUCKET_BYTES
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        *self.generation.get_mut() = 0;
    }

    /// Starts a new search: entries of older ones become the first to be replaced.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// How full the table is with entries of the current search, in permille, from a sample.
    pub fn permille_used(&self) -> usize {
        let sample = self.buckets.min(250);
        let used = self.words[self.skip..][..sample * BUCKET]
            .chunks_exact(SLOT)
            .filter(|slot| {
                let data = slot[1].load(Relaxed);
                data != 0 && Packed(data).generation() == self.generation()
            })
            .count();
        used * 1000 / (sample * WAYS)
    }

    #[inline]
    fn bucket(&self, key: u64) -> impl Iterator<Item = &[AtomicU64; SLOT]> {
        // The high part of key × buckets: uniform for any count, without a division.
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        self.words[self.skip + index * BUCKET..][..BUCKET].as_chunks().0.iter()
    }

    /// What is known of the position with this key, with mate scores counted from `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| Packed(data).unpack(ply))
        })
    }

    /// Remembers what a search at `ply` found.
    ///
    /// An entry of the same position is only replaced by an exact, newer or not much shallower one, and one that is
    /// proven only by another such; otherwise the
    /// least deep slot goes, older searches first.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation();
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot[1].load(Relaxed);
            let old = Packed(data);
            if data != 0 && slot[0].load(Relaxed) ^ data == key {
                if entry.mv.is_none() {
                    entry.mv = old.mv();
                }
                let keeps = entry.bound != Bound::Exact
                    && old.generation() == generation
                    && entry.depth + 2 < old.depth();
                let proven = old.depth() >= PROVEN_DEPTH && entry.depth < PROVEN_DEPTH;
                if keeps || proven {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let age = i32::from((GENERATIONS + generation - old.generation()) % GENERATIONS);
            let worth = if data == 0 { i32::MIN + 1 } else { old.depth() - 8 * age };
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some([check, word]) = victim {
            let data = Packed::pack(&entry, ply, generation).0;
            word.store(data, Relaxed);
            check.store(data ^ key, Relaxed);
        }
    }
}

/// An entry in 64 bits: move 16 · score 16 · evaluation 16 · depth 8 · bound 2 · generation 6.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn pack(entry: &Entry, ply: usize, generation: u8) -> Packed {
        let mv = entry.mv.map_or(0, Move::to_bits);
        let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u8;
        Packed(
            u64::from(mv)
                | u64::from(to_node(entry.score, ply) as i16 as u16) << 16
                | u64::from(entry.eval as i16 as u16) << 32
                | u64::from(depth) << 48
                | (entry.bound as u64) << 56
                | u64::from(generation) << 58,
        )
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    /// Whether a search can have stored this. Scores beyond that of a win on the spot would make another search go on
    /// for ever.
    fn is_possible(self) -> bool {
        let entry = self.unpack(0);
        (self.0 as u16 == 0 || entry.mv.is_some())
            && self.0 >> 56 & 3 != 0
            && entry.score.abs() <= MATE
            && entry.eval.abs() < MATE_IN_MAX_PLY
    }

    fn depth(self) -> Depth {
        Depth::from((self.0 >> 48) as u8) - DEPTH_OFFSET
    }

    fn generation(self) -> u8 {
        (self.0 >> 58) as u8
    }

    fn unpack(self, ply: usize) -> Entry {
        Entry {
            mv: self.mv(),
            score: from_node(Score::from((self.0 >> 16) as u16 as i16), ply),
            eval: Score::from((self.0 >> 32) as u16 as i16),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }
}

/// Mate scores are stored as distances from the node, so that they hold wherever the position turns up.
fn to_node(score: Score, ply: usize) -> Score {
    if score >= MATE_IN_MAX_PLY {
        score + ply as Score
    } else if score <= -MATE_IN_MAX_PLY {
        score - ply as Score
    } else {
        score
    }
}

fn from_node(score: Score, ply: usize) -> Score {
    if score >= MATE_IN_MAX_PLY {
        score - ply as Score
    } else if score <= -MATE_IN_MAX_PLY {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Size, mate_in, mated_in};

    fn entry(score: Score, depth: Depth, bound: Bound) -> Entry {
        Entry { mv: Some(Move::half(Size::STANDARD.center())), score, eval: -77, depth, bound }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = Table::new(1 << 12);
        for (i, bound) in [Bound::Upper, Bound::Lower, Bound::Exact].into_iter().enumerate() {
            let key = 0x1234_5678_9abc_def0 ^ i as u64;
            let stored = entry(-1234 + i as Score, i as Depth - 3, bound);
            table.store(key, 5, stored);
            assert_eq!(table.probe(key, 5), Some(stored));
            assert_eq!(table.probe(!key, 5), None);
        }
    }

    #[test]
    fn mate_distance_shifts_with_the_ply() {
        // Stored at ply 3 as a win 8 plies from the root: 5 plies from the node. Met at ply 10: 15 from the root.
        let table = Table::new(64);
        table.store(1, 3, entry(mate_in(8), 4, Bound::Exact));
        assert_eq!(table.probe(1, 10).unwrap().score, MATE - 15);
        table.store(2, 3, entry(mated_in(8), 4, Bound::Exact));
        assert_eq!(table.probe(2, 1).unwrap().score, -MATE + 6);
    }

    #[test]
    fn a_full_bucket_gives_up_its_oldest_and_shallowest() {
        let table = Table::new(64);
        for key in 1..=4 {
            table.store(key, 0, entry(0, 10 + key as Depth, Bound::Lower));
        }
        table.store(5, 0, entry(0, 1, Bound::Lower));
        assert!(table.probe(1, 0).is_none(), "the shallowest goes first");
        table.age();
        table.store(6, 0, entry(0, 20, Bound::Lower));
        table.store(7, 0, entry(0, 2, Bound::Lower));
        assert!(table.probe(6, 0).is_some(), "a new entry outlives older ones of less worth");
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = Table::new(64);
        table.age();
        table.store(1, 0, entry(5, 3, Bound::Exact));
        table.clear();
        assert_eq!(table.probe(1, 0), None);
        assert_eq!((table.generation(), table.permille_used()), (0, 0));
    }

    #[test]
    fn a_move_survives_a_store_without_one() {
        let table = Table::new(64);
        table.store(9, 0, entry(10, 5, Bound::Lower));
        table.store(9, 0, Entry { mv: None, ..entry(-10, 6, Bound::Upper) });
        assert_eq!(table.probe(9, 0).unwrap().mv, entry(0, 0, Bound::Exact).mv);
    }
}
