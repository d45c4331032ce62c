//! Walls inside of crates; those between crates are in `dependencies.rs`.
//! The web's own walls are checked by its lint settings.

use std::path::Path;

use quarry_tests::repository;

use crate::expect_none;

#[test]
fn only_the_database_room_names_a_driver() {
    let mut findings = Vec::new();
    for (file, text) in repository::sources(&["rs"]) {
        if !file.starts_with("api/src") || file.starts_with("api/src/db") {
            continue;
        }
        for (number, line) in code_lines(&text) {
            if let Some(name) = ["sqlx::sqlite", "sqlx::postgres"].iter().find(|name| names(line, name)) {
                findings.push(format!("{}:{number}: `{name}`: stores use what api/src/db offers", file.display()));
            }
        }
    }
    expect_none("A room reaches over a wall.", &findings);
}

#[test]
fn features_of_the_api_do_not_import_each_other() {
    let features = Path::new("api/src/features");
    let mut findings = Vec::new();
    for (file, text) in repository::sources(&["rs"]) {
        let Some(own) = file.strip_prefix(features).ok().filter(|inner| inner.components().count() > 1) else {
            continue;
        };
        let own = own.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        for (number, line) in code_lines(&text) {
            for other in first_segments(line, "features::") {
                if other != own {
                    findings.push(format!("{}:{number}: features::{other}", file.display()));
                }
            }
        }
    }
    expect_none("A feature never imports another feature: move what both need to a base room.", &findings);
}

/// Lines with their number from 1, without those that are only a comment.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Whether the line names `path` as a whole: `sqlx::query` names sqlx, `my_sqlx` and `"sqlx_x"` do not.
fn names(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + path.len()..];
        let starts = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"');
        starts && (after.starts_with("::") || after.starts_with(';') && line.trim_start().starts_with("use "))
    })
}

/// The segments that follow `prefix` in a line, the items of a `{…}` list included.
fn first_segments(line: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        let rest = &line[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                // Items of nested lists belong to their own first segment.
                let mut depth = 0;
                let mut item = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => found.push(std::mem::take(&mut item)),
                        c if depth == 0 => item.push(c),
                        _ => {}
                    }
                }
                found.push(item);
            }
            None => found.push(rest.to_string()),
        }
    }
    found
        .iter()
        .map(|item| item.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
        .filter(|item| !item.is_empty() && item != "self")
        .collect()
}

#[test]
fn the_walls_see_what_they_should() {
    assert!(names("use sqlx::Row;", "sqlx"));
    assert!(names("    let x = sqlx::query(\"\");", "sqlx"));
    assert!(names("use axum;", "axum"));
    assert!(!names("let my_axum::x", "axum"));
    assert!(!names("// \"axum::x\"", "axum"));
    assert_eq!(first_segments("use crate::features::jobs::routes;", "features::"), ["jobs"]);
    assert_eq!(
        first_segments("use quarry_engine::{Error, lake::{Lake, Writer}, exec};", "quarry_engine::"),
        ["Error", "lake", "exec"]
    );
}

/// Where the api gets at a stored result past the check of the tables that it was computed from.
const OPEN_RESULTS: [&str; 4] = [
    "api/src/jobs/result.rs",
    // Prints what the operator has just run.
    "api/src/cli",
    // Counts rows.
    "api/src/creations/asked.rs",
    // Names columns of what its client has just run.
    "api/src/postgres/questions.rs",
];

#[test]
fn stored_results_are_read_where_their_tables_are_checked() {
    let mut findings = Vec::new();
    for (file, text) in repository::sources(&["rs"]) {
        let open = OPEN_RESULTS.iter().any(|open| file.starts_with(open));
        if open || !file.starts_with("api/src") {
            continue;
        }
        for (number, line) in code_lines(&text) {
            if line.contains("engine.result(") {
                findings.push(format!("{}:{number}: use jobs::result, which checks who may read it", file.display()));
            }
        }
    }
    expect_none("A stored result is read without the check of the tables that it was computed from.", &findings);
}
