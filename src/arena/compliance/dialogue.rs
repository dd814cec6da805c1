//! One check played through with an engine.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::Verdict;
use super::script::{Check, Step, Wanted};
use crate::arena::error::ArenaError;
use crate::arena::process::{Process, Wait, shown};
use crate::control::StopSignal;
use crate::types::{Cell, Size};
use crate::wire::{BlockKind, Command, Heard, Point, Said, parse, parse_block_part};

/// Time for the answers that belong to no check: `OK` and `ABOUT`.
const USUAL_MS: u64 = 2_000;
/// Lines of a transcript.
const MOST_LINES: usize = 60;

/// How checks are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine: program and arguments.
    pub command: Vec<String>,
    /// All times for answers are multiplied by this, for a slow or busy machine.
    pub slack: f64,
    /// Ends the checks early.
    pub stop: StopSignal,
}

/// What a step comes to: an error says what the engine did wrong.
type Checked = Result<(), String>;

/// Plays a check through.
pub(super) fn run(check: &Check, settings: &Settings) -> Result<Verdict, ArenaError> {
    let program = settings.command.first().map_or("", String::as_str);
    let process = Process::spawn(&settings.command, None)
        .map_err(|error| ArenaError::Settings(format!("'{program}' cannot be started: {error}")))?;
    let mut dialogue = Dialogue {
        process,
        settings,
        begun: Instant::now(),
        transcript: Vec::new(),
        board: Board::default(),
        not: None,
        last: None,
        peak_kb: 0,
    };
    for step in &check.steps {
        if let Err(problem) = dialogue.step(step) {
            let transcript = std::mem::take(&mut dialogue.transcript);
            return Ok(Verdict::Failed { problem, transcript });
        }
    }
    Ok(Verdict::Passed)
}

struct Dialogue<'a> {
    process: Process,
    settings: &'a Settings,
    begun: Instant,
    transcript: Vec<String>,
    board: Board,
    not: Option<Point>,
    last: Option<Point>,
    peak_kb: u64,
}

