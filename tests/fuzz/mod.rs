//! Random input, one module for each way into the program: lines (`wire`), sessions (`session`), files of games
//! (`formats`), positions (`position`), the solver (`solver`), and binary and other files (`files`). Nothing may panic,
//! no line may be lost or come unasked, and what can be told of an answer by the reference rules must be true.
//!
//! Each target is short by default. `HALFSTONE_FUZZ_SECONDS` lets each of them run on with fresh cases for so long, and
//! `--nocapture` shows how many these were.

mod files;
mod formats;
mod hunt;
mod model;
mod mutate;
mod position;
mod session;
mod solver;
mod wire;

use std::fmt::Debug;
use std::panic::{set_hook, take_hook};
use std::sync::{Mutex, Once};

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// Tries `check` on inputs, as [`hunt::hunt`], with an eye on the engine's own threads.
fn hunt<S: Strategy>(name: &str, cases: u32, input: &S, check: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: Debug,
{
    watch_threads();
    hunt::hunt(name, cases, input, check);
}

/// Panics of the engine's own threads since [`panics`] was called last.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The engine survives a panic in a search and plays the best move so far, so that only a hook can tell of one.
fn watch_threads() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            let thread = std::thread::current();
            if matches!(
                thread.name(),
                Some("search" | "helper" | "solver" | "reader" | "session" | "table file")
            ) {
                PANICS.lock().expect("nobody panics with this lock").push(panic.to_string());
            } else {
                usual(panic);
            }
        }));
    });
}

/// Takes the panics that were seen so far. With other tests beside this one they may be another's.
fn panics() -> Vec<String> {
    std::mem::take(&mut *PANICS.lock().expect("nobody panics with this lock"))
}
