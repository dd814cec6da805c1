//! `play --color`: a person against the engine, on the terminal.
//!
//! Moves and commands are lines; whatever cannot be read or played is answered with a message and changes nothing. The
//! same lines work through a pipe.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ask::{self, Effort, Found, Power, ask, score_text};
use super::{files, opening, render, shapes};
use crate::engine::{Engine, Strength};
use crate::eval::win_rate;
use crate::formats::{Format, Game};
use crate::game::opening::{OpeningRule, Seat};
use crate::game::{Claim, GameRecord, parse_moves};
use crate::rules::{Position, Status, WinReason};
use crate::types::{Color, Move, Rule, Size};

/// Nodes that the engine searches at each level.
const LEVELS: [u64; 10] = [50, 200, 800, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000];
const DEFAULT_LEVEL: u8 = 7;

const HELP: &str = "\
h8          play a stone there (column letter, row number)
*h8         play the half stone there (black, once, under the half-stone rule)
--          pass
undo        take back your last move and what followed
hint        ask the engine what it would play
board       draw the board again
resign      give up
save FILE   write the game; the ending tells the format (.sgf, .psq, .pgn, .csv), else text
save! FILE  the same over a file that exists
quit        leave
";

/// What `play` is asked to do.
#[derive(Debug, clap::Args)]
// In the protocol the manager says how much the engine may use.
#[command(mut_arg("threads", |arg| arg.requires("color")), mut_arg("memory", |arg| arg.requires("color")))]
pub(super) struct Args {
    /// Play against the engine on the terminal, with this colour: black or white
    #[arg(long, value_name = "COLOR", value_parser = color)]
    pub(super) color: Option<Color>,
    /// Write what is heard and said in the protocol to the end of this file
    #[arg(long, value_name = "FILE", conflicts_with = "color")]
    pub(super) log: Option<PathBuf>,
    /// How the game begins: swap, swap2, rif, yamaguchi, soosorv8 or taraguchi10. Whoever is given black places the
    /// first stone
    #[arg(long, value_name = "NAME", requires = "color")]
    opening_rule: Option<OpeningRule>,
    /// Rule of the game: name or `INFO rule` number [default: freestyle]
    #[arg(long, requires = "color")]
    rule: Option<Rule>,
    /// Size of the board [default: 15]
    #[arg(long, value_name = "N", requires = "color", value_parser = files::size)]
    size: Option<Size>,
    /// Strength of the engine, 1 to 10 [default: 7]
    #[arg(long, value_name = "N", requires = "color", conflicts_with = "time",
          value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// Seconds that the engine thinks for each move, instead of a level
    #[arg(long, value_name = "SECONDS", requires = "color", value_parser = ask::seconds)]
    time: Option<Duration>,
    /// Strength of the engine in percent: fewer nodes, and errors now and then
    #[arg(long, value_name = "PERCENT", requires = "color", value_parser = clap::value_parser!(u8).range(0..=100))]
    strength: Option<u8>,
    /// Seed of these errors, to play the same game again [default: another one each time]
    #[arg(long, value_name = "N", requires = "strength")]
    seed: Option<u64>,
    #[command(flatten)]
    power: Power,
}

/// A colour on the command line.
fn color(text: &str) -> Result<Color, String> {
    Color::ALL
        .into_iter()
        .find(|color| color.to_string().eq_ignore_ascii_case(text))
        .ok_or_else(|| "black or white is needed".to_owned())
}

impl Args {
    fn strength(&self) -> Strength {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        self.strength
            .map_or(Strength::default(), |level| Strength::new(level.into(), self.seed.unwrap_or_else(clock)))
    }

    fn effort(&self) -> Effort {
        let level = usize::from(self.level.unwrap_or(DEFAULT_LEVEL)).saturating_sub(1);
        match self.time {
            Some(time) => Effort { time: Some(time), clocked: true, ..Effort::default() },
            None => Effort { nodes: LEVELS.get(level).copied(), ..Effort::default() },
        }
    }
}

