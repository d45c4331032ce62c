//! Length and content of files.

use std::path::Path;

use quarry_tests::repository;

use crate::expect_none;

const MOST_LINES: usize = 400;

/// Files that a tool writes from code; their generators are what people read.
const GENERATED: [&str; 1] = ["web/src/api/schema.ts"];

#[test]
fn no_source_file_is_longer_than_400_lines() {
    let findings: Vec<String> = repository::sources(&["rs", "ts", "tsx", "mjs", "py", "css"])
        .iter()
        .filter(|(file, _)| !GENERATED.iter().any(|generated| file == Path::new(generated)))
        .map(|(file, text)| (file, text.lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(file, lines)| format!("{}: {lines} lines", file.display()))
        .collect();
    expect_none("A file of more than 400 lines is two rooms: split it by what its parts are about.", &findings);
}

#[test]
fn every_rust_file_starts_with_its_purpose() {
    let findings: Vec<String> = repository::sources(&["rs"])
        .iter()
        .filter(|(file, text)| !text.starts_with("//!") && !is_tests_of_its_neighbour(file))
        .map(|(file, _)| file.display().to_string())
        .collect();
    expect_none("A module starts with one sentence of purpose (`//! …`).", &findings);
}

/// `tests.rs` and `…_tests.rs` say what they are about by their name.
fn is_tests_of_its_neighbour(file: &Path) -> bool {
    file.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| stem == "tests" || stem.ends_with("_tests"))
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not find itself.
    let marks = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["XX", "X:"].concat()];
    let mut findings = Vec::new();
    for (file, text) in repository::sources(&["rs", "ts", "tsx", "mjs", "py", "sql", "css", "md", "toml", "sh"]) {
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark.as_str())) {
                findings.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    expect_none("Work that is left belongs into an issue, not into a comment.", &findings);
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    let places = ["/root/", "/home/", "/Users/"];
    let mut findings = Vec::new();
    for (file, text) in
        repository::sources(&["rs", "ts", "tsx", "mjs", "py", "sql", "md", "toml", "json", "sh", "lock"])
    {
        if file == Path::new("tests/architecture/files.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let found = places.iter().any(|place| {
                line.match_indices(place).any(|(at, _)| {
                    // A folder of a web address or of a relative path is none of a machine's.
                    !line[..at].ends_with(|before: char| before.is_alphanumeric() || "./_-}\\".contains(before))
                })
            });
            if found {
                findings.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    expect_none("Paths are relative to the repository, or settings.", &findings);
}

#[test]
fn lock_files_name_only_the_public_registries() {
    let mut findings = Vec::new();
    for (file, text) in repository::sources(&["lock", "json"]) {
        let allowed = match file.file_name().and_then(|name| name.to_str()) {
            Some("Cargo.lock") => "source = \"registry+https://github.com/rust-lang/crates.io-index\"",
            Some("package-lock.json") => "\"resolved\": \"https://registry.npmjs.org/",
            _ => continue,
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            let names_a_source = line.starts_with("source = ") || line.starts_with("\"resolved\": ");
            if names_a_source && !line.starts_with(allowed) {
                findings.push(format!("{}:{}: {line}", file.display(), number + 1));
            }
        }
    }
    expect_none("A lock file is the same for everybody: write it with the public registry.", &findings);
}
