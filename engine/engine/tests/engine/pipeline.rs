//! The lists of steps: `docs/sql-pipeline.md` is written from them, and a query tells which of them change it.

use std::fmt::Write;
use std::path::Path;

use quarry_planner::pipeline::{Dialect, Rule, Step as PlannerStep, analyzer, optimizer, physical_optimizer};
use quarry_runtime::job::JobRequest;
use quarry_sql::Step;
use quarry_sql::pipeline::{BINDER, STATEMENT, TEXT, TOKENS, walk};

use crate::fixture::Home;

const HEADING: &str = "# Steps of a query

Written from `engine/sql/src/pipeline/`, `engine/sql/src/rewrite/steps.rs`, `engine/hive/src/rewrite/steps.rs` and \
`engine/planner/src/pipeline/`; `UPDATE_EXPECT=1 make test` writes it again. Steps run in this order. A step without a sentence is \
DataFusion's; one in bold is ours, and one with a sentence that is not bold is DataFusion's with ours around it. \
`apache/datafusion#N` is an upstream issue or pull request.
";

/// The whole document.
fn pipeline_md() -> String {
    let mut text = HEADING.to_string();
    heading(&mut text, "SQL: text");
    TEXT.iter().for_each(|step| line(&mut text, step.name, step.does, true));
    heading(&mut text, "SQL: tokens");
    line(
        &mut text,
        "tokens",
        "All rules look at the tokens as they were written, and what they change is applied at once.",
        true,
    );
    parts(&mut text, TOKENS);
    heading(&mut text, "SQL: parsed statement");
    for step in STATEMENT {
        line(&mut text, step.name, step.does, true);
        if step.name == "dialects" {
            parts(&mut text, walk::QUERIES);
            parts(&mut text, walk::SELECTS);
            parts(&mut text, walk::TABLES);
            parts(&mut text, walk::TABLE_NAMES);
            parts(&mut text, walk::EXPRESSIONS);
            parts(&mut text, walk::EXPRESSION_ENDS);
        }
    }
    heading(&mut text, "SQL: names");
    BINDER.iter().for_each(|step| line(&mut text, step.name, step.does, true));
    heading(&mut text, "HiveQL: text, tokens and syntax tree");
    quarry_hive::STEPS.iter().for_each(|step| line(&mut text, step.name, step.why, true));
    list(&mut text, "SQL: analyzer", &analyzer(Dialect::Sql).unwrap());
    list(&mut text, "HiveQL: analyzer", &analyzer(Dialect::Hive).unwrap());
    list(&mut text, "Optimizer", &optimizer().unwrap());
    list(&mut text, "Physical optimizer", &physical_optimizer().unwrap());
    text
}

fn list<R: Rule + ?Sized>(text: &mut String, title: &str, steps: &[PlannerStep<R>]) {
    heading(text, title);
    for step in steps {
        line(text, step.rule.name(), step.does, step.is_ours);
        step.parts.iter().for_each(|(name, does)| part(text, name, does));
    }
}

fn heading(text: &mut String, title: &str) {
    write!(text, "\n## {title}\n\n").unwrap();
}

fn parts<F>(text: &mut String, steps: &[Step<F>]) {
    steps.iter().for_each(|step| part(text, step.name, step.does));
}

/// What a step with several parts does in one walk.
fn part(text: &mut String, name: &str, does: &str) {
    assert!(does.ends_with('.'), "{name} has no sentence: {does:?}");
    writeln!(text, "    - **`{name}`**: {does}").unwrap();
}

fn line(text: &mut String, name: &str, does: &str, is_ours: bool) {
    assert!(does.is_empty() && !is_ours || does.ends_with('.'), "{name} has no sentence: {does:?}");
    match (does, is_ours) {
        ("", _) => writeln!(text, "1. `{name}`"),
        (does, true) => writeln!(text, "1. **`{name}`**: {does}"),
        (does, false) => writeln!(text, "1. `{name}`: {does}"),
    }
    .unwrap();
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
fn docs_sql_pipeline_md_says_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql-pipeline.md");
    let expected = pipeline_md();
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| !value.is_empty()) {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "docs/sql-pipeline.md is old: run this test with UPDATE_EXPECT=1");
}

#[tokio::test]
async fn steps_before_the_planner_say_what_they_change() {
    let home = Home::empty();
    let text = "declare one int64 default 1;\nselect column1 as n, n + one as next from (values 1, 2) order by all";
    let request = JobRequest { text: text.to_string(), ..JobRequest::default() };
    let changes = home.engine.plan_changes(&request).await.unwrap();
    for (step, result) in [
        ("text declarations", "select column1 as n, n + one"),
        ("tokens values_without_parentheses", "(values (1), (2))"),
        ("statement declared_values", "n + (1) AS next"),
        ("node order_by_all", "ORDER BY 1, 2"),
        ("names names", "(column1) + (1) AS next"),
        ("initial", "Projection: column1 AS n"),
    ] {
        let change = changes.iter().find(|change| change.step == step).unwrap_or_else(|| panic!("{step}: {changes:?}"));
        assert!(change.plan.contains(result), "{step}: {}", change.plan);
    }
}
