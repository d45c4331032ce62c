//! `quarry sql`: one query on the lake, its result on stdout and nothing else there.

use std::io::{Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use futures::StreamExt;
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, JobState, Schemas};
use quarry_runtime::results::{Format, StoredResult};
use quarry_sql::PlanChange;
use serde_json::Value;

use super::home::Home;
use super::{CliError, batch, show};
use crate::config::Settings;

/// Rows that the table format reads at a time.
const PAGE: u64 = 2_000;

#[derive(Debug, Args)]
pub struct Words {
    /// The query; `-` reads it from stdin.
    #[arg(required_unless_present_any = ["script", "batch"], allow_hyphen_values = true)]
    text: Option<String>,
    /// Answers many queries: one JSON object a line on stdin, `{"text": …, "kind": …, "parameters": …}`, one on stdout.
    #[arg(long, conflicts_with_all = ["text", "script"])]
    batch: bool,
    #[arg(long, value_enum, default_value_t = Kind::Sql)]
    kind: Kind,
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    format: OutputFormat,
    /// A Parquet file, or a folder of them, as a table of this query.
    #[arg(long, value_name = "NAME=FILE", value_parser = attachment)]
    attach: Vec<(String, PathBuf)>,
    /// A property graph in JSON that a query of the kind graph runs on, in place of the chain.
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// A value for the parameter `{{NAME}}` of the query (`$NAME` of a graph query), as JSON; what is no JSON is a text.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    param: Vec<(String, Value)>,
    /// A file of HiveQL statements, run in order; the rows of the last query are the result.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    script: Option<PathBuf>,
    /// Print the plan of an SQL query, and the plan after each step of the planner that changes it. The query does not run.
    #[arg(long, conflicts_with_all = ["batch", "script", "graph"])]
    explain_steps: bool,
    /// Keep the tables that HiveQL makes in the schema of this user; without it they live as long as the command.
    #[arg(long, value_name = "USER")]
    tables_of: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Sql,
    Graph,
    Hive,
}

impl From<Kind> for JobKind {
    fn from(kind: Kind) -> JobKind {
        match kind {
            Kind::Sql => JobKind::Sql,
            Kind::Graph => JobKind::Graph,
            Kind::Hive => JobKind::Hive,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    Table,
    Csv,
    Json,
    Parquet,
    Arrow,
    Xlsx,
}

pub(super) fn parameter(text: &str) -> Result<(String, Value), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_string()));
            Ok((name.to_string(), parsed))
        }
        _ => Err("write NAME=VALUE".to_string()),
    }
}

pub(super) fn attachment(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_string(), PathBuf::from(file))),
        _ => Err("write NAME=FILE".to_string()),
    }
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let (kind, text) = match (&words.script, words.text.as_deref()) {
        // A script is HiveQL: the other kinds run one query.
        (Some(file), _) => (JobKind::Hive, read_script(file)?),
        (None, Some("-")) => (words.kind.into(), read_stdin()?),
        (None, text) => (words.kind.into(), text.unwrap_or_default().to_string()),
    };
    if words.explain_steps && kind != JobKind::Sql {
        return Err(CliError::Usage("--explain-steps explains SQL queries only.".to_string()));
    }
    if text.trim().is_empty() && !words.batch {
        return Err(CliError::Usage("There is no query to run.".to_string()));
    }
    let home = Home::open(&settings.home)?;
    // A folder of its own: a server may be writing its results to the home right now.
    let results = tempfile::tempdir()?;
    let scratch = words.tables_of.is_none() && (kind == JobKind::Hive || words.batch);
    let config = EngineConfig {
        home: home.dir().to_path_buf(),
        results: Some(results.path().to_path_buf()),
        scratch_tables: scratch.then(|| results.path().join("tables")),
        read_files: true,
        ..settings.engine()
    };
    let engine = Engine::open(config)?;
    for (name, file) in &words.attach {
        engine.attach(name, file)?;
    }
    if let Some(file) = &words.graph {
        let unread = |error: std::io::Error| {
            CliError::Failed(format!("The graph file {} can't be read: {error}.", file.display()))
        };
        engine.attach_graph(&std::fs::read_to_string(file).map_err(unread)?)?;
    }
    if words.batch {
        return batch::run(&engine).await;
    }
    let id = "command-line";
    let own = words.tables_of.as_deref().unwrap_or("command_line");
    let request = JobRequest {
        id: id.to_string(),
        kind,
        text,
        owner: id.to_string(),
        schemas: Schemas { own: Some(format!("user_{own}")), ..Schemas::default() },
        parameters: words.param.into_iter().collect(),
        ..JobRequest::default()
    };
    if words.explain_steps {
        return print_steps(&engine.plan_changes(&request).await?);
    }
    let job = engine.submit(request)?;
    wait(&job).await?;
    print(engine.result(id)?, words.format).await
}

