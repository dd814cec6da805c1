//! The reader thread: bytes in, lines with their time of arrival out.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::leave::Notice;
use super::queue::{Event, Line};
use crate::wire::{Command, parse};

/// The most bytes of a line that are kept. A full 22×22 board on one line needs 3,900.
pub(super) const LINE_LIMIT: usize = 8_192;
/// The most lines that wait in the queue; a manager that floods its engine waits in its own write.
const LINES_WAITING: usize = 256;

/// Starts the reader. The session takes one token from the returned channel for each line that it takes. The end is
/// told in `notices` as well.
pub(super) fn spawn(
    input: impl Read + Send + 'static,
    events: Sender<Event>,
    notices: Sender<Notice>,
) -> io::Result<Receiver<()>> {
    let (permits, taken) = sync_channel(LINES_WAITING);
    let read = move || read(input, &events, &permits, &notices);
    thread::Builder::new().name("reader".to_owned()).spawn(read)?;
    Ok(taken)
}

fn read(mut input: impl Read, events: &Sender<Event>, permits: &SyncSender<()>, notices: &Sender<Notice>) {
    let mut chunk = vec![0; 1 << 16];
    let mut splitter = Splitter::default();
    // False as soon as the session has gone.
    let send = |line: Line| {
        if parse(&line.bytes) == Ok(Command::End) {
            let _ = notices.send(Notice::End);
        }
        permits.send(()).is_ok() && events.send(Event::Line(line)).is_ok()
    };
    loop {
        let bytes = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => chunk.get(..count).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let arrived = Instant::now();
        for &byte in bytes {
            if let Some((bytes, cut)) = splitter.push(byte)
                && !send(Line { arrived, bytes, cut })
            {
                return;
            }
        }
    }
    if let Some((bytes, cut)) = splitter.finish()
        && !send(Line { arrived: Instant::now(), bytes, cut })
    {
        return;
    }
    let _ = notices.send(Notice::Eof);
    let _ = events.send(Event::Eof);
}

/// Cuts a stream of bytes into lines that end in CR LF, LF or CR. Blank lines vanish.
#[derive(Debug, Default)]
struct Splitter {
    line: Vec<u8>,
    cut: bool,
}

impl Splitter {
    /// Takes a byte; gives a line when this byte ends it, and whether it was cut short.
    fn push(&mut self, byte: u8) -> Option<(Vec<u8>, bool)> {
        if byte == b'\n' || byte == b'\r' {
            return self.finish();
        }
        if self.line.len() < LINE_LIMIT {
            self.line.push(byte);
        } else {
            self.cut = true;
        }
        None
    }

    /// What is left when the input ends without a line end.
    fn finish(&mut self) -> Option<(Vec<u8>, bool)> {
        let line = std::mem::take(&mut self.line);
        let cut = std::mem::take(&mut self.cut);
        if line.iter().all(u8::is_ascii_whitespace) { None } else { Some((line, cut)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(bytes: &[u8]) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut lines: Vec<_> = bytes.iter().filter_map(|&byte| splitter.push(byte)).collect();
        lines.extend(splitter.finish());
        lines.into_iter().map(|(line, _)| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn any_line_end_ends_a_line_and_blank_lines_vanish() {
        assert_eq!(split(b"a\r\nb\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(split(b"\r\n\n \t\r\n\ra \n"), ["a "]);
        assert!(split(b"").is_empty());
    }

    #[test]
    fn the_end_of_an_over_long_line_is_swallowed() {
        let mut splitter = Splitter::default();
        for _ in 0..200_000 {
            assert_eq!(splitter.push(b'x'), None);
        }
        let (line, cut) = splitter.push(b'\n').unwrap();
        assert_eq!((line.len(), cut), (LINE_LIMIT, true));
        assert!(splitter.line.capacity() < 4 * LINE_LIMIT);
        assert_eq!(splitter.finish(), None);
    }

    #[test]
    fn lines_come_in_order_and_the_end_last() {
        let (sender, events) = std::sync::mpsc::channel();
        let (notices, news) = std::sync::mpsc::channel();
        let permits = spawn(&b"START 15\nEND"[..], sender, notices).unwrap();
        let mut lines = Vec::new();
        while let Ok(Event::Line(line)) = events.recv() {
            permits.recv().unwrap();
            lines.push(line.bytes);
        }
        assert_eq!(lines, [b"START 15".to_vec(), b"END".to_vec()]);
        assert_eq!(news.iter().collect::<Vec<_>>(), [Notice::End, Notice::Eof]);
    }
}
