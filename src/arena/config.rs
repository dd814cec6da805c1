//! What a match is: the engines, their limits, the rule, and how games are adjudicated.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::ArenaError;
use super::sprt::{Sprt, SprtError};

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// When an engine is taken to have given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Its own evaluation is at most minus this,
    pub score: i64,
    /// in so many of its moves on end.
    pub moves: u32,
}

/// What an engine is limited to. Zero means no limit, but for `turn_ms`, where it asks for a move at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time for a move.
    pub turn_ms: u64,
    /// Time for a game.
    pub match_ms: u64,
    /// Time that the game clock gains with each move.
    pub increment_ms: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// Depth of a search.
    pub depth: u64,
    /// Search threads; 0 leaves it to the engine.
    pub threads: u64,
    /// Memory in bytes.
    pub max_memory: u64,
}

/// An engine and how to start it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in reports and records.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working directory; `None` is the runner's own.
    pub cwd: Option<PathBuf>,
    /// What it is limited to.
    pub limits: Limits,
    /// More `INFO` lines, by key.
    pub info: BTreeMap<String, String>,
}

/// Everything that decides what is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The engines; the first is the one that results are told of.
    pub engines: Vec<EngineSpec>,
    /// The rule, as `INFO rule` has it.
    pub rule: i64,
    /// Size of the board.
    pub size: usize,
    /// Games of each pairing.
    pub games: usize,
    /// Who plays whom.
    pub format: Format,
    /// Whether games open by swap2.
    pub swap2: bool,
    /// A move later than its limit and this loses.
    pub tolerance_ms: u64,
    /// Time for the answer to `START`.
    pub start_ms: u64,
    /// Time to exit after `END`.
    pub end_ms: u64,
    /// A game with so many moves on the board is a draw; 0 for never.
    pub max_moves: usize,
    /// When an engine is taken to have given up; `None` for never.
    pub resign: Option<Resign>,
    /// Whether an engine that takes more memory than it was told loses the game.
    pub strict_memory: bool,
    /// Whether the test stops the match.
    pub sprt: Option<Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// Seed of all chance.
    pub seed: u64,
    /// Directory for the dialogues of all games.
    pub log: Option<PathBuf>,
}

/// The keys of an engine's description.
const KEYS: [&str; 10] =
    ["name", "cmd", "cwd", "turn-ms", "match-ms", "increment-ms", "nodes", "depth", "threads", "max-memory"];

impl EngineSpec {
    /// Reads `name=…,cmd=…,key=value`; what is not said is as in `limits`, and `own` is the command that `self`, or no
    /// command, stands for. A comma inside a value is fine unless a known key and `=` follow it.
    ///
    /// # Errors
    /// [`ArenaError::Engine`] says what is wrong with the description.
    pub fn parse(text: &str, limits: Limits, own: &[String]) -> Result<EngineSpec, ArenaError> {
        let error = |problem: String| ArenaError::Engine { text: text.to_owned(), problem };
        let mut spec = EngineSpec {
            name: String::new(),
            command: own.to_vec(),
            cwd: None,
            limits,
            info: BTreeMap::new(),
        };
        for part in split_parts(text) {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                error(format!(
                    "cannot read '{part}' (allowed: {}, info.KEY, each with =VALUE)",
                    KEYS.join(", ")
                ))
            })?;
            if let Some(info) = key.strip_prefix("info.") {
                spec.info.insert(info.to_owned(), value.to_owned());
                continue;
            }
            let number =
                || value.parse().map_err(|_| error(format!("{key}='{value}' (allowed: a number from 0)")));
            match key {
                "name" => spec.name = value.to_owned(),
                "cmd" if value == "self" => spec.command = own.to_vec(),
                "cmd" => spec.command = split_command(value).map_err(error)?,
                "cwd" => spec.cwd = Some(absolute(value)),
                "turn-ms" => spec.limits.turn_ms = number()?,
                "match-ms" => spec.limits.match_ms = number()?,
                "increment-ms" => spec.limits.increment_ms = number()?,
                "nodes" => spec.limits.nodes = number()?,
                "depth" => spec.limits.depth = number()?,
                "threads" => spec.limits.threads = number()?,
                "max-memory" => spec.limits.max_memory = number()?,
                _ => {
                    let known = KEYS.join(", ");
                    return Err(error(format!("unknown key '{key}' (allowed: {known}, info.KEY)")));
                }
            }
        }
        let program = spec.command.first_mut().ok_or_else(|| error("cmd is empty".to_owned()))?;
        if spec.name.is_empty() {
            let stem = std::path::Path::new(program.as_str()).file_stem();
            spec.name = stem.map_or_else(|| program.clone(), |stem| stem.to_string_lossy().into_owned());
        }
        // A path is taken from where the runner stands, whatever the engine's working directory.
        if program.contains('/') || program.contains(std::path::MAIN_SEPARATOR) {
            *program = absolute(program).to_string_lossy().into_owned();
        }
        let printable = |c: char| !c.is_control() && !matches!(c, '"' | '[' | ']' | '{' | '}');
        if !spec.name.chars().all(printable) {
            return Err(error(format!(
                "name='{}' holds a bracket, a quote or no letter",
                spec.name.escape_debug()
            )));
        }
        Ok(spec)
    }
}

