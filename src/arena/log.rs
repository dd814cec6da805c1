//! The dialogue of one game: the last lines, cut where they are long, for the report; all of it for a file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use super::error::ArenaError;
use super::process::shown;

/// Lines that are kept for the report.
const TAIL: usize = 12;

/// A log of a game.
pub(super) struct GameLog {
    file: Option<BufWriter<File>>,
    started: Instant,
    tail: VecDeque<String>,
}

impl GameLog {
    /// A log that is kept in memory only.
    pub(super) fn in_memory() -> GameLog {
        GameLog { file: None, started: Instant::now(), tail: VecDeque::new() }
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
        let head = format!("{:9.3} {who} {sign}", self.started.elapsed().as_secs_f64());
        // A full disk costs the log, not the game.
        if let Some(file) = &mut self.file
            && writeln!(file, "{head} {}", text.escape_debug()).is_err()
        {
            self.file = None;
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(format!("{head} {}", shown(text.as_bytes())));
    }

    /// The last lines.
    pub(super) fn tail(&self) -> Vec<String> {
        self.tail.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_whole_lines_and_the_tail_the_last_ones_cut() {
        let directory = std::env::temp_dir().join(format!("halfstone-log-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let mut log = GameLog::create(Some(&directory), 1).unwrap();
        // 6 MB of lines far longer than a report shows.
        let long = "x".repeat(60_000);
        (0..100).for_each(|_| log.note("a", '<', &long));
        let tail = log.tail();
        assert!(tail.len() == TAIL && tail.iter().all(|line| line.len() < 200 && line.ends_with("...")));
        drop(log);
        let text = std::fs::read_to_string(directory.join("game_00001.log")).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(text.lines().filter(|line| line.ends_with(&long)).count(), 100);
    }
}
