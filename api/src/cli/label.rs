//! `quarry label`: one rule of the catalogue, or how well rules find what is planted in a sample chain.

use std::collections::BTreeSet;
use std::io::{IsTerminal, stderr, stdout};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use quarry_engine::Engine;
use quarry_label_rules::{Field, Rule, catalogue};
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest, Schemas};
use serde_json::{Map, Value, json};

use super::CliError;
use super::home::Home;
use super::show::Table;
use super::sql::{OutputFormat, print, wait};
use crate::config::Settings;
use crate::labels::{shipped, truth};

/// Rows of a result that are read at a time.
const PAGE: u64 = 10_000;
/// In place of a name: every rule.
const ALL: &str = "all";

#[derive(Debug, Args)]
pub struct Words {
    /// Name or number of a rule, `exchange-deposit` or `A1`; with --evaluate also `all`. Without one the rules are listed.
    name: Option<String>,
    /// An input (`month=2026-10`, `startDate`, `endDate`, `eoa`, `contractAddress`, `dappName`, `erc721`), or a parameter of
    /// the rule.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    param: Vec<(String, String)>,
    /// Compare what is found with what is planted in the sample chain, by the truth beside it.
    #[arg(long)]
    evaluate: bool,
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    format: OutputFormat,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value.to_string())),
        _ => Err("write NAME=VALUE".to_string()),
    }
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let Some(name) = &words.name else { return list() };
    let home = Home::open(&settings.home)?;
    // A folder of its own: a server may be writing its results to the home right now.
    let results = tempfile::tempdir()?;
    let config = EngineConfig {
        home: home.dir().to_path_buf(),
        results: Some(results.path().to_path_buf()),
        ..settings.engine()
    };
    let engine = Engine::open(config)?;
    shipped::load(&engine).await?;
    let given = spec(&words.param);
    if words.evaluate {
        return evaluate(&engine, home.dir(), name, &given).await;
    }
    let mut whole = given;
    whole.insert("label".to_string(), json!(name));
    find(&engine, "command-line", Value::Object(whole)).await?;
    print(engine.result("command-line")?, words.format).await
}

/// The rules, one a line.
fn list() -> Result<(), CliError> {
    let mut table = Table::new(["rule", "name", "category", "takes", "finds"]);
    for rule in catalogue() {
        let takes = rule.inputs.iter().map(|input| input.field.name());
        let takes: Vec<&str> = takes.chain(rule.parameters.iter().map(|parameter| parameter.name)).collect();
        let [id, name, category, title] = [rule.id, rule.name, rule.category.name(), rule.title.en].map(str::to_string);
        table.push([id, name, category, takes.join(" "), title]);
    }
    Ok(table.print(&mut stdout().lock())?)
}

/// The words of the command as a spec: inputs by their names, everything else is a parameter of the rule.
fn spec(given: &[(String, String)]) -> Map<String, Value> {
    let (mut spec, mut parameters) = (Map::new(), Map::new());
    for (name, value) in given {
        let input = Field::ALL.iter().any(|field| field.name() == name);
        if input { &mut spec } else { &mut parameters }.insert(name.clone(), json!(value));
    }
    if !parameters.is_empty() {
        spec.insert("parameters".to_string(), Value::Object(parameters));
    }
    spec
}

/// Runs a rule for everybody and shows what it says meanwhile.
async fn find(engine: &Arc<Engine>, id: &str, spec: Value) -> Result<(), CliError> {
    let wrong = |error: quarry_types::Error| CliError::Usage(error.message);
    engine.check_label(&spec).await.map_err(wrong)?;
    let request = JobRequest {
        id: id.to_string(),
        kind: JobKind::Label,
        owner: "command-line".to_string(),
        schemas: Schemas { curator: true, ..Schemas::default() },
        spec: Some(spec),
        ..JobRequest::default()
    };
    let job = engine.submit(request)?;
    let ended = wait(&job).await;
    if stderr().is_terminal() {
        job.logs().iter().for_each(|line| eprintln!("{}", line.text));
    }
    ended
}

async fn evaluate(engine: &Arc<Engine>, home: &Path, name: &str, given: &Map<String, Value>) -> Result<(), CliError> {
    let file = home.join("truth.json");
    let text = std::fs::read(&file).map_err(|_| {
        CliError::Failed("There is no truth.json beside the lake: only a sample chain can be evaluated.".to_string())
    })?;
    let planted: Value = serde_json::from_slice(&text)
        .map_err(|error| CliError::Failed(format!("{} can't be read: {error}.", file.display())))?;
    let is_wanted = |rule: &&Rule| name == ALL || rule.name == name || rule.id.eq_ignore_ascii_case(name);
    let rules: Vec<&Rule> = catalogue().iter().filter(is_wanted).collect();
    if rules.is_empty() {
        return Err(CliError::Usage(format!("There is no label {name}.")));
    }
    let mut table = Table::new(["rule", "label", "found", "planted", "precision", "recall"]);
    for rule in rules {
        let checks = truth::checks(rule.name, &planted);
        if checks.is_empty() {
            let dash = || "-".to_string();
            table.push([rule.id.to_string(), rule.name.to_string(), dash(), dash(), dash(), dash()]);
        }
        for (number, check) in checks.iter().enumerate() {
            let id = format!("{}-{number}", rule.name);
            let mut spec = check.spec.as_object().cloned().unwrap_or_default();
            spec.extend(given.clone());
            spec.insert("label".to_string(), json!(rule.name));
            find(engine, &id, Value::Object(spec)).await?;
            let score = check.score(&addresses(engine, &id, check)?);
            let share = |share: f64| format!("{share:.4}");
            table.push([
                rule.id.to_string(),
                check.label.to_string(),
                score.found.to_string(),
                score.planted.to_string(),
                score.precision.map_or("-".to_string(), share),
                share(score.recall),
            ]);
        }
    }
    Ok(table.print(&mut stdout().lock())?)
}

/// The addresses of a job's result that have the label of a check.
fn addresses(engine: &Engine, job: &str, check: &truth::Check) -> Result<BTreeSet<String>, CliError> {
    let stored = engine.result(job)?;
    let mut found = BTreeSet::new();
    for offset in (0..stored.total()).step_by(PAGE as usize) {
        for row in stored.page(offset, PAGE)? {
            if let [Value::String(address), Value::String(label), ..] = row.as_slice()
                && check.is_of(label)
            {
                found.insert(address.clone());
            }
        }
    }
    Ok(found)
}
