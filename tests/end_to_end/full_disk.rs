//! A disk that is full: a clear stop, and the lake as it was before. The system's limit on the size of files stands for
//! it here, so that no disk has to be filled.

use std::path::Path;
use std::process::{Command, Output};

use quarry_tests::etl;
use quarry_tests::kills::{TABLES, lake_files};
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};

/// Runs a command that may write no file of more than so many units of 512 bytes. A write beyond it fails as one on a
/// full disk does, once the signal that comes with it is ignored.
fn limited(home: &Home, units: u32, words: &[&str]) -> Output {
    let plain = home.command(words);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", &units.to_string()]);
    command.arg(plain.get_program()).args(plain.get_args());
    // All that a command of a home changes about the environment is what it takes away.
    for (name, _) in plain.get_envs() {
        command.env_remove(name);
    }
    command.output().expect("a shell")
}

/// The command that imports a folder.
fn import(folder: &Path) -> [&str; 6] {
    let path = folder.to_str().expect("a path of text");
    ["import", "--format", "ethereum-etl", "--chain-id", "90210001", path]
}

#[test]
fn an_import_that_meets_a_full_disk_is_given_up_and_can_be_done_again() {
    let sample = Home::with_sample(SMALLEST_SAMPLE, 4);
    // Few blocks, which fit, then many.
    let folder = tempfile::tempdir().expect("a folder");
    etl::write(&sample, folder.path(), &[0..5, 5..200]);
    let words = import(folder.path());
    let home = Home::new();
    let out = limited(&home, 800, &words);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("largest size"), "it says what is full: {said}");
    assert_eq!(home.value("select count(*) from blocks"), "5", "what was there stays");

    home.run(&words);
    assert_eq!(home.value("select count(*) from blocks"), "200");
    let live: usize = TABLES.iter().map(|table| home.lake_files(table).len()).sum();
    assert_eq!(lake_files(&home), live, "nothing is left of what was given up");
}
