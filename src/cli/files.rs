//! What subcommands that read game records share: the options, files and stdin, and output that survives a closed
//! pipe.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::formats::{Defaults, Format, Game};
use crate::types::{Rule, Size};

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
        let defaults = Defaults { rule: self.rule, size: self.size };
        let mut games = format.read(&bytes, &defaults).with_context(|| format!("{name} ({format})"))?;
        if let Some(rule) = self.rule {
            games.iter_mut().for_each(|game| game.set_rule(rule));
        }
        Ok(games)
    }
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

/// Writes to stdout. A reader that has gone away is no error.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => bail!("cannot write to stdout: {error}"),
        _ => Ok(()),
    }
}
