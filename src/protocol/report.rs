//! The `MESSAGE` lines that tell viewers how a search gets on.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::engine::{Defence, Report, win_rate};
use crate::types::{MATE, MATE_IN_MAX_PLY, Move, Score};
use crate::wire::Reply;

/// A search shorter than this says only what it ended with.
const FIRST_AFTER: Duration = Duration::from_millis(200);
/// Lines between do not come faster than this.
const INTERVAL: Duration = Duration::from_millis(400);
/// The most moves of a variation that are printed.
const PV_MOVES: usize = 30;

/// Keeps the latest report of each line of play and decides when to print it.
#[derive(Debug)]
pub(super) struct Reporter {
    due: Instant,
    /// By line number; true while it has not been printed.
    latest: Vec<Option<(Report, bool)>>,
    lines: usize,
    realtime: bool,
    details: bool,
}

impl Reporter {
    pub(super) fn new(started: Instant, lines: usize, realtime: bool, details: bool) -> Reporter {
        Reporter { due: started + FIRST_AFTER, latest: vec![None; lines], lines, realtime, details }
    }

    /// Takes a report and returns what is to be printed now.
    pub(super) fn add(&mut self, report: Report, now: Instant) -> Vec<Reply> {
        let line = report.line.max(1);
        // Output waits for the last line of an iteration, so that its lines stay together.
        let complete = line >= self.latest.len();
        if let Some(slot) = self.latest.get_mut(line - 1) {
            *slot = Some((report, true));
        }
        if !complete || now < self.due {
            return Vec::new();
        }
        self.due = now + INTERVAL;
        self.flush()
    }

    /// What has not been printed yet; the last lines before a move.
    pub(super) fn flush(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        for (report, fresh) in self.latest.iter_mut().flatten() {
            if std::mem::take(fresh) {
                replies.push(Reply::Message(describe(report)));
                if self.details {
                    replies.extend(details(report, self.lines).into_iter().map(Reply::Detail));
                }
                if self.realtime {
                    replies.extend(marks(report).into_iter().map(Reply::Message));
                }
            }
        }
        replies
    }
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
        // Lines are counted from nought here.
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

/// The marks that a board shows while the engine thinks: the best move, the value, the line, and moves that lose.
fn marks(report: &Report) -> Vec<String> {
    let Some(cell) = report.pv.first().and_then(|mv| mv.cell()) else { return Vec::new() };
    let mut marks = Vec::new();
    if report.line <= 1 {
        let moves: Vec<String> = report.pv.iter().take(PV_MOVES).map(|&mv| move_text(mv)).collect();
        marks.push(format!("REALTIME BEST {},{}", cell.x(), cell.y()));
        marks.push(format!("REALTIME VAL {}", report.score));
        marks.push(format!("REALTIME PV {}", moves.join(" ")));
    }
    if report.score <= -MATE_IN_MAX_PLY {
        marks.push(format!("REALTIME LOSE {},{}", cell.x(), cell.y()));
    }
    marks
}

/// What the solver says about a threat, for people.
pub(super) fn describe_defence(defence: &Defence) -> Vec<Reply> {
    if !defence.is_needed {
        return vec![Reply::Message("DEFEND nothing threatens".to_owned())];
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
        let lines: Vec<String> = reporter.flush().iter().skip(1).map(Reply::to_string).collect();
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
    fn losing_moves_are_marked() {
        let lost = Report { score: mated_in(4), line: 2, ..report(3, 1) };
        assert_eq!(marks(&lost), ["REALTIME LOSE 7,7"]);
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
        assert_eq!(reporter.flush().len(), 1);
        assert!(reporter.flush().is_empty(), "each report is printed once");
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
