//! An engine at the table: the protocol as a manager speaks it, what the engine does wrong, and its clock.
//!
//! The order is that of Piskvork and Gomocup's judge: `START`, `OK`, the settings, and for each move `INFO time_left` with
//! `BEGIN`, `TURN`, `HALF` or `BOARD … DONE`; lines end in CR LF. A move's time runs from the command to the arrival of
//! the answer. What merely breaks a rule of the protocol is a fault: counted, shown, and not lost by.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::config::{Config, EngineSpec};
use super::ending::Reason;
use super::inbox::Amount;
use super::log::GameLog;
use super::process::{Process, Wait, shown};
use crate::control::StopSignal;
use crate::game::GameRecord;
use crate::types::{Color, Piece};
use crate::wire::{Command, Info, InfoKey, InfoValue, Point, Said, SearchInfo};

/// More than this in one turn, or out of turn, is a flood.
const FLOOD: Amount = Amount { bytes: 1 << 20, lines: 10_000, overlong: usize::MAX };
/// Texts of faults that are kept of each game; all are counted.
const KEPT_FAULTS: usize = 20;
/// Memory is looked at so often at most.
const MEMORY_INTERVAL: Duration = Duration::from_secs(1);

/// Why an engine's part in a game is over.
pub(super) enum Failure {
    /// It has lost for a reason that is not on the board.
    Lost(Reason, String),
    /// The match is being stopped.
    Stopped,
}

fn lost<T>(reason: Reason, detail: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Lost(reason, detail.into()))
}

/// What an engine did in one game, apart from its moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conduct {
    /// Answers that were timed.
    pub moves: u64,
    /// Their time together, in ms.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Answers that took longer than the limit.
    pub over_limit: u64,
    /// Answers that took longer than limit and tolerance.
    pub over_tolerance: u64,
    /// The worst overrun of the limit, in ms.
    pub max_over_ms: f64,
    /// Sum and number of the depths that it told.
    pub depth: (u64, u64),
    /// Sum and number of the node counts that it told.
    pub nodes: (u64, u64),
    /// Faults by kind.
    pub faults: BTreeMap<String, u64>,
    /// The first faults in words.
    pub fault_texts: Vec<String>,
    /// Largest resident memory, in KiB.
    pub peak_kb: u64,
    /// Largest memory of its own, in KiB.
    pub unique_kb: u64,
    /// Whether it took more memory than it was told.
    pub over_memory: bool,
    /// Bytes written to stderr.
    pub stderr_bytes: u64,
}

/// What may answer a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// One move.
    Move,
    /// An answer to `SWAP2BOARD`.
    Swap2,
}

/// An answer with what went with it.
pub(super) struct Answer {
    pub(super) said: Said,
    /// The line, for messages.
    pub(super) text: String,
    pub(super) ms: f64,
    pub(super) info: SearchInfo,
}

/// An engine in one game.
pub(super) struct Player<'a> {
    pub(super) spec: &'a EngineSpec,
    config: &'a Config,
    stop: &'a StopSignal,
    process: Option<Process>,
    clock: Clock,
    pub(super) conduct: Conduct,
    /// Number of the move that it is asked for, for messages.
    move_number: usize,
    /// Moves of the game that it knows of.
    told: Option<usize>,
    mark: Amount,
    looked_at_memory: Option<Instant>,
}

