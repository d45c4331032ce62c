//! Where things are in the repository, and the files git keeps.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository")
}

/// Every file that git keeps or would keep, relative to the root. Empty files and deleted ones are left out.
pub fn files() -> Vec<PathBuf> {
    let out = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root())
        .output()
        .expect("git is installed");
    assert!(out.status.success(), "git ls-files: {}", String::from_utf8_lossy(&out.stderr));
    let names = String::from_utf8(out.stdout).expect("file names are UTF-8");
    names
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(|file| root().join(file).is_file())
        .collect()
}

/// The files whose name ends in one of `extensions`, with their text.
pub fn sources(extensions: &[&str]) -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|file| file.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)))
        .map(|file| {
            let text = std::fs::read_to_string(root().join(&file)).expect("a source file is UTF-8 text");
            (file, text)
        })
        .collect()
}
