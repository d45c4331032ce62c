//! House rules that no compiler checks. Each failure names the file, the line and what to do instead.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod dependencies;
mod files;
mod imports;
mod licences;
mod module_cycles;
mod module_paths;

/// Fails with all findings at once, so that one run tells everything.
fn expect_none(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}\n{} finding(s):\n  {}", findings.len(), findings.join("\n  "));
}
