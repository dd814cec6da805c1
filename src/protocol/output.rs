//! The writing side: one write and one flush for each line.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::wire::Reply;

use super::log::Log;
use super::queue::Line;

/// Whether a write is going on, for a thread that watches it: odd while one is. It counts writes and their ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Pulse(Arc<AtomicU64>);

impl Pulse {
    /// Begins or ends a write.
    pub(super) fn beat(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// The count; a write that is still the same one has left it the same, and odd.
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where replies go. Once a write has failed, nobody listens any more and the session ends.
#[derive(Debug)]
pub(super) struct Output<W> {
    writer: W,
    log: Log,
    pulse: Pulse,
    closed: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W, log: Log, pulse: Pulse) -> Output<W> {
        Output { writer, log, pulse, closed: false }
    }

    /// Sends a line. Some managers lose lines that arrive in pieces, so it leaves as a whole.
    pub(super) fn send(&mut self, reply: &Reply) {
        let mut line = reply.to_string();
        self.log.said(&line);
        line.push('\n');
        self.pulse.beat();
        let sent = self.writer.write_all(line.as_bytes()).and_then(|()| self.writer.flush());
        self.pulse.beat();
        self.closed |= sent.is_err();
    }

    /// Notes a line of input in the log.
    pub(super) fn note(&mut self, line: &Line) {
        self.log.heard(line);
    }

    /// Says what is wrong with the log, if anything is; once.
    pub(super) fn tell_of_log(&mut self) {
        if let Some(problem) = self.log.take_problem() {
            self.send(&Reply::Message(problem));
        }
    }

    /// Whether the reader of the output has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}
