//! Files of self-play games.
//!
//! All numbers are little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `HSGAMES` and a zero |
//! | 4 | byte order: 0x01020304 |
//! | 2 | version, 1 |
//! | 1 | rule, as its index |
//! | 1 | number of board sizes, at most 14 |
//! | 14 | the sizes, then zeros |
//! | 4 | CRC-32 of the weights that the players use; 0 for those set by hand |
//! | 4 | nodes per move |
//! | 8 | seed |
//! | 4 + 4 | shard, and of how many (0 of 0: merged) |
//! | 4 | CRC-32 of the header so far |
//!
//! Then one record per game, written at once and never changed:
//!
//! | bytes | record |
//! |---|---|
//! | 4 | number of the game |
//! | 1 | board size |
//! | 1 | moves of the opening, which were not searched |
//! | 1 | result: 0 White won, 1 draw, 2 Black won |
//! | 1 | 0 |
//! | 2 | number of moves, n |
//! | n × 2 | moves, as [`Move::to_bits`] |
//! | n × 2 | scores in the mover's view; −32768 for moves that were not chosen by a search |
//! | 4 | CRC-32 of the record so far |
//!
//! A process that is killed, or a full disk, can leave the beginning of a record at the end of the file; the next
//! [`Writer`] cuts it off, and so no finished game is lost.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use halfstone::types::{CellSet, Color, Move, Rule, Size};

use crate::files;

const MAGIC: &[u8; 8] = b"HSGAMES\0";
const BYTE_ORDER: u32 = 0x0102_0304;
const VERSION: u16 = 1;
/// Sizes that a file can have.
pub const MOST_SIZES: usize = 14;
/// Bytes of a header.
pub const HEADER_BYTES: usize = 8 + 4 + 2 + 1 + 1 + MOST_SIZES + 4 + 4 + 8 + 4 + 4 + 4;
/// Bytes of a record without moves.
const FRAME_BYTES: usize = 14;
/// The score of a move that no search chose.
pub const UNSEARCHED: i16 = i16::MIN;

/// What the games of a file have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The rule they are played under.
    pub rule: Rule,
    /// Board sizes, drawn for each game. One that is listed twice is drawn twice as often.
    pub sizes: Vec<Size>,
    /// Checksum of the weights that the players use; 0 for those set by hand.
    pub weights: u32,
    /// Nodes per move.
    pub nodes: u32,
    /// What all chance comes from, together with the number of the game.
    pub seed: u64,
    /// This file has the games whose number leaves this remainder …
    pub shard: u32,
    /// … when divided by this. 0 for a merged file.
    pub shards: u32,
}

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number.
    pub number: u32,
    /// Points along one edge of the board.
    pub size: Size,
    /// How many moves at the beginning were drawn by chance.
    pub opening: usize,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The moves, Black first, each with the score of the search that chose it, or [`UNSEARCHED`].
    pub moves: Vec<(Move, i16)>,
}

