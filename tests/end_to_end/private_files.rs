//! Nobody but its owner reads what Quarry stores.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;

const START: Duration = Duration::from_secs(60);

/// Paths at and below `path` whose mode lets group or others in.
fn open_to_others(path: &Path) -> Vec<String> {
    let metadata = fs::symlink_metadata(path).expect("it is there");
    let mut found = Vec::new();
    if metadata.permissions().mode() & 0o077 != 0 {
        found.push(format!("{:o} {}", metadata.permissions().mode(), path.display()));
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            found.extend(open_to_others(&entry.expect("an entry").path()));
        }
    }
    found
}

#[test]
fn every_file_of_a_home_is_private() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    let transactions = SMALLEST_SAMPLE.to_string();
    let server = Server::start_with(&home, START, &["--sample-transactions", &transactions]);
    let token = server.register("ada");
    server.query(&token, "select count(*) from transactions");
    server.execute(&token, "select a.hash from transactions a, transactions b order by a.value + b.value, b.nonce");
    assert_eq!(open_to_others(&home), Vec::<String>::new(), "while it runs");
    assert!(home.join("platform.db-wal").exists() && home.join("lake").is_dir(), "there was something to look at");
    let backup = folder.path().join("backup.gz");
    let out = quarry_tests::quarry::command(&home, &["backup", backup.to_str().expect("text")]).output();
    assert!(out.expect("quarry starts").status.success());
    assert_eq!(open_to_others(&backup), Vec::<String>::new());
    server.kill();
    assert_eq!(open_to_others(&home), Vec::<String>::new(), "after a kill");
}

#[test]
fn a_home_that_others_could_read_is_closed_when_it_is_used_again() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    for path in ["lake/catalogue.sqlite", "lake/blocks", "lake", ""] {
        let path = home.path().join(path);
        let mode = fs::metadata(&path).expect("it is there").permissions().mode();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode | 0o044)).expect("its mode is ours to change");
    }
    assert!(!open_to_others(home.path()).is_empty());
    home.value("select count(*) from blocks");
    assert_eq!(open_to_others(home.path()), Vec::<String>::new());
}
