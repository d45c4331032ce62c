//! Tests of the catalogue and of the checks of specs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rule::{Category, Rows};
use crate::rules::ALL;
use crate::shared_queries;
use crate::spec::Spec;

/// 2026-08-03 and 2026-10-31 22:09:12.
const FIRST: i64 = 1_785_715_200_000_000;
const HEAD: i64 = 1_793_484_552_000_000;

#[test]
fn rules_are_complete() {
    let mut names = BTreeSet::new();
    for rule in ALL {
        assert!(names.insert(rule.id) && names.insert(rule.name), "{} appears twice", rule.id);
        for text in [rule.title, rule.text, rule.value].into_iter().chain(rule.parameters.iter().map(|one| one.text)) {
            assert!(!text.en.is_empty() && !text.zh.is_ascii(), "{}: {text:?}", rule.id);
        }
        assert!(!rule.source.is_empty() && !rule.labels.is_empty() && rule.version > 0, "{}", rule.id);
        let last = match rule.rows {
            Rows::Labels(query) => query,
            Rows::Groups { pairs, .. } => pairs,
        };
        for query in rule.steps.iter().map(|step| step.query).chain([last]) {
            let mut text = shared_queries::expand(query, |_| None);
            for step in rule.steps {
                text = text.replace(&format!("<{}>", step.name), "");
            }
            assert!(!text.contains("(<"), "{} refers to an unknown query: {text}", rule.id);
            for (at, _) in text.match_indices("{{") {
                let name = text[at + 2..].split("}}").next().unwrap_or_default();
                let input = ["from", "to", "contract", "eoa", "dapp", "nft"].contains(&name);
                assert!(input || rule.parameters.iter().any(|one| one.name == name), "{}: {name}", rule.id);
            }
        }
        for parameter in rule.parameters {
            let spec = json!({ "label": rule.name, "parameters": { (parameter.name): parameter.default.to_string() },
                "contractAddress": rule.inputs.iter().any(|input| input.required).then_some("0x000000000000000000000000000000000000dead") });
            Spec::read(&spec).unwrap_or_else(|error| panic!("{}, {}: {error}", rule.id, parameter.name));
        }
    }
    let count = |category| ALL.iter().filter(|rule| rule.category == category).count();
    assert_eq!(Category::ALL.map(count), [9, 6, 6, 16]);
}

fn param(spec: &Value) -> &'static str {
    Spec::read(spec).map(drop).expect_err(&spec.to_string()).param.expect("an error names its field")
}

#[test]
fn errors_name_the_invalid_field() {
    let address = "0x00000000000000000000000000000000000000g0";
    let day = |field: &str, text: &str| json!({ "label": "miner", (field): text });
    for (wrong, spec) in [
        ("spec", json!("miner")),
        ("label", json!({})),
        ("label", json!({ "label": 4 })),
        ("label", json!({ "label": "no-such-label" })),
        ("spec", json!({ "label": "miner", "moon": "full" })),
        ("month", json!({ "label": "newcomer", "month": "2026-13" })),
        ("month", json!({ "label": "newcomer", "month": "2026-1" })),
        ("month", json!({ "label": "miner", "month": "2026-10" })),
        ("startDate", json!({ "label": "newcomer", "startDate": "2026-10-01" })),
        ("startDate", day("startDate", "2026-02-30")),
        ("endDate", day("endDate", "yesterday")),
        ("endDate", json!({ "label": "miner", "startDate": "2026-10-02", "endDate": "2026-10-01" })),
        ("contractAddress", json!({ "label": "top-holder" })),
        ("contractAddress", json!({ "label": "top-holder", "contractAddress": address })),
        ("contractAddress", json!({ "label": "top-holder", "contractAddress": 1 })),
        ("eoa", json!({ "label": "batch-funded", "eoa": "0x12" })),
        ("dappName", json!({ "label": "dapp-user", "dappName": "x".repeat(51) })),
        ("erc721", json!({ "label": "wash-trader", "erc721": "' or 1=1" })),
        ("parameters", json!({ "label": "miner", "parameters": [] })),
        ("parameters", json!({ "label": "miner", "parameters": { "moon": 1 } })),
        ("parameters", json!({ "label": "miner", "parameters": { "pool_share": "1.1" } })),
        ("parameters", json!({ "label": "miner", "parameters": { "pool_share": "-1" } })),
        ("parameters", json!({ "label": "miner", "parameters": { "pool_share": "1e-3" } })),
        ("parameters", json!({ "label": "activity", "parameters": { "dormant_days": 1.5 } })),
        ("parameters", json!({ "label": "activity", "parameters": { "dormant_days": "1' day) --" } })),
    ] {
        assert_eq!(param(&spec), wrong, "{spec}");
    }
}

#[test]
fn periods_lie_on_the_chain() {
    let period = |spec: Value| Spec::read(&spec).unwrap().period(FIRST, HEAD);
    let name = |spec: Value| period(spec).unwrap().name;
    assert_eq!(name(json!({ "label": "newcomer" })), "2026-10");
    assert_eq!(name(json!({ "label": "a4" })), "2026-08-03/2026-10-31");
    assert_eq!(name(json!({ "label": "B4", "startDate": "2026-09-01" })), "2026-09-01/2026-10-31");
    let september = period(json!({ "label": "M4", "month": "2026-09" })).unwrap();
    assert_eq!((september.from.to_string(), september.to.to_string()), ("2026-09-01".into(), "2026-10-01".into()));
    for (wrong, spec) in [
        ("month", json!({ "label": "M4", "month": "2026-07" })),
        ("month", json!({ "label": "M4", "month": "2026-11" })),
        ("startDate", json!({ "label": "B4", "startDate": "2026-11-01" })),
        ("endDate", json!({ "label": "B4", "endDate": "2026-08-02" })),
    ] {
        assert_eq!(period(spec.clone()).unwrap_err().param, Some(wrong), "{spec}");
    }
}

#[test]
fn sets_depend_on_inputs_not_on_parameters() {
    let set = |spec: Value| {
        let spec = Spec::read(&spec).unwrap();
        spec.set(&spec.period(FIRST, HEAD).unwrap())
    };
    let miner = set(json!({ "label": "miner" }));
    assert_eq!(set(json!({ "label": "B4", "endDate": "", "parameters": { "pool_share": 0.5 } })), miner);
    assert_ne!(set(json!({ "label": "B4", "startDate": "2026-09-01" })), miner);
    assert_eq!(set(json!({ "label": "M4" })), set(json!({ "label": "M4", "month": "2026-10" })));
}

#[test]
fn documentation_matches_the_rules() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/labels.md");
    let text = std::fs::read_to_string(file).unwrap();
    for rule in ALL {
        let heading = format!("### {} `{}`: {}\n", rule.id, rule.name, rule.title.en);
        let part = text.split(&heading).nth(1).unwrap_or_else(|| panic!("{heading} is missing"));
        let part = part.split("\n### ").next().unwrap_or_default();
        let labels = rule.labels.iter().map(|label| format!("`{label}`"));
        let inputs = rule.inputs.iter().map(|input| input.field.name().to_string());
        let parameters =
            rule.parameters.iter().map(|one| format!("`{}` = {} ({} to {}", one.name, one.default, one.min, one.max));
        let texts = [rule.text.en, rule.value.en, rule.source].map(str::to_string);
        for words in labels.chain(inputs).chain(parameters).chain(texts) {
            assert!(part.contains(&words), "{heading}does not contain: {words}");
        }
    }
}
