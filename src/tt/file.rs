//! The table on disk.
//!
//! Two lines of text, what the file is and what it was made for, then pairs of little-endian words: a position's key
//! and its packed entry. A pair with an empty entry ends them, and a CRC-32 of everything before it ends the file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::Ordering::Relaxed;

use thiserror::Error;

use super::{Packed, SLOT, Table};

/// The first line of the file.
const MAGIC: &str = "halfstone table 1";
/// Longer headers are not ours.
const HEADER_LIMIT: usize = 200;

/// A file that cannot be taken for a table.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing has been searched.
    #[error("there is no table yet")]
    Nothing,
    /// It begins like something else.
    #[error("not a table file")]
    Foreign,
    /// It was made for another rule or size or by another version.
    #[error("the table was made for '{found}', not for '{wanted}'")]
    Tag {
        /// What it was made for.
        found: String,
        /// What is needed.
        wanted: String,
    },
    /// It ends early, does not match its checksum, or holds what no search has stored.
    #[error("the file is damaged")]
    Damaged,
}

impl Table {
    /// Writes every entry, and `tag`, one line of text that says what the entries are good for. Returns the number of
    /// entries.
    ///
    /// # Errors
    /// What the writer fails with.
    pub fn write(&self, tag: &str, mut out: impl Write) -> io::Result<u64> {
        let mut crc = crc32fast::Hasher::new();
        let mut put = |bytes: &[u8]| {
            crc.update(bytes);
            out.write_all(bytes)
        };
        put(format!("{MAGIC}\n{tag}\n").as_bytes())?;
        let mut entries = 0;
        for slot in self.slots() {
            let data = slot[1].load(Relaxed);
            if data != 0 {
                put(&(slot[0].load(Relaxed) ^ data).to_le_bytes())?;
                put(&data.to_le_bytes())?;
                entries += 1;
            }
        }
        put(&[0; 16])?;
        out.write_all(&crc.finalize().to_le_bytes())?;
        out.flush()?;
        Ok(entries)
    }

    /// Takes the entries of a file over, into a table of any size, and returns their number. The file is checked as a
    /// whole before anything changes.
    ///
    /// # Errors
    /// [`TableFileError`]; the table is as before.
    pub fn read(&self, tag: &str, mut input: impl Read + Seek) -> Result<u64, TableFileError> {
        let entries = walk(tag, &mut input, |_, _| {})?;
        input.seek(SeekFrom::Start(0))?;
        walk(tag, &mut input, |key, data| self.store(key, 0, Packed(data).unpack(0)))?;
        Ok(entries)
    }

    fn slots(&self) -> impl Iterator<Item = &[std::sync::atomic::AtomicU64]> {
        self.words[self.skip..][..self.buckets * super::BUCKET].chunks_exact(SLOT)
    }
}

/// Reads a file from its beginning to its end, hands out the pairs, and returns their number.
fn walk(tag: &str, input: &mut impl Read, mut pair: impl FnMut(u64, u64)) -> Result<u64, TableFileError> {
    let mut crc = crc32fast::Hasher::new();
    if line(input, &mut crc)? != MAGIC {
        return Err(TableFileError::Foreign);
    }
    let found = line(input, &mut crc)?;
    if found != tag {
        return Err(TableFileError::Tag { found, wanted: tag.to_owned() });
    }
    let mut entries = 0;
    loop {
        let mut bytes = [0; 16];
        fill(input, &mut bytes)?;
        crc.update(&bytes);
        let (words, _) = bytes.as_chunks::<8>();
        let [key, data] = [words[0], words[1]].map(u64::from_le_bytes);
        if data == 0 {
            break;
        }
        if !Packed(data).is_possible() {
            return Err(TableFileError::Damaged);
        }
        pair(key, data);
        entries += 1;
    }
    let mut sum = [0; 4];
    fill(input, &mut sum)?;
    if u32::from_le_bytes(sum) != crc.finalize() {
        return Err(TableFileError::Damaged);
    }
    Ok(entries)
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), TableFileError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => TableFileError::Damaged,
        _ => TableFileError::Io(error),
    })
}

