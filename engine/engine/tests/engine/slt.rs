//! Runs the cases of `tests/slt/*.slt` on the small chain: a text, `----`, and what must come out of it.
//!
//! `query` is followed by the text; after `----` stand the rows, cells parted by ` | `. `error CODE [LINE:COLUMN]` is
//! followed by the text; after `----` stands the sentence. Cases are parted by an empty line; `#` starts a comment.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::fixture::Home;

#[tokio::test]
async fn every_case_gives_what_it_says() {
    let home = Home::chain().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut cases, mut failures) = (0, String::new());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for case in text.split("\n\n").filter(|case| case.lines().any(|line| line == "----")) {
            let case: Vec<&str> = case.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
            let split = case.iter().position(|line| *line == "----").unwrap();
            let (head, sql, wanted) = (case[0], case[1..split].join("\n"), case[split + 1..].join("\n"));
            // Files whose name begins with `hive` hold scripts of HiveQL.
            let hive = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hive"));
            let found = outcome(&home, &sql, hive).await;
            let wanted = format!("{head}\n{wanted}");
            cases += 1;
            if found.trim_end() != wanted.trim_end() {
                let file = file.file_name().unwrap().display();
                failures += &format!("\n{file}: {sql}\n--- wanted\n{wanted}\n--- found\n{found}\n");
            }
        }
    }
    assert!(cases > 0, "no cases were found");
    assert!(failures.is_empty(), "{failures}");
}

/// What only has a meaning in a place that no case here can make: a union type, the file behind a row.
const ELSEWHERE: [&str; 4] = ["file_row_index", "input_file_name", "union_extract", "union_tag"];

#[tokio::test]
async fn every_function_of_the_editor_stands_in_a_case() {
    let home = Home::empty();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sql = files.filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with("hive"));
    let text: String = sql.map(|file| std::fs::read_to_string(file).unwrap().to_lowercase()).collect();
    let words: HashSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let functions = home.engine.catalogue().await.unwrap().functions;
    let missing = functions.iter().map(|function| function.name.as_str());
    let missing: Vec<&str> = missing.filter(|name| !words.contains(name) && !ELSEWHERE.contains(name)).collect();
    assert!(missing.is_empty(), "no case of tests/slt calls {missing:?}");
}

async fn outcome(home: &Home, sql: &str, hive: bool) -> String {
    let job = if hive { home.hive("slt", sql).await } else { home.run(sql).await };
    if let Some(error) = job.error {
        let place = error.position.map(|at| format!(" {}:{}", at.line, at.column)).unwrap_or_default();
        return format!("error {}{place}\n{}", error.code, error.message);
    }
    let result = home.engine.result(&job.id).unwrap();
    let cell = |value: &Value| match value {
        Value::Null => "NULL".to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let row = |row: &Vec<Value>| row.iter().map(cell).collect::<Vec<_>>().join(" | ");
    let rows: Vec<String> = result.page(0, u64::MAX).unwrap().iter().map(row).collect();
    format!("query\n{}", rows.join("\n"))
}
