//! The one queue that the session listens to, and the events in it.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use crate::engine;
use crate::wire::Reply;

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// When its last byte was read; the move clock starts here.
    pub(super) arrived: Instant,
    /// The bytes, without the line end.
    pub(super) bytes: Vec<u8>,
    /// Whether it was too long and its end is missing.
    pub(super) cut: bool,
}

/// Something that the session has to deal with.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of input.
    Line(Line),
    /// The input has ended.
    Eof,
    /// News from the search with this number.
    Search(u64, engine::Event),
    /// The search with this number is gone without an answer.
    Lost(u64),
    /// A line that another thread wants to have printed.
    Said(Reply),
}

/// The receiving end. Events that came at a bad moment can be put off; they keep their order.
#[derive(Debug)]
pub(super) struct Queue {
    receiver: Receiver<Event>,
    /// One token for each line in the queue; taking it out lets the reader send another line.
    permits: Receiver<()>,
    deferred: VecDeque<Event>,
}

impl Queue {
    pub(super) fn new(receiver: Receiver<Event>, permits: Receiver<()>) -> Queue {
        Queue { receiver, permits, deferred: VecDeque::new() }
    }

    /// The next event, deferred ones first; `None` when there can be no more.
    pub(super) fn next(&mut self) -> Option<Event> {
        let event = match self.deferred.pop_front() {
            Some(event) => event,
            None => self.receiver.recv().ok()?,
        };
        if matches!(event, Event::Line(_)) {
            // The reader put the token in before the line, so this never finds nothing.
            let _ = self.permits.try_recv();
        }
        Some(event)
    }

    /// The next event that has not been put off; `None` after `deadline`. A line has to be put off: it still
    /// counts against the reader's allowance.
    pub(super) fn next_new(&mut self, deadline: Option<Instant>) -> Option<Event> {
        match deadline {
            None => self.receiver.recv().ok(),
            Some(deadline) => {
                self.receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
            }
        }
    }

    /// Puts an event off until [`Queue::next`].
    pub(super) fn defer(&mut self, event: Event) {
        self.deferred.push_back(event);
    }
}

/// Forwards what a search says into the queue, and says so if the search dies before its answer.
#[derive(Debug)]
pub(super) struct Forward {
    sender: Sender<Event>,
    search: u64,
    answered: bool,
}

impl Forward {
    pub(super) fn new(sender: Sender<Event>, search: u64) -> Forward {
        Forward { sender, search, answered: false }
    }

    pub(super) fn send(&mut self, event: engine::Event) {
        self.answered |= matches!(event, engine::Event::Done(_));
        // The session may have ended meanwhile; then nobody wants to know.
        let _ = self.sender.send(Event::Search(self.search, event));
    }
}

impl Drop for Forward {
    fn drop(&mut self) {
        if !self.answered {
            let _ = self.sender.send(Event::Lost(self.search));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{channel, sync_channel};

    use super::*;
    use crate::engine::Answer;

    #[test]
    fn a_search_that_dies_is_reported() {
        let (sender, receiver) = channel();
        drop(Forward::new(sender.clone(), 1));
        let mut answered = Forward::new(sender, 2);
        answered.send(engine::Event::Done(Answer::Swap));
        drop(answered);
        assert!(matches!(receiver.recv(), Ok(Event::Lost(1))));
        assert!(matches!(receiver.recv(), Ok(Event::Search(2, _))));
        assert!(receiver.recv().is_err(), "nothing is lost after the answer");
    }

    #[test]
    fn deferred_events_come_first_and_in_order() {
        let (sender, receiver) = channel();
        let (permits, taken) = sync_channel(9);
        let mut queue = Queue::new(receiver, taken);
        let line = |text: &str| Event::Line(Line { arrived: Instant::now(), bytes: text.into(), cut: false });
        for text in ["a", "b", "c"] {
            permits.send(()).unwrap();
            sender.send(line(text)).unwrap();
        }
        for _ in 0..2 {
            let event = queue.next_new(None).unwrap();
            queue.defer(event);
        }
        for text in ["a", "b", "c"] {
            assert!(matches!(queue.next(), Some(Event::Line(line)) if line.bytes == text.as_bytes()));
        }
        assert!(queue.permits.try_recv().is_err(), "one token for each line");
        assert!(queue.next_new(Some(Instant::now())).is_none());
    }
}