impl Dialogue<'_> {
    fn step(&mut self, step: &Step) -> Checked {
        match step {
            Step::Send(line) => {
                let last = self.last.map(|point| point.to_string()).unwrap_or_default();
                self.send(&line.replace("{last}", &last));
            }
            Step::Raw(bytes) => {
                self.note('>', &shown(bytes));
                self.board.hear(bytes);
                self.process.send(bytes.clone());
            }
            Step::New(rule, size, turn_ms) => return self.new_game(*rule, *size, *turn_ms),
            Step::Expect(kinds, ms) => return self.expect(kinds, *ms),
            Step::Silent(ms) => return self.silent(Duration::from_millis(*ms)),
            Step::Alive => {
                self.send("ABOUT");
                self.expect(&[Wanted::About], USUAL_MS)
                    .map_err(|problem| format!("it does not live on: {problem}"))?;
                return self.silent(Duration::from_millis(20));
            }
            Step::Exit(ms) => return self.exit(*ms),
            Step::Close => {
                self.note('>', "(end of input)");
                self.process.close_input();
            }
            Step::Sleep(ms) => std::thread::sleep(Duration::from_millis(*ms)),
            Step::Memory(most) => return self.memory(*most),
            Step::Games(count) => return self.games(*count),
            Step::Not(point) => self.not = Some(*point),
        }
        Ok(())
    }

    fn note(&mut self, sign: char, text: &str) {
        if self.transcript.len() == MOST_LINES {
            self.transcript.remove(0);
        }
        self.transcript.push(format!("{:8.3} {sign} {text}", self.begun.elapsed().as_secs_f64()));
    }

    fn send(&mut self, line: &str) {
        self.note('>', line);
        self.board.hear(line.as_bytes());
        self.board.hear(b"\n");
        self.process.send(format!("{line}\r\n"));
    }

    fn new_game(&mut self, rule: i64, size: usize, turn_ms: u64) -> Checked {
        self.send(&format!("START {size}"));
        self.expect(&[Wanted::Ok], USUAL_MS)?;
        self.send("INFO thread_num 1");
        self.send(&format!("INFO rule {rule}"));
        self.send(&format!("INFO timeout_turn {turn_ms}"));
        Ok(())
    }

    /// The next line that is no chatter; `None` at the deadline.
    fn line(&mut self, deadline: Instant) -> Result<Option<Heard>, String> {
        loop {
            match self.process.next_line(deadline, &self.settings.stop) {
                Wait::Line((_, line)) => {
                    let heard = Said::parse(&line);
                    self.note('<', &shown(&line));
                    if !heard.said.is_chatter() {
                        return Ok(Some(heard));
                    }
                }
                Wait::Late => return Ok(None),
                Wait::Gone => return Err(format!("the engine {}", self.process.describe_end())),
                Wait::Stopped => return Err("stopped".to_owned()),
            }
        }
    }

    fn expect(&mut self, kinds: &[Wanted], ms: u64) -> Checked {
        let patience = Duration::from_millis(ms).mul_f64(self.settings.slack);
        let names: Vec<String> = kinds.iter().map(describe).collect();
        let names = names.join(" or ");
        let Some(heard) = self.line(Instant::now() + patience)? else {
            let rest = self.process.unfinished();
            return Err(format!("no answer within {} ms, where {names} was due{rest}", patience.as_millis()));
        };
        if !kinds.iter().any(|kind| kind.fits(&heard.said)) {
            return Err(format!("not the answer that was due, which is {names}"));
        }
        if !heard.strict {
            return Err("not every manager understands the line: blanks or small letters".to_owned());
        }
        let points = match &heard.said {
            Said::Move { point, .. } => std::slice::from_ref(point),
            Said::Points(points) => points.as_slice(),
            _ => &[],
        };
        if let Some(not) = self.not.take()
            && points.contains(&not)
        {
            return Err(format!("{not} loses at once"));
        }
        self.last = points.last().copied();
        points.iter().try_for_each(|&point| self.board.place(point))
    }

    fn silent(&mut self, patience: Duration) -> Checked {
        match self.line(Instant::now() + patience)? {
            None => Ok(()),
            Some(_) => Err("a line where nothing was asked".to_owned()),
        }
    }

    fn exit(&mut self, ms: u64) -> Checked {
        let patience = Duration::from_millis(ms).mul_f64(self.settings.slack);
        if !self.process.wait_for_exit(patience, &self.settings.stop) {
            return Err(format!("still running after {} ms", patience.as_millis()));
        }
        if self.process.has_failed() {
            return Err(format!("the engine {}", self.process.describe_end()));
        }
        while let Some((_, line)) = self.process.last_line() {
            self.note('<', &shown(&line));
            if !Said::parse(&line).said.is_chatter() {
                return Err("a line after the end".to_owned());
            }
        }
        Ok(())
    }

    fn memory(&mut self, most_mib: u64) -> Checked {
        self.peak_kb = self.peak_kb.max(self.process.memory().peak_kb);
        let mib = self.peak_kb / 1024;
        if mib < most_mib { Ok(()) } else { Err(format!("{mib} MiB resident, {most_mib} allowed")) }
    }

    /// Short games in one process.
    fn games(&mut self, count: usize) -> Checked {
        let size = self.board.size.unwrap_or(Size::STANDARD);
        for number in 0..count {
            self.send(&format!("START {size}"));
            self.expect(&[Wanted::Ok], USUAL_MS)
                .map_err(|problem| format!("game {}: {problem}", number + 1))?;
            self.send(if number % 2 == 0 { "BEGIN" } else { "TURN 0,0" });
            self.expect(&[Wanted::Move], USUAL_MS)
                .map_err(|problem| format!("game {}: {problem}", number + 1))?;
        }
        Ok(())
    }
}

impl Wanted {
    fn fits(self, said: &Said) -> bool {
        match (self, said) {
            (Wanted::Ok, Said::Ok)
            | (Wanted::Error, Said::Error(_))
            | (Wanted::Unknown, Said::Unknown(_))
            | (Wanted::Move, Said::Move { half: false, .. })
            | (Wanted::Half, Said::Move { .. })
            | (Wanted::Swap, Said::Swap) => true,
            (Wanted::Forbid, Said::Forbid(text)) => text.ends_with('.'),
            (Wanted::Points(count), Said::Points(points)) => points.len() == count,
            (Wanted::About, Said::Other(text)) => text.starts_with("name=\""),
            _ => false,
        }
    }
}

