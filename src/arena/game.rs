//! One game from `START` to `END`, judged by the rules alone.

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::ending::{Ending, Reason, Winner};
use super::error::ArenaError;
use super::log::GameLog;
use super::player::{Answer, Conduct, Failure, Player};
use super::schedule::Job;
use crate::control::StopSignal;
use crate::formats;
use crate::game::{GameRecord, parse_moves, print_moves};
use crate::rules::Position;
use crate::types::{Cell, Color, Move, Rule, Size};
use crate::wire::{Point, Said};

/// What went with one move of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Time in ms.
    pub ms: f64,
    /// Depth that the engine told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes that the engine told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Evaluation that the engine told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Number of the game, from 0.
    pub index: usize,
    /// The engine that had Black, by number.
    pub black: usize,
    /// The engine that had White.
    pub white: usize,
    /// Moves in text notation, those of the opening included.
    pub moves: String,
    /// How many of them are the opening.
    pub opening: usize,
    /// What went with each move after the opening.
    pub steps: Vec<Step>,
    /// How it ended.
    pub ending: Ending,
    /// What Black and White did.
    pub conduct: [Conduct; 2],
    /// The day on which it ended, as in `2026.01.31`.
    pub date: String,
    /// The last lines of the dialogue if an engine has misbehaved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
}

