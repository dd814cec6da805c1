//! The integration tests, as one binary.

mod corpora;
mod layering;
mod oracle;
mod support;
mod dialogue;
mod fuzz;
mod protocol_md;
mod session;