/// A path as seen from the root, so that a match can be resumed from anywhere.
fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// The parts of a description, split at commas that a key follows.
fn split_parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in text.split(',') {
        let key = piece.split_once('=').map_or("", |(key, _)| key);
        let known = KEYS.contains(&key) || key.starts_with("info.");
        match parts.last_mut() {
            Some(last) if !known => {
                last.push(',');
                last.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
    }
    parts
}

/// Splits a command line as a shell would: blanks part words, quotes hold them together, and (but on Windows, where it
/// parts directories) a backslash takes the next character as it is. Nothing is expanded.
///
/// # Errors
/// What is wrong with it, in words.
pub fn split_command(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') if !cfg!(windows) => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("cmd ends with a backslash".to_owned()),
            },
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("cmd has an open {open}"));
    }
    words.extend(word);
    if words.is_empty() { Err("cmd is empty".to_owned()) } else { Ok(words) }
}

/// A word as a shell would have to be given it.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Config {
    /// Refuses what cannot be played.
    ///
    /// # Errors
    /// [`ArenaError::Settings`] says what does not fit.
    pub fn check(&self) -> Result<(), ArenaError> {
        let refuse = |problem: &str| Err(ArenaError::Settings(problem.to_owned()));
        if self.engines.len() < 2 {
            return refuse("give --engine twice or more");
        }
        let mut names: Vec<&str> = self.engines.iter().map(|spec| spec.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            let name = pair.first().copied().unwrap_or_default();
            return refuse(&format!("two engines are called '{name}': give each --engine a name="));
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return refuse("--sprt compares two engines");
        }
        if let Some(sprt) = self.sprt.filter(|sprt| !sprt.is_sound()) {
            return refuse(&SprtError(sprt.to_string()).to_string());
        }
        if self.games == 0 || self.concurrency == 0 {
            return refuse("--games and --concurrency are at least 1");
        }
        if self.swap2 && self.rule != 0 && self.rule != 1 {
            return refuse("--swap2 goes with --rule freestyle or standard");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_override_the_match() {
        let own = ["/bin/own".to_owned()];
        let limits = Limits { turn_ms: 100, ..Limits::default() };
        let spec = EngineSpec::parse(
            "name=A B,cmd=prog 'one two' --x=1,2,turn-ms=7,info.style=a=b,threads=2",
            limits,
            &own,
        )
        .unwrap();
        assert_eq!((spec.name.as_str(), spec.limits.turn_ms, spec.limits.threads), ("A B", 7, 2));
        assert_eq!(spec.command, ["prog", "one two", "--x=1,2"]);
        assert_eq!(spec.info["style"], "a=b");
        let spec = EngineSpec::parse("name=me", limits, &own).unwrap();
        assert_eq!((spec.command.as_slice(), spec.limits), (&own[..], limits));
        assert_eq!(EngineSpec::parse("cmd=self", limits, &own).unwrap().name, "own");
    }

    #[test]
    fn bad_descriptions_are_quoted() {
        for (text, wanted) in [
            ("nonsense", "cannot read 'nonsense'"),
            ("name=a,cmd=", "cmd is empty"),
            ("name=a,cmd=x 'y", "open '"),
            ("turn-ms=x", "turn-ms='x'"),
            ("colour=red", "unknown key 'colour'"),
            ("name=a\"b", "holds a bracket"),
        ] {
            let error = EngineSpec::parse(text, Limits::default(), &["own".to_owned()]).unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(split_command(r#"a "b c" d\ e '' "\"""#).unwrap(), ["a", "b c", "d e", "", "\""]);
        for word in ["plain", "two words", "it's", ""] {
            assert_eq!(split_command(&shell_word(word)).unwrap(), [word]);
        }
    }
}
