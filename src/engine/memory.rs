//! How the permitted memory is shared out. Everything counts: code, stacks, boards, the table.

/// What the process uses before any table, measured with room to spare: code, the standard library, I/O buffers,
/// pattern tables.
const BASE: u64 = 14 << 20;
/// What each thread uses: stack pages, its board, histories, its solver.
const PER_THREAD: u64 = 6 << 20;
/// Without a word from the manager. Modest, since nobody who cares for memory says nothing; tournaments send 350 MiB.
const DEFAULT: u64 = 96 << 20;
/// A larger table only costs start-up time and cache misses.
const MOST: u64 = 16 << 30;
/// The smallest table that is worth having.
const LEAST: u64 = 64 << 10;

/// Bytes for the transposition table when the process may use `max_memory` and the table alone `table_limit`. A size
/// that was asked for is not held back by the default for the process, only by a limit that was stated.
///
/// Whatever is asked for, the table keeps a floor of 64 KiB: an engine that is given next to nothing still plays.
pub(super) fn table_bytes(max_memory: Option<u64>, table_limit: Option<u64>, threads: usize) -> usize {
    let total = max_memory.or(table_limit.is_none().then_some(DEFAULT)).unwrap_or(u64::MAX);
    let rest = total.saturating_sub(BASE.saturating_add(PER_THREAD.saturating_mul(threads as u64)));
    // A tenth stays free for what allocators waste.
    let bytes = (rest - rest / 10).min(table_limit.unwrap_or(u64::MAX));
    bytes.min(most_table_bytes()).max(LEAST) as usize
}

/// How many of so many threads fit into `max_memory`; one does in any case.
pub(super) fn threads_within(max_memory: Option<u64>, threads: usize) -> usize {
    let most = max_memory.map_or(u64::MAX, |total| total.saturating_sub(BASE) / PER_THREAD);
    threads.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1)
}

/// The largest table that this machine is believed to have room for, in bytes.
pub(super) fn most_table_bytes() -> u64 {
    MOST.min(physical_share())
}

/// Half of the machine's memory where the system tells it, so that a huge number in `max_memory` is not believed.
fn physical_share() -> u64 {
    std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        })
        .map_or(1 << 30, |kib| kib * 512)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stays_inside_the_limit_with_all_else_counted() {
        for mib in [16, 32, 80, 350, 1_000] {
            let bytes = table_bytes(Some(mib << 20), None, 2) as u64;
            assert!(bytes + BASE + 2 * PER_THREAD <= (mib << 20).max(BASE + 2 * PER_THREAD + LEAST));
        }
        assert_eq!(table_bytes(Some(1_000), None, 1) as u64, LEAST);
        assert_eq!(table_bytes(Some(0), Some(1 << 20), 1) as u64, LEAST);
        assert_eq!(table_bytes(None, Some(1 << 20), 1), 1 << 20);
        let large = most_table_bytes() - (1 << 20);
        assert_eq!(table_bytes(None, Some(large), 1) as u64, large, "more than the default for the process");
        assert!(table_bytes(Some(64 << 20), Some(large), 1) < 64 << 20);
        assert!(table_bytes(Some(u64::MAX), None, 1) as u64 <= MOST);
    }

    #[test]
    fn no_more_threads_than_there_is_memory_for() {
        // 14 MiB for the program, 6 for each thread.
        for (mib, threads) in [(0, 1), (19, 1), (25, 1), (26, 2), (80, 11), (350, 16)] {
            assert_eq!(threads_within(Some(mib << 20), 16), threads, "{mib} MiB");
        }
        assert_eq!(threads_within(None, 16), 16);
        assert_eq!(threads_within(Some(u64::MAX), 1_000), 1_000);
    }
}
