//! Leaving: when the program may end although its session has not.
//!
//! A session that writes a line to a pipe which nobody empties hears nothing any more, `END` included, and its search
//! would go on for ever. So the reader tells of the end, too, and a write that does not get on after it is given up.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::output::Pulse;

/// How long one write may take once `END` has come: nobody wants to read it.
const END_PATIENCE: Duration = Duration::from_millis(250);
/// The same once the input has ended: somebody may still be reading, at his leisure.
const EOF_PATIENCE: Duration = Duration::from_secs(5);

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

/// How a session was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It is over.
    Finished,
    /// It should be, and cannot: nobody reads what it writes.
    Stuck,
}

/// Waits until the session is over, or until it should be and is stuck in a write.
pub(super) fn wait(news: &Receiver<Notice>, pulse: &Pulse) -> Leave {
    let mut patience: Option<Duration> = None;
    let mut seen = pulse.count();
    loop {
        let notice = match patience {
            None => news.recv().map_err(RecvTimeoutError::from),
            Some(patience) => news.recv_timeout(patience),
        };
        patience = match notice {
            Ok(Notice::End) => Some(END_PATIENCE),
            Ok(Notice::Eof) => patience.or(Some(EOF_PATIENCE)),
            Ok(Notice::Left) | Err(RecvTimeoutError::Disconnected) => return Leave::Finished,
            Err(RecvTimeoutError::Timeout) => {
                if seen % 2 == 1 && pulse.count() == seen {
                    return Leave::Stuck;
                }
                patience
            }
        };
        seen = pulse.count();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Instant;

    use super::*;

    #[test]
    fn only_a_write_that_does_not_get_on_is_given_up() {
        let (notices, news) = channel();
        let pulse = Pulse::default();
        notices.send(Notice::End).unwrap();
        let writer = pulse.clone();
        let start = Instant::now();
        std::thread::spawn(move || {
            // Slow, but getting on; then nothing for a while, as when a file is written; then stuck.
            for _ in 0..5 {
                writer.beat();
                std::thread::sleep(END_PATIENCE / 5);
            }
            writer.beat();
            std::thread::sleep(END_PATIENCE * 3);
            writer.beat();
        });
        assert_eq!(wait(&news, &pulse), Leave::Stuck);
        assert!(start.elapsed() >= END_PATIENCE * 4, "{:?}", start.elapsed());
        drop(LeftNotice(notices));
        assert_eq!(wait(&news, &pulse), Leave::Finished);
    }
}
