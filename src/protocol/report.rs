//! The `MESSAGE` lines that tell viewers of a search's progress.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::engine::{Defence, Report, win_rate};
use crate::types::{Cell, MATE, MATE_IN_MAX_PLY, Move, Score};
use crate::wire::Reply;

/// A search shorter than this says only what it ended with.
const FIRST_AFTER: Duration = Duration::from_millis(200);
/// Lines between do not come faster than this.
const INTERVAL: Duration = Duration::from_millis(400);
/// The move that is being looked at is marked on the board so often at most.
const MARK_INTERVAL: Duration = Duration::from_millis(50);
/// The most moves of a variation that are printed.
const PV_MOVES: usize = 30;

/// Keeps the latest report of each line of play and decides when to print it.
#[derive(Debug)]
pub(super) struct Reporter {
    /// Nothing is printed before this but what comes last.
    first: Instant,
    due: Instant,
    /// When the next move may be marked as being looked at, and the one that is.
    mark_due: Instant,
    marked: Option<Cell>,
    /// Moves that are proven to lose, and how many of them have been told.
    lost: Vec<Cell>,
    lost_told: usize,
    /// By line number; true while it has not been printed.
    latest: Vec<Option<(Report, bool)>>,
    lines: usize,
    realtime: bool,
    details: bool,
}

impl Reporter {
    pub(super) fn new(started: Instant, lines: usize, realtime: bool, details: bool) -> Reporter {
        let first = started + FIRST_AFTER;
        Reporter {
            first,
            due: first,
            mark_due: first,
            marked: None,
            lost: Vec::new(),
            lost_told: 0,
            latest: vec![None; lines],
            lines,
            realtime,
            details,
        }
    }

    /// Takes a report and returns what is to be printed now.
    pub(super) fn add(&mut self, report: Report, now: Instant) -> Vec<Reply> {
        let line = report.line.max(1);
        // Output waits for the last line of an iteration, so that its lines stay together. A position may have fewer
        // moves than lines were asked for: then the next iteration's first line tells that the last one is whole.
        let mut replies = Vec::new();
        let is_next =
            line == 1 && matches!(self.latest.as_slice(), [Some((_, true)), .., None | Some((_, false))]);
        if is_next && now >= self.due {
            self.due = now + INTERVAL;
            replies = self.flush();
        }
        let complete = line >= self.latest.len();
        if let Some(slot) = self.latest.get_mut(line - 1) {
            *slot = Some((report, true));
        }
        if complete && now >= self.due {
            self.due = now + INTERVAL;
            replies.extend(self.flush());
        }
        replies
    }

    /// The search begins with a move of the position.
    pub(super) fn trying(&mut self, mv: Move, now: Instant) -> Option<Reply> {
        let cell = mv.cell().filter(|_| self.realtime && self.marked.is_none() && now >= self.mark_due)?;
        self.mark_due = now + MARK_INTERVAL;
        self.marked = Some(cell);
        Some(mark("POS", cell))
    }

    /// It is done with it.
    pub(super) fn tried(&mut self, mv: Move, lost: bool, now: Instant) -> Vec<Reply> {
        let Some(cell) = mv.cell().filter(|_| self.realtime) else { return Vec::new() };
        let mut replies = Vec::new();
        if self.marked == Some(cell) {
            self.marked = None;
            replies.push(mark("DONE", cell));
        }
        if lost {
            self.note_loss(mv);
        }
        if now >= self.first {
            replies.extend(self.losses());
        }
        replies
    }

    /// A half stone that loses says nothing about a stone on the same point.
    fn note_loss(&mut self, mv: Move) {
        if let Some(cell) = mv.cell().filter(|cell| !mv.is_half() && !self.lost.contains(cell)) {
            self.lost.push(cell);
        }
    }

    /// Losing moves that have not been told of.
    fn losses(&mut self) -> Vec<Reply> {
        let told = std::mem::replace(&mut self.lost_told, self.lost.len());
        self.lost.iter().skip(told).map(|&cell| mark("LOSE", cell)).collect()
    }

