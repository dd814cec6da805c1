//! Positions in which the attacker is known to have no win by fours: a table of fixed size that forgets.

/// Keys, each in its own place. A new one overwrites what was there.
#[derive(Debug)]
pub(super) struct Failures {
    keys: Box<[u64]>,
}

impl Failures {
    /// Room for the largest power of two of keys within `bytes`, at least 16.
    pub(super) fn new(bytes: usize) -> Failures {
        let slots = (bytes / size_of::<u64>()).max(16);
        Failures { keys: bytemuck::zeroed_slice_box(1 << slots.ilog2()) }
    }

    pub(super) fn clear(&mut self) {
        self.keys.fill(0);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key ^ key >> 32) as usize & (self.keys.len() - 1)
    }

    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.keys.get(self.place(key)).is_some_and(|&known| known == key && key != 0)
    }

    #[inline]
    pub(super) fn insert(&mut self, key: u64) {
        let place = self.place(key);
        if let Some(slot) = self.keys.get_mut(place) {
            *slot = key;
        }
    }
}
