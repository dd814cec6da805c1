//! The dialogue of one game: the last lines for the report, all of it for a file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use super::error::ArenaError;
use super::process::shown;

/// Lines that are kept for the report.
const TAIL: usize = 12;
/// Bytes that a log file may take.
const MOST_BYTES: usize = 4 << 20;

/// A log of a game.
pub(super) struct GameLog {
    file: Option<BufWriter<File>>,
    room: usize,
    started: Instant,
    tail: VecDeque<String>,
}

impl GameLog {
    /// A log that is kept in memory only.
    pub(super) fn in_memory() -> GameLog {
        GameLog { file: None, room: MOST_BYTES, started: Instant::now(), tail: VecDeque::new() }
    }

    /// A log of the game with this number, in a directory if there is one.
    pub(super) fn create(directory: Option<&Path>, number: usize) -> Result<GameLog, ArenaError> {
        let mut log = GameLog::in_memory();
        if let Some(directory) = directory {
            let path = directory.join(format!("game_{number:05}.log"));
            let file = File::create(&path).map_err(|error| ArenaError::file("write", path, error))?;
            log.file = Some(BufWriter::new(file));
        }
        Ok(log)
    }

    /// Notes one line. The sign says what it is: `>` to the engine, `<` from it, `E` from its stderr, `!` a fault, `=`
    /// the referee's own.
    pub(super) fn note(&mut self, who: &str, sign: char, text: &str) {
        let line =
            format!("{:9.3} {who} {sign} {}", self.started.elapsed().as_secs_f64(), shown(text.as_bytes()));
        if let Some(file) = &mut self.file
            && self.room > 0
        {
            self.room = self.room.saturating_sub(line.len() + 1);
            // A full disk costs the log, not the game.
            if writeln!(file, "{line}").is_err() {
                self.file = None;
            }
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(line);
    }

    /// The last lines.
    pub(super) fn tail(&self) -> Vec<String> {
        self.tail.iter().cloned().collect()
    }
}
