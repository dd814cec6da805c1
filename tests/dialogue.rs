//! A protocol session in this process: tests write to its input and read its output line by line.

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longer than anything takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running session.
pub(crate) struct Dialogue {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    session: Option<JoinHandle<ExitCode>>,
    /// What was said so far, for the message of a failure.
    log: Vec<String>,
}

struct Input {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // A closed channel is the end of the input.
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct Output(Sender<Vec<u8>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Dialogue {
    /// A session that has heard nothing yet.
    pub(crate) fn new() -> Dialogue {
        let (input, chunks) = channel();
        let (writes, output) = channel();
        let session = std::thread::spawn(move || {
            halfstone::protocol::run(Input { chunks, rest: Vec::new() }, Output(writes))
        });
        Dialogue { input: Some(input), output, session: Some(session), log: Vec::new() }
    }

    /// A session with a game under this rule on a board of this size, and short moves.
    pub(crate) fn game(rule: i64, size: usize) -> Dialogue {
        let mut session = Dialogue::new();
        session.send(&format!("INFO rule {rule}\nINFO timeout_turn 30\nSTART {size}"));
        session.expect("OK");
        session
    }

    /// Sends a line, or several.
    pub(crate) fn send(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are. A session that has ended does not hear them.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.log.push(format!("> {}", String::from_utf8_lossy(bytes).trim_end()));
        if let Some(input) = &self.input {
            let _ = input.send(bytes.to_vec());
        }
    }

    /// The next line, `MESSAGE` lines included; `None` when the session ends or `patience` does.
    pub(crate) fn any_line(&mut self, patience: Duration) -> Option<String> {
        match self.output.recv_timeout(patience) {
            Ok(bytes) => {
                let line = String::from_utf8(bytes).expect("output is UTF-8");
                let text = line.strip_suffix('\n').expect("a line leaves in one write").to_owned();
                assert!(!text.contains(['\n', '\r', '\0']), "one line a write: {text:?}");
                assert_eq!(text.trim(), text, "no blanks around a line");
                assert!(!text.is_empty() && text.len() < 2_000);
                self.log.push(format!("< {text}"));
                Some(text)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The next line that is no `MESSAGE`.
    pub(crate) fn line(&mut self) -> String {
        loop {
            match self.any_line(PATIENCE) {
                Some(line) if line.starts_with("MESSAGE ") => {}
                Some(line) => return line,
                None => panic!("no reply\n{}", self.log.join("\n")),
            }
        }
    }

    /// The rest of the next `MESSAGE` that begins with this word; others are passed over.
    pub(crate) fn message(&mut self, word: &str) -> String {
        loop {
            match self.any_line(PATIENCE) {
                Some(line) if line.starts_with("MESSAGE ") => {
                    if let Some(rest) = line["MESSAGE ".len()..].strip_prefix(word) {
                        return rest.trim_start().to_owned();
                    }
                }
                other => panic!("expected MESSAGE {word}, got {other:?}\n{}", self.log.join("\n")),
            }
        }
    }

    /// Expects exactly this line.
    pub(crate) fn expect(&mut self, line: &str) {
        let got = self.line();
        assert_eq!(got, line, "\n{}", self.log.join("\n"));
    }

    /// Expects a line that begins like this.
    pub(crate) fn expect_start(&mut self, start: &str) -> String {
        let got = self.line();
        assert!(got.starts_with(start), "expected {start}...\n{}", self.log.join("\n"));
        got
    }

    /// Expects an `ERROR`.
    pub(crate) fn error(&mut self) {
        self.expect_start("ERROR ");
    }

    /// Expects a move, a half stone included, and returns it as it stands on the line.
    pub(crate) fn mv(&mut self) -> String {
        let got = self.line();
        let point = got.strip_prefix("HALF ").unwrap_or(&got);
        assert!(points(point) == Some(1), "expected a move\n{}", self.log.join("\n"));
        got
    }

    /// Expects silence: the next thing to come is the answer to `ABOUT`.
    pub(crate) fn silent(&mut self) {
        self.send("ABOUT");
        self.expect_start("name=\"");
    }

    /// Sends a line to which the answer is one `ERROR`.
    pub(crate) fn refused(&mut self, line: &str) {
        self.send(line);
        self.error();
        self.silent();
    }

    /// Closes the input, waits for the end, and returns what came before it, `MESSAGE` lines left out.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.any_line(PATIENCE) {
            if !line.starts_with("MESSAGE ") {
                lines.push(line);
            }
        }
        let code = self.session.take().map(JoinHandle::join);
        let code = code.expect("closed once").expect("the session does not panic");
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::SUCCESS));
        lines
    }

    /// Closes the input and expects nothing more.
    pub(crate) fn end(self) {
        let log = self.log.join("\n");
        assert_eq!(self.close(), Vec::<String>::new(), "\n{log}");
    }
}

/// How many points `x,y` separated by single blanks a line consists of.
pub(crate) fn points(line: &str) -> Option<usize> {
    let mut count = 0;
    for word in line.split(' ') {
        let (x, y) = word.split_once(',')?;
        for number in [x, y] {
            if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
        }
        count += 1;
    }
    Some(count)
}