impl Settings {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(BYTE_ORDER.to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.rule.index() as u8);
        bytes.push(self.sizes.len() as u8);
        let mut sizes = [0; MOST_SIZES];
        for (slot, size) in sizes.iter_mut().zip(&self.sizes) {
            *slot = size.get() as u8;
        }
        bytes.extend(sizes);
        bytes.extend(self.weights.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.shard.to_le_bytes());
        bytes.extend(self.shards.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Settings> {
        ensure!(bytes.len() >= HEADER_BYTES, "too short for a file of games");
        let mut fields = Fields(&bytes[..HEADER_BYTES]);
        ensure!(fields.take::<8>()? == *MAGIC, "not a file of games");
        match u32::from_le_bytes(fields.take()?) {
            BYTE_ORDER => {}
            order if order.swap_bytes() == BYTE_ORDER => bail!("written with the other byte order"),
            _ => bail!("the header is damaged"),
        }
        let version = u16::from_le_bytes(fields.take()?);
        ensure!(version == VERSION, "version {version} of the format; this program reads version {VERSION}");
        let body = HEADER_BYTES - 4;
        let checksum = u32::from_le_bytes(Fields(&bytes[body..HEADER_BYTES]).take()?);
        ensure!(crc32fast::hash(&bytes[..body]) == checksum, "the header is damaged");
        let [rule, count] = fields.take()?;
        let rule = *Rule::ALL.get(rule as usize).context("unknown rule in the header")?;
        let sizes: [u8; MOST_SIZES] = fields.take()?;
        ensure!(
            (1..=MOST_SIZES).contains(&count.into()),
            "{count} board sizes in the header, not 1 to {MOST_SIZES}"
        );
        let sizes = sizes.iter().take(count as usize).map(|&n| Size::new(n.into()));
        Ok(Settings {
            rule,
            sizes: sizes.collect::<Result<_, _>>()?,
            weights: u32::from_le_bytes(fields.take()?),
            nodes: u32::from_le_bytes(fields.take()?),
            seed: u64::from_le_bytes(fields.take()?),
            shard: u32::from_le_bytes(fields.take()?),
            shards: u32::from_le_bytes(fields.take()?),
        })
    }
}

impl Game {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        let result = match self.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        bytes.extend([self.size.get() as u8, self.opening as u8, result, 0]);
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.extend(self.moves.iter().flat_map(|(mv, _)| mv.to_bits().to_le_bytes()));
        bytes.extend(self.moves.iter().flat_map(|(_, score)| score.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The game at the beginning of `bytes` and its length; `None` if only the beginning of a game is there.
    fn from_bytes(bytes: &[u8]) -> Result<Option<(Game, usize)>> {
        if bytes.len() < FRAME_BYTES {
            return Ok(None);
        }
        let count = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let length = FRAME_BYTES + 4 * count;
        ensure!(count <= Size::MAX.area(), "a game of {count} moves");
        let Some(record) = bytes.get(..length) else { return Ok(None) };
        let mut fields = Fields(record);
        let number = u32::from_le_bytes(fields.take()?);
        let [size, opening, result, _] = fields.take()?;
        fields.take::<2>()?;
        let mut words = || -> Result<Vec<[u8; 2]>> { (0..count).map(|_| fields.take()).collect() };
        let (moves, scores) = (words()?, words()?);
        let checksum = u32::from_le_bytes(fields.take()?);
        ensure!(crc32fast::hash(&record[..length - 4]) == checksum, "the checksum does not fit");
        let winner = match result {
            0 => Some(Color::White),
            1 => None,
            2 => Some(Color::Black),
            _ => bail!("unknown result {result}"),
        };
        let moves = moves.into_iter().zip(scores).map(|(mv, score)| {
            let mv = Move::from_bits(u16::from_le_bytes(mv)).context("unknown move")?;
            Ok((mv, i16::from_le_bytes(score)))
        });
        let size = Size::new(size.into())?;
        let moves = moves.collect::<Result<_>>()?;
        Ok(Some((Game { number, size, opening: opening.into(), winner, moves }, length)))
    }

    /// Whether the game can be set up move by move under `rule`. A record can be wrong with a right checksum.
    fn check(&self, rule: Rule) -> Result<()> {
        ensure!(self.opening <= self.moves.len(), "an opening of more moves than the game has");
        let (mut occupied, mut in_hand) = (CellSet::default(), rule == Rule::HalfStone);
        for (ply, (mv, _)) in self.moves.iter().enumerate() {
            let number = ply + 1;
            let cell = mv.cell().with_context(|| format!("move {number} is a pass"))?;
            ensure!(cell.on_board(self.size), "move {number} is not on the board");
            ensure!(!occupied.contains(cell), "move {number} is on a point that is taken");
            occupied.insert(cell);
            if mv.is_half() {
                ensure!(in_hand && ply % 2 == 0, "move {number}: no half stone to play");
                in_hand = false;
            }
        }
        Ok(())
    }
}

/// Bytes, taken off the front.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>().context("too short")?;
        self.0 = rest;
        Ok(*first)
    }
}

/// A file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// What the games have in common.
    pub settings: Settings,
    /// The games.
    pub games: Vec<Game>,
    /// Length of the whole games; more than that is the beginning of one that was never finished.
    pub whole_bytes: u64,
}

