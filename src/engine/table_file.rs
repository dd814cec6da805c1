//! The table's way to a file and back: at once, or on a thread of its own beside a search, whose move must not wait for
//! some gigabytes.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use atomic_write_file::AtomicWriteFile;

use super::{Engine, TableFileError};
use crate::game::GameRecord;
use crate::tt::Table;
use crate::types::{Rule, Size};

/// What is to be done with the table and a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileTask {
    /// What the table knows is written to the file. What was there before is kept if that fails.
    Save,
    /// The entries of the file are added to the table. A file that is refused changes nothing.
    Load,
}

impl Engine {
    /// Does this at once, and returns the number of entries. `game` tells the rule and the size that they are to be
    /// good for. Settings that make the next search begin with another table do not matter to [`FileTask::Save`].
    ///
    /// # Errors
    /// [`TableFileError`], when there is no table for this rule and size to be saved, when the file cannot be written
    /// or read, or when it holds no table for this rule, size and version.
    pub fn table_file(
        &mut self,
        task: FileTask,
        path: &Path,
        game: &GameRecord,
    ) -> Result<u64, TableFileError> {
        self.wait_for_file();
        match task {
            FileTask::Save => self.present_table(game)?.save(path),
            FileTask::Load => {
                let file = open(path)?;
                self.table(game).read(&tag(game.rule(), game.size()), file)
            }
        }
    }

    /// Does this with the table that the running search uses, beside that search; `tell` gets what
    /// [`Engine::table_file`] would return, from another thread.
    ///
    /// # Errors
    /// If there is no thread to be had; `tell` is not called then.
    pub fn table_file_beside(
        &mut self,
        task: FileTask,
        path: PathBuf,
        game: &GameRecord,
        tell: impl FnOnce(Result<u64, TableFileError>) + Send + 'static,
    ) -> io::Result<()> {
        let table = self.present_table(game);
        // One after the other, but nobody here waits for it.
        let before = self.file_thread.take();
        let work = move || {
            wait_for(before);
            tell(table.and_then(|table| match task {
                FileTask::Save => table.save(&path),
                FileTask::Load => table.load(&path),
            }));
        };
        self.file_thread = Some(thread::Builder::new().name("table file".to_owned()).spawn(work)?);
        Ok(())
    }

    /// Waits until nothing is written or read any more.
    pub fn wait_for_file(&mut self) {
        wait_for(self.file_thread.take());
    }

    /// The table that there is, if it is good for this rule and size. While a search runs that is its table, whatever
    /// has been set since.
    fn present_table(&self, game: &GameRecord) -> Result<Tagged, TableFileError> {
        let (Some(table), Some((rule, size, _))) = (&self.table, self.table_of) else {
            return Err(TableFileError::Nothing);
        };
        let (found, wanted) = (tag(rule, size), tag(game.rule(), game.size()));
        if found != wanted {
            return Err(TableFileError::Tag { found, wanted });
        }
        Ok(Tagged { table: table.clone(), tag: found })
    }
}

fn wait_for(thread: Option<JoinHandle<()>>) {
    // A panic inside has told nothing, and there is nothing left to tell.
    let _ = thread.map(JoinHandle::join);
}

/// A table with the line that says what its entries are good for.
struct Tagged {
    table: Arc<Table>,
    tag: String,
}

impl Tagged {
    fn save(&self, path: &Path) -> Result<u64, TableFileError> {
        regular_file(path)?;
        let mut file = AtomicWriteFile::open(path)?;
        let entries = self.table.write(&self.tag, BufWriter::new(&mut file))?;
        file.commit()?;
        Ok(entries)
    }

    fn load(&self, path: &Path) -> Result<u64, TableFileError> {
        self.table.read(&self.tag, open(path)?)
    }
}

/// The line that says what a table's entries are good for.
fn tag(rule: Rule, size: Size) -> String {
    format!("{} {rule} {size}", env!("CARGO_PKG_VERSION"))
}

fn open(path: &Path) -> Result<BufReader<File>, TableFileError> {
    regular_file(path)?;
    Ok(BufReader::new(File::open(path)?))
}

/// Refuses what is there and no file: a pipe would keep the program waiting for its other end.
fn regular_file(path: &Path) -> Result<(), TableFileError> {
    match fs::metadata(path) {
        Ok(known) if !known.is_file() => Err(TableFileError::Foreign),
        _ => Ok(()),
    }
}