    /// The last lines before a move.
    pub(super) fn finish(&mut self) -> Vec<Reply> {
        let done = self.marked.take().map(|cell| mark("DONE", cell));
        done.into_iter().chain(self.flush()).collect()
    }

    /// What has not been printed yet.
    fn flush(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        let mut lost = Vec::new();
        for (report, fresh) in self.latest.iter_mut().flatten() {
            if !std::mem::take(fresh) {
                continue;
            }
            replies.push(Reply::Message(describe(report)));
            if self.details {
                replies.extend(details(report, self.lines).into_iter().map(Reply::Detail));
            }
            if self.realtime {
                replies.extend(marks(report).into_iter().map(Reply::Message));
                lost.extend(report.pv.first().filter(|_| report.score <= -MATE_IN_MAX_PLY));
            }
        }
        lost.into_iter().for_each(|mv| self.note_loss(mv));
        replies.extend(self.losses());
        replies
    }
}

/// A mark on the board.
fn mark(word: &str, cell: Cell) -> Reply {
    Reply::Message(format!("REALTIME {word} {},{}", cell.x(), cell.y()))
}

/// The form that `RapfiPortal` and pygomo-lib read alike.
fn describe(report: &Report) -> String {
    let ms = report.elapsed.as_millis().max(1);
    let mut line = format!(
        "depth {}-{} multipv {} ev {} n {} n/ms {} tm {} pv",
        report.depth,
        report.selective_depth.max(report.depth),
        report.line.max(1),
        score_text(report.score),
        report.nodes,
        u128::from(report.nodes) / ms,
        report.elapsed.as_millis(),
    );
    for &mv in report.pv.iter().take(PV_MOVES) {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}", move_text(mv));
    }
    line
}

/// What a browser's calculator reads about one line of play, as one record.
fn details(report: &Report, lines: usize) -> Vec<String> {
    let per_second = report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3);
    let best = report.pv.iter().take(PV_MOVES).filter_map(|mv| mv.cell());
    let best: Vec<String> = best.map(|cell| format!("{},{}", cell.x(), cell.y())).collect();
    vec![
        // Lines are counted from zero here.
        format!("PV {}", report.line.saturating_sub(1)),
        format!("NUMPV {lines}"),
        format!("DEPTH {}", report.depth),
        format!("SELDEPTH {}", report.selective_depth.max(report.depth)),
        format!("NODES {}", report.nodes),
        format!("TOTALNODES {}", report.nodes),
        format!("TOTALTIME {}", report.elapsed.as_millis()),
        format!("SPEED {per_second:.0}"),
        format!("EVAL {}", score_text(report.score)),
        format!("WINRATE {:.4}", win_rate(report.score)),
        format!("BESTLINE {}", best.join(" ")),
        "PV DONE".to_owned(),
    ]
}

/// What a board shows of the best line: its first move, its value and its moves.
fn marks(report: &Report) -> Vec<String> {
    let Some(cell) = report.pv.first().and_then(|mv| mv.cell()) else { return Vec::new() };
    let mut marks = Vec::new();
    if report.line <= 1 {
        let moves: Vec<String> = report.pv.iter().take(PV_MOVES).map(|&mv| move_text(mv)).collect();
        marks.push(format!("REALTIME BEST {},{}", cell.x(), cell.y()));
        marks.push(format!("REALTIME VAL {}", report.score));
        marks.push(format!("REALTIME PV {}", moves.join(" ")));
    }
    marks
}

/// What the solver says about a threat, for people.
pub(super) fn describe_defence(defence: &Defence) -> Vec<Reply> {
    match defence.is_needed {
        Some(true) => {}
        Some(false) => return vec![Reply::Message("DEFEND nothing threatens".to_owned())],
        None => return vec![Reply::Message("DEFEND not known whether anything threatens".to_owned())],
    }
    let list = |name: &str, moves: &[Move]| {
        let moves: Vec<String> = moves.iter().map(|&mv| move_text(mv)).collect();
        Reply::Message(format!(
            "DEFEND {name} {}",
            if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
        ))
    };
    let mut replies = Vec::new();
    if !defence.threat.is_empty() {
        replies.push(list("threat", &defence.threat));
    }
    replies.push(list("holds", &defence.holding));
    if !defence.unclear.is_empty() {
        replies.push(list("unclear", &defence.unclear));
    }
    replies
}

