//! Modules of a crate need each other in one direction. A module is checked with its children and the children with each
//! other; what `pub use` passes on counts for the module that defines it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use quarry_tests::repository;

use crate::dependencies::CRATES;
use crate::expect_none;
use crate::module_paths::{ModulePath, Modules};

/// What the modules at one level need of each other, each with the first place that says so.
type Needs = BTreeMap<String, BTreeMap<String, String>>;

/// The name of a module among its children.
const OWN: &str = "mod.rs";

/// What every module and its children need of each other.
fn levels(modules: &Modules) -> BTreeMap<ModulePath, Needs> {
    let mut levels: BTreeMap<ModulePath, Needs> = BTreeMap::new();
    for (path, module) in &modules.0 {
        for reference in &module.references {
            let Some(owner) = modules.owner(&reference.path) else { continue };
            let common = path.iter().zip(&owner).take_while(|(a, b)| a == b).count();
            let name = |path: &ModulePath| path.get(common).map_or(OWN, String::as_str).to_string();
            let (from, to) = (name(path), name(&owner));
            if from == to || from == OWN && reference.exported {
                continue;
            }
            let place = format!("{}:{}: {}", module.file.display(), reference.line, reference.path.join("::"));
            let needs = levels.entry(path[..common].to_vec()).or_default();
            needs.entry(from).or_default().entry(to).or_insert(place);
        }
    }
    levels
}

/// The shortest way from a module back to itself.
fn circle(needs: &Needs, start: &str) -> Option<Vec<String>> {
    let mut ways = VecDeque::from([vec![start.to_string()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in needs.get(way.last()?).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                ways.push_back(way.iter().cloned().chain([next.clone()]).collect());
            }
        }
    }
    None
}

/// The circles of a crate, each as one finding with the lines that make it.
fn circles(folder: &str, sources: &[(PathBuf, String)]) -> Vec<String> {
    let mut findings = Vec::new();
    for (level, needs) in levels(&Modules::of(folder, sources)) {
        let mut found: BTreeSet<BTreeSet<String>> = BTreeSet::new();
        for way in needs.keys().filter_map(|start| circle(&needs, start)) {
            if !found.insert(way.iter().cloned().collect()) {
                continue;
            }
            let next = way.iter().cycle().skip(1);
            let lines = way.iter().zip(next).map(|(from, to)| format!("\n      {from} → {to}: {}", needs[from][to]));
            findings.push(format!("{folder}, {}:{}", level.join("::"), lines.collect::<String>()));
        }
    }
    findings
}

#[test]
fn modules_of_a_crate_need_each_other_in_one_direction() {
    let sources = repository::sources(&["rs"]);
    let checked = CRATES.iter().filter(|(folder, _)| folder.starts_with("engine/") || *folder == "ingest");
    let findings: Vec<String> = checked.flat_map(|(folder, _)| circles(folder, &sources)).collect();
    expect_none("Modules need each other in a circle: move what both need to a module below them.", &findings);
}

#[test]
fn circles_are_found() {
    let of = |files: &[(&str, &str)]| {
        let sources: Vec<(PathBuf, String)> =
            files.iter().map(|(file, text)| (format!("c/src/{file}").into(), text.to_string())).collect();
        circles("c", &sources).len()
    };
    let lib = ("lib.rs", "mod a;\nmod b;\npub use b::B;\n");
    assert_eq!(
        of(&[lib, ("a.rs", "use super::b::B;"), ("b.rs", "pub struct B(crate::a::A);")]),
        1,
        "next to each other"
    );
    assert_eq!(of(&[lib, ("a.rs", "use crate::B;"), ("b.rs", "use crate::a; pub struct B;")]), 1, "by another name");
    assert_eq!(of(&[lib, ("a.rs", "use crate::B;"), ("b.rs", "pub struct B;")]), 0, "one way, passed on");
    let tests = ("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests { use crate::a::A; }");
    assert_eq!(of(&[lib, ("a.rs", "use crate::B; /* crate::b */ \"crate::b::x\""), tests]), 0, "only in tests");
    let own = ("lib.rs", "mod a;\npub struct S<'a>(&'a a::A);");
    assert_eq!(of(&[own, ("a.rs", "use super::S; pub struct A;")]), 1, "with the module around them");
    assert_eq!(of(&[own, ("a.rs", "pub struct A;")]), 0, "only downwards");
}