/// Reads a file of games. The beginning of a record at its end is passed over.
///
/// # Errors
/// If the file cannot be read, is of another kind, version or byte order, or is damaged.
pub fn read(path: &Path) -> Result<GameFile> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&bytes).with_context(|| format!("{}", path.display()))
}

fn parse(bytes: &[u8]) -> Result<GameFile> {
    let settings = Settings::from_bytes(bytes)?;
    let mut games = Vec::new();
    let mut at = HEADER_BYTES;
    let context = |at| move || format!("damaged game at byte {at}");
    while let Some((game, length)) = Game::from_bytes(&bytes[at..]).with_context(context(at))? {
        game.check(settings.rule).with_context(context(at))?;
        games.push(game);
        at += length;
    }
    Ok(GameFile { settings, games, whole_bytes: at as u64 })
}

/// Appends games to a file, which is locked meanwhile.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Writer {
    /// Opens a file to go on with, or begins a new one. Returns the numbers of the games that it has.
    ///
    /// # Errors
    /// If the file cannot be opened, or holds something else or games of other settings.
    pub fn open(path: &Path, settings: &Settings) -> Result<(Writer, Vec<u32>)> {
        let context = || format!("cannot open {}", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).with_context(context)?;
        // Two writers would each write over what the other one has appended.
        file.try_lock().with_context(|| format!("{} is being written by another process", path.display()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(context)?;
        let mut length = HEADER_BYTES as u64;
        let mut numbers = Vec::new();
        if settings.to_bytes().starts_with(&bytes) {
            // New, or killed while the header was written.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&settings.to_bytes()).with_context(context)?;
        } else {
            let known = parse(&bytes).with_context(context)?;
            ensure!(known.settings == *settings, "{} has games of other settings", path.display());
            length = known.whole_bytes;
            numbers = known.games.iter().map(|game| game.number).collect();
        }
        file.set_len(length).with_context(context)?;
        file.seek(SeekFrom::Start(length))?;
        Ok((Writer { path: path.to_owned(), file, length }, numbers))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written. The file then ends with the game before.
    pub fn append(&mut self, game: &Game) -> Result<()> {
        let bytes = game.to_bytes();
        let written: io::Result<()> = self.file.write_all(&bytes);
        if written.is_err() {
            // Best effort: what is left of the record is passed over by readers in any case, if nothing follows it.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
        }
        written.with_context(|| {
            format!("cannot write to {}; all games before this one are kept", self.path.display())
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Joins files of the same settings, shards or not, into one: games in order of number, each once.
///
/// # Errors
/// If a file cannot be read or differs in its settings, or the result cannot be written.
pub fn merge(paths: &[PathBuf], out: &Path) -> Result<usize> {
    let mut joined: Option<Settings> = None;
    let mut games = Vec::new();
    for path in paths {
        let file = read(path)?;
        let settings = Settings { shard: 0, shards: 0, ..file.settings };
        if let Some(joined) = &joined {
            ensure!(*joined == settings, "{} has games of other settings", path.display());
        }
        joined = Some(settings);
        games.extend(file.games);
    }
    let settings = joined.context("nothing to merge")?;
    games.sort_by_key(|game| game.number);
    games.dedup_by_key(|game| game.number);
    let mut bytes = settings.to_bytes();
    bytes.extend(games.iter().flat_map(Game::to_bytes));
    files::replace(out, &bytes)?;
    Ok(games.len())
}
