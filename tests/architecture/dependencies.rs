//! Crates: one version of what must be one, and the direction of dependencies between our own.

use quarry_tests::repository;
use toml::Table;

use crate::expect_none;

/// Two versions of these do not understand each other's types, or double the binary.
const ONE_VERSION: [&str; 9] =
    ["arrow", "parquet", "datafusion", "object_store", "sqlparser", "tokio", "axum", "alloy-primitives", "tungstenite"];

#[test]
fn the_heavy_crates_exist_once() {
    let text = std::fs::read_to_string(repository::root().join("Cargo.lock")).unwrap();
    let lock: Table = text.parse().unwrap();
    let mut findings = Vec::new();
    for name in ONE_VERSION {
        let versions: Vec<&str> = lock["package"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|package| package["name"].as_str() == Some(name))
            .map(|package| package["version"].as_str().unwrap())
            .collect();
        if versions.len() != 1 {
            findings.push(format!("{name}: {versions:?}"));
        }
    }
    expect_none("Exactly one version each: choose versions that resolve together.", &findings);
}

#[test]
fn crates_depend_in_one_direction() {
    let allowed: [(&str, &[&str]); 5] = [
        ("engine", &[]),
        ("ingest", &["quarry-engine"]),
        ("api", &["quarry-engine", "quarry-ingest"]),
        ("tests", &[]),
        ("benches", &["quarry-engine", "quarry-ingest"]),
    ];
    let mut findings = Vec::new();
    for (folder, allowed) in allowed {
        let text = std::fs::read_to_string(repository::root().join(folder).join("Cargo.toml")).unwrap();
        let manifest: Table = text.parse().unwrap();
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(dependencies) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
            for name in dependencies.keys().filter(|name| name.starts_with("quarry")) {
                if !allowed.contains(&name.as_str()) {
                    findings.push(format!("{folder}/Cargo.toml: {section}: {name}"));
                }
            }
        }
    }
    expect_none("Dependencies go api → ingest → engine, never back.", &findings);
}
