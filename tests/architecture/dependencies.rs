//! Crates: one version of what must be one, and the direction of dependencies between our own.

use std::path::Path;

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

/// The crates of the workspace in the order of their dependencies, each with the ones it may depend on (without `quarry-`).
pub(crate) const CRATES: [(&str, &[&str]); 18] = [
    ("engine/types", &[]),
    ("engine/lake", &["types"]),
    ("engine/runtime", &["types", "lake"]),
    ("engine/functions", &["types", "runtime"]),
    ("engine/labels", &["types", "lake", "runtime", "functions"]),
    ("engine/cypher", &["types", "lake", "runtime", "labels"]),
    ("engine/planner", &["types", "lake", "runtime", "functions"]),
    ("engine/sql", &["types", "lake", "runtime", "functions", "labels", "planner"]),
    ("engine/label_rules", &["types", "lake", "runtime", "labels", "sql"]),
    ("engine/hive", &["types", "lake", "runtime", "functions", "planner", "sql"]),
    ("engine/mapreduce", &["types", "lake", "runtime", "sql"]),
    ("engine/metrics", &["types", "lake", "runtime", "sql"]),
    ("engine/cluster", &["types", "lake", "runtime", "functions", "planner", "sql"]),
    (
        "engine/engine",
        &[
            "types",
            "lake",
            "runtime",
            "functions",
            "labels",
            "cypher",
            "planner",
            "sql",
            "label-rules",
            "hive",
            "mapreduce",
            "metrics",
            // For tests: the engine itself knows no workers.
            "cluster",
        ],
    ),
    ("ingest", &["types", "lake"]),
    (
        "api",
        &[
            "types",
            "lake",
            "runtime",
            "functions",
            "labels",
            "sql",
            "label-rules",
            "mapreduce",
            "metrics",
            "cluster",
            "engine",
            "ingest",
        ],
    ),
    ("tests", &[]),
    ("benches", &["lake", "runtime", "cluster", "engine", "ingest"]),
];

/// External crates that only some folders may depend on, and what to do elsewhere.
const RESERVED: [(&[&str], &[&str], &str); 6] = [
    (
        &["axum", "tower-http", "utoipa", "jsonwebtoken", "argon2", "clap", "indicatif"],
        &["api"],
        "only the api knows HTTP, users or a terminal: report through job events",
    ),
    (&["alloy"], &["ingest"], "only ingest speaks to nodes: reach them through quarry-ingest"),
    (&["tokio-tungstenite"], &["api", "ingest"], "the engine opens no sockets"),
    (&["sqlx"], &["api", "engine/lake"], "only the file catalogue of the lake and the api speak to a database"),
    (
        &["datafusion-distributed", "datafusion-proto"],
        &["engine/cluster"],
        "only quarry-cluster sends plans: implement what it asks of an operator or a function",
    ),
    (
        &["datafusion"],
        &["engine", "benches"],
        "ingest hands batches to the lake; the api reaches the data through quarry-engine",
    ),
];

/// The crates that a manifest names, with the section in which it does.
fn named(folder: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository::root().join(folder).join("Cargo.toml")).unwrap();
    let manifest: Table = text.parse().unwrap();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"].into_iter();
    let named =
        sections.filter_map(|section| manifest.get(section).and_then(toml::Value::as_table).map(|all| (section, all)));
    named
        .flat_map(|(section, all)| all.keys().map(|name| (section.to_string(), name.clone())).collect::<Vec<_>>())
        .collect()
}

#[test]
fn crates_depend_in_one_direction() {
    let text = std::fs::read_to_string(repository::root().join("Cargo.toml")).unwrap();
    let workspace: Table = text.parse().unwrap();
    let members: Vec<&str> =
        workspace["workspace"]["members"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    assert_eq!(members, CRATES.map(|(folder, _)| folder), "CRATES lists the members of the workspace");
    let mut findings = Vec::new();
    for (folder, allowed) in CRATES {
        for (section, name) in named(folder) {
            if name.strip_prefix("quarry-").is_some_and(|name| !allowed.contains(&name)) {
                findings.push(format!("{folder}/Cargo.toml: {section}: {name}"));
            }
        }
    }
    expect_none("Dependencies go api → ingest → engine, and inside engine/ from the bottom to the top.", &findings);
}

#[test]
fn some_crates_are_reserved() {
    let mut findings = Vec::new();
    for (folder, _) in CRATES {
        for (section, name) in named(folder) {
            for (reserved, users, instead) in RESERVED {
                if reserved.contains(&name.as_str()) && !users.iter().any(|user| Path::new(folder).starts_with(user)) {
                    findings.push(format!("{folder}/Cargo.toml: {section}: {name}: {instead}"));
                }
            }
        }
    }
    expect_none("A crate is named where it does not belong.", &findings);
}
