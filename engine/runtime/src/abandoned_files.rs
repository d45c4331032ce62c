//! Cleans up files of killed processes in shared folders. A live process holds a lock on its files, which the system releases when
//! it ends. Process ids would not do, since they are reused.

use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

/// Locked while a process creates or cleans up folders, so that no new folder is removed before it is locked.
const CREATE_LOCK: &str = "begin.lock";
/// The lock file in the folder of a process.
const LOCK: &str = "lock";
/// Age at which files without a lock are abandoned: longer than any query runs.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);
/// A newer file may not be locked yet.
const LOCK_GRACE: Duration = Duration::from_secs(10);

/// The folder of a process inside a shared folder. Removed on drop.
#[derive(Debug)]
pub struct ProcessFolder {
    folder: TempDir,
    _lock: File,
}

impl ProcessFolder {
    /// Creates a folder in `shared`, after removing those of dead processes.
    pub fn create(shared: &Path) -> io::Result<ProcessFolder> {
        let create_lock = open(&shared.join(CREATE_LOCK))?;
        create_lock.lock()?;
        for entry in fs::read_dir(shared)? {
            remove_abandoned(&entry?)?;
        }
        let folder = TempDir::new_in(shared)?;
        let lock = open(&folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(ProcessFolder { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Whether the process that wrote and locked a file is dead.
pub fn is_unlocked(entry: &DirEntry) -> bool {
    is_older(entry, LOCK_GRACE) && OpenOptions::new().write(true).open(entry.path()).is_ok_and(|file| is_free(&file))
}

/// Whether a file or folder is so old that its writer must be dead.
pub fn is_abandoned(entry: &DirEntry) -> bool {
    is_older(entry, ABANDONED)
}

fn is_older(entry: &DirEntry, age: Duration) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|elapsed| elapsed > age))
}

fn remove_abandoned(entry: &DirEntry) -> io::Result<()> {
    if !entry.file_type()?.is_dir() {
        return Ok(());
    }
    let abandoned = match OpenOptions::new().write(true).open(entry.path().join(LOCK)) {
        Ok(lock) => is_free(&lock),
        // Of an earlier version.
        Err(_) => is_abandoned(entry),
    };
    if abandoned { fs::remove_dir_all(entry.path()) } else { Ok(()) }
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
    fn only_folders_of_dead_processes_are_removed() {
        let shared = tempfile::tempdir().unwrap();
        let living = ProcessFolder::create(shared.path()).unwrap();
        fs::write(living.path().join("rows"), "x").unwrap();
        let dead = ProcessFolder::create(shared.path()).unwrap();
        fs::write(dead.path().join("rows"), "x").unwrap();
        let abandoned = dead.path().to_path_buf();
        // As after a kill: the lock is released, the folder stays.
        let ProcessFolder { folder, _lock } = dead;
        let _ = folder.keep();
        drop(_lock);
        // Folders of earlier versions have no lock and are removed by age.
        fs::create_dir(shared.path().join("datafusion-1")).unwrap();

        let next = ProcessFolder::create(shared.path()).unwrap();
        assert!(!abandoned.exists());
        assert!(living.path().join("rows").exists() && next.path().exists());
        assert!(shared.path().join("datafusion-1").exists());
        let path = next.path().to_path_buf();
        drop(next);
        assert!(!path.exists());
    }
}
