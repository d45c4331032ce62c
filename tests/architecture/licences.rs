//! Licences and sources of everything that is built in, by the rules of `deny.toml`, so that they are checked on every
//! machine. `make deny` asks cargo-deny the same where it is installed.

use std::collections::BTreeSet;
use std::process::Command;

use quarry_tests::repository;
use toml::{Table, Value};

use crate::expect_none;

#[test]
fn every_crate_has_a_licence_we_allow() {
    let rules = rules();
    let allowed = texts(&rules["licenses"]["allow"]);
    let exceptions: Vec<(String, BTreeSet<String>)> = rules["licenses"]
        .get("exceptions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|exception| (exception["crate"].as_str().unwrap().to_string(), texts(&exception["allow"])))
        .collect();
    let mut findings = Vec::new();
    for (name, licence) in packages() {
        let mut allowed = allowed.clone();
        for (_, more) in exceptions.iter().filter(|(crate_name, _)| *crate_name == name) {
            allowed.extend(more.iter().cloned());
        }
        if !permits(&licence, &allowed) {
            findings.push(format!("{name}: {licence:?}"));
        }
    }
    expect_none("Licences are those of deny.toml.", &findings);
}

#[test]
fn no_crate_is_banned() {
    let rules = rules();
    let banned: BTreeSet<&str> =
        rules["bans"]["deny"].as_array().unwrap().iter().map(|ban| ban["crate"].as_str().unwrap()).collect();
    let findings: Vec<String> =
        packages().into_iter().map(|(name, _)| name).filter(|name| banned.contains(name.as_str())).collect();
    expect_none("deny.toml says what to use instead.", &findings);
}

fn rules() -> Table {
    std::fs::read_to_string(repository::root().join("deny.toml")).unwrap().parse().unwrap()
}

fn texts(list: &Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_string()).collect()
}

/// Name and licence of every crate that ends up in a build.
fn packages() -> BTreeSet<(String, String)> {
    let out = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--locked", "--offline", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}|{l}"])
        .current_dir(repository::root())
        .output()
        .unwrap();
    assert!(out.status.success(), "cargo tree: {}", String::from_utf8_lossy(&out.stderr));
    let lines = String::from_utf8(out.stdout).unwrap();
    lines
        .lines()
        .filter_map(|line| line.split_once('|'))
        .map(|(package, licence)| {
            let name = package.split(' ').next().unwrap().to_string();
            // cargo marks a crate that it has shown before.
            (name, licence.trim_end_matches("(*)").trim().to_string())
        })
        .collect()
}

/// Whether an SPDX expression leaves a choice within `allowed`. `/` is the old way to write OR.
fn permits(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let answer = any(&words, &mut at, allowed);
    answer && at == words.len()
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut answer = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        answer |= all(words, at, allowed);
    }
    answer
}

fn all(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut answer = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        answer &= one(words, at, allowed);
    }
    answer
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let answer = any(words, at, allowed);
        *at += 1;
        return answer;
    }
    let mut licence = (*word).to_string();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{licence} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    allowed.contains(&licence)
}

#[test]
fn expressions_are_understood() {
    let allowed = BTreeSet::from(["MIT".to_string(), "ISC".to_string()]);
    assert!(permits("MIT OR GPL-3.0", &allowed));
    assert!(permits("GPL-3.0/MIT", &allowed));
    assert!(permits("ISC AND (GPL-3.0 OR MIT)", &allowed));
    assert!(!permits("MIT AND GPL-3.0", &allowed));
    assert!(!permits("Apache-2.0 WITH LLVM-exception", &allowed));
    assert!(!permits("", &allowed));
}
