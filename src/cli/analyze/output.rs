//! What the analysis of a position prints: a table that is redrawn, lines, or JSON.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::ask::{Found, mate_plies, score_text, speed};
use super::super::{files, shapes};
use super::{Args, Subject, Table};
use crate::engine::Report;
use crate::eval::win_rate;
use crate::game::{GameRecord, print_moves};
use crate::rules::Status;
use crate::types::{Move, Score, Size};

/// The table is not redrawn faster than this.
const REDRAW: Duration = Duration::from_millis(100);
/// Width of a terminal that does not tell it.
const WIDTH: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Table,
    Lines,
    Json,
}

/// Prints the analysis of one position.
pub(super) struct Output<'a> {
    subject: &'a Subject,
    form: Form,
    /// Rows of the table that stand on the terminal.
    rows: usize,
    drawn: Option<Instant>,
    width: usize,
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &Args, subject: &'a Subject) -> Output<'a> {
        let form = match args.table {
            _ if args.json => Form::Json,
            Table::Always => Form::Table,
            Table::Auto if io::stdout().is_terminal() => Form::Table,
            Table::Auto | Table::Never => Form::Lines,
        };
        let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = told.unwrap_or(WIDTH).clamp(40, 1000);
        Output { subject, form, rows: 0, drawn: None, width }
    }

    fn record(&self) -> &'a GameRecord {
        &self.subject.game.record
    }

    fn size(&self) -> Size {
        self.record().size()
    }

    /// Says which position it is.
    pub(super) fn start(&self) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return print_json(&head(self.subject, "position"));
        }
        let record = self.record();
        let (size, moves) = (record.size(), count(record.moves().len(), "move"));
        let half = if record.half_in_hand() { ", half stone in hand" } else { "" };
        let Subject { source, number, .. } = self.subject;
        let rule = record.rule();
        let to_move = record.side_to_move();
        print(&format!("{number}. {source}: {rule} {size}x{size}, {moves}{half}, {to_move} to move\n"))
    }

    /// Shows the lines of an iteration.
    pub(super) fn iteration(&mut self, lines: &[Report]) -> anyhow::Result<()> {
        // At depth nought nothing has been searched yet.
        if lines.first().is_none_or(|report| report.depth == 0) {
            return Ok(());
        }
        match self.form {
            Form::Table if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) => Ok(()),
            Form::Table => self.draw(lines),
            Form::Lines | Form::Json => lines.iter().try_for_each(|report| self.line(report)),
        }
    }

    fn line(&self, report: &Report) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return print_json(&self.json(report));
        }
        print(&format!(
            "depth {}-{} line {} score {} win {} nodes {} nps {} time {:.2} pv {}\n",
            report.depth,
            report.selective_depth.max(report.depth),
            report.line,
            score_text(report.score),
            percent(report.score),
            report.nodes,
            speed(report.nodes, report.elapsed),
            report.elapsed.as_secs_f64(),
            print_moves(&report.pv, self.size())
        ))
    }

    /// Draws the table over the one before.
    fn draw(&mut self, lines: &[Report]) -> anyhow::Result<()> {
        let Some(first) = lines.first() else { return Ok(()) };
        let mut rows = vec![format!(
            "depth {}-{}  {} nodes  {} nodes/s  {:.1} s",
            first.depth,
            first.selective_depth.max(first.depth),
            first.nodes,
            speed(first.nodes, first.elapsed),
            first.elapsed.as_secs_f64()
        )];
        rows.push(" #   score     win  variation".to_owned());
        rows.extend(lines.iter().map(|report| {
            let variation = print_moves(&report.pv, self.size());
            let (score, win) = (score_text(report.score), percent(report.score));
            format!("{:>2} {score:>7} {win:>7}  {variation}", report.line)
        }));
        let mut text = String::new();
        if self.rows > 0 {
            text += &format!("\x1b[{}A\x1b[J", self.rows);
        }
        for row in &rows {
            // A row that wraps would spoil the way back.
            text.extend(row.chars().take(self.width - 1));
            text.push('\n');
        }
        self.rows = rows.len();
        self.drawn = Some(Instant::now());
        print(&text)
    }

    /// Shows the move that was found.
    pub(super) fn done(&mut self, found: &Found) -> anyhow::Result<()> {
        let record = self.record();
        let only_known = found.lines.first().is_some_and(|report| report.depth == 0);
        match self.form {
            Form::Table => self.draw(&found.lines)?,
            Form::Lines | Form::Json if only_known => {
                found.lines.iter().try_for_each(|report| self.line(report))?;
            }
            Form::Lines | Form::Json => {}
        }
        let (score, size) = (found.score(), self.size());
        if self.form == Form::Json {
            return print_json(&json!({
                "type": "best",
                "position": self.subject.number,
                "move": found.best.text(size).to_string(),
                "score": score,
                "mate": mate_plies(score),
                "win_rate": rounded(win_rate(score)),
                "depth": found.lines.first().map(|report| report.depth),
                "nodes": found.lines.first().map(|report| report.nodes),
                "shapes": shapes::json_of(record, found.best),
            }));
        }
        let made = shapes::summary_of(record, found.best).unwrap_or_default();
        let best = found.best.text(size);
        print(&format!("best {best} score {} win {}: {made}\n", score_text(score), percent(score)))
    }

    /// Says that there is nothing to analyse.
    pub(super) fn over(&self, status: Status) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return print_json(&json!({
                "type": "over",
                "position": self.subject.number,
                "winner": status.winner().map(|winner| winner.to_string()),
            }));
        }
        print(&format!("{}\n", result(status)))
    }

    fn json(&self, report: &Report) -> Value {
        let names = |moves: &[Move]| -> Vec<String> {
            moves.iter().map(|mv| mv.text(self.size()).to_string()).collect()
        };
        json!({
            "type": "line",
            "position": self.subject.number,
            "depth": report.depth,
            "selective_depth": report.selective_depth,
            "line": report.line,
            "score": report.score,
            "mate": mate_plies(report.score),
            "win_rate": rounded(win_rate(report.score)),
            "nodes": report.nodes,
            "nps": speed(report.nodes, report.elapsed),
            "ms": report.elapsed.as_millis() as u64,
            "pv": names(&report.pv),
        })
    }
}

/// What a program wants to know of a position or game.
pub(super) fn head(subject: &Subject, kind: &str) -> Value {
    let record = &subject.game.record;
    json!({
        "type": kind,
        "position": subject.number,
        "source": subject.source,
        "rule": record.rule().name(),
        "size": record.size().get(),
        "moves": print_moves(record.moves(), record.size()),
        "to_move": record.side_to_move().to_string(),
    })
}

/// How a finished game ended.
pub(super) fn result(status: Status) -> String {
    match status.winner() {
        Some(winner) => format!("the game is over: {winner} has won"),
        None => "the game is over: a draw".to_owned(),
    }
}

pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

pub(super) fn percent(score: Score) -> String {
    format!("{:.1}%", 100.0 * win_rate(score))
}

/// Four decimals, so that outputs stay readable.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    files::print_open(text.as_bytes())
}

pub(super) fn print_json(value: &Value) -> anyhow::Result<()> {
    print(&files::json_line(value))
}
