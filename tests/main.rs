//! The integration tests, as one binary.

mod analyze;
mod binary;
mod board;
mod corpora;
mod defences;
mod dialogue;
#[cfg(target_os = "linux")]
mod drills;
mod evaluation;
mod formats;
mod fouls;
mod fuzz;
mod half_stone;
mod layering;
mod matches;
mod oracle;
mod patterns;
mod person;
mod probes;
mod protocol_md;
mod search;
mod session;
mod shapes;
mod solve;
mod solver;
mod strength;
mod study;
mod support;
mod yixin;
mod zoo;
