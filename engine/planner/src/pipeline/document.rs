//! Writes `docs/sql-pipeline.md` from the lists; a test keeps the two the same.

use std::fmt::Write;
use std::path::Path;

use super::steps::{Rule, Step};
use super::{Dialect, analyzer, optimizer, physical_optimizer};

/// The whole document.
fn pipeline_md() -> String {
    let mut text = String::from(
        "# Steps of the planner\n\n\
         Written from `engine/planner/src/pipeline/`; `UPDATE_EXPECT=1 make test` writes it again. Steps run in this order. A step \
         without a sentence is DataFusion's; one in bold is ours, and one with a sentence that is not bold is DataFusion's with \
         ours around it. `apache/datafusion#N` is an upstream issue or pull request.\n",
    );
    list(&mut text, "Analyzer of SQL", &analyzer(Dialect::Sql).unwrap());
    list(&mut text, "Analyzer of HiveQL", &analyzer(Dialect::Hive).unwrap());
    list(&mut text, "Optimizer", &optimizer().unwrap());
    list(&mut text, "Physical optimizer", &physical_optimizer().unwrap());
    text
}

fn list<R: Rule + ?Sized>(text: &mut String, title: &str, steps: &[Step<R>]) {
    write!(text, "\n## {title}\n\n").unwrap();
    for step in steps {
        let name = step.rule.name();
        match (step.does, step.is_ours) {
            ("", _) => writeln!(text, "1. `{name}`").unwrap(),
            (does, true) => writeln!(text, "1. **`{name}`**: {does}").unwrap(),
            (does, false) => writeln!(text, "1. `{name}`: {does}").unwrap(),
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
fn docs_sql_pipeline_md_says_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql-pipeline.md");
    let expected = pipeline_md();
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "docs/sql-pipeline.md is old: run this test with UPDATE_EXPECT=1");
}

#[test]
fn every_step_of_ours_says_what_it_does() {
    fn check<R: Rule + ?Sized>(steps: &[Step<R>]) {
        for step in steps.iter().filter(|step| step.is_ours) {
            assert!(step.does.ends_with('.'), "{}: {:?}", step.rule.name(), step.does);
        }
    }
    check(&analyzer(Dialect::Sql).unwrap());
    check(&analyzer(Dialect::Hive).unwrap());
    check(&optimizer().unwrap());
    check(&physical_optimizer().unwrap());
}
