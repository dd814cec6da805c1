//! What subcommands share: the options of those that read game records, files and stdin, output that survives a closed
//! pipe, and this program as an engine.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::formats::{Defaults, Format, Game};
use crate::game::GameRecord;
use crate::types::{Rule, Size};

/// What a position on the command line is called in messages.
pub(super) const TYPED: &str = "position";

/// How records are read.
#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// Format of the input: text, psq, sgf, pgn, pos, offset or csv [default: told by content and name]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Rule to go by, whatever the record says: name or `INFO rule` number
    #[arg(long)]
    pub(super) rule: Option<Rule>,
    /// Size of the board where the record does not say it
    #[arg(long, value_name = "N", default_value = "15", value_parser = size)]
    pub(super) size: Size,
}

/// A board size on the command line.
pub(super) fn size(text: &str) -> Result<Size, String> {
    let number = text.parse().map_err(|_| "a number from 5 to 22 is needed".to_owned())?;
    Size::new(number).map_err(|error| error.to_string())
}

impl Reading {
    /// The games of a file, or of stdin for `-`.
    pub(super) fn read(&self, path: &Path) -> anyhow::Result<Vec<Game>> {
        let name = shown(path);
        let mut bytes = Vec::new();
        if is_stdio(path) {
            io::stdin().read_to_end(&mut bytes).map(drop)
        } else {
            fs::read(path).map(|read| bytes = read)
        }
        .with_context(|| format!("cannot read {name}"))?;
        let file = Some(path).filter(|path| !is_stdio(path));
        let format = self.from.unwrap_or_else(|| Format::detect(file, &bytes));
        self.parse(format, &bytes).with_context(|| format!("{name} ({format})"))
    }

    /// The games of a file, of stdin for `-`, or of the text itself when there is no file of that name; also what to
    /// call the source in messages.
    pub(super) fn read_position(&self, text: &str) -> anyhow::Result<(String, Vec<Game>)> {
        let path = Path::new(text);
        let (one_word, like_a_path) = (!text.contains(char::is_whitespace), text.contains(['.', '/', '\\']));
        if is_stdio(path) || path.is_file() || one_word && like_a_path {
            return Ok((shown(path), self.read(path)?));
        }
        let format = self.from.unwrap_or_else(|| Format::detect(None, text.as_bytes()));
        let context = || format!("there is no file of this name, and as {format} it cannot be read");
        let games = self.parse(format, text.as_bytes()).with_context(context)?;
        Ok((TYPED.to_owned(), games))
    }

    fn parse(&self, format: Format, bytes: &[u8]) -> anyhow::Result<Vec<Game>> {
        let defaults = Defaults { rule: self.rule, size: self.size };
        let mut games = format.read(bytes, &defaults)?;
        if let Some(rule) = self.rule {
            games.iter_mut().for_each(|game| game.set_rule(rule));
        }
        Ok(games)
    }
}

/// This program as an engine.
pub(super) fn own_command() -> anyhow::Result<Vec<String>> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(vec![program.to_string_lossy().into_owned()])
}

/// Whether a path stands for stdin or stdout.
pub(super) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file's name in messages.
pub(super) fn shown(path: &Path) -> String {
    if is_stdio(path) { "stdin".to_owned() } else { path.display().to_string() }
}

/// Writes a file, or stdout for `-`.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if is_stdio(path) {
        return print(bytes);
    }
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether to colour stdout: on a terminal, unless `NO_COLOR` is set.
pub(super) fn color_is_welcome() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !refused
}

/// One of several games, counted from 1.
pub(super) fn nth(games: Vec<Game>, nth: usize, source: &str) -> anyhow::Result<Game> {
    let count = games.len();
    let chosen = nth.checked_sub(1).and_then(|index| games.into_iter().nth(index));
    chosen.with_context(|| format!("{source}: there is no game {nth} among {count}"))
}

/// The records without their moves from number `at` on, which `--at` has told. At least one has to be so long.
pub(super) fn cut(games: &mut [Game], at: Option<usize>) -> anyhow::Result<()> {
    let most = games.iter().map(|game| game.record.moves().len()).max().unwrap_or(0);
    match at {
        Some(at) if at > most => bail!("--at {at} (allowed: 0 to {most}, the moves of the game)"),
        Some(at) => games.iter_mut().for_each(|game| cut_record(&mut game.record, at)),
        None => {}
    }
    Ok(())
}

/// The record without its moves from number `at` on.
pub(super) fn cut_record(record: &mut GameRecord, at: usize) {
    while record.moves().len() > at {
        record.pop();
    }
}

/// Writes to stdout, for output that comes bit by bit: a reader that has gone away is an error, to be told by
/// [`is_closed_pipe`], so that no more work is done.
pub(super) fn print_open(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to stdout")
}

/// Whether an error only says that the reader of stdout has gone away.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes to stdout. A reader that has gone away is no error.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => bail!("cannot write to stdout: {error}"),
        _ => Ok(()),
    }
}

/// A value as one line of JSON. Names from a file may hold controls that JSON allows as they are and a terminal obeys:
/// DEL and those of Latin-1 are escaped as well.
pub(super) fn json_line(value: &Value) -> String {
    let mut line = String::new();
    for c in value.to_string().chars() {
        if c.is_control() {
            // All of them are in strings, and below U+0100.
            line.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            line.push(c);
        }
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_reaches_a_terminal_through_json() {
        let value = serde_json::json!({ "name": "a\u{7f}\u{9b}31m\u{1b}\n王" });
        let line = json_line(&value);
        assert_eq!(line, "{\"name\":\"a\\u007f\\u009b31m\\u001b\\n王\"}\n");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }
}
