//! The writing side: one write and one flush for each line.

use std::io::Write;

use crate::wire::Reply;

use super::log::Log;
use super::queue::Line;

/// Where replies go. Once a write has failed, nobody listens any more and the session ends.
#[derive(Debug)]
pub(super) struct Output<W> {
    writer: W,
    log: Log,
    closed: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W, log: Log) -> Output<W> {
        Output { writer, log, closed: false }
    }

    /// Sends a line. Some managers lose lines that arrive in pieces, so it leaves as a whole.
    pub(super) fn send(&mut self, reply: &Reply) {
        let mut line = reply.to_string();
        self.log.said(&line);
        line.push('\n');
        let sent = self.writer.write_all(line.as_bytes()).and_then(|()| self.writer.flush());
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
