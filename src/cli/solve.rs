//! `solve`: proves wins by continuous fours or threats, and lists the moves that defend against one.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::files::{self, Reading};
use crate::board::Board;
use crate::control::StopSignal;
use crate::formats::{Format, Game};
use crate::game::print_moves;
use crate::rules::{Position, check_win};
use crate::solver::{Defence, Limit, Mode, Solver, Step, Tree, Verdict, Why, Win};
use crate::types::{Color, Move, Size};

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Question {
    /// Does the side to move win by continuous fours? The shortest such win is shown
    Vcf,
    /// Does it win by continuous threats? Fours and threes are tried first, then quiet moves too
    Vct,
    /// Which moves do not lose to what the opponent threatens?
    Defend,
}

/// What `solve` is asked to do.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// The question
    #[arg(value_enum)]
    question: Question,
    /// Moves in text notation, or a file with a record; - for stdin
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
    /// Which game of a file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    nth: usize,
    /// Nodes for each search
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    nodes: u64,
    /// Time for all of it, in milliseconds
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Memory for tables, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    memory: u64,
    /// `defend`: look for wins by threats too
    #[arg(long)]
    threats: bool,
    /// `vcf`, `vct`: replay a win against every reply on the reference rules
    #[arg(long)]
    check: bool,
    /// `vcf`, `vct`: do not print the variations
    #[arg(long)]
    brief: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    /// `vcf`, `vct`: write the game with all variations of the win, if there is one, to this file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

const HELP: &str = "\
Exit code: 0 for an answer, a win or none; 1 if the limits did not allow one, for defend if they left a move undecided; 2 \
for an error.";

/// Solves. The exit code is 0 for an answer and 1 if the limits did not allow one.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    refuse_idle_options(args)?;
    let game = position(args)?;
    let reference = Position::from_record(&game.record).context("the position is not legal")?;
    if reference.status().is_over() {
        bail!("the game is over: there is nothing to solve");
    }
    let stop = StopSignal::default();
    let mut solver = Solver::new(args.memory as usize * (1 << 20));
    solver.set_stop(stop.clone());
    let mut task =
        Task { args, board: Board::from_record(&game.record), solver, stop, started: Instant::now() };
    if let Some(ms) = args.time {
        let stop = task.stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(ms));
            stop.raise();
        });
    }
    if args.question == Question::Defend { task.defend() } else { task.win(&game, &reference) }
}

/// Refuses options that say nothing to this question.
fn refuse_idle_options(args: &Args) -> anyhow::Result<()> {
    let defends = args.question == Question::Defend;
    let idle = [
        ("--check", args.check && defends),
        ("--brief", args.brief && defends),
        ("--sgf", args.sgf.is_some() && defends),
        ("--threats", args.threats && !defends),
    ];
    match idle.iter().find(|(_, is_idle)| *is_idle) {
        Some((option, _)) if defends => bail!("{option} goes with vcf and vct, not with defend"),
        Some((option, _)) => bail!("{option} goes with defend"),
        None => Ok(()),
    }
}

/// The position that is asked about: moves are freestyle unless --rule says otherwise, a record must tell its rule,
/// since a proof holds under that one alone.
fn position(args: &Args) -> anyhow::Result<Game> {
    let (source, games) = args.reading.read_position(&args.position.join(" "))?;
    let mut game = files::nth(games, args.nth, &source)?;
    if !game.rule_told && source != files::TYPED {
        bail!("{source}: the record does not tell its rule: give --rule");
    }
    // What is written of it shall tell the rule, too.
    game.set_rule(game.record.rule());
    Ok(game)
}

/// One question at work.
struct Task<'a> {
    args: &'a Args,
    board: Board,
    solver: Solver,
    stop: StopSignal,
    started: Instant,
}

