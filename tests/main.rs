//! The integration tests, as one binary.

mod corpora;
mod layering;
mod oracle;
mod support;
