//! Files that are replaced as a whole.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use atomic_write_file::AtomicWriteFile;

/// Writes a file so that a reader finds the old one or the new one, whatever happens.
///
/// # Errors
/// If it cannot be written, for want of room say; what was there before is still there then.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> io::Result<()> {
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().with_context(|| format!("cannot write {}; what was there before is kept", path.display()))
}
