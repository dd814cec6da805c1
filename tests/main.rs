//! The integration tests, as one binary.

mod binary;
mod board;
mod corpora;
mod defences;
mod dialogue;
mod fouls;
mod formats;
mod fuzz;
mod layering;
mod oracle;
mod patterns;
mod protocol_md;
mod session;
mod support;
