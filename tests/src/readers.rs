//! Other tools that read the lake's files: DuckDB and Polars, through `readers/read.py` in the tests' Python environment.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::quarry::Home;
use crate::repository;

/// What a reader (`duckdb` or `polars`) finds in the files of a table: for each named SQL expression its value as text.
pub fn read(home: &Home, reader: &str, table: &str, expressions: &[&str]) -> Vec<String> {
    let python = installed("python");
    let question = json!({"reader": reader, "files": home.lake_files(table), "expressions": expressions});
    let mut child = Command::new(python)
        .arg(repository::root().join("tests/readers/read.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    child.stdin.take().unwrap().write_all(question.to_string().as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{reader} could not read {table}");
    let answer: Value = serde_json::from_slice(&out.stdout).expect("read.py prints JSON");
    answer.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_string()).collect()
}

/// A program of the tests' Python environment.
pub fn installed(name: &str) -> PathBuf {
    let program = repository::root().join("tests/.venv/bin").join(name);
    assert!(program.is_file(), "{} is missing: run `make setup` first", program.display());
    program
}
