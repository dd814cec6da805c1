//! The integration tests, as one binary.

mod binary;
mod corpora;
mod dialogue;
mod fuzz;
mod layering;
mod oracle;
mod protocol_md;
mod session;
mod support;
