//! One writer per lake: a lock of the operating system that dies with its process, so a kill leaves nothing to clean.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::{Error, ErrorCode, Result};

/// Held as long as the value lives.
#[derive(Debug)]
pub(super) struct WriterLock {
    /// Never read: closing the file is what frees the lock.
    _file: File,
}

impl WriterLock {
    /// Takes the lock or says that someone has it; never waits.
    pub(super) fn take(dir: &Path) -> Result<WriterLock> {
        let file = open(&dir.join("writer.lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(WriterLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::new(
                ErrorCode::LakeLocked,
                format!("Another process is writing the lake in {}; wait until it has finished.", dir.display()),
            )),
            Err(TryLockError::Error(error)) => Err(Error::internal(error)),
        }
    }
}

/// Waits for its turn to create or migrate the catalogue; freed on drop. Held for milliseconds.
pub(super) fn wait_for_catalogue(dir: &Path) -> Result<File> {
    let file = open(&dir.join("catalogue.lock"))?;
    file.lock().map_err(Error::internal)?;
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