impl PlayedGame {
    /// The engine with this colour.
    pub fn engine(&self, color: Color) -> usize {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// What the engine with this colour did.
    pub fn conduct(&self, color: Color) -> &Conduct {
        let [black, white] = &self.conduct;
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// Points of this engine in halves: 2 for a win, 1 for a draw.
    pub fn half_points(&self, engine: usize) -> usize {
        let color = if self.black == engine { Color::Black } else { Color::White };
        match self.ending.winner {
            Winner::Nobody => 1,
            winner => 2 * usize::from(winner.is(color)),
        }
    }

    /// The game as a record for files.
    pub fn record(&self, config: &Config) -> formats::Game {
        let (rule, size) = rule_and_size(config);
        let mut game = formats::Game::new(Some(rule), size);
        for mv in parse_moves(&self.moves, size).unwrap_or_default() {
            game.record.push(mv);
        }
        let name = |engine: usize| config.engines.get(engine).map_or(String::new(), |spec| spec.name.clone());
        game.meta.black = name(self.black);
        game.meta.white = name(self.white);
        game.meta.event = "halfstone match".to_owned();
        game.meta.round = (self.index + 1).to_string();
        game.meta.date.clone_from(&self.date);
        game.meta.result = Some(self.ending.winner.claim());
        game.meta.reason = self.ending.to_string();
        for number in 0..self.opening {
            "opening".clone_into(&mut game.meta.note_mut(number).comment);
        }
        for (number, step) in self.steps.iter().enumerate() {
            let note = game.meta.note_mut(self.opening + number);
            note.time_ms = Some(step.ms.round() as u64);
            let depth = step.depth.map(|depth| format!("d{depth}"));
            let words: Vec<String> = depth.into_iter().chain(step.eval.clone()).collect();
            note.comment = words.join(" ");
        }
        game
    }
}

/// The rule and the size of a match's board.
pub(super) fn rule_and_size(config: &Config) -> (Rule, Size) {
    let rule = Rule::from_info(config.rule).unwrap_or(Rule::Freestyle);
    (rule, Size::new(config.size as i64).unwrap_or(Size::STANDARD))
}

/// The board, who sits where, and what has been played.
struct Table<'a> {
    config: &'a Config,
    /// In the order of the job: the one that has Black at first comes first.
    players: [Player<'a>; 2],
    /// Whether the players have exchanged colours.
    exchanged: bool,
    position: Position,
    record: GameRecord,
    steps: Vec<Step>,
    /// Hopeless evaluations on end, by colour.
    hopeless: [u32; 2],
    log: GameLog,
}

/// Plays one game; `None` when the match is stopped before it has ended.
///
/// # Errors
/// When the log cannot be written or the opening cannot be played.
pub(super) fn play(
    config: &Config,
    job: Job,
    opening: &[Move],
    stop: &StopSignal,
) -> Result<Option<PlayedGame>, ArenaError> {
    let (rule, size) = rule_and_size(config);
    let spec = |engine: usize| {
        config.engines.get(engine).ok_or_else(|| ArenaError::Settings(format!("there is no engine {engine}")))
    };
    let (black, white) = (spec(job.black)?, spec(job.white())?);
    let mut table = Table {
        config,
        players: [Player::new(black, config, stop), Player::new(white, config, stop)],
        exchanged: false,
        position: Position::new(rule, size),
        record: GameRecord::new(rule, size),
        steps: Vec::new(),
        hopeless: [0; 2],
        log: GameLog::create(config.log.as_deref(), job.index + 1)?,
    };
    table.log.note("referee", '=', &format!("{} (black) against {} (white)", black.name, white.name));
    for &mv in opening {
        table.place(mv).map_err(|problem| ArenaError::Settings(format!("the opening: {problem}")))?;
    }
    let ending = table.run();
    let ending = match ending {
        Ok(ending) => Some(ending),
        Err((color, Failure::Lost(reason, detail))) => {
            Some(Ending { winner: (!color).into(), reason, detail })
        }
        Err((_, Failure::Stopped)) => None,
    };
    table.close(ending.as_ref());
    let Some(ending) = ending else { return Ok(None) };
    Ok(Some(table.finished(job, opening.len(), ending)))
}

/// A failure with the colour whose failure it is.
type Outcome<T> = Result<T, (Color, Failure)>;

impl<'a> Table<'a> {
    /// Plays a move on the board if it can be played.
    fn place(&mut self, mv: Move) -> Result<(), String> {
        self.position.play(mv).map_err(|problem| problem.to_string())?;
        self.record.push(mv);
        Ok(())
    }

    fn parts(&mut self, color: Color) -> (&mut Player<'a>, &mut GameLog, &GameRecord) {
        let [first, second] = &mut self.players;
        let player = if (color == Color::Black) == self.exchanged { second } else { first };
        (player, &mut self.log, &self.record)
    }

    fn run(&mut self) -> Outcome<Ending> {
        for color in Color::ALL {
            let (player, log, _) = self.parts(color);
            player.start(log).map_err(|failure| (color, failure))?;
        }
        if self.config.swap2 {
            self.swap2()?;
        }
        loop {
            if let Some(ending) = Ending::on_board(self.position.status()) {
                return Ok(ending);
            }
            let count = self.record.moves().len();
            if self.config.max_moves > 0 && count >= self.config.max_moves {
                let detail = format!("{count} moves");
                return Ok(Ending { winner: Winner::Nobody, reason: Reason::MaxMoves, detail });
            }
            let color = self.record.side_to_move();
            let (player, log, game) = self.parts(color);
            let answer = player.think(game, color, log).map_err(|failure| (color, failure))?;
            self.play_answer(color, &answer)?;
            if let Some(ending) = self.resignation(color, &answer) {
                return Ok(ending);
            }
        }
    }

    fn play_answer(&mut self, color: Color, answer: &Answer) -> Outcome<()> {
        let Said::Move { point, half } = answer.said else {
            return illegal(color, format!("'{}' is no move", answer.text));
        };
        let cell = self.cell(color, point, answer)?;
        self.play_cell(color, if half { Move::half(cell) } else { Move::stone(cell) }, answer)?;
        self.note_step(answer);
        Ok(())
    }

    fn cell(&self, color: Color, point: Point, answer: &Answer) -> Outcome<Cell> {
        match Cell::from_wire(point.x, point.y, self.record.size()) {
            Some(cell) => Ok(cell),
            None => illegal(color, format!("the point is off the board (answered '{}')", answer.text)),
        }
    }

    fn play_cell(&mut self, color: Color, mv: Move, answer: &Answer) -> Outcome<()> {
        match self.place(mv) {
            Ok(()) => Ok(()),
            Err(problem) => illegal(color, format!("{problem} (answered '{}')", answer.text)),
        }
    }

    fn note_step(&mut self, answer: &Answer) {
        let info = &answer.info;
        let ms = (answer.ms * 10.0).round() / 10.0;
        self.steps.push(Step { ms, depth: info.depth, nodes: info.nodes, eval: info.eval.clone() });
    }

    /// Whether the engine has given up by its own evaluations.
    fn resignation(&mut self, color: Color, answer: &Answer) -> Option<Ending> {
        let resign = self.config.resign?;
        let hopeless = answer.info.score().is_some_and(|score| score <= -resign.score);
        let count = self.hopeless.get_mut(color.index())?;
        *count = if hopeless { *count + 1 } else { 0 };
        if *count < resign.moves || self.position.status().is_over() {
            return None;
        }
        let detail = format!("{color} at {} or less for {} moves", -resign.score, resign.moves);
        Some(Ending { winner: (!color).into(), reason: Reason::Resign, detail })
    }

    /// The opening by swap2. The first player puts three stones; the second takes Black, or plays on as White, or adds
    /// two stones and leaves the choice to the first.
    fn swap2(&mut self) -> Outcome<()> {
        let opener = Color::Black;
        self.put_stones(opener, 3)?;
        let chooser = Color::White;
        let (player, log, game) = self.parts(chooser);
        let answer = player.ask_swap2(game, log).map_err(|failure| (chooser, failure))?;
        match &answer.said {
            Said::Swap => self.exchanged = true,
            Said::Move { half: false, .. } => self.play_answer(chooser, &answer)?,
            Said::Points(points) if points.len() == 2 => {
                self.play_points(chooser, points, &answer)?;
                self.choose_after_five(opener)?;
            }
            _ => return illegal(chooser, format!("'{}' answers no SWAP2BOARD with 3 stones", answer.text)),
        }
        Ok(())
    }

    /// The opener's choice between Black and White when five stones lie: White plays the sixth.
    fn choose_after_five(&mut self, opener: Color) -> Outcome<()> {
        let (player, log, game) = self.parts(opener);
        let answer = player.ask_swap2(game, log).map_err(|failure| (opener, failure))?;
        match answer.said {
            // It keeps Black, and the other goes on as White.
            Said::Swap => Ok(()),
            Said::Move { half: false, .. } => {
                self.exchanged = true;
                self.play_answer(!opener, &answer)
            }
            _ => illegal(opener, format!("'{}' answers no SWAP2BOARD with 5 stones", answer.text)),
        }
    }

    fn put_stones(&mut self, color: Color, count: usize) -> Outcome<()> {
        let (player, log, game) = self.parts(color);
        let answer = player.ask_swap2(game, log).map_err(|failure| (color, failure))?;
        match &answer.said {
            Said::Points(points) if points.len() == count => self.play_points(color, points, &answer),
            _ => illegal(color, format!("'{}' answers no empty SWAP2BOARD", answer.text)),
        }
    }

    fn play_points(&mut self, color: Color, points: &[Point], answer: &Answer) -> Outcome<()> {
        for &point in points {
            let cell = self.cell(color, point, answer)?;
            self.play_cell(color, Move::stone(cell), answer)?;
            self.note_step(answer);
        }
        Ok(())
    }

    /// Sends the engines away.
    fn close(&mut self, ending: Option<&Ending>) {
        for color in Color::ALL {
            // One that hangs or has gone is not asked to end.
            let at_once = ending.is_none_or(|ending| {
                ending.winner.is(!color)
                    && ending.reason.is_misbehaviour()
                    && ending.reason != Reason::Illegal
            });
            let (player, log, _) = self.parts(color);
            player.finish(at_once, log);
        }
        let text = ending.map_or("no result".to_owned(), |ending| format!("{:?}, {ending}", ending.winner));
        self.log.note("referee", '=', &text);
    }

    fn finished(self, job: Job, opening: usize, ending: Ending) -> PlayedGame {
        let [first, second] = self.players;
        let conducts = [first.conduct, second.conduct];
        let (black, white) = if self.exchanged { (job.white(), job.black) } else { (job.black, job.white()) };
        let [one, two] = conducts;
        let conduct = if self.exchanged { [two, one] } else { [one, two] };
        let last_lines = if ending.reason.is_misbehaviour() { self.log.tail() } else { Vec::new() };
        PlayedGame {
            index: job.index,
            black,
            white,
            moves: print_moves(self.record.moves(), self.record.size()),
            opening,
            steps: self.steps,
            ending,
            conduct,
            date: super::files::today(),
            last_lines,
        }
    }
}

fn illegal<T>(color: Color, detail: String) -> Outcome<T> {
    Err((color, Failure::Lost(Reason::Illegal, detail)))
}
