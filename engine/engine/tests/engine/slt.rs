//! Runs the sqllogictest files `tests/slt/*.slt`, each as a test of its own on the small chain.
//!
//! Files whose name begins with `hive` hold scripts of HiveQL. Cells are separated by a tab, and all whitespace counts.
//! An empty text, or an empty line of one, is written as `(empty)`. An error is expected in the form of several lines:
//! its code with the line and the column, then the message. `UPDATE_EXPECT=1` writes what is found into the files.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use quarry_runtime::job::JobError;
use serde_json::Value;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Normalizer, Runner};
use sqllogictest::{default_normalizer, parse_file, strict_column_validator};

use crate::fixture::Home;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slt");

/// A test for each file.
macro_rules! files {
    ($($file:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($file)),*];
        $(
            #[tokio::test]
            async fn $file() {
                run(stringify!($file)).await;
            }
        )*
    };
}

files! {
    bytes changing compared conditions correlated dates dialects distinct elsewhere errors formats forms_more functions
    functions_more functions_statistics functions_trino grouping hex hive_aggregates hive_chain hive_changes
    hive_collections hive_columns hive_dates hive_forms hive_functions hive_grouping hive_json hive_lists hive_merge
    hive_more hive_numbers hive_operators hive_orders hive_pivot hive_places hive_queries hive_reports hive_sets
    hive_shared hive_shown hive_spark hive_texts hive_units hive_values hive_views joins lambdas laterals limits
    lists_more maps mended mended_more mixed names numbers numbers_more orders other_names partners parts pasted
    pasted_forms pasted_more places reported reported_chain reuse rows sandbox semantics shared_columns shields
    subqueries synonyms tries uint256 unheeded unnest upstream views views_elsewhere windows zeros
}

#[test]
fn every_file_is_a_test() {
    let files = std::fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let slt = files.filter(|file| file.extension().is_some_and(|extension| extension == "slt"));
    let mut names: Vec<String> = slt.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, FILES, "slt.rs lists the files of tests/slt");
}

/// What only has a meaning in a place that no case here can make: a union type, the file behind a row.
const ELSEWHERE: [&str; 4] = ["file_row_index", "input_file_name", "union_extract", "union_tag"];

#[tokio::test]
async fn every_function_of_the_editor_stands_in_a_case() {
    let home = Home::empty();
    let sql = FILES.iter().filter(|file| !is_hive(file));
    let text: String = sql.map(|file| std::fs::read_to_string(path(file)).unwrap().to_lowercase()).collect();
    let words: HashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let functions = home.engine.catalogue().await.unwrap().functions;
    let missing = functions.iter().map(|function| function.name.as_str());
    let missing: Vec<&str> = missing.filter(|name| !words.contains(name) && !ELSEWHERE.contains(name)).collect();
    assert!(missing.is_empty(), "no case of tests/slt calls {missing:?}");
}

fn path(file: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{file}.slt"))
}

fn is_hive(file: &str) -> bool {
    file.starts_with("hive")
}

#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
async fn run(file: &str) {
    let (path, hive) = (path(file), is_hive(file));
    let mut runner = Runner::new(|| async move { Ok(Database { home: Home::chain().await, hive }) });
    if std::env::var("UPDATE_EXPECT").is_ok() {
        let updated = runner.update_test_file(path, "", exact, default_normalizer, strict_column_validator).await;
        return updated.unwrap();
    }
    runner.with_validator(exact);
    runner.with_column_validator(strict_column_validator);
    let mut failures = String::new();
    for record in parse_file(path).unwrap() {
        if let Err(failure) = runner.run_async(record).await {
            failures += &format!("\n{failure}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// The usual validator of sqllogictest ignores how much whitespace there is.
fn exact(_: Normalizer, found: &[Vec<String>], expected: &[String]) -> bool {
    found.iter().flatten().eq(expected)
}

/// The engine as sqllogictest asks it.
struct Database {
    home: Home,
    hive: bool,
}

#[async_trait]
impl AsyncDB for Database {
    type Error = Refusal;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, text: &str) -> Result<DBOutput<DefaultColumnType>, Refusal> {
        let job = if self.hive { self.home.hive("slt", text).await } else { self.home.run(text).await };
        if let Some(error) = job.error {
            return Err(Refusal(error));
        }
        let result = self.home.engine.result(&job.id).unwrap();
        let types = result.columns().iter().map(|column| column_type(&column.type_name)).collect();
        let rows = result.page(0, u64::MAX).unwrap();
        // Whole lines in place of cells, since the runner's messages show cells with spaces between them.
        let lines = rows.iter().flat_map(|row| lines(row)).map(|line| vec![line]).collect();
        Ok(DBOutput::Rows { types, rows: lines })
    }

    async fn shutdown(&mut self) {}
}

/// The lines of a row: several when a text has several.
fn lines(row: &[Value]) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::Null => "NULL".to_string(),
        Value::String(text) => written(text),
        other => other.to_string(),
    };
    let cells: Vec<String> = row.iter().map(cell).collect();
    cells.join("\t").split('\n').map(str::to_string).collect()
}

/// A value as the file spells it. An empty line would end the rows, so empty lines are written out.
pub fn written(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| if line.is_empty() { "(empty)" } else { line }).collect();
    lines.join("\n")
}

/// The letter of sqllogictest for a type of ours.
pub fn column_type(type_name: &str) -> DefaultColumnType {
    match type_name.split('(').next().unwrap_or_default() {
        "smallint" | "int" | "bigint" | "uint256" | "int256" => DefaultColumnType::Integer,
        "real" | "double" | "decimal" => DefaultColumnType::FloatingPoint,
        _ => DefaultColumnType::Text,
    }
}

/// The error of a query in two lines, so that sqllogictest compares the whole of it and no pattern.
#[derive(Debug)]
struct Refusal(JobError);

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JobError { code, message, position, .. } = &self.0;
        let place = position.map(|at| format!(" {}:{}", at.line, at.column)).unwrap_or_default();
        write!(formatter, "{code}{place}\n{message}")
    }
}

impl std::error::Error for Refusal {}