/// A score in evaluation units, or `+M7` and `-M8` for a win or loss in that many plies.
fn score_text(score: Score) -> String {
    if score >= MATE_IN_MAX_PLY {
        format!("+M{}", MATE - score)
    } else if score <= -MATE_IN_MAX_PLY {
        format!("-M{}", MATE + score)
    } else {
        score.to_string()
    }
}

/// `x,y`, with the star of the text notation for a half stone.
fn move_text(mv: Move) -> String {
    match mv.cell() {
        Some(cell) => format!("{}{},{}", if mv.is_half() { "*" } else { "" }, cell.x(), cell.y()),
        None => "--".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Size, mate_in, mated_in};

    fn report(depth: u32, line: usize) -> Report {
        Report {
            depth,
            selective_depth: depth + 8,
            line,
            score: 35,
            nodes: 210_000,
            elapsed: Duration::from_millis(1_000),
            pv: vec![Move::stone(Size::STANDARD.center()), Move::half(Size::STANDARD.center())],
        }
    }

    #[test]
    fn reports_have_the_form_that_viewers_parse() {
        assert_eq!(
            describe(&report(12, 1)),
            "depth 12-20 multipv 1 ev 35 n 210000 n/ms 210 tm 1000 pv 7,7 *7,7"
        );
        assert_eq!(score_text(mate_in(7)), "+M7");
        assert_eq!(score_text(mated_in(8)), "-M8");
        assert_eq!(score_text(-45), "-45");
    }

    #[test]
    fn details_come_as_one_record_for_each_line() {
        let mut reporter = Reporter::new(Instant::now(), 2, false, true);
        reporter.add(report(12, 2), Instant::now());
        let lines: Vec<String> = reporter.finish().iter().skip(1).map(Reply::to_string).collect();
        let expected = [
            "INFO PV 1",
            "INFO NUMPV 2",
            "INFO DEPTH 12",
            "INFO SELDEPTH 20",
            "INFO NODES 210000",
            "INFO TOTALNODES 210000",
            "INFO TOTALTIME 1000",
            "INFO SPEED 210000",
            "INFO EVAL 35",
            "INFO WINRATE 0.5",
            "INFO BESTLINE 7,7 7,7",
            "INFO PV DONE",
        ];
        assert_eq!(lines.len(), expected.len());
        assert!(lines.iter().zip(expected).all(|(line, start)| line.starts_with(start)), "{lines:?}");
    }

    #[test]
    fn lines_come_although_there_are_fewer_moves_than_were_asked_for() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut reporter = Reporter::new(start, 3, false, false);
        let depths = |replies: Vec<Reply>| -> Vec<String> {
            replies
                .iter()
                .map(|reply| reply.to_string().split(' ').take(5).collect::<Vec<_>>().join(" "))
                .collect()
        };
        assert!(reporter.add(report(5, 1), at(210)).is_empty());
        assert!(reporter.add(report(5, 2), at(210)).is_empty(), "a third may come");
        let printed = ["MESSAGE depth 5-13 multipv 1", "MESSAGE depth 5-13 multipv 2"];
        assert_eq!(depths(reporter.add(report(6, 1), at(220))), printed);
        assert!(reporter.add(report(6, 2), at(220)).is_empty());
        assert!(reporter.add(report(7, 1), at(300)).is_empty(), "not so soon again");
        assert!(reporter.add(report(7, 2), at(300)).is_empty());
        assert_eq!(depths(reporter.add(report(8, 1), at(700))).len(), 2);
    }

    #[test]
    fn losing_moves_are_marked() {
        let start = Instant::now();
        let late = start + Duration::from_secs(1);
        let cell = |x| Cell::new(x, 0, Size::STANDARD).unwrap();
        let text = |replies: Vec<Reply>| replies.iter().map(Reply::to_string).collect::<Vec<_>>();
        let mut reporter = Reporter::new(start, 2, true, false);
        // Early news waits; what is known twice is told once; half stones are left out.
        for (x, lost) in [(1, true), (2, false), (3, true), (3, true)] {
            assert!(reporter.tried(Move::stone(cell(x)), lost, start).is_empty());
        }
        assert!(reporter.tried(Move::half(cell(4)), true, start).is_empty());
        let told = text(reporter.tried(Move::stone(cell(2)), false, late));
        assert_eq!(told, ["MESSAGE REALTIME LOSE 1,0", "MESSAGE REALTIME LOSE 3,0"]);
        let lost = Report { score: mated_in(4), line: 2, ..report(3, 1) };
        assert_eq!(text(reporter.add(lost, late)).last().unwrap(), "MESSAGE REALTIME LOSE 7,7");
        assert!(reporter.finish().is_empty());
    }

    #[test]
    fn the_move_that_is_searched_is_marked_now_and_then() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let moves = [1, 2, 3].map(|x| Move::stone(Cell::new(x, 0, Size::STANDARD).unwrap()));
        let mut reporter = Reporter::new(start, 1, true, false);
        let mut said = Vec::new();
        // One move a millisecond, in turn.
        for ms in 0..400 {
            let mv = moves[ms as usize % 3];
            said.extend(reporter.trying(mv, at(ms)));
            said.extend(reporter.tried(mv, false, at(ms)));
        }
        // A move of 200 ms: 200, 250, 300, 350 ms, then this one, which the end interrupts.
        said.extend(reporter.trying(moves[0], at(600)));
        said.extend(reporter.finish());
        let said: Vec<String> = said.iter().map(Reply::to_string).collect();
        assert_eq!(said.len(), 10, "{said:?}");
        for pair in said.chunks(2) {
            let point = pair[0].strip_prefix("MESSAGE REALTIME POS ").unwrap();
            assert_eq!(pair[1], format!("MESSAGE REALTIME DONE {point}"));
        }
        // Nobody who has not asked for it sees any of this.
        let mut reporter = Reporter::new(start, 1, false, false);
        assert!(reporter.trying(moves[0], at(900)).is_none());
        assert!(reporter.tried(moves[0], true, at(900)).is_empty() && reporter.finish().is_empty());
    }

    #[test]
    fn lines_are_rate_limited_and_the_last_is_never_lost() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut reporter = Reporter::new(start, 1, false, false);
        let mut printed = 0;
        for ms in 0..2_000 {
            printed += reporter.add(report(ms, 1), at(u64::from(ms))).len();
        }
        assert_eq!(printed, 5, "after 200 ms and then every 400 ms");
        assert_eq!(reporter.finish().len(), 1);
        assert!(reporter.finish().is_empty(), "each report is printed once");
    }

    #[test]
    fn lines_of_one_iteration_are_printed_together() {
        let start = Instant::now();
        let late = start + Duration::from_secs(1);
        let mut reporter = Reporter::new(start, 2, true, false);
        assert!(reporter.add(report(1, 1), start).is_empty());
        assert!(reporter.add(report(1, 2), start).is_empty());
        assert!(reporter.add(report(2, 1), late).is_empty());
        let lines: Vec<String> = reporter.add(report(2, 2), late).iter().map(Reply::to_string).collect();
        let starts = [
            "MESSAGE depth 2-10 multipv 1 ",
            "MESSAGE REALTIME BEST 7,7",
            "MESSAGE REALTIME VAL 35",
            "MESSAGE REALTIME PV 7,7 *7,7",
            "MESSAGE depth 2-10 multipv 2 ",
        ];
        assert_eq!(lines.len(), starts.len());
        assert!(lines.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{lines:?}");
        // A line that nobody asked for is dropped.
        assert!(reporter.add(report(2, 3), late).is_empty());
    }
}
