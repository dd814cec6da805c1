//! Leaving: when the program may end although its session has not.
//!
//! A session that writes a line to a pipe which nobody empties hears nothing any more, `END` included, and its search
//! would go on for ever. So the reader tells of the end, too, and a write that does not get on after it is given up. (The
//! reader waits in turn when too many lines wait for the session; an end behind these is not seen.)

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::output::Pulse;

/// How long one write may take once `END` has come: nobody wants to read it.
const END_PATIENCE: Duration = Duration::from_secs(1);
/// The same once the input has ended: somebody may still be reading, at his leisure.
const EOF_PATIENCE: Duration = Duration::from_secs(60);

/// What the reader and the session tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// `END` has been read.
    End,
    /// The input has ended.
    Eof,
    /// The session is over.
    Left,
}

/// Tells that the session is over when it is dropped, by a panic as well.
pub(super) struct LeftNotice(pub(super) Sender<Notice>);

impl Drop for LeftNotice {
    fn drop(&mut self) {
        // If nobody waits any more, nobody has to know.
        let _ = self.0.send(Notice::Left);
    }
}

/// Work beside the session that must not be cut off, such as a file that is half written. Whoever does some holds a
/// clone; the session and the one that waits for it hold one each.
#[derive(Clone, Debug, Default)]
pub(super) struct Unfinished(Arc<()>);

impl Unfinished {
    fn is_none(&self) -> bool {
        Arc::strong_count(&self.0) <= 2
    }
}

/// How a session was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It is over.
    Finished,
    /// It should be, and cannot: nobody reads what it writes.
    Stuck,
}

/// Waits until the session is over, or until it should be and is stuck in a write.
pub(super) fn wait(news: &Receiver<Notice>, pulse: &Pulse, unfinished: &Unfinished) -> Leave {
    let mut watch = Watch { patience: None, seen: 0 };
    loop {
        let notice = match watch.patience {
            None => news.recv().map_err(RecvTimeoutError::from),
            Some(patience) => news.recv_timeout(patience),
        };
        match watch.next(notice, pulse.count()) {
            Some(Leave::Stuck) if !unfinished.is_none() => {}
            Some(leave) => return leave,
            None => {}
        }
    }
}

/// What is known of a session that may be stuck.
struct Watch {
    /// How long one write may take; `None` before the end.
    patience: Option<Duration>,
    /// The count of the pulse when this time began.
    seen: u64,
}

impl Watch {
    /// Takes a notice, or that none has come within [`Watch::patience`], and the count of the pulse.
    fn next(&mut self, notice: Result<Notice, RecvTimeoutError>, count: u64) -> Option<Leave> {
        match notice {
            Ok(Notice::End) => self.patience = Some(END_PATIENCE),
            Ok(Notice::Eof) => self.patience = self.patience.or(Some(EOF_PATIENCE)),
            Ok(Notice::Left) | Err(RecvTimeoutError::Disconnected) => return Some(Leave::Finished),
            Err(RecvTimeoutError::Timeout) if self.seen % 2 == 1 && count == self.seen => {
                return Some(Leave::Stuck);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        self.seen = count;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_that_does_not_get_on_is_given_up() {
        const LATER: Result<Notice, RecvTimeoutError> = Err(RecvTimeoutError::Timeout);
        let mut watch = Watch { patience: None, seen: 0 };
        assert_eq!((watch.next(Ok(Notice::Eof), 7), watch.patience), (None, Some(EOF_PATIENCE)));
        assert_eq!((watch.next(Ok(Notice::End), 7), watch.patience), (None, Some(END_PATIENCE)));
        // The write ends, nothing is written for long, another write begins, and one after it, which is the last.
        for count in [8, 8, 8, 9, 11] {
            assert_eq!(watch.next(LATER, count), None, "{count}");
        }
        assert_eq!(watch.next(LATER, 11), Some(Leave::Stuck));
        assert_eq!(watch.next(Ok(Notice::Left), 11), Some(Leave::Finished));
    }

    #[test]
    fn a_file_is_finished_although_nobody_reads() {
        let mine = Unfinished::default();
        let session = mine.clone();
        assert!(mine.is_none());
        let file = session.clone();
        assert!(!mine.is_none());
        drop(file);
        assert!(mine.is_none());
    }
}
