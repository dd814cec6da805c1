//! The integration tests, as one binary.

mod analyze;
mod binary;
mod board;
mod corpora;
mod defences;
mod dialogue;
mod formats;
mod fouls;
mod fuzz;
mod half_stone;
mod layering;
mod matches;
mod oracle;
mod patterns;
mod person;
mod protocol_md;
mod search;
mod session;
mod shapes;
mod solver;
mod study;
mod support;
