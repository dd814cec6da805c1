//! `convert`: game records from one format into another.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::files::{self, Reading};
use crate::formats::{Format, WriteError};

/// Where `-o` puts the number of the game.
const NUMBER: &str = "{}";

/// What `convert` is asked to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files to read, one after the other; - for stdin
    #[arg(value_name = "IN", default_value = "-")]
    input: Vec<PathBuf>,
    /// File to write; - for stdout. With {} in its name, one file for each game, numbered from 1
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Format to write: text, psq, sgf, pgn, pos, offset or csv [default: told by the name of OUT, else text]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    #[command(flatten)]
    reading: Reading,
}

/// Converts. The exit code is always 0; what goes wrong is an error.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut games = Vec::new();
    for path in &args.input {
        games.extend(args.reading.read(path)?);
    }
    let format = args.to.or_else(|| Format::from_path(&args.output)).unwrap_or(Format::Text);
    let name = args.output.to_string_lossy();
    if name.contains(NUMBER) && args.output.to_str().is_none() {
        bail!("{}: a name with {NUMBER} in it has to be UTF-8", args.output.display());
    }
    if !name.contains(NUMBER) {
        let text = format.write(&games).with_context(|| {
            let hint = "; give -o a name with {} in it for one file a game";
            let many = format == Format::Psq && games.len() > 1;
            format!("cannot write {format}{}", if many { hint } else { "" })
        })?;
        files::write(&args.output, text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    for (i, game) in games.iter().enumerate() {
        let path = name.replace(NUMBER, &(i + 1).to_string());
        let text =
            format.write(std::slice::from_ref(game)).map_err(|error| WriteError { game: i + 1, ..error });
        let text = text.with_context(|| format!("cannot write {path}"))?;
        files::write(Path::new(&path), text.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
