//! Other tools that read the lake's files, through `readers/read.py` in the tests' Python environment.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};

use crate::repository;

/// Counts and sums of each column of each table, as one of the readers of `read.py` sees them. The reader `quarry` takes Arrow
/// files that Quarry exported, all other readers take Parquet files.
pub fn facts(reader: &str, tables: &BTreeMap<String, Vec<PathBuf>>) -> Map<String, Value> {
    let mut child = Command::new(installed("python"))
        .arg(repository::root().join("tests/readers/read.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let question = json!({"reader": reader, "tables": tables});
    child.stdin.take().unwrap().write_all(question.to_string().as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{reader} could not read the lake");
    serde_json::from_slice(&out.stdout).expect("read.py prints JSON")
}

/// Runs Python code and returns its output.
pub fn python(program: &str) -> Output {
    Command::new(installed("python")).args(["-c", program]).output().expect("Python starts")
}

/// A program of the tests' Python environment.
pub fn installed(name: &str) -> PathBuf {
    let program = repository::root().join("tests/.venv/bin").join(name);
    assert!(program.is_file(), "{} is missing: run `make setup` first", program.display());
    program
}