impl Task<'_> {
    fn size(&self) -> Size {
        self.board.size()
    }

    fn side(&self) -> Color {
        self.board.side_to_move()
    }

    /// `vcf` and `vct`.
    fn win(&mut self, game: &Game, reference: &Position) -> anyhow::Result<ExitCode> {
        let (verdict, tree) = self.solve();
        if verdict.is_win() && tree.is_none() && (self.args.check || self.args.sgf.is_some()) {
            bail!("{}: the variations are too many to be written out or checked", self.kind());
        }
        let tree = tree.as_ref();
        let checked = match tree {
            Some(tree) if self.args.check => {
                let steps: Vec<(usize, Move)> =
                    tree.steps.iter().map(|step| (step.depth.into(), step.mv)).collect();
                let replies = check_win(reference, &steps, false)
                    .map_err(|flaw| anyhow::anyhow!("the win does not hold, which is a bug: {flaw}"))?;
                Some(replies)
            }
            _ => None,
        };
        match (&self.args.sgf, tree) {
            (Some(path), Some(tree)) => {
                files::write(path, with_variations(game, tree, self.side())?.as_bytes())?;
            }
            (Some(path), None) => eprintln!("{}: not written, no win was found", path.display()),
            (None, _) => {}
        }
        let text = if self.args.json {
            files::json_line(&self.json(&verdict, tree, checked))
        } else {
            self.text(&verdict, tree, checked)
        };
        files::print(text.as_bytes())?;
        Ok(if matches!(verdict, Verdict::Unknown(_)) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn solve(&mut self) -> (Verdict, Option<Tree>) {
        let nodes = self.args.nodes;
        let by_fours = self.solver.vcf_shortest(&mut self.board, nodes);
        if self.args.question == Question::Vcf || by_fours.is_win() {
            let tree = by_fours.is_win().then(|| self.solver.vcf_tree());
            return (by_fours, tree);
        }
        let narrow = self.solver.vct_tree(&mut self.board, Mode::Narrow, nodes / 4, &self.stop);
        if narrow.0.is_win() {
            return narrow;
        }
        self.solver.vct_tree(&mut self.board, Mode::Wide, nodes, &self.stop)
    }

    fn text(&self, verdict: &Verdict, tree: Option<&Tree>, checked: Option<u64>) -> String {
        let mut text = match verdict {
            Verdict::Win(win) => format!("{}\n", headline(win, self.side(), self.size())),
            Verdict::NoWin => format!("{} has no win by {}\n", self.side(), self.kind()),
            Verdict::Unknown(limit) => format!("not solved: {}\n", reason(*limit)),
        };
        if let Some(replies) = checked {
            let _ = writeln!(text, "checked: {replies} replies");
        }
        let time = self.started.elapsed();
        let _ = writeln!(text, "{} nodes, {:.3} ms", self.solver.nodes(), time.as_secs_f64() * 1e3);
        if let Some(tree) = tree.filter(|_| !self.args.brief) {
            let _ = write!(text, "\n{}", tree.text(self.size(), self.side()));
        }
        text
    }

    fn kind(&self) -> &'static str {
        if self.args.question == Question::Vcf { "continuous fours" } else { "continuous threats" }
    }

    fn json(&self, verdict: &Verdict, tree: Option<&Tree>, checked: Option<u64>) -> Value {
        let (word, limit) = match verdict {
            Verdict::Win(_) => ("win", None),
            Verdict::NoWin => ("no-win", None),
            Verdict::Unknown(limit) => ("unknown", Some(reason(*limit))),
        };
        let size = self.size();
        let steps = |tree: &Tree| -> Vec<Value> {
            let step = |step: &Step| json!([step.depth, step.mv.text(size).to_string()]);
            tree.steps.iter().map(step).collect()
        };
        json!({
            "rule": self.board.rule().name(),
            "size": size.get(),
            "to_move": self.side().to_string(),
            "verdict": word,
            "limit": limit,
            "win": verdict.win().map(|win| win_json(win, size)),
            "checked_replies": checked,
            "nodes": self.solver.nodes(),
            "ms": self.started.elapsed().as_secs_f64() * 1e3,
            "tree": tree.map(steps),
        })
    }

    fn defend(&mut self) -> anyhow::Result<ExitCode> {
        let mode = self.args.threats.then_some(Mode::Narrow);
        let defence = self.solver.defend(&mut self.board, mode, self.args.nodes, &self.stop);
        let text = if self.args.json {
            files::json_line(&self.defence_json(&defence))
        } else {
            self.defence_text(&defence)
        };
        files::print(text.as_bytes())?;
        let is_decided = defence.is_needed.is_some() && defence.unclear.is_empty();
        Ok(if is_decided { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn defence_text(&self, defence: &Defence) -> String {
        let size = self.size();
        match defence.is_needed {
            Some(true) => {}
            Some(false) => return format!("{} threatens no win\n", !self.side()),
            None => return format!("not decided: whether {} threatens a win\n", !self.side()),
        }
        let mut text = match &defence.threat {
            Some(win) => format!("threatened: {}\n", headline(win, !self.side(), size)),
            None => format!("threatened: five by {}\n", !self.side()),
        };
        let _ = match defence.holding.as_slice() {
            [] if defence.unclear.is_empty() => writeln!(text, "every move loses"),
            moves => writeln!(text, "these moves hold: {}", print_moves(moves, size)),
        };
        if !defence.unclear.is_empty() {
            let _ = writeln!(text, "not decided: {}", print_moves(&defence.unclear, size));
        }
        text
    }

    fn defence_json(&self, defence: &Defence) -> Value {
        let size = self.size();
        let names =
            |moves: &[Move]| -> Vec<String> { moves.iter().map(|mv| mv.text(size).to_string()).collect() };
        json!({
            "rule": self.board.rule().name(),
            "size": size.get(),
            "to_move": self.side().to_string(),
            "threatened": defence.is_needed,
            "threat": defence.threat.as_ref().map(|win| win_json(win, size)),
            "holding": names(&defence.holding),
            "not_decided": names(&defence.unclear),
            "nodes": self.solver.nodes(),
        })
    }
}

fn win_json(win: &Win, size: Size) -> Value {
    let line: Vec<String> = win.line.iter().map(|mv| mv.text(size).to_string()).collect();
    json!({ "by": why(win.why), "moves": win.moves, "line": line })
}

const fn why(why: Why) -> &'static str {
    match why {
        Why::Five => "five",
        Why::Fours => "fours",
        Why::Threats => "threats",
    }
}

/// Who wins how, and the main line.
fn headline(win: &Win, winner: Color, size: Size) -> String {
    let how = match win.why {
        Why::Five => "at once".to_owned(),
        Why::Fours => format!("by continuous fours in {} moves", win.moves),
        Why::Threats => format!("by continuous threats in {} moves", win.moves),
    };
    format!("{winner} wins {how}: {}", print_moves(&win.line, size))
}

const fn reason(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "the nodes ran out (more with --nodes)",
        Limit::Stopped => "the time ran out (more with --time)",
        Limit::Inner => "no win found, but some inner searches by fours were cut short",
    }
}

/// The game as SGF, with the strategy as variations after its last move.
fn with_variations(game: &Game, tree: &Tree, attacker: Color) -> anyhow::Result<String> {
    let text = Format::Sgf.write(std::slice::from_ref(game)).context("cannot write sgf")?;
    let Some(head) = text.trim_end().strip_suffix(')') else { bail!("the SGF has no end") };
    let mut text = head.to_owned();
    write_variations(&mut text, &tree.steps, 0, attacker);
    Ok(text + ")\n")
}

/// The steps of one depth and what follows them; they all belong to the same position.
fn write_variations(text: &mut String, steps: &[Step], depth: u16, mover: Color) {
    let starts: Vec<usize> =
        steps.iter().enumerate().filter(|(_, step)| step.depth == depth).map(|(i, _)| i).collect();
    let branches = starts.len() > 1;
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(steps.len());
        let Some([step, rest @ ..]) = steps.get(start..end) else { continue };
        text.push_str(if branches { "\n(;" } else { ";" });
        let name = match (step.mv.is_half(), mover) {
            (true, _) => "HS",
            (false, Color::Black) => "B",
            (false, Color::White) => "W",
        };
        let letter = |index: usize| char::from(b'a'.saturating_add(index as u8));
        let point: String = step
            .mv
            .cell()
            .map_or(String::new(), |cell| [letter(cell.x()), letter(cell.y())].iter().collect());
        let _ = write!(text, "{name}[{point}]");
        if step.mv == Move::PASS {
            text.push_str("C[any other move]");
        }
        write_variations(text, rest, depth + 1, !mover);
        if branches {
            text.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::parse_moves;
    use crate::types::Rule;

    #[test]
    fn variations_are_sgf_that_can_be_read_again() {
        let size = Size::STANDARD;
        let mut game = Game::new(Some(Rule::Freestyle), size);
        for mv in parse_moves("h8 a1 i8 b1 j8 c1 k9 d1 k10 e2 g12 g1", size).unwrap() {
            game.record.push(mv);
        }
        let mut board = Board::from_record(&game.record);
        let mut solver = Solver::new(1 << 20);
        let (verdict, tree) = solver.vct_tree(&mut board, Mode::Narrow, 10_000, &StopSignal::default());
        let line = verdict.win().expect("three in a row wins").line.clone();
        let text = with_variations(&game, &tree.expect("it is small"), board.side_to_move()).unwrap();
        let read = Format::Sgf.read(text.as_bytes(), &crate::formats::Defaults::default()).unwrap();
        let record = &read[0].record;
        assert_eq!(record.moves()[..12], game.record.moves()[..]);
        assert_eq!(record.moves()[12], line[0]);
    }
}
