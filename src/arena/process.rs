//! One engine process: started in a group of its own, written to and read from without ever blocking the referee, and
//! killed with everything that it has started.
//!
//! Three threads serve it: one writes (an engine that does not read blocks only that one), one reads its output, one
//! its complaints on stderr. They end with the process; none is waited for.

use std::collections::{BTreeSet, VecDeque};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::inbox::{Amount, Inbox, Line};
use super::memory::{self, Usage};
use crate::control::StopSignal;

/// How often a wait looks whether the match is stopped or the process has gone.
const SLICE: Duration = Duration::from_millis(50);
/// How long the last lines of a process that has ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long a process that is killed may take to disappear.
const REAP: Duration = Duration::from_secs(5);
/// Bytes of stderr that are kept: the last ones.
const KEPT_COMPLAINTS: usize = 1 << 14;

/// What came of waiting for a line.
#[derive(Debug)]
pub(super) enum Wait {
    /// A line.
    Line(Line),
    /// The deadline passed.
    Late,
    /// The process has ended or closed its output, and nothing is left to read.
    Gone,
    /// The match is being stopped.
    Stopped,
}

/// What an engine wrote to stderr.
#[derive(Default)]
struct Complaints {
    bytes: usize,
    last: VecDeque<u8>,
}

/// The process groups that have not been killed yet.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines with everything in their groups, for a program that is about to end without waiting for anything.
pub fn kill_all() {
    running().iter().for_each(|&id| kill_group(id));
}

/// Kills a process group. On systems without them this does nothing.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // Nothing left to kill is as good.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    inbox: Arc<Inbox>,
    writer: Option<Sender<Vec<u8>>>,
    complaints: Arc<Mutex<Complaints>>,
    status: Option<String>,
    failed: bool,
    dead: bool,
}

