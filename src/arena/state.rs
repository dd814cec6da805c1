//! The state of a match on disk, so that it can be resumed: settings, openings and the games so far, as JSON.

use std::fs;
use std::io::Write;
use std::path::Path;

use atomic_write_file::AtomicWriteFile;
use serde::{Deserialize, Serialize};

use super::config::Config;
use super::error::ArenaError;
use super::files::Files;
use super::game::{PlayedGame, rule_and_size};
use super::sprt::Decision;
use crate::game::{parse_moves, print_moves};
use crate::rules::Position;
use crate::types::{Move, Rule, Size};

/// The version of the file's layout.
const LAYOUT: u32 = 1;

/// A match as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    layout: u32,
    /// What is played.
    pub config: Config,
    /// The openings in text notation.
    pub openings: Vec<String>,
    /// Where the games go.
    pub files: Files,
    /// The finished games, in the order in which they ended.
    pub games: Vec<PlayedGame>,
    /// What the test has decided. Games that were running then count in the results and cannot take it back.
    #[serde(default)]
    pub(super) decision: Decision,
    /// Whether the file is kept when the match is over.
    #[serde(default)]
    pub keep: bool,
}

impl State {
    /// A match that has not begun.
    pub fn new(config: Config, openings: &[Vec<Move>], files: Files) -> State {
        let (_, size) = rule_and_size(&config);
        let openings = openings.iter().map(|moves| print_moves(moves, size)).collect();
        let decision = Decision::Continue;
        State { layout: LAYOUT, config, openings, files, games: Vec::new(), decision, keep: false }
    }

    /// Reads a state file.
    ///
    /// # Errors
    /// [`ArenaError`] if it cannot be read, or does not fit together.
    pub fn load(path: &Path) -> Result<State, ArenaError> {
        let bytes = fs::read(path).map_err(|error| ArenaError::file("read", path, error))?;
        let bad = |problem: String| ArenaError::State { path: path.to_owned(), problem };
        let state: State = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
        if state.layout != LAYOUT {
            return Err(bad(format!("its layout is {}, not {LAYOUT}", state.layout)));
        }
        state.config.check()?;
        Size::new(state.config.size as i64).map_err(|error| bad(error.to_string()))?;
        Rule::from_info(state.config.rule).ok_or_else(|| bad(format!("no rule {}", state.config.rule)))?;
        state.opening_moves().map_err(bad)?;
        let engines = state.config.engines.len();
        if state.games.iter().any(|game| game.black >= engines || game.white >= engines) {
            return Err(bad("a game of an engine that is not there".to_owned()));
        }
        Ok(state)
    }

    /// The openings as moves, each legal under the rule.
    pub(super) fn opening_moves(&self) -> Result<Vec<Vec<Move>>, String> {
        let (rule, size) = rule_and_size(&self.config);
        let read = |text: &String| {
            let moves = parse_moves(text, size).map_err(|error| error.to_string())?;
            let mut position = Position::new(rule, size);
            for &mv in &moves {
                position.play(mv).map_err(|error| format!("opening {text}: {error}"))?;
            }
            Ok(moves)
        };
        self.openings.iter().map(read).collect()
    }

    /// Writes the state so that the file is whole at every moment.
    ///
    /// # Errors
    /// [`ArenaError::File`] if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ArenaError> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let write = || {
            let mut file = AtomicWriteFile::open(path)?;
            file.write_all(&text)?;
            file.commit()
        };
        write().map_err(|error| ArenaError::file("write", path, error))
    }
}
