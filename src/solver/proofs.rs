//! Proof and disproof numbers by position, in a table of fixed size.

/// Proven, or disproven, beyond any number.
pub(super) const INFINITE: u32 = 1 << 26;
/// The largest finite number.
const LARGEST: u32 = INFINITE - 1;
const WAYS: usize = 4;

/// How much must still be proven (disproven) at the least, from the attacker's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// 0 when the attacker is proven to win.
    pub(super) proof: u32,
    /// 0 when this kind of attack fails: for certain, or as far as was looked.
    pub(super) disproof: u32,
    /// Whether a disproof is none, since some search by fours that it rests on ran out of nodes.
    pub(super) unclear: bool,
}

impl Numbers {
    pub(super) const PROVEN: Numbers = Numbers::new(0, INFINITE);
    pub(super) const DISPROVEN: Numbers = Numbers::new(INFINITE, 0);

    pub(super) const fn new(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof, unclear: false }
    }

    /// The attack fails; whether that is only because of what ran out of nodes.
    pub(super) const fn failed(unclear: bool) -> Numbers {
        Numbers { unclear, ..Numbers::DISPROVEN }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A sum that stays finite as long as its parts are.
pub(super) fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { (a + b).min(LARGEST) }
}

/// 16 bytes: the key; then proof and disproof numbers, the logarithm of the work behind them, and whether they are
/// unclear.
type Entry = [u64; 2];

const DISPROOF_SHIFT: u32 = 28;
const EFFORT_SHIFT: u32 = 56;
const UNCLEAR_SHIFT: u32 = 63;

fn entry(key: u64, numbers: Numbers, work: u64) -> Entry {
    let effort = u64::from(work.max(1).ilog2());
    let unclear = u64::from(numbers.unclear) << UNCLEAR_SHIFT;
    let disproof = u64::from(numbers.disproof) << DISPROOF_SHIFT;
    [key, u64::from(numbers.proof) | disproof | effort << EFFORT_SHIFT | unclear]
}

fn numbers_of([_, data]: Entry) -> Numbers {
    let mask = (1 << DISPROOF_SHIFT) - 1;
    Numbers {
        proof: (data & mask) as u32,
        disproof: (data >> DISPROOF_SHIFT & mask) as u32,
        unclear: data >> UNCLEAR_SHIFT != 0,
    }
}

/// An empty place comes before every other.
fn effort_of([_, data]: Entry) -> u64 {
    if data == 0 { 0 } else { (data >> EFFORT_SHIFT & 0x3f) + 1 }
}

/// The table. A full bucket gives up the entry with the least work behind it.
#[derive(Debug)]
pub(super) struct Proofs {
    entries: Box<[Entry]>,
}

impl Proofs {
    /// Room for the largest power of two of entries within `bytes`, at least 16.
    pub(super) fn new(bytes: usize) -> Proofs {
        let entries = (bytes / size_of::<Entry>()).max(16);
        Proofs { entries: bytemuck::zeroed_slice_box(1 << entries.ilog2()) }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    fn bucket(&self, key: u64) -> usize {
        (key ^ key >> 32) as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = self.bucket(key);
        let ways = self.entries.get(bucket..bucket + WAYS)?;
        ways.iter().find(|entry| entry[0] == key && entry[1] != 0).map(|&entry| numbers_of(entry))
    }

    pub(super) fn set(&mut self, key: u64, numbers: Numbers, work: u64) {
        let bucket = self.bucket(key);
        let Some(ways) = self.entries.get_mut(bucket..bucket + WAYS) else { return };
        let rank = |entry: Entry| if entry[0] == key { 0 } else { effort_of(entry) + 1 };
        if let Some(slot) = ways.iter_mut().min_by_key(|slot| rank(**slot)) {
            *slot = entry(key, numbers, work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_little_work_goes_first() {
        let mut proofs = Proofs::new(64);
        for key in 1..=20 {
            proofs.set(key << 40, Numbers::new(key as u32, INFINITE), key * 1000);
        }
        assert_eq!(proofs.get(20 << 40), Some(Numbers::new(20, INFINITE)));
        proofs.set(20 << 40, Numbers::PROVEN, 1);
        assert_eq!(proofs.get(20 << 40), Some(Numbers::PROVEN));
        assert_eq!(proofs.get(77), None);
        for numbers in [Numbers::failed(true), Numbers::DISPROVEN] {
            proofs.set(20 << 40, numbers, u64::MAX);
            assert_eq!(proofs.get(20 << 40), Some(numbers));
        }
        assert_eq!(add(3, INFINITE), INFINITE);
        assert_eq!(add(LARGEST, 9), LARGEST);
    }
}