impl Process {
    /// Starts a program.
    pub(super) fn spawn(command: &[String], cwd: Option<&Path>) -> std::io::Result<Process> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| std::io::Error::other("the command is empty"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = cwd {
            command.current_dir(cwd);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        running().insert(child.id());

        let inbox = Arc::new(Inbox::default());
        if let Some(output) = child.stdout.take() {
            let inbox = Arc::clone(&inbox);
            thread::spawn(move || inbox.fill(output));
        }
        let complaints = Arc::new(Mutex::new(Complaints::default()));
        if let Some(errors) = child.stderr.take() {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || collect(errors, &complaints));
        }
        let (writer, orders) = channel::<Vec<u8>>();
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                for order in orders {
                    if input.write_all(&order).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        let writer = Some(writer);
        Ok(Process { child, inbox, writer, complaints, status: None, failed: false, dead: false })
    }

    /// Sends bytes, some time soon. An engine that has closed its input does not notice.
    pub(super) fn send(&self, bytes: impl Into<Vec<u8>>) {
        if let Some(writer) = &self.writer {
            // A closed pipe shows as missing answers.
            let _ = writer.send(bytes.into());
        }
    }

    /// Closes the engine's input, after everything sent so far.
    pub(super) fn close_input(&mut self) {
        self.writer = None;
    }

    /// Waits for a line till the deadline. One that is complete later is left for the next call: whoever has only looked
    /// up from waiting for a longer time must not lose it.
    pub(super) fn next_line(&mut self, deadline: Instant, stop: &StopSignal) -> Wait {
        loop {
            if stop.is_raised() {
                return Wait::Stopped;
            }
            let exited = self.has_exited();
            let left = deadline.saturating_duration_since(Instant::now());
            let patience = left.min(if exited { LAST_WORDS } else { SLICE });
            match self.inbox.next(patience, Some(deadline)) {
                Some(line) => return Wait::Line(line),
                // The end of the pipe, or a process that is gone while others hold its pipe open.
                None if self.inbox.is_done() || exited && self.inbox.waiting() == 0 => return Wait::Gone,
                None if left.is_zero() => return Wait::Late,
                None => {}
            }
        }
    }

    /// A line that has come already.
    pub(super) fn waiting_line(&self) -> Option<Line> {
        self.inbox.next(Duration::ZERO, None)
    }

    /// How many lines have come already.
    pub(super) fn waiting_lines(&self) -> usize {
        self.inbox.waiting()
    }

    /// A line that a process which has ended has left behind; the last ones may take a moment to arrive.
    pub(super) fn last_line(&self) -> Option<Line> {
        self.inbox.next(LAST_WORDS, None)
    }

    /// How much it has written so far.
    pub(super) fn amount(&self) -> Amount {
        self.inbox.amount()
    }

    /// What it has written without ending the line, for messages.
    pub(super) fn unfinished(&self) -> String {
        let partial = self.inbox.partial();
        if partial.is_empty() {
            return String::new();
        }
        format!("; unfinished line '{}'", shown(&partial))
    }

    /// Bytes written to stderr, and the last of them as text.
    pub(super) fn complaints(&self) -> (usize, String) {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let last: Vec<u8> = complaints.last.iter().copied().collect();
        (complaints.bytes, String::from_utf8_lossy(&last).into_owned())
    }

    /// The memory of the process and what it has started.
    pub(super) fn memory(&self) -> Usage {
        if self.dead { Usage::default() } else { memory::of_group(self.child.id()) }
    }

    /// Waits for the process to end; whether it has.
    pub(super) fn wait_for_exit(&mut self, patience: Duration, stop: &StopSignal) -> bool {
        let deadline = Instant::now() + patience;
        while !self.has_exited() {
            if Instant::now() >= deadline || stop.is_raised() {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// How the process has ended; it may need a moment after its output has.
    pub(super) fn describe_end(&mut self) -> String {
        self.wait_for_exit(Duration::from_millis(500), &StopSignal::default());
        self.status.clone().unwrap_or_else(|| "closed its output".to_owned())
    }

    /// Whether it has ended with anything but success.
    pub(super) fn has_failed(&mut self) -> bool {
        self.has_exited() && self.failed
    }

    /// Whether the process has ended. It is not reaped: its number cannot pass to another before its group is killed.
    #[cfg(unix)]
    pub(super) fn has_exited(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        if self.status.is_some() || self.dead {
            return true;
        }
        let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else { return false };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Ok(Some(status)) = waitid(WaitId::Pid(pid), options) else { return false };
        let (text, failed) = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => (format!("exited with code {code}"), code != 0),
            (None, Some(signal)) => (format!("was ended by {}", signal_name(signal)), true),
            (None, None) => ("ended".to_owned(), true),
        };
        self.failed = failed;
        self.status = Some(text);
        true
    }

    /// Whether the process has ended.
    #[cfg(not(unix))]
    pub(super) fn has_exited(&mut self) -> bool {
        if self.status.is_some() || self.dead {
            return true;
        }
        let Ok(Some(status)) = self.child.try_wait() else { return false };
        self.failed = !status.success();
        self.status = Some(format!("ended with {status}"));
        true
    }

    /// Kills the process and everything in its group, and reaps it.
    pub(super) fn kill(&mut self) {
        if self.dead {
            return;
        }
        self.has_exited();
        self.writer = None;
        kill_group(self.child.id());
        // Once it is reaped, its number may be another's.
        running().remove(&self.child.id());
        let _ = self.child.kill();
        self.dead = true;
        let deadline = Instant::now() + REAP;
        // One that is stuck in the kernel is left there.
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.inbox.close();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(unix)]
fn signal_name(signal: i32) -> String {
    let known =
        [(6, "SIGABRT"), (9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM"), (4, "SIGILL"), (8, "SIGFPE")];
    let name = known.iter().find(|&&(number, _)| number == signal);
    name.map_or_else(|| format!("signal {signal}"), |&(_, name)| name.to_owned())
}

/// Keeps the end of what is written to stderr: the work of that thread.
fn collect(mut errors: impl Read, complaints: &Mutex<Complaints>) {
    let mut chunk = vec![0; 1 << 14];
    while let Ok(count) = errors.read(&mut chunk) {
        if count == 0 {
            break;
        }
        let mut kept = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += count;
        kept.last.extend(chunk.iter().take(count));
        let surplus = kept.last.len().saturating_sub(KEPT_COMPLAINTS);
        kept.last.drain(..surplus);
    }
}

/// Bytes of an engine as a message shows them: on one line, printable, and not too many.
pub(super) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 120;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}
