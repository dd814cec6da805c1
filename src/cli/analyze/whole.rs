//! The course of a whole game: each move's score before and after, mistakes, a summary for each player, a graph.
//!
//! Positions are searched from the last to the first, so that what the table learns of a position helps with those
//! before it.

use std::io::{self, IsTerminal};

use serde_json::json;

use super::super::ask::{ask, mate_plies, score_text};
use super::super::render::{GraphPoint, graph};
use super::super::{files, shapes};
use super::output::{count, head, percent, print, print_json, result, rounded};
use super::{Args, DEFAULT_TIME_IN_GAME, Subject};
use crate::engine::Engine;
use crate::eval::win_rate;
use crate::game::GameRecord;
use crate::rules::Position;
use crate::types::{Color, MATE, MATE_IN_MAX_PLY, Move, Score};

/// Share of winning chances that a move must lose to be an inaccuracy, a mistake or a blunder.
const THRESHOLDS: [f64; 3] = [0.05, 0.10, 0.20];
const MARKS: [&str; 4] = ["", "?!", "?", "??"];
const WORDS: [&str; 4] = ["", "inaccuracy", "mistake", "blunder"];

/// How a position stands for the side to move.
#[derive(Clone, Copy, Debug)]
struct Standing {
    score: Score,
    /// The engine's choice; `None` when the game is over.
    best: Option<Move>,
}

/// One move of the game, seen by its player.
#[derive(Clone, Copy, Debug)]
struct Judged {
    number: usize,
    color: Color,
    mv: Move,
    best: Option<Move>,
    before: Score,
    after: Score,
    /// Winning chances that were lost, 0 to 1.
    loss: f64,
    /// 0 for no mistake, 1 to 3 for the three kinds.
    mistake: usize,
    missed_win: bool,
}

impl Judged {
    fn new(number: usize, color: Color, mv: Move, standing: Standing, next: Standing) -> Judged {
        let (before, after) = (standing.score, -next.score);
        let chosen = standing.best == Some(mv);
        let loss = if chosen { 0.0 } else { (win_rate(before) - win_rate(after)).max(0.0) };
        let missed_win = !chosen && before >= MATE_IN_MAX_PLY && after < MATE_IN_MAX_PLY;
        let mistake = THRESHOLDS.iter().filter(|&&threshold| loss >= threshold).count();
        // Whoever lets a proven win go has made a mistake, however good the position still is.
        let mistake = mistake.max(usize::from(missed_win));
        Judged { number, color, mv, best: standing.best, before, after, loss, mistake, missed_win }
    }

    fn mark(&self) -> &'static str {
        MARKS.get(self.mistake).copied().unwrap_or_default()
    }

    fn word(&self) -> &'static str {
        WORDS.get(self.mistake).copied().unwrap_or_default()
    }
}

/// Analyses a game.
pub(super) fn run(args: &Args, engine: &mut Engine, subject: &Subject) -> anyhow::Result<()> {
    let record = &subject.game.record;
    let standings = standings(args, engine, record)?;
    let mut color = record.setup().to_move;
    let mut judged = Vec::new();
    for (i, (&mv, pair)) in record.moves().iter().zip(standings.windows(2)).enumerate() {
        if let &[now, next] = pair {
            judged.push(Judged::new(i + 1, color, mv, now, next));
        }
        color = !color;
    }
    if let Some(path) = &args.graph {
        files::write(path, picture(record, &standings, &judged).as_bytes())?;
    }
    if args.json { tell_programs(subject, &judged) } else { tell(subject, &judged) }
}

/// How every position of the game stands, the one before the first move first.
fn standings(args: &Args, engine: &mut Engine, record: &GameRecord) -> anyhow::Result<Vec<Standing>> {
    let effort = args.effort(DEFAULT_TIME_IN_GAME);
    let all = record.moves().len() + 1;
    let progress = io::stderr().is_terminal();
    let mut standings = Vec::new();
    let mut game = record.clone();
    loop {
        let position = Position::from_record(&game)?;
        let standing = if position.status().is_over() {
            let score = match position.status().winner() {
                Some(winner) if winner == position.side_to_move() => MATE,
                Some(_) => -MATE,
                None => 0,
            };
            Standing { score, best: None }
        } else {
            let found = ask(engine, &game, 1, effort, |_| Ok(()))?;
            Standing { score: found.score(), best: Some(found.best) }
        };
        standings.push(standing);
        if progress {
            eprint!("\r{} of {all} positions", standings.len());
        }
        if game.pop().is_none() {
            break;
        }
    }
    if progress {
        eprint!("\r\x1b[K");
    }
    standings.reverse();
    Ok(standings)
}

fn picture(record: &GameRecord, standings: &[Standing], judged: &[Judged]) -> String {
    let mut color = record.setup().to_move;
    let mut points = Vec::new();
    for (i, standing) in standings.iter().enumerate() {
        let mover = win_rate(standing.score);
        let black = if color == Color::Black { mover } else { 1.0 - mover };
        let mistake = i.checked_sub(1).and_then(|i| judged.get(i)).map_or(0, |judged| judged.mistake);
        points.push(GraphPoint { black, mistake });
        color = !color;
    }
    graph(&points, "Black's chances by move")
}