/// A line of the header, without its end.
fn line(input: &mut impl Read, crc: &mut crc32fast::Hasher) -> Result<String, TableFileError> {
    let mut text = Vec::new();
    let mut byte = [0];
    while text.len() < HEADER_LIMIT {
        match fill(input, &mut byte) {
            Err(TableFileError::Damaged) => return Err(TableFileError::Foreign),
            other => other?,
        }
        crc.update(&byte);
        if byte == *b"\n" {
            return String::from_utf8(text).map_err(|_| TableFileError::Foreign);
        }
        text.extend(byte);
    }
    Err(TableFileError::Foreign)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::Entry;
    use super::*;
    use crate::types::{Bound, Move, Size};

    /// Entries of a table; Miri takes a thousand times as long for each.
    const ENTRIES: u64 = if cfg!(miri) { 20 } else { 500 };
    /// Bytes of a table that has room for them.
    const BYTES: usize = if cfg!(miri) { 1 << 12 } else { 1 << 16 };

    /// Keys all over the table.
    fn spread(key: u64) -> u64 {
        key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn filled(bytes: usize) -> Table {
        let table = Table::new(bytes);
        for key in 1..=ENTRIES {
            let entry = Entry {
                mv: Some(Move::stone(Size::STANDARD.center())),
                score: key as i32,
                eval: -7,
                depth: 5,
                bound: Bound::Lower,
            };
            table.store(spread(key), 0, entry);
        }
        table
    }

    #[test]
    fn a_table_comes_back_into_one_of_another_size() {
        let table = filled(BYTES);
        let mut file = Vec::new();
        let written = table.write("freestyle 15", &mut file).unwrap();
        assert!(written > ENTRIES * 4 / 5);
        for bytes in [BYTES, 4 * BYTES] {
            let other = Table::new(bytes);
            assert_eq!(other.read("freestyle 15", Cursor::new(&file)).unwrap(), written);
            let kept =
                (1..=ENTRIES).filter(|&key| other.probe(spread(key), 0) == table.probe(spread(key), 0));
            assert!(kept.count() as u64 > ENTRIES * 4 / 5);
        }
    }

    #[test]
    fn entries_that_no_search_has_stored_are_refused() {
        let header = format!("{MAGIC}\nrenju 15\n").into_bytes();
        let sealed = |data: u64| {
            let mut file = [&header[..], &7u64.to_le_bytes(), &data.to_le_bytes(), &[0; 16]].concat();
            file.extend(crc32fast::hash(&file).to_le_bytes());
            Table::new(1 << 10).read("renju 15", Cursor::new(file))
        };
        // Move 16, score 16, evaluation 16, depth 8, bound 2 bits.
        let data = |mv: u16, score: i16, eval: i16, bound: u64| {
            let [score, eval] = [score, eval].map(|number| u64::from(number.cast_unsigned()));
            u64::from(mv) | score << 16 | eval << 32 | 40 << 48 | bound << 56
        };
        let center = Move::stone(Size::STANDARD.center()).to_bits();
        for possible in [data(center, 30_000, 6_000, 1), data(0, -30_000, -6_000, 3), data(center, 0, 0, 2)] {
            assert!(matches!(sealed(possible), Ok(1)), "{possible:x}");
        }
        for impossible in [
            data(center, 30_001, 0, 1),
            data(center, i16::MIN, 0, 1),
            data(center, 0, 30_000, 1),
            data(center, 0, 0, 0),
            data(0xffff, 0, 0, 1),
        ] {
            assert!(matches!(sealed(impossible), Err(TableFileError::Damaged)), "{impossible:x}");
        }
    }

    #[test]
    fn a_bad_file_changes_nothing() {
        let mut file = Vec::new();
        filled(BYTES).write("freestyle 15", &mut file).unwrap();
        let table = Table::new(BYTES);
        assert!(matches!(table.read("renju 15", Cursor::new(&file)), Err(TableFileError::Tag { .. })));
        for cut in [0, 5, 30, 31, 200, file.len() - 1] {
            assert!(table.read("freestyle 15", Cursor::new(&file[..cut])).is_err(), "{cut}");
        }
        for at in [3, 40, file.len() / 2, file.len() - 2] {
            let mut bad = file.clone();
            bad[at] ^= 1;
            assert!(table.read("freestyle 15", Cursor::new(&bad)).is_err(), "{at}");
        }
        assert!((1..=ENTRIES).all(|key| table.probe(spread(key), 0).is_none()));
    }
}
