//! The loop of every target.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};

/// Tries `check` on `cases` inputs, and on more while the time that the environment grants lasts. A failure is shrunk
/// and shown.
pub(crate) fn hunt<S: Strategy>(name: &str, cases: u32, input: &S, check: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: Debug,
{
    let seconds =
        std::env::var("HALFSTONE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let (started, mut tried) = (Instant::now(), 0u64);
    loop {
        let config = ProptestConfig {
            cases,
            // A failure that is a wait for an answer takes long each time.
            max_shrink_iters: 4_096,
            max_shrink_time: 60_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        if let Err(failure) = TestRunner::new(config).run(input, &check) {
            panic!("{name}, after {tried} cases: {failure}");
        }
        tried += u64::from(cases);
        if started.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    println!("fuzz {name}: {tried} cases in {} s", started.elapsed().as_secs());
}
