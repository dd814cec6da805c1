//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file so that a reader finds the old one or the new one, whatever happens: the new one is written beside
/// it and takes its place when it is whole.
///
/// # Errors
/// If it cannot be written, for want of room say; what was there before is still there then.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    let written = write();
    if written.is_err() {
        // The beginning of a file helps nobody.
        let _ = fs::remove_file(&beside);
    }
    written.with_context(|| format!("cannot write {}; what was there before is kept", path.display()))
}