impl<'a> Player<'a> {
    pub(super) fn new(spec: &'a EngineSpec, config: &'a Config, stop: &'a StopSignal) -> Player<'a> {
        Player {
            spec,
            config,
            stop,
            process: None,
            clock: Clock::new(&spec.limits),
            conduct: Conduct::default(),
            move_number: 0,
            told: Some(0),
            mark: Amount::default(),
            looked_at_memory: None,
        }
    }

    fn fault(&mut self, log: &mut GameLog, kind: &str, text: &str) {
        *self.conduct.faults.entry(kind.to_owned()).or_default() += 1;
        log.note(&self.spec.name, '!', &format!("{kind}: {text}"));
        if self.conduct.fault_texts.len() < KEPT_FAULTS {
            self.conduct.fault_texts.push(format!("{kind}, move {}: {text}", self.move_number));
        }
    }

    fn send(&self, log: &mut GameLog, lines: &[String]) {
        log.note(&self.spec.name, '>', &lines.join(" | "));
        if let Some(process) = &self.process {
            process
                .send(lines.iter().flat_map(|line| [line.as_bytes(), b"\r\n"].concat()).collect::<Vec<u8>>());
        }
    }

    /// Starts the process and a game on it.
    pub(super) fn start(&mut self, log: &mut GameLog) -> Result<(), Failure> {
        let process = match Process::spawn(&self.spec.command, self.spec.cwd.as_deref()) {
            Ok(process) => process,
            Err(error) => {
                let program = self.spec.command.first().map_or("", String::as_str);
                return lost(Reason::Start, format!("'{program}' cannot be started: {error}"));
            }
        };
        self.process = Some(process);
        let deadline = Instant::now() + Duration::from_millis(self.config.start_ms);
        self.send(log, &[format!("START {}", self.config.size)]);
        loop {
            let line = match self.wait(deadline) {
                Wait::Line((_, line)) => line,
                Wait::Late => {
                    let rest = self.unfinished();
                    return lost(Reason::Start, format!("no OK within {} ms{rest}", self.config.start_ms));
                }
                Wait::Gone => {
                    let end = self.describe_end();
                    return lost(Reason::Start, format!("{end} at START"));
                }
                Wait::Stopped => return Err(Failure::Stopped),
            };
            self.check_flood(log, "before OK")?;
            let heard = self.hear(log, &line);
            match heard.said {
                Said::Ok => {
                    if !heard.strict {
                        self.fault(log, "format", &format!("answered START with '{}'", shown(&line)));
                    }
                    break;
                }
                Said::Error(_) => {
                    return lost(Reason::Start, format!("answered START with '{}'", shown(&line)));
                }
                said if said.is_chatter() => {}
                _ => self.fault(log, "unexpected-line", &format!("'{}' before OK", shown(&line))),
            }
        }
        let settings = self.settings();
        self.send(log, &settings);
        self.set_mark();
        Ok(())
    }

    /// The `INFO` lines at the start of a game.
    fn settings(&self) -> Vec<String> {
        let limits = &self.spec.limits;
        let always = [
            (InfoKey::TimeoutTurn, limits.turn_ms),
            (InfoKey::TimeoutMatch, limits.match_ms),
            (InfoKey::MaxMemory, limits.max_memory),
            (InfoKey::GameType, 1),
            (InfoKey::Rule, self.config.rule as u64),
        ];
        let if_set = [
            (InfoKey::TimeIncrement, limits.increment_ms),
            (InfoKey::ThreadNum, limits.threads),
            (InfoKey::MaxNode, limits.nodes),
            (InfoKey::MaxDepth, limits.depth),
        ];
        let set = if_set.into_iter().filter(|&(_, value)| value > 0);
        let more = self.spec.info.iter().map(|(key, value)| format!("INFO {key} {value}"));
        always.into_iter().chain(set).map(|(key, value)| info(key, value as i64)).chain(more).collect()
    }

    /// Asks for the next move of the game.
    pub(super) fn think(
        &mut self,
        game: &GameRecord,
        color: Color,
        log: &mut GameLog,
    ) -> Result<Answer, Failure> {
        let lines = self.question(game, color);
        self.move_number = game.moves().len() + 1;
        let answer = self.ask(&lines, Expect::Move, log)?;
        self.told = Some(game.moves().len() + 1);
        Ok(answer)
    }

    /// The lines that ask for a move.
    fn question(&self, game: &GameRecord, color: Color) -> Vec<String> {
        let point = |cell: crate::types::Cell| Point { x: cell.x() as i64, y: cell.y() as i64 };
        let known = self.told.is_some_and(|told| told + 1 == game.moves().len());
        match game.moves().last() {
            None => vec![Command::Begin.to_string()],
            Some(mv) if known => {
                let Some(cell) = mv.cell() else { return Vec::new() };
                let command =
                    if mv.is_half() { Command::Half(point(cell)) } else { Command::Turn(point(cell)) };
                vec![command.to_string()]
            }
            Some(_) => {
                let field = |piece| match piece {
                    Piece::Stone(owner) if owner == color => 1,
                    Piece::Stone(_) => 2,
                    Piece::Half if color == Color::Black => 4,
                    Piece::Half => 5,
                    Piece::Blocked => 3,
                };
                let mut lines = vec!["BOARD".to_owned()];
                lines.extend(game.pieces().map(|(cell, piece)| format!("{},{}", point(cell), field(piece))));
                lines.push("DONE".to_owned());
                lines
            }
        }
    }

    /// Asks about the stones of a swap2 opening.
    pub(super) fn ask_swap2(&mut self, game: &GameRecord, log: &mut GameLog) -> Result<Answer, Failure> {
        let mut lines = vec!["SWAP2BOARD".to_owned()];
        let cells = game.moves().iter().filter_map(|mv| mv.cell());
        lines.extend(cells.map(|cell| format!("{},{}", cell.x(), cell.y())));
        lines.push("DONE".to_owned());
        self.move_number = game.moves().len() + 1;
        // The engine's own board is set by BOARD afterwards.
        self.told = None;
        self.ask(&lines, Expect::Swap2, log)
    }

    /// Asks a question on the clock and waits for the answer.
    fn ask(&mut self, question: &[String], expect: Expect, log: &mut GameLog) -> Result<Answer, Failure> {
        self.drop_strays(log, "stray-line");
        self.check_flood(log, "out of turn")?;
        self.set_mark();
        let limit = self.clock.limit();
        let allowed = (limit + self.config.tolerance_ms as f64).max(0.0);
        let mut lines = vec![info(InfoKey::TimeLeft, self.clock.time_left())];
        lines.extend_from_slice(question);
        let begun = Instant::now();
        self.send(log, &lines);
        let deadline = begun + Duration::from_secs_f64(allowed / 1e3);
        let mut search = SearchInfo::default();
        let mut last = String::new();
        loop {
            let (arrived, line) = match self.wait_watching(deadline)? {
                Wait::Line(line) => line,
                Wait::Stopped => return Err(Failure::Stopped),
                Wait::Gone => {
                    let (end, rest) = (self.describe_end(), self.unfinished());
                    return lost(Reason::Crash, format!("{end}{rest}"));
                }
                Wait::Late => {
                    self.book(begun.elapsed(), limit, &search);
                    self.conduct.over_tolerance += 1;
                    let rest = self.unfinished();
                    let tolerance = self.config.tolerance_ms;
                    return lost(
                        Reason::Time,
                        format!("no move within {limit:.0} + {tolerance} ms{last}{rest}"),
                    );
                }
            };
            self.check_flood(log, "in its turn")?;
            let heard = self.hear(log, &line);
            let wanted = match &heard.said {
                Said::Move { .. } => true,
                Said::Points(_) | Said::Swap => expect == Expect::Swap2,
                _ => false,
            };
            if wanted {
                if !heard.strict {
                    self.fault(log, "format", &format!("move written as '{}'", shown(&line)));
                }
                let elapsed = arrived.saturating_duration_since(begun);
                let ms = self.book(elapsed, limit, &search);
                self.drop_strays(log, "stray-line");
                self.watch_memory()?;
                self.set_mark();
                return Ok(Answer { said: heard.said, text: shown(&line), ms, info: search });
            }
            if let Said::Message(text) = &heard.said
                && let Some(news) = SearchInfo::parse(text)
            {
                search = news;
            } else if !heard.said.is_chatter() {
                self.fault(log, "unexpected-line", &format!("'{}' instead of a move", shown(&line)));
                last = format!("; last line '{}'", shown(&line));
            }
        }
    }

    /// Books the time of an answer, and returns it in ms.
    fn book(&mut self, elapsed: Duration, limit: f64, search: &SearchInfo) -> f64 {
        let ms = elapsed.as_secs_f64() * 1e3;
        let conduct = &mut self.conduct;
        conduct.moves += 1;
        conduct.total_ms += ms;
        conduct.max_ms = conduct.max_ms.max(ms);
        if ms > limit && self.clock.is_fair() {
            conduct.over_limit += 1;
            conduct.max_over_ms = conduct.max_over_ms.max(ms - limit);
        }
        for (sum, value) in
            [(&mut conduct.depth, search.depth.map(u64::from)), (&mut conduct.nodes, search.nodes)]
        {
            if let Some(value) = value {
                *sum = (sum.0.saturating_add(value), sum.1 + 1);
            }
        }
        self.clock.spend(ms);
        ms
    }

    /// Ends the engine's part: `END` and some time to go, or at once if it has failed already.
    pub(super) fn finish(&mut self, at_once: bool, log: &mut GameLog) {
        let Some(process) = &mut self.process else { return };
        if !at_once && process.has_exited() {
            let end = process.describe_end();
            self.fault(log, "died-out-of-turn", &end);
        } else if !at_once {
            self.drop_strays(log, "stray-line");
            // A last look; that the game is over saves it from losing by what is seen.
            self.looked_at_memory = None;
            let _ = self.watch_memory();
            self.say_goodbye(log);
        }
        let Some(process) = &mut self.process else { return };
        process.kill();
        let (bytes, text) = process.complaints();
        self.conduct.stderr_bytes = bytes as u64;
        let lines: Vec<&str> = text.lines().collect();
        for line in lines.iter().skip(lines.len().saturating_sub(10)) {
            log.note(&self.spec.name, 'E', line);
        }
    }

    /// `END`, and what an engine can do wrong then.
    fn say_goodbye(&mut self, log: &mut GameLog) {
        self.send(log, &[Command::End.to_string()]);
        let Some(process) = &mut self.process else { return };
        let patience = Duration::from_millis(self.config.end_ms);
        let gone = process.wait_for_exit(patience, self.stop);
        let failed = gone && process.has_failed();
        let end = if gone { process.describe_end() } else { String::new() };
        if !gone && !self.stop.is_raised() {
            self.fault(log, "no-exit", &format!("still running {} ms after END", self.config.end_ms));
        }
        if failed {
            self.fault(log, "exit-status", &format!("{end} after END"));
        }
        self.drop_strays(log, "after-end");
    }

    fn wait(&mut self, deadline: Instant) -> Wait {
        match &mut self.process {
            Some(process) => process.next_line(deadline, self.stop),
            None => Wait::Gone,
        }
    }

    /// Waits, and looks at the engine's memory from time to time.
    fn wait_watching(&mut self, deadline: Instant) -> Result<Wait, Failure> {
        loop {
            let look = Instant::now() + MEMORY_INTERVAL;
            match self.wait(deadline.min(look)) {
                Wait::Late if look < deadline => self.watch_memory()?,
                wait => return Ok(wait),
            }
        }
    }

    /// Looks at the memory, unless it has done so just now.
    fn watch_memory(&mut self) -> Result<(), Failure> {
        if self.looked_at_memory.is_some_and(|at| at.elapsed() < MEMORY_INTERVAL) {
            return Ok(());
        }
        self.looked_at_memory = Some(Instant::now());
        let usage = self.process.as_ref().map(Process::memory).unwrap_or_default();
        self.conduct.peak_kb = self.conduct.peak_kb.max(usage.peak_kb);
        self.conduct.unique_kb = self.conduct.unique_kb.max(usage.unique_kb);
        let limit = self.spec.limits.max_memory / 1024;
        if limit == 0 || usage.peak_kb <= limit {
            return Ok(());
        }
        self.conduct.over_memory = true;
        if !self.config.strict_memory {
            return Ok(());
        }
        lost(Reason::Memory, format!("{} KiB resident, {limit} KiB allowed", usage.peak_kb))
    }

    fn hear(&mut self, log: &mut GameLog, line: &[u8]) -> crate::wire::Heard {
        log.note(&self.spec.name, '<', &String::from_utf8_lossy(line));
        Said::parse(line)
    }

    /// Takes what came while nothing was asked, and no more than that: an engine may write faster than anybody reads.
    fn drop_strays(&mut self, log: &mut GameLog, kind: &str) {
        for _ in 0..self.process.as_ref().map_or(0, Process::waiting_lines) {
            let Some((_, line)) = self.process.as_ref().and_then(Process::waiting_line) else { break };
            if !self.hear(log, &line).said.is_chatter() {
                self.fault(log, kind, &format!("'{}'", shown(&line)));
            }
        }
    }

    /// Starts counting output anew.
    fn set_mark(&mut self) {
        self.mark = self.process.as_ref().map(Process::amount).unwrap_or_default();
    }

    /// Loses the game if there has been too much output since the mark; notes lines that are too long.
    fn check_flood(&mut self, log: &mut GameLog, when: &str) -> Result<(), Failure> {
        let now = self.process.as_ref().map(Process::amount).unwrap_or_default();
        if now.overlong > self.mark.overlong {
            self.mark.overlong = now.overlong;
            self.fault(
                log,
                "overlong-line",
                &format!("a line of more than {} bytes", super::inbox::MAX_LINE),
            );
        }
        let (bytes, lines) = (now.bytes - self.mark.bytes, now.lines - self.mark.lines);
        if bytes > FLOOD.bytes || lines > FLOOD.lines {
            return lost(Reason::Flood, format!("{bytes} bytes in {lines} lines {when}"));
        }
        Ok(())
    }

    fn unfinished(&self) -> String {
        self.process.as_ref().map(Process::unfinished).unwrap_or_default()
    }

    fn describe_end(&mut self) -> String {
        self.process.as_mut().map(Process::describe_end).unwrap_or_default()
    }
}

fn info(key: InfoKey, value: i64) -> String {
    Command::Info(Info { key, value: InfoValue::Number(value) }).to_string()
}
