//! The writing side: one write and one flush for each line.

use std::io::Write;

use crate::wire::Reply;

/// Where replies go. Once a write has failed, nobody listens any more and the session ends.
#[derive(Debug)]
pub(super) struct Output<W> {
    writer: W,
    closed: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output { writer, closed: false }
    }

    /// Sends a line. Some managers lose lines that arrive in pieces, so it leaves as a whole.
    pub(super) fn send(&mut self, reply: &Reply) {
        let line = format!("{reply}\n");
        let sent = self.writer.write_all(line.as_bytes()).and_then(|()| self.writer.flush());
        self.closed |= sent.is_err();
    }

    /// Whether the reader of the output has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}
