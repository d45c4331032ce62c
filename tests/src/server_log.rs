//! The log of a server, as a file of a test.

use std::fs;
use std::path::Path;

/// Lines of a log about panics.
pub fn panics(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).expect("a log");
    text.lines().filter(|line| line.contains("panick")).map(str::to_string).collect()
}

/// The last lines of a log.
pub fn end_of(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
