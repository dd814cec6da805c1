//! Lines that an engine has written, with their times of arrival: filled by a reading thread, emptied by the referee.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest line that is kept; of longer ones only the start.
pub(super) const MAX_LINE: usize = 1 << 16;
/// Bytes that may wait to be looked at. Beyond, the engine is not read from until the referee has caught up.
const MAX_WAITING: usize = 1 << 21;
/// What a line is counted as beyond its bytes.
const OVERHEAD: usize = 64;
const CHUNK: usize = 1 << 16;

/// One line with the time at which it was complete.
pub(super) type Line = (Instant, Vec<u8>);

/// How much an engine has written since it was started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    pub(super) bytes: usize,
    pub(super) lines: usize,
    pub(super) overlong: usize,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Line>,
    waiting: usize,
    /// Output after the last line end.
    partial: Vec<u8>,
    /// Inside a line that is too long.
    skipping: bool,
    amount: Amount,
    ended: bool,
    /// Nobody will look any more.
    closed: bool,
}

/// The lines of one engine.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads until the end of the output or until nobody looks any more: the work of the reading thread.
    pub(super) fn fill(&self, mut output: impl Read) {
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match output.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let now = Instant::now();
            let mut state = self.lock();
            state.take(now, chunk.get(..count).unwrap_or_default());
            self.changed.notify_all();
            while state.waiting > MAX_WAITING && !state.closed {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.closed {
                break;
            }
        }
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// The oldest line; waits for one, at most this long. One that was complete after the deadline stays where it is.
    pub(super) fn next(&self, patience: Duration, deadline: Option<Instant>) -> Option<Line> {
        let state = self.lock();
        let empty = |state: &mut State| state.lines.is_empty() && !state.ended;
        let (mut state, _) =
            self.changed.wait_timeout_while(state, patience, empty).unwrap_or_else(PoisonError::into_inner);
        let complete = state.lines.front()?.0;
        if deadline.is_some_and(|deadline| complete > deadline) {
            return None;
        }
        let line = state.lines.pop_front()?;
        state.waiting = state.waiting.saturating_sub(line.1.len() + OVERHEAD);
        self.changed.notify_all();
        Some(line)
    }

    /// Whether the output has ended and every line has been taken.
    pub(super) fn is_done(&self) -> bool {
        let state = self.lock();
        state.ended && state.lines.is_empty()
    }

    /// How many lines wait to be looked at.
    pub(super) fn waiting(&self) -> usize {
        self.lock().lines.len()
    }

    /// How much has been written so far.
    pub(super) fn amount(&self) -> Amount {
        self.lock().amount
    }

    /// What has been written without a line end.
    pub(super) fn partial(&self) -> Vec<u8> {
        self.lock().partial.iter().copied().take(80).collect()
    }

    /// Lets the reading thread go.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

impl State {
    fn take(&mut self, now: Instant, bytes: &[u8]) {
        self.amount.bytes += bytes.len();
        let mut pieces = bytes.split(|&byte| byte == b'\n');
        let mut piece = pieces.next().unwrap_or_default();
        for next in pieces {
            self.extend(piece);
            self.finish_line(now);
            piece = next;
        }
        self.extend(piece);
    }

    fn extend(&mut self, piece: &[u8]) {
        let room = MAX_LINE - self.partial.len().min(MAX_LINE);
        self.partial.extend(piece.iter().take(room));
        if piece.len() > room && !self.skipping {
            self.skipping = true;
            self.amount.overlong += 1;
        }
    }

    fn finish_line(&mut self, now: Instant) {
        self.amount.lines += 1;
        self.skipping = false;
        let mut line = std::mem::take(&mut self.partial);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        // Empty lines take room too.
        self.waiting += line.len() + OVERHEAD;
        self.lines.push_back((now, line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(inbox: &Inbox) -> Vec<String> {
        std::iter::from_fn(|| inbox.next(Duration::ZERO, None))
            .map(|(_, line)| String::from_utf8_lossy(&line).into_owned())
            .collect()
    }

    #[test]
    fn lines_are_split_and_ends_dropped() {
        let inbox = Inbox::default();
        inbox.fill(&b"OK\r\n7,7\n\nrest"[..]);
        assert_eq!(lines(&inbox), ["OK", "7,7", ""]);
        assert_eq!(inbox.partial(), b"rest");
        assert!(inbox.is_done());
        assert_eq!(inbox.amount().lines, 3);
    }

    #[test]
    fn a_line_of_any_length_takes_bounded_room() {
        let inbox = Inbox::default();
        let mut text = vec![b'x'; MAX_LINE + 5_000];
        text.extend(b"\nOK\n");
        inbox.fill(text.as_slice());
        let found = lines(&inbox);
        assert_eq!((found[0].len(), found[1].as_str()), (MAX_LINE, "OK"));
        assert_eq!(inbox.amount().overlong, 1);
    }

    #[test]
    fn a_line_after_the_deadline_is_not_lost() {
        let inbox = Inbox::default();
        let before = Instant::now();
        inbox.fill(&b"7,7\n"[..]);
        // The reader came back too late from its sleep: a line is there, but not one of that time.
        assert_eq!(inbox.next(Duration::ZERO, before.checked_sub(Duration::from_millis(1))), None);
        assert_eq!(inbox.waiting(), 1);
        let line = inbox.next(Duration::ZERO, Some(Instant::now()));
        assert_eq!(line.map(|(_, line)| line).as_deref(), Some(&b"7,7"[..]));
    }
}
