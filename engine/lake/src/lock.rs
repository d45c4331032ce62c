//! One writer per lake: a file lock, which the operating system releases when the process ends in any way.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;

use quarry_types::{Error, ErrorCode, Result};

/// Held as long as the value lives.
#[derive(Debug)]
pub(super) struct WriterLock {
    /// Closing the file releases the lock.
    _file: File,
}

impl WriterLock {
    /// Takes the lock, or fails with `LakeLocked`; never waits.
    pub(super) fn take(dir: &Path) -> Result<WriterLock> {
        let path = dir.join("writer.lock");
        let file = open(&path)?;
        match file.try_lock() {
            Ok(()) => {
                write_holder(&file)?;
                Ok(WriterLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(Error::new(
                ErrorCode::LakeLocked,
                format!("{} is writing to the lake in {}; wait until it has finished.", holder(&path), dir.display()),
            )),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }
}

/// Writes the holder into the lock file, for the error of others.
fn write_holder(mut file: &File) -> std::io::Result<()> {
    file.set_len(0)?;
    write!(file, "{} (process {})", program_name(std::env::args()), std::process::id())
}

/// The program and its subcommand, without options: the URL of a node may contain a key.
fn program_name(mut words: impl Iterator<Item = String>) -> String {
    let program = words.next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    let is_command = |word: &String| !word.starts_with('-') && word.chars().all(|c| c == '-' || c.is_ascii_lowercase());
    // After an option, a word may be its value or a subcommand.
    match words.next().filter(is_command) {
        Some(command) => format!("{program} {command}"),
        None => program.to_string(),
    }
}

fn holder(path: &Path) -> String {
    let named = std::fs::read_to_string(path).ok().filter(|text| !text.trim().is_empty());
    named.unwrap_or_else(|| "Another process".to_string())
}

/// Waits for the lock to create or migrate the catalogue, which is released on drop and held for milliseconds.
pub(super) fn wait_for_catalogue(dir: &Path) -> Result<File> {
    let file = open(&dir.join("catalogue.lock"))?;
    file.lock()?;
    Ok(file)
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| Error::new(ErrorCode::InvalidInput, format!("{} can't be written: {error}.", path.display())))
}

#[cfg(test)]
mod tests {
    use super::program_name;

    #[test]
    fn writer_name_has_no_options() {
        let named = |words: &[&str]| program_name(words.iter().map(|word| (*word).to_string()));
        assert_eq!(named(&["/usr/bin/quarry", "ingest", "--rpc", "https://node/v3/KEY"]), "quarry ingest");
        assert_eq!(named(&["quarry", "--rpc", "https://node/v3/KEY", "ingest"]), "quarry");
        assert_eq!(named(&["quarry", "--rpc=https://node/v3/KEY", "ingest"]), "quarry");
        assert_eq!(named(&["quarry", "https://node/v3/KEY"]), "quarry");
        assert_eq!(named(&["./quarry"]), "quarry");
        assert_eq!(named(&[]), "");
    }
}