/// Plays one game. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some(person) = args.color else { return Ok(ExitCode::SUCCESS) };
    let rule = args.rule.unwrap_or(Rule::Freestyle);
    let size = args.size.unwrap_or(Size::STANDARD);
    let mut engine = args.power.engine();
    let mut input = io::stdin().lock();
    let (prompts, color) = (io::stdin().is_terminal(), files::color_is_welcome());
    let mut start = Some((GameRecord::new(rule, size), person));
    if let Some(opening) = args.opening_rule {
        let effort = args.effort();
        let seat = if person == Color::Black { Seat::First } else { Seat::Second };
        let mut table = opening::Table { engine: &mut engine, effort, person: seat, prompts, color };
        // Locked for each line only, so that nothing else waits for the person.
        start = match table.play(opening, rule, size, &mut input, &mut io::stdout()) {
            Err(error) if files::is_closed_pipe(&error) => return Ok(ExitCode::SUCCESS),
            other => other?,
        };
    }
    let Some((record, person)) = start else { return Ok(ExitCode::SUCCESS) };
    let mut table = Table {
        fixed: record.moves().len(),
        record,
        person,
        engine,
        effort: args.effort(),
        strength: args.strength(),
        resigned: false,
        announced: false,
        warned: None,
        saved: Vec::new(),
        prompts,
        color,
    };
    match table.play(&mut input) {
        Err(error) if !files::is_closed_pipe(&error) => Err(error),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// The game with all that stands around it.
struct Table {
    record: GameRecord,
    /// Moves of the opening, which are not taken back.
    fixed: usize,
    person: Color,
    engine: Engine,
    effort: Effort,
    strength: Strength,
    /// The person has given up.
    resigned: bool,
    /// The end of the game has been told.
    announced: bool,
    /// A losing move that was warned of: typed again, it is played.
    warned: Option<Move>,
    /// Files that this game has written and may write again.
    saved: Vec<PathBuf>,
    prompts: bool,
    color: bool,
}

/// Whether to go on reading.
#[derive(PartialEq, Eq)]
enum Next {
    Read,
    Leave,
}

impl Table {
    fn play(&mut self, input: &mut impl BufRead) -> anyhow::Result<()> {
        let (rule, size) = (self.record.rule(), self.record.size());
        say(&format!("{rule}, {size}x{size}. You play {}. Type help for the commands.\n", self.person))?;
        if self.person == Color::Black {
            self.show()?;
        }
        loop {
            self.answer()?;
            if self.prompts {
                say(&format!("{}> ", self.record.side_to_move()))?;
            }
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if self.obey(String::from_utf8_lossy(&line).trim())? == Next::Leave {
                return Ok(());
            }
        }
    }

    fn status(&self) -> anyhow::Result<Status> {
        Ok(Position::from_record(&self.record)?.status())
    }

    fn is_over(&self) -> anyhow::Result<bool> {
        Ok(self.resigned || self.status()?.is_over())
    }

    fn show(&self) -> anyhow::Result<()> {
        say(&render::board_text(&self.record, self.color))
    }

    /// The engine's move if it is its turn, and the end of the game if it has ended.
    fn answer(&mut self) -> anyhow::Result<()> {
        if !self.is_over()? && self.record.side_to_move() != self.person {
            if self.prompts {
                say("thinking …\n")?;
            }
            self.engine.set_strength(self.strength);
            let best = self.ask()?.best;
            let made = self.tell_of("I play", best);
            self.record.push(best);
            self.show()?;
            say(&made)?;
        }
        if self.is_over()? && !self.announced {
            self.announced = true;
            say(&format!("{}\nundo, save FILE or quit?\n", self.result()?))?;
        }
        Ok(())
    }

    fn ask(&mut self) -> anyhow::Result<Found> {
        ask(&mut self.engine, &self.record, 1, self.effort, |_| Ok(()))
    }

    /// A move with the names of what it makes.
    fn tell_of(&self, words: &str, mv: Move) -> String {
        let made = shapes::summary_of(&self.record, mv).unwrap_or_default();
        format!("{words} {}: {made}\n", mv.text(self.record.size()))
    }

    fn result(&self) -> anyhow::Result<String> {
        if self.resigned {
            return Ok(format!("{} resigns: {} has won.", self.person, !self.person));
        }
        Ok(match self.status()? {
            Status::Ongoing => "The game goes on.".to_owned(),
            Status::Drawn => "The board is full: a draw.".to_owned(),
            Status::Won { winner, reason } => {
                let why = match reason {
                    WinReason::Five => "by five".to_owned(),
                    WinReason::Foul(fouls) => {
                        format!("by a foul of black's: {}", fouls.names().collect::<Vec<_>>().join(" and "))
                    }
                    WinReason::EarlyFive => "since black made five before the half stone".to_owned(),
                };
                let who = if winner == self.person { "you have won" } else { "I have won" };
                format!("{winner} has won {why}: {who}.")
            }
        })
    }

    /// Does what a line asks for.
    fn obey(&mut self, line: &str) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let warned = self.warned.take();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Next::Leave),
            "help" | "?" => say(HELP)?,
            "board" => self.show()?,
            "undo" => self.undo()?,
            "hint" => self.hint()?,
            "resign" if self.is_over()? => say("The game is over.\n")?,
            "resign" => self.resigned = true,
            "save" => self.save(rest.trim(), false)?,
            "save!" => self.save(rest.trim(), true)?,
            _ => self.try_move(line, warned)?,
        }
        Ok(Next::Read)
    }

    fn try_move(&mut self, line: &str, warned: Option<Move>) -> anyhow::Result<()> {
        let size = self.record.size();
        let mv = match parse_moves(line, size).as_deref() {
            Ok(&[mv]) => mv,
            Ok(moves) => return say(&format!("One move at a time: '{line}' holds {}.\n", moves.len())),
            Err(error) => return say(&format!("{error}; help lists the commands.\n")),
        };
        if self.resigned {
            return say("The game is over; undo takes the resignation back.\n");
        }
        let position = Position::from_record(&self.record)?;
        if let Err(reason) = position.check(mv) {
            return say(&format!("{}: {reason}.\n", mv.text(size)));
        }
        let loses = !mv.is_half() && mv.cell().is_some_and(|cell| position.would_lose(cell, self.person));
        if loses && warned != Some(mv) {
            self.warned = Some(mv);
            let made = self.tell_of("Careful,", mv);
            return say(&format!("{made}Type it again to play it all the same.\n"));
        }
        let made = self.tell_of("You play", mv);
        self.record.push(mv);
        if self.prompts || self.is_over()? {
            self.show()?;
        }
        say(&made)
    }

    /// Takes back the person's last move and everything after it.
    fn undo(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.resigned) {
            self.announced = false;
            return say("The resignation is taken back.\n");
        }
        let ours = usize::from(self.person != self.record.setup().to_move);
        let moves = self.record.moves().len();
        let Some(last) = (self.fixed..moves).rev().find(|index| index % 2 == ours) else {
            return say("There is no move of yours to take back.\n");
        };
        files::cut_record(&mut self.record, last);
        self.announced = false;
        self.show()?;
        let number = if moves - last == 1 { "1 move".to_owned() } else { format!("{} moves", moves - last) };
        say(&format!("Taken back: {number}.\n"))
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.is_over()? {
            return say("The game is over.\n");
        }
        // Advice is given at full strength.
        self.engine.set_strength(Strength::default());
        let found = self.ask()?;
        let score = found.score();
        let made = self.tell_of("I would play", found.best);
        say(&format!(
            "{}, score {}, win {:.1}%\n",
            made.trim_end(),
            score_text(score),
            100.0 * win_rate(score)
        ))
    }

    fn save(&mut self, name: &str, over: bool) -> anyhow::Result<()> {
        if name.is_empty() {
            return say("save needs the name of a file.\n");
        }
        let path = Path::new(name);
        if path.exists() && !over && !self.saved.iter().any(|saved| saved == path) {
            return say(&format!("{name} exists; save! {name} writes over it.\n"));
        }
        let format = Format::from_path(path).unwrap_or(Format::Text);
        let written = match format.write(&[self.game()?]) {
            Ok(text) => files::write(path, text.as_bytes()),
            Err(error) => Err(error.into()),
        };
        match written {
            Ok(()) => {
                self.saved.push(path.to_owned());
                say(&format!("Saved to {name} ({format}).\n"))
            }
            Err(error) => say(&format!("Not saved: {error:#}.\n")),
        }
    }

    /// The game as it is written to a file.
    fn game(&self) -> anyhow::Result<Game> {
        let mut game = Game::new(Some(self.record.rule()), self.record.size());
        game.record = self.record.clone();
        let meta = &mut game.meta;
        let [ours, theirs] = match self.person {
            Color::Black => [&mut meta.black, &mut meta.white],
            Color::White => [&mut meta.white, &mut meta.black],
        };
        "person".clone_into(ours);
        "halfstone".clone_into(theirs);
        let status = self.status()?;
        let (result, reason) = match status {
            _ if self.resigned => (Some(Claim::Won(!self.person)), Some("resign")),
            Status::Ongoing => (None, None),
            Status::Drawn => (Some(Claim::Drawn), status.reason()),
            Status::Won { winner, .. } => (Some(Claim::Won(winner)), status.reason()),
        };
        meta.result = result;
        reason.unwrap_or_default().clone_into(&mut meta.reason);
        Ok(game)
    }
}

