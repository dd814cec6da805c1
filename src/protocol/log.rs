//! The log file of a session: every line that was heard and said, with its time. It never disturbs the session: what
//! cannot be written is not written.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use super::queue::Line;

/// Where a session's dialogue is written down, if anywhere.
#[derive(Debug)]
pub struct Log {
    file: Option<File>,
    started: Instant,
    /// Why there is no file although one was asked for.
    problem: Option<String>,
}

impl Log {
    /// No log.
    pub fn none() -> Log {
        Log { file: None, started: Instant::now(), problem: None }
    }

    /// A log at the end of this file, which is made if need be. If that fails, the session runs without, and says so in
    /// a `MESSAGE` before its first search.
    pub fn to_file(path: &Path) -> Log {
        let mut log = Log::none();
        if is_pipe(path) {
            log.problem = Some(format!("no log in {}: a pipe may keep the program waiting", path.display()));
            return log;
        }
        match OpenOptions::new().append(true).create(true).open(path) {
            Ok(file) => log.file = Some(file),
            Err(error) => log.problem = Some(format!("no log in {}: {error}", path.display())),
        }
        let unix = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let process = std::process::id();
        log.write(&format!("halfstone {} process {process} unix time {unix}", env!("CARGO_PKG_VERSION")));
        log
    }

    /// Whether there is a file to write to.
    pub fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// What has to be told about the log, once.
    pub(super) fn take_problem(&mut self) -> Option<String> {
        self.problem.take()
    }

    /// Notes a line of input, with the time at which it came rather than that at which it is carried out.
    pub(super) fn heard(&mut self, line: &Line) {
        if self.file.is_some() {
            let seconds = line.arrived.saturating_duration_since(self.started).as_secs_f64();
            let text = String::from_utf8_lossy(&line.bytes);
            self.write(&format!(
                "{seconds:9.3} > {}{}",
                text.trim_end(),
                if line.cut { " [cut]" } else { "" }
            ));
        }
    }

    /// Notes a line of output.
    pub(super) fn said(&mut self, line: &str) {
        if self.file.is_some() {
            let seconds = self.started.elapsed().as_secs_f64();
            self.write(&format!("{seconds:9.3} < {line}"));
        }
    }

    /// One write for each line, so that a crash of the machine loses none that was said.
    fn write(&mut self, line: &str) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(format!("{line}\n").as_bytes())
        {
            self.file = None;
            self.problem = Some(format!("the log ends here: {error}"));
        }
    }
}

/// Whether opening the file would wait for somebody at its other end.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|known| known.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
