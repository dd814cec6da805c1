//! `check`: whether records are legal, who won and why, and where the foul was.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};

use super::files::{self, Reading, shown};
use crate::formats::Game;
use crate::game::Claim;
use crate::rules::{Position, Status, WinReason};
use crate::types::{Color, Move};

/// What `check` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files to read; - for stdin
    #[arg(value_name = "FILE", default_value = "-")]
    input: Vec<PathBuf>,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// Checks every game. The exit code is 0 if all are legal and claim the right result, else 1.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut all_right = true;
    for path in &args.input {
        for game in args.reading.read(path)? {
            if !game.rule_told {
                bail!("{}:{}: the record does not tell its rule: give --rule", shown(path), game.line);
            }
            let verdict = Verdict::of(&game);
            all_right &= verdict.fault.is_none();
            let line = if args.json {
                files::json_line(&verdict.json(path, &game))
            } else {
                verdict.line(path, &game) + "\n"
            };
            files::print(line.as_bytes())?;
        }
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a game comes to by the rules.
struct Verdict {
    /// How the game stands; after an illegal move, how it stood before it.
    status: Status,
    to_move: Color,
    /// What is illegal or wrongly claimed.
    fault: Option<Fault>,
}

/// What is wrong with a record.
enum Fault {
    /// A piece or move that cannot be there.
    Illegal(String),
    /// A result or reason that the moves contradict.
    Claim(String),
}

impl Verdict {
    fn of(game: &Game) -> Verdict {
        let (status, to_move, error) = match Position::from_record(&game.record) {
            Ok(position) => (position.status(), position.side_to_move(), None),
            Err(error) => {
                let position = last_legal(game);
                (position.status(), position.side_to_move(), Some(Fault::Illegal(error.to_string())))
            }
        };
        let fault = error.or_else(|| wrong_claim(game, status).map(Fault::Claim));
        Verdict { status, to_move, fault }
    }

    /// Who won and why, or who is to move.
    fn outcome(&self, game: &Game) -> String {
        let last = last_move(game).map_or(String::new(), |text| format!(" at {text}"));
        match self.status {
            Status::Ongoing => format!("unfinished, {} to move", self.to_move),
            Status::Drawn => "draw, the board is full".to_owned(),
            Status::Won { winner, reason: WinReason::Five } => format!("{winner} wins by five{last}"),
            Status::Won { winner, reason: WinReason::Foul(fouls) } => {
                let names = fouls.names().collect::<Vec<_>>().join(" and ");
                format!("{winner} wins by foul: {names}{last}")
            }
            Status::Won { winner, reason: WinReason::EarlyFive } => {
                format!("{winner} wins by foul: five before the half stone{last}")
            }
        }
    }

    fn line(&self, path: &Path, game: &Game) -> String {
        let record = &game.record;
        let size = record.size();
        let count = record.moves().len();
        let moves = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
        let head = format!("{}:{}: {} {size}x{size}, {moves}:", shown(path), game.line, record.rule());
        match &self.fault {
            Some(Fault::Illegal(what)) => format!("{head} ILLEGAL: {what}"),
            Some(Fault::Claim(what)) => format!("{head} {}; WRONG: {what}", self.outcome(game)),
            None => format!("{head} {}", self.outcome(game)),
        }
    }

    fn json(&self, path: &Path, game: &Game) -> Value {
        let (illegal, wrong) = match &self.fault {
            Some(Fault::Illegal(what)) => (Some(what), None),
            Some(Fault::Claim(what)) => (None, Some(what)),
            None => (None, None),
        };
        let fouls: Vec<&str> = match self.status {
            Status::Won { reason: WinReason::Foul(fouls), .. } => fouls.names().collect(),
            _ => Vec::new(),
        };
        let over = illegal.is_none() && self.status.is_over();
        json!({
            "file": shown(path),
            "line": game.line,
            "rule": game.record.rule().name(),
            "size": game.record.size().get(),
            "moves": game.record.moves().len(),
            "legal": illegal.is_none(),
            "illegal": illegal,
            "over": over,
            "winner": self.status.winner().filter(|_| over).map(|color| color.to_string()),
            "reason": self.status.reason().filter(|_| over),
            "fouls": fouls,
            "at": last_move(game).filter(|_| over),
            "to_move": (!over).then(|| self.to_move.to_string()),
            "claim": game.meta.result.map(Claim::name),
            "wrong_claim": wrong,
        })
    }
}

/// The position before the first thing that is illegal.
fn last_legal(game: &Game) -> Position {
    let mut position = Position::new(game.record.rule(), game.record.size());
    let mut legal = game.record.clone();
    while legal.pop().is_some() {
        if let Ok(found) = Position::from_record(&legal) {
            position = found;
            break;
        }
    }
    position
}

/// The last move with its number: `move 9, h8`.
fn last_move(game: &Game) -> Option<String> {
    let moves: &[Move] = game.record.moves();
    let last = moves.last()?;
    Some(format!("move {}, {}", moves.len(), last.text(game.record.size())))
}

/// A claim that the moves contradict. While the game goes on, any result may have come about otherwise (by time, by
/// resignation), unless the reason is one that would show on the board. Reasons in words of their own say nothing.
fn wrong_claim(game: &Game, status: Status) -> Option<String> {
    const ON_BOARD: [&str; 4] = ["five", "foul", "early-five", "full-board"];
    const OFF_BOARD: [&str; 7] = ["time", "crash", "illegal", "resign", "forfeit", "start", "max-moves"];
    let claimed = game.meta.reason.split(':').next().unwrap_or_default().trim();
    let Some(found) = status.reason() else {
        return ON_BOARD.contains(&claimed).then(|| format!("the record claims {claimed}"));
    };
    let result = status.winner().map_or(Claim::Drawn, Claim::Won);
    if let Some(claim) = game.meta.result.filter(|&claim| claim != result) {
        return Some(format!("the record claims {}", claim.name()));
    }
    let known = ON_BOARD.contains(&claimed) || OFF_BOARD.contains(&claimed);
    (known && claimed != found).then(|| format!("the record claims {claimed}"))
}
