//! Files that only their owner may read: decision 51.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What Quarry keeps in a home. A name that begins with one of these and a `-` or a `.` belongs to it as well
/// (`platform.db-wal`).
const OURS: [&str; 14] = [
    "home.id",
    "keys",
    "labels",
    "lake",
    "metrics",
    "platform.db",
    "quarry.toml",
    "results",
    "serve.lock",
    "space.reserve",
    "spill",
    "tables",
    "truth.json",
    "uploads",
];
const OTHERS: u32 = 0o077;

/// Keeps group and others away from every file and folder that this process makes from now on. It holds for the whole
/// process, so it is called before there are threads. What a shell opens for a command (`quarry sql … > file`) is made by the
/// shell.
pub fn from_now_on() {
    #[expect(unsafe_code, reason = "a system call that can't fail and touches no memory of ours")]
    // SAFETY: umask takes and returns a number.
    unsafe {
        libc::umask(0o077);
    }
}

/// Takes away from group and others what an earlier version let them read in a home. A folder is changed after everything in
/// it, so one that is private already needs no second look, and a walk that was cut off is done again.
pub fn tighten(home: &Path) -> io::Result<()> {
    let mut only_ours = true;
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        if is_ours(&entry.file_name()) {
            restrict(&entry.path())?;
        } else {
            only_ours = false;
        }
    }
    if only_ours {
        return take_away(home, &fs::metadata(home)?);
    }
    if fs::metadata(home)?.permissions().mode() & OTHERS != 0 {
        // Somebody may have meant `--home .` or `--home /tmp`: their folder is not ours to close.
        tracing::warn!(
            home = %home.display(),
            "the home holds other files too, so others may list it; what Quarry keeps in it is private"
        );
    }
    Ok(())
}

fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    OURS.iter().any(|ours| name.strip_prefix(ours).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.'])))
}

fn restrict(path: &Path) -> io::Result<()> {
    let Some(metadata) = there(fs::symlink_metadata(path))? else { return Ok(()) };
    if metadata.is_symlink() || metadata.permissions().mode() & OTHERS == 0 {
        return Ok(());
    }
    if metadata.is_dir()
        && let Some(entries) = there(fs::read_dir(path))?
    {
        for entry in entries {
            restrict(&entry?.path())?;
        }
    }
    take_away(path, &metadata)
}

fn take_away(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    let mode = metadata.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(());
    }
    match there(fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            tracing::warn!(path = %path.display(), "others may read this, and its owner is somebody else");
            Ok(())
        }
        done => done.map(drop),
    }
}

/// Files come and go while another process works in the same home.
fn there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn open_home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("lake/blocks")).unwrap();
        for file in ["platform.db", "platform.db-wal", "lake/blocks/1.parquet"] {
            fs::write(home.path().join(file), "x").unwrap();
            fs::set_permissions(home.path().join(file), Permissions::from_mode(0o664)).unwrap();
        }
        for folder in ["lake/blocks", "lake", ""] {
            fs::set_permissions(home.path().join(folder), Permissions::from_mode(0o755)).unwrap();
        }
        home
    }

    #[test]
    fn a_home_of_an_earlier_version_becomes_private() {
        let home = open_home();
        tighten(home.path()).unwrap();
        for folder in ["", "lake", "lake/blocks"] {
            assert_eq!(mode(&home.path().join(folder)), 0o700, "{folder}");
        }
        for file in ["platform.db", "platform.db-wal", "lake/blocks/1.parquet"] {
            assert_eq!(mode(&home.path().join(file)), 0o600, "{file}");
        }
    }

    #[test]
    fn a_folder_with_files_of_others_keeps_its_mode_and_theirs() {
        let home = open_home();
        let other = home.path().join("notes.txt");
        fs::write(&other, "x").unwrap();
        fs::set_permissions(&other, Permissions::from_mode(0o644)).unwrap();
        let elsewhere = tempfile::NamedTempFile::new().unwrap();
        fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), home.path().join("lake/link")).unwrap();
        tighten(home.path()).unwrap();
        assert_eq!((mode(home.path()), mode(&other), mode(elsewhere.path())), (0o755, 0o644, 0o644));
        assert_eq!((mode(&home.path().join("lake")), mode(&home.path().join("platform.db"))), (0o700, 0o600));
    }
}
