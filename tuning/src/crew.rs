//! Threads with room for a search that share out numbered pieces of work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::Result;

/// Does pieces `0..count` of the work on some threads, each piece once, begun in their order; `desk` makes what a
/// thread keeps from piece to piece. The first error ends it: nothing new is begun then.
///
/// # Errors
/// That of the piece that failed, or of the system if a thread cannot be started.
pub fn share<D>(
    threads: usize,
    count: usize,
    desk: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, usize) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let builder = std::thread::Builder::new().stack_size(halfstone::search::STACK_BYTES);
            builder.spawn_scoped(scope, || {
                let mut desk = desk();
                loop {
                    let piece = next.fetch_add(1, Relaxed);
                    if piece >= count {
                        return;
                    }
                    if let Err(error) = work(&mut desk, piece) {
                        next.store(count, Relaxed);
                        failure.lock().expect("nothing here panics").get_or_insert(error);
                    }
                }
            })?;
        }
        Ok(())
    })?;
    failure.into_inner().expect("nothing here panics").map_or(Ok(()), Err)
}