/// The moves of a player with the sums that a summary tells.
struct Tally {
    moves: usize,
    best: usize,
    mean_loss: f64,
    mistakes: [usize; 3],
    missed_wins: usize,
}

impl Tally {
    fn of(judged: &[Judged], color: Color) -> Tally {
        let own: Vec<&Judged> = judged.iter().filter(|judged| judged.color == color).collect();
        let number = |f: &dyn Fn(&Judged) -> bool| own.iter().filter(|judged| f(judged)).count();
        Tally {
            moves: own.len(),
            best: number(&|judged| judged.best == Some(judged.mv)),
            mean_loss: own.iter().fold(0.0, |sum, judged| sum + judged.loss) / own.len().max(1) as f64,
            mistakes: [1, 2, 3].map(|kind| number(&|judged| judged.mistake == kind)),
            missed_wins: number(&|judged| judged.missed_win),
        }
    }
}

fn player(subject: &Subject, color: Color) -> &str {
    match color {
        Color::Black => &subject.game.meta.black,
        Color::White => &subject.game.meta.white,
    }
}

/// A table for people.
fn tell(subject: &Subject, judged: &[Judged]) -> anyhow::Result<()> {
    let record = &subject.game.record;
    let size = record.size();
    let Subject { source, number, .. } = subject;
    let rule = record.rule();
    print(&format!("{number}. {source}: {rule} {size}x{size}, {}\n", count(judged.len(), "move")))?;
    print("move               score             winning chances   engine\n")?;
    let mut game = record.clone();
    while game.pop().is_some() {}
    for judged in judged {
        let best = match judged.best {
            Some(best) if best == judged.mv => "=".to_owned(),
            Some(best) => best.text(size).to_string(),
            None => String::new(),
        };
        let mut line = format!(
            "{:>3} {} {:<5} {:>7} -> {:<7} {:>6} -> {:<6}  {best:<5}",
            judged.number,
            judged.color,
            judged.mv.text(size).to_string(),
            score_text(judged.before),
            score_text(judged.after),
            percent(judged.before),
            percent(judged.after),
        );
        if judged.mistake > 0 {
            line += &format!(" {} {}", judged.mark(), judged.word());
            if judged.missed_win {
                line += ", a proven win is missed";
            }
            // What should have been made of it.
            let better = judged.best.and_then(|best| shapes::summary_of(&game, best));
            line += &better.map(|better| format!(" ({best}: {better})")).unwrap_or_default();
        }
        game.push(judged.mv);
        print(&format!("{}\n", line.trim_end()))?;
    }
    let status = Position::from_record(record)?.status();
    if status.is_over() {
        print(&format!("{}\n", result(status)))?;
    }
    for color in Color::ALL {
        let tally = Tally::of(judged, color);
        let name = player(subject, color);
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        let mistakes: Vec<String> =
            [("inaccuracy", "inaccuracies"), ("mistake", "mistakes"), ("blunder", "blunders")]
                .iter()
                .zip(tally.mistakes)
                .map(|((one, many), number)| format!("{number} {}", if number == 1 { one } else { many }))
                .collect();
        print(&format!(
            "{color}{name}: {}, {} as the engine, {:.1} points lost a move, {}, {}\n",
            count(tally.moves, "move"),
            tally.best,
            100.0 * tally.mean_loss,
            mistakes.join(", "),
            count(tally.missed_wins, "missed win"),
        ))?;
    }
    Ok(())
}

/// One object for each move and one for each player.
fn tell_programs(subject: &Subject, judged: &[Judged]) -> anyhow::Result<()> {
    let size = subject.game.record.size();
    let text = |mv: Move| mv.text(size).to_string();
    print_json(&head(subject, "game"))?;
    for judged in judged {
        print_json(&json!({
            "type": "move",
            "position": subject.number,
            "number": judged.number,
            "color": judged.color.to_string(),
            "move": text(judged.mv),
            "best": judged.best.map(text),
            "score_before": judged.before,
            "score_after": judged.after,
            "mate_before": mate_plies(judged.before),
            "mate_after": mate_plies(judged.after),
            "win_rate_before": rounded(win_rate(judged.before)),
            "win_rate_after": rounded(win_rate(judged.after)),
            "loss": rounded(judged.loss),
            "mistake": (judged.mistake > 0).then(|| judged.word()),
            "missed_win": judged.missed_win,
        }))?;
    }
    for color in Color::ALL {
        let tally = Tally::of(judged, color);
        let [inaccuracies, mistakes, blunders] = tally.mistakes;
        print_json(&json!({
            "type": "summary",
            "position": subject.number,
            "color": color.to_string(),
            "name": player(subject, color),
            "moves": tally.moves,
            "as_engine": tally.best,
            "mean_loss": rounded(tally.mean_loss),
            "inaccuracies": inaccuracies,
            "mistakes": mistakes,
            "blunders": blunders,
            "missed_wins": tally.missed_wins,
        }))?;
    }
    Ok(())
}
