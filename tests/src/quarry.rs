//! The `quarry` binary with a home folder of its own, run from the command line as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Transactions of the smallest sample chain that holds everything planted in one.
pub const SMALLEST_SAMPLE: u32 = 50_000;

/// The binary: built beside the tests by the same cargo call.
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().expect("the test knows its own path");
    let folder = test.parent().and_then(Path::parent).expect("tests lie in <target>/<profile>/deps");
    let binary = folder.join(format!("quarry{}", std::env::consts::EXE_SUFFIX));
    assert!(binary.is_file(), "{} is missing: build the whole workspace (make test does)", binary.display());
    binary
}

/// A command of `quarry` on `home` that inherits no setting from the caller's environment.
pub fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("QUARRY_") {
            command.env_remove(name);
        }
    }
    command.arg("--home").arg(home).args(args).stdin(Stdio::null());
    command
}

/// A home folder that is removed at the end of the test.
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// An empty home.
    #[expect(clippy::new_without_default, reason = "making a folder is not a default")]
    pub fn new() -> Home {
        Home { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A home that holds the sample chain.
    pub fn with_sample(transactions: u32, seed: u32) -> Home {
        let home = Home::new();
        home.run(&["sample", "--transactions", &transactions.to_string(), "--seed", &seed.to_string()]);
        home
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        command(self.path(), args)
    }

    pub fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("quarry starts")
    }

    /// Runs to the end, expects success, and returns what it printed on stdout.
    pub fn run(&self, args: &[&str]) -> String {
        let out = self.output(args);
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "quarry {args:?} ended with {}: {errors}", out.status);
        String::from_utf8(out.stdout).expect("output is UTF-8")
    }

    /// Runs to the end and expects the exit status `status`; returns what it printed on stderr.
    pub fn fail(&self, status: i32, args: &[&str]) -> String {
        let out = self.output(args);
        let errors = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(status), "quarry {args:?}: {errors}");
        errors
    }

    /// The rows of a query as JSON objects, numbers and texts as they were printed.
    pub fn sql(&self, text: &str) -> Vec<Value> {
        let printed = self.run(&["sql", "--format", "json", text]);
        let rows: Value = serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{text}: {e}: {printed}"));
        rows.as_array().unwrap_or_else(|| panic!("an array of rows: {printed}")).clone()
    }

    /// The rows of a query as lines of CSV, without the header.
    pub fn csv(&self, text: &str) -> Vec<String> {
        self.run(&["sql", "--format", "csv", text]).lines().skip(1).map(str::to_string).collect()
    }

    /// The one value of a query that has one row and one column, as text.
    pub fn value(&self, text: &str) -> String {
        let rows = self.csv(text);
        assert_eq!(rows.len(), 1, "{text}: {rows:?}");
        rows[0].clone()
    }

    /// The files of a table as `quarry lake files` lists them, absolute.
    pub fn lake_files(&self, table: &str) -> Vec<PathBuf> {
        self.run(&["lake", "files", "--table", table]).lines().map(|line| self.path().join(line)).collect()
    }
}
