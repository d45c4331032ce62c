//! DuckDB and PostgreSQL, which answer the same queries through one Python process.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::values::Dialect;

/// A running `tests/readers/peers.py`, stopped on drop.
pub struct Peers {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

pub type Rows = Vec<Vec<Value>>;

impl Peers {
    pub fn start() -> Peers {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
        let python: PathBuf = tests.join(".venv/bin/python");
        assert!(python.is_file(), "{} is missing: run `make setup` first", python.display());
        let mut child = Command::new(python)
            .arg(tests.join("readers/peers.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let (questions, answers) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Peers { child, questions, answers: BufReader::new(answers) }
    }

    /// The rows of the last statement, or the error of the first that failed.
    pub fn run(&mut self, dialect: Dialect, statements: &[String]) -> Result<Rows, String> {
        let engine = match dialect {
            Dialect::DuckDb => "duckdb",
            Dialect::Postgres => "postgres",
            Dialect::Quarry => panic!("Quarry is no peer of itself"),
        };
        let question = json!({"engine": engine, "statements": statements});
        let questions = self.questions.as_mut().expect("it is open until the drop");
        writeln!(questions, "{question}").expect("Python reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("Python answers");
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("no answer to {statements:?}"));
        if let Some(error) = answer["error"].as_str() {
            return Err(error.to_string());
        }
        Ok(serde_json::from_value(answer["rows"].clone()).expect("rows are lists"))
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // The process exits when its input ends.
        self.questions = None;
        let _ = self.child.wait();
    }
}
