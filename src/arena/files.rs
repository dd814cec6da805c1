//! The games of a match in files: PGN and SGF with all games, psq with one file a game.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::error::ArenaError;
use super::game::PlayedGame;
use crate::formats::Format;

/// Where the games go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// A PGN file.
    pub pgn: Option<PathBuf>,
    /// An SGF file.
    pub sgf: Option<PathBuf>,
    /// A directory of psq files.
    pub psq: Option<PathBuf>,
    /// A JSON file with results and games, written at the end.
    pub json: Option<PathBuf>,
}

impl Files {
    /// Refuses files that hold something: for a match that is not a resumed one, they are somebody else's.
    ///
    /// # Errors
    /// [`ArenaError::Settings`] names the file.
    pub fn refuse_existing(&self) -> Result<(), ArenaError> {
        [&self.pgn, &self.sgf, &self.json].into_iter().flatten().try_for_each(|path| refuse_existing(path))
    }

    /// Starts the files anew, with the games that a resumed match has played before.
    ///
    /// # Errors
    /// [`ArenaError::File`] if one cannot be written.
    pub(super) fn begin(&self, config: &Config, games: &[PlayedGame]) -> Result<(), ArenaError> {
        for path in [&self.pgn, &self.sgf].into_iter().flatten() {
            File::create(path).map_err(|error| ArenaError::file("write", path, error))?;
        }
        for directory in [&self.psq, &config.log].into_iter().flatten() {
            fs::create_dir_all(directory).map_err(|error| ArenaError::file("write", directory, error))?;
        }
        games.iter().try_for_each(|game| self.add(config, game))
    }

    /// Adds a game to each file.
    ///
    /// # Errors
    /// [`ArenaError::File`] if one cannot be written.
    pub(super) fn add(&self, config: &Config, game: &PlayedGame) -> Result<(), ArenaError> {
        let games = [game.record(config)];
        if let Some(path) = &self.pgn {
            append(path, &(Format::Pgn.write(&games)?.trim_end().to_owned() + "\n\n"))?;
        }
        if let Some(path) = &self.sgf {
            append(path, &Format::Sgf.write(&games)?)?;
        }
        if let Some(directory) = &self.psq {
            let path = directory.join(format!("game_{:05}.psq", game.index + 1));
            let text = Format::Psq.write(&games)?;
            fs::write(&path, text).map_err(|error| ArenaError::file("write", &path, error))?;
        }
        Ok(())
    }
}

/// Refuses a file that holds something. Devices, pipes and empty files have nothing to lose.
///
/// # Errors
/// [`ArenaError::Settings`] names the file.
pub fn refuse_existing(path: &Path) -> Result<(), ArenaError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() > 0 => {
            let path = path.display();
            Err(ArenaError::Settings(format!("{path} exists: move it away, or give another name")))
        }
        _ => Ok(()),
    }
}

fn append(path: &Path, text: &str) -> Result<(), ArenaError> {
    let file = File::options().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| ArenaError::file("write", path, error))
}

/// Today's date in UTC, as in `2026.01.31`.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a day counted from 1970-01-01. Years are taken to begin in March, so that the leap day is
/// the last of its year (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_454, (2026, 1, 1)),
        ] {
            assert_eq!(civil(days), date);
        }
    }
}
