//! The file of games: one line each, appended as they end, so that a study goes on where it was stopped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::play::Played;
use super::setting::Setting;
use crate::eval;
use crate::game::{GameRecord, parse_moves, print_moves};
use crate::types::{Color, Rule, Size};

/// Games by setting and number.
pub(super) type Games = BTreeMap<(Setting, usize), Played>;

const COLUMNS: &str = "rule,opening,nodes,half,opponent,number,result,moves";

/// A file of games that is open for more.
#[derive(Debug)]
pub(super) struct GamesFile(File);

impl GamesFile {
    /// Opens a file, made by a study with the same size and seed and the same engine, and reads its games; makes it if
    /// there is none.
    pub(super) fn open(path: &Path, size: Size, seed: u64) -> anyhow::Result<(GamesFile, Games)> {
        let context = || format!("{}", path.display());
        let head = format!("# half-stone study, size {size}, seed {seed}, {}", engine()?);
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let mut games = Games::new();
        let mut whole = true;
        let mut lines = 0;
        for line in BufReader::new(&file).lines() {
            let line = line.with_context(context)?;
            lines += 1;
            whole = line.ends_with(';');
            match lines {
                1 if line != head => bail!(
                    "{}: the games of another study or engine: begins with '{line}', not '{head}'",
                    path.display()
                ),
                1 | 2 => {}
                // A line that was cut off by the end of the program is played again.
                _ if !whole => {}
                _ => {
                    let game = read(&line, size).with_context(|| format!("{}:{lines}", path.display()))?;
                    games.insert((game.setting, game.number), game);
                }
            }
        }
        match lines {
            0 => writeln!(file, "{head}\n{COLUMNS}").with_context(context)?,
            3.. if !whole => writeln!(file).with_context(context)?,
            _ => {}
        }
        Ok((GamesFile(file), games))
    }

    pub(super) fn append(&mut self, game: &Played) -> anyhow::Result<()> {
        self.0.write_all(print(game).as_bytes()).context("cannot write the file of games")
    }
}

/// The engine whose games these are: version and checksum of all weights. A search that differs is not told by this.
fn engine() -> anyhow::Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    if cfg!(feature = "hand-set") {
        return Ok(format!("version {version}, weights set by hand"));
    }
    let mut checksum = crc32fast::Hasher::new();
    for rule in Rule::ALL {
        checksum.update(&eval::built_in(rule)?.to_bytes());
    }
    Ok(format!("version {version}, weights {:08x}", checksum.finalize()))
}

fn print(game: &Played) -> String {
    let result = match game.winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2",
    };
    let moves = print_moves(game.record.moves(), game.record.size());
    format!("{},{},{result},{moves};\n", game.setting, game.number)
}

fn read(line: &str, size: Size) -> anyhow::Result<Played> {
    let fields: Vec<&str> = line.trim_end_matches(';').rsplitn(4, ',').collect();
    let &[moves, result, number, setting] = fields.as_slice() else { bail!("not a line of {COLUMNS}") };
    let setting: Setting = setting.parse()?;
    let winner = match result {
        "1-0" => Some(Color::Black),
        "0-1" => Some(Color::White),
        "1/2" => None,
        other => bail!("'{other}' is no result (allowed: 1-0, 0-1, 1/2)"),
    };
    let number = number.parse().with_context(|| format!("'{number}' is no number of a game"))?;
    let mut record = GameRecord::new(setting.rule, size);
    parse_moves(moves, size)?.into_iter().for_each(|mv| record.push(mv));
    Ok(Played { setting, number, winner, record })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written_and_a_cut_line_is_left_out() {
        let path = std::env::temp_dir().join(format!("halfstone-study-{}.csv", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let size = Size::STANDARD;
        let (mut file, none) = GamesFile::open(&path, size, 7).unwrap();
        assert!(none.is_empty());
        let line = "half-stone,empty,1000,at-will,itself,12,1/2,h8 i9 *j10;\n";
        let game = read(line.trim_end(), size).unwrap();
        assert_eq!((game.number, game.winner, game.record.moves().len()), (12, None, 3));
        assert_eq!(print(&game), line);
        file.append(&game).unwrap();
        file.0.write_all(b"half-stone,empty,1000,at-will,itself,13,1-0,h8 i").unwrap();
        let (mut file, games) = GamesFile::open(&path, size, 7).unwrap();
        assert_eq!(games.values().collect::<Vec<_>>(), [&game]);
        // What follows the cut line stands on a line of its own.
        file.append(&game).unwrap();
        assert_eq!(GamesFile::open(&path, size, 7).unwrap().1.len(), 1);
        assert!(GamesFile::open(&path, size, 8).is_err());
        // The same study by an engine with other weights, and by one that did not tell.
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = text.split_once('\n').unwrap();
        let (start, weights) = head.rsplit_once(", weights ").unwrap();
        for foreign in
            [format!("{start}, weights {weights}0"), "# half-stone study, size 15, seed 7".to_owned()]
        {
            let text = format!("{foreign}\n{rest}");
            std::fs::write(&path, &text).unwrap();
            let error = GamesFile::open(&path, size, 7).unwrap_err().to_string();
            assert!(error.contains("another study or engine"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let _ = std::fs::remove_file(&path);
    }
}
