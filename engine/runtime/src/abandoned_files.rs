//! Files that killed processes left in folders that several processes share. A live process holds the lock of its files,
//! which the system releases however it ends. Process ids may be reused, so they would not do.

use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

/// Held while a process begins or tidies up, so that nothing is tidied away between its making and its lock.
const BEGINNING: &str = "begin.lock";
/// Lies in the folder of a process, which holds its lock.
const LOCK: &str = "lock";
/// Age at which what nobody could lock is left over: longer than any query runs.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);
/// A file made so recently may not be locked yet.
const JUST_MADE: Duration = Duration::from_secs(10);

/// The folder of one process inside of one that processes share; it is removed when this is dropped.
#[derive(Debug)]
pub struct OwnFolder {
    folder: TempDir,
    _lock: File,
}

impl OwnFolder {
    /// Makes a folder in `shared`, after removing what processes that are gone left there.
    pub fn begin(shared: &Path) -> io::Result<OwnFolder> {
        let beginning = open(&shared.join(BEGINNING))?;
        beginning.lock()?;
        for entry in fs::read_dir(shared)? {
            remove_left(&entry?)?;
        }
        let folder = TempDir::new_in(shared)?;
        let lock = open(&folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(OwnFolder { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Whether the process that wrote a file, and held its lock meanwhile, is gone.
pub fn is_left(entry: &DirEntry) -> bool {
    is_older(entry, JUST_MADE) && OpenOptions::new().write(true).open(entry.path()).is_ok_and(|file| is_free(&file))
}

/// Whether nothing was written to a file or folder for so long that its writer must be gone.
pub fn is_abandoned(entry: &DirEntry) -> bool {
    is_older(entry, ABANDONED)
}

fn is_older(entry: &DirEntry, age: Duration) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|elapsed| elapsed > age))
}

fn remove_left(entry: &DirEntry) -> io::Result<()> {
    if !entry.file_type()?.is_dir() {
        return Ok(());
    }
    let left = match OpenOptions::new().write(true).open(entry.path().join(LOCK)) {
        Ok(lock) => is_free(&lock),
        // Of an earlier version.
        Err(_) => is_abandoned(entry),
    };
    if left { fs::remove_dir_all(entry.path()) } else { Ok(()) }
}

fn is_free(file: &File) -> bool {
    file.try_lock().is_ok()
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_dead_go_and_those_of_the_living_stay() {
        let shared = tempfile::tempdir().unwrap();
        let living = OwnFolder::begin(shared.path()).unwrap();
        fs::write(living.path().join("rows"), "x").unwrap();
        let dead = OwnFolder::begin(shared.path()).unwrap();
        fs::write(dead.path().join("rows"), "x").unwrap();
        let left = dead.path().to_path_buf();
        // As a kill does: the lock goes, the folder stays.
        let OwnFolder { folder, _lock } = dead;
        let _ = folder.keep();
        drop(_lock);
        // One of an earlier version is only as old as it is.
        fs::create_dir(shared.path().join("datafusion-1")).unwrap();

        let next = OwnFolder::begin(shared.path()).unwrap();
        assert!(!left.exists());
        assert!(living.path().join("rows").exists() && next.path().exists());
        assert!(shared.path().join("datafusion-1").exists());
        let path = next.path().to_path_buf();
        drop(next);
        assert!(!path.exists());
    }
}
