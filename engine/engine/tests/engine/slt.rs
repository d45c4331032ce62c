//! Runs the sqllogictest files `tests/slt/*.slt`, one test for each file, on the small chain.
//!
//! Files named `hive_*` contain scripts of HiveQL. Cells are separated by a tab, and whitespace is significant. An empty text, or an
//! empty line of a text, is written as `(empty)`. An expected error has two parts: its code with line and column, then the message.
//! `UPDATE_EXPECT=1` writes the actual results into the files.

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

/// Two tests for each file: in one process, and on workers.
macro_rules! files {
    ($($file:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($file)),*];
        $(
            #[tokio::test]
            async fn $file() {
                run(stringify!($file)).await;
            }
        )*

        mod on_workers {
            $(
                #[tokio::test]
                async fn $file() {
                    crate::workers::compare(stringify!($file)).await;
                }
            )*
        }
    };
}

files! {
    aggregates bytes casts column_names column_synonyms common_subplans correlated_subqueries datafusion_bugs
    date_formats dates decimals_and_doubles differential_findings distinct error_positions errors filters
    flatten format_functions functions grouping_sets guarded_conditions hex_literals hive_aggregates
    hive_chain_tables hive_collections hive_dates hive_dml hive_error_positions hive_functions
    hive_grouping_sets hive_json hive_lateral_views hive_literals hive_merge hive_numbers hive_operators
    hive_order_by hive_output hive_partitions hive_pivot hive_queries hive_reported_bugs hive_set_operations
    hive_shared_rules hive_spark_functions hive_strings hive_views in_lists intervals joins json lambdas
    lateral_column_aliases lateral_joins limits lists maps negative_zero numbers numeric_functions operators
    order_by percentiles published_queries reported_bugs row_comparisons sandbox select_clauses semi_joins
    sketches statistics_functions strings structs subqueries table_functions trino_functions try_function
    uint256 unnest unsupported_clauses using_joins values views volatile_functions windows
}

#[test]
fn every_file_is_a_test() {
    let files = std::fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let slt = files.filter(|file| file.extension().is_some_and(|extension| extension == "slt"));
    let mut names: Vec<String> = slt.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, FILES, "slt.rs lists the files of tests/slt");
}

/// Functions that these cases can't call: they need a union type, or the file of a row.
const UNTESTED: [&str; 4] = ["file_row_index", "input_file_name", "union_extract", "union_tag"];

#[tokio::test]
async fn every_function_of_the_catalogue_is_called_in_a_case() {
    let home = Home::empty();
    let sql = FILES.iter().filter(|file| !is_hive(file));
    let text: String = sql.map(|file| std::fs::read_to_string(path(file)).unwrap().to_lowercase()).collect();
    let words: HashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let functions = home.engine.catalog().await.unwrap().functions;
    let missing = functions.iter().map(|function| function.name.as_str());
    let missing: Vec<&str> = missing.filter(|name| !words.contains(name) && !UNTESTED.contains(name)).collect();
    assert!(missing.is_empty(), "no case of tests/slt calls {missing:?}");
}

pub fn path(file: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{file}.slt"))
}

pub fn is_hive(file: &str) -> bool {
    file.starts_with("hive")
}

#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
async fn run(file: &str) {
    let (path, hive) = (path(file), is_hive(file));
    let mut runner = Runner::new(|| async move { Ok(Database { home: Home::chain().await, hive }) });
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| !value.is_empty()) {
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

/// The default validator of sqllogictest ignores whitespace.
fn exact(_: Normalizer, found: &[Vec<String>], expected: &[String]) -> bool {
    found.iter().flatten().eq(expected)
}

/// The engine as a database of sqllogictest.
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
        // Lines in place of cells, since the messages of the runner separate cells by spaces.
        let lines = rows.iter().flat_map(|row| lines(row)).map(|line| vec![line]).collect();
        Ok(DBOutput::Rows { types, rows: lines })
    }

    async fn shutdown(&mut self) {}
}

/// The lines of a row: several if a text has several.
fn lines(row: &[Value]) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::Null => "NULL".to_string(),
        Value::String(text) => written(text),
        other => other.to_string(),
    };
    let cells: Vec<String> = row.iter().map(cell).collect();
    cells.join("\t").split('\n').map(str::to_string).collect()
}

/// A value as written in the files. An empty line would end the rows.
pub fn written(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| if line.is_empty() { "(empty)" } else { line }).collect();
    lines.join("\n")
}

/// The sqllogictest letter of a type.
pub fn column_type(type_name: &str) -> DefaultColumnType {
    match type_name.split('(').next().unwrap_or_default() {
        "smallint" | "int" | "bigint" | "uint256" | "int256" => DefaultColumnType::Integer,
        "real" | "double" | "decimal" => DefaultColumnType::FloatingPoint,
        _ => DefaultColumnType::Text,
    }
}

/// The error of a query on two lines, so that sqllogictest compares it literally and not as a pattern.
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