fn describe(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Ok => "OK".to_owned(),
        Wanted::Error => "ERROR".to_owned(),
        Wanted::Unknown => "UNKNOWN".to_owned(),
        Wanted::Move => "a move".to_owned(),
        Wanted::Half => "a stone or the half stone".to_owned(),
        Wanted::Points(count) => format!("{count} points"),
        Wanted::Swap => "SWAP".to_owned(),
        Wanted::Forbid => "FORBID".to_owned(),
        Wanted::About => "name=\"…\"".to_owned(),
    }
}

/// Which points are taken, by what was sent and answered.
#[derive(Default)]
struct Board {
    size: Option<Size>,
    taken: HashSet<Cell>,
    /// What has been sent without a line end.
    partial: Vec<u8>,
    /// The block that is open, with its stones.
    block: Option<(BlockKind, Vec<Point>)>,
}

impl Board {
    /// Follows what is sent.
    fn hear(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.partial);
                self.line(&line);
            } else if self.partial.len() < 1_000 {
                self.partial.push(byte);
            }
        }
    }

    fn line(&mut self, line: &[u8]) {
        if self.block.is_some() {
            let text = String::from_utf8_lossy(line).into_owned();
            self.block_line(&text);
            return;
        }
        match parse(line) {
            Ok(Command::Start { width, height }) if width == height => {
                if let Ok(size) = Size::new(width) {
                    self.size = Some(size);
                    self.taken.clear();
                }
            }
            Ok(Command::Restart) => self.taken.clear(),
            Ok(Command::Turn(point) | Command::Half(point) | Command::Play(point)) => {
                self.taken.extend(self.cell(point));
            }
            Ok(Command::TakeBack(point)) => {
                if let Some(cell) = self.cell(point) {
                    self.taken.remove(&cell);
                }
            }
            Ok(Command::Block(kind, rest)) => {
                self.block = Some((kind, Vec::new()));
                self.block_line(&rest);
            }
            _ => {}
        }
    }

    fn block_line(&mut self, text: &str) {
        let Some((kind, stones)) = &mut self.block else { return };
        let part = parse_block_part(*kind, text.trim());
        stones.extend(part.stones.iter().map(|stone| stone.point));
        if part.done
            && let Some((BlockKind::Board | BlockKind::YxBoard | BlockKind::Swap2Board, stones)) =
                self.block.take()
        {
            self.taken = stones.into_iter().filter_map(|point| self.cell(point)).collect();
        }
    }

    fn cell(&self, point: Point) -> Option<Cell> {
        Cell::from_wire(point.x, point.y, self.size?)
    }

    /// An answer's stone.
    fn place(&mut self, point: Point) -> Checked {
        let cell = self.cell(point).ok_or_else(|| format!("{point} is off the board"))?;
        if self.taken.insert(cell) { Ok(()) } else { Err(format!("{point} is taken")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_follows_what_is_sent() {
        let mut board = Board::default();
        board.hear(b"START 15\r\nTURN 7,7\r\nTURN 99,0\n");
        assert!(board.place(Point { x: 7, y: 7 }).is_err() && board.place(Point { x: 15, y: 0 }).is_err());
        assert!(board.place(Point { x: 7, y: 8 }).is_ok() && board.place(Point { x: 7, y: 8 }).is_err());
        board.hear(b"BOARD\r\n0,0,2\r\nfoo\r\ndone\r\n");
        assert!(board.place(Point { x: 7, y: 7 }).is_ok() && board.place(Point { x: 0, y: 0 }).is_err());
        board.hear(b"YXBOARD 1,1,1 2,2,2 DONE\nRESTART\nSTART 1000\n");
        assert!(board.place(Point { x: 1, y: 1 }).is_ok());
        assert_eq!(board.size, Some(Size::STANDARD));
    }
}