fn say(text: &str) -> anyhow::Result<()> {
    // Stdout is locked for each message only: the search of the engine writes nothing.
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_losing_move_is_played_only_when_typed_again() {
        let mut record = GameRecord::new(Rule::HalfStone, Size::STANDARD);
        let moves = parse_moves("e8 a1 f8 c1 g8 e1 h8 g1", Size::STANDARD).unwrap();
        moves.into_iter().for_each(|mv| record.push(mv));
        let mut table = Table {
            record,
            fixed: 0,
            person: Color::Black,
            engine: Engine::new(),
            effort: Effort::default(),
            strength: Strength::default(),
            resigned: false,
            announced: false,
            warned: None,
            saved: Vec::new(),
            prompts: false,
            color: false,
        };
        for line in ["i8", "board", "i8"] {
            table.obey(line).unwrap();
            assert_eq!(table.record.moves().len(), 8, "{line}");
        }
        table.obey("i8").unwrap();
        assert!(table.is_over().unwrap());
        assert_eq!(
            table.result().unwrap(),
            "white has won since black made five before the half stone: I have won."
        );
        let game = table.game().unwrap();
        assert_eq!(
            (game.meta.result, game.meta.reason.as_str()),
            (Some(Claim::Won(Color::White)), "early-five")
        );
        table.obey("undo").unwrap();
        assert_eq!(table.record.moves().len(), 8);
    }
}