/// Writes each step with what it does, and the plan after it.
fn print_steps(changes: &[PlanChange]) -> Result<(), CliError> {
    let mut out = std::io::BufWriter::new(stdout().lock());
    for PlanChange { step, does, plan } in changes {
        let colon = if does.is_empty() { "" } else { ": " };
        writeln!(out, "-- {step}{colon}{does}\n{plan}\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Waits for a job to succeed; an interrupt from the terminal stops it.
pub(super) async fn wait(job: &JobHandle) -> Result<(), CliError> {
    let ended = tokio::select! {
        ended = job.wait() => ended,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            job.kill();
            job.wait().await
        }
    };
    if ended.state != JobState::Succeeded {
        let message = ended.error.map(|error| match error.position {
            Some(at) => format!("line {}, column {}: {}", at.line, at.column, error.message),
            None => error.message,
        });
        return Err(CliError::Failed(message.unwrap_or_else(|| "The query was stopped.".to_string())));
    }
    Ok(())
}

fn read_script(file: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(file)
        .map_err(|error| CliError::Failed(format!("The script {} can't be read: {error}.", file.display())))
}

fn read_stdin() -> Result<String, CliError> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| CliError::Failed("The query on stdin is not UTF-8 text.".to_string()))
}

/// Writes a result to stdout.
pub(super) async fn print(result: StoredResult, format: OutputFormat) -> Result<(), CliError> {
    let format = match format {
        OutputFormat::Table => return print_table(&result),
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Parquet => Format::Parquet,
        OutputFormat::Arrow => Format::Arrow,
        OutputFormat::Xlsx => Format::Xlsx,
    };
    let mut stream = result.export(format);
    while let Some(chunk) = stream.next().await {
        stdout().lock().write_all(&chunk?)?;
    }
    stdout().lock().flush()?;
    Ok(())
}

/// Reads the result twice, so that columns line up without holding it: first for the widths, then for the rows.
fn print_table(result: &StoredResult) -> Result<(), CliError> {
    let names: Vec<&str> = result.columns().iter().map(|column| column.name.as_str()).collect();
    let mut widths: Vec<usize> = names.iter().map(|name| name.chars().count()).collect();
    each_row(result, |cells| {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
        Ok(())
    })?;
    let mut out = std::io::BufWriter::new(stdout().lock());
    show::write_row(&mut out, names.into_iter(), &widths)?;
    let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    show::write_row(&mut out, rules.iter().map(String::as_str), &widths)?;
    each_row(result, |cells| Ok(show::write_row(&mut out, cells.iter().map(String::as_str), &widths)?))?;
    out.flush()?;
    Ok(())
}

fn each_row(result: &StoredResult, mut row: impl FnMut(&[String]) -> Result<(), CliError>) -> Result<(), CliError> {
    let mut offset = 0;
    while offset < result.total() {
        let page = result.page(offset, PAGE)?;
        if page.is_empty() {
            break;
        }
        offset += page.len() as u64;
        for values in page {
            let cells: Vec<String> = values.iter().map(cell).collect();
            row(&cells)?;
        }
    }
    Ok(())
}

/// A value on one line.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains(['\n', '\r', '\t']) => {
            text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
