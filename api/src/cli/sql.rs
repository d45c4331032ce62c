//! `quarry sql`: one query on the lake, its result on stdout and nothing else there.

use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use futures::StreamExt;
use quarry_engine::exec::results::{Format, StoredResult};
use quarry_engine::{Engine, EngineConfig, JobRequest, JobState};
use serde_json::Value;

use super::home::Home;
use super::{CliError, show};
use crate::config::Settings;

/// Rows that the table format reads at a time.
const PAGE: u64 = 2_000;

#[derive(Debug, Args)]
pub struct Words {
    /// The query; `-` reads it from stdin.
    text: String,
    #[arg(long, value_enum, default_value_t = Kind::Sql)]
    kind: Kind,
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    format: OutputFormat,
    /// A Parquet file, or a folder of them, as a table of this query.
    #[arg(long, value_name = "NAME=FILE", value_parser = attachment)]
    attach: Vec<(String, PathBuf)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Sql,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Table,
    Csv,
    Json,
    Parquet,
    Arrow,
}

fn attachment(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_string(), PathBuf::from(file))),
        _ => Err("write NAME=FILE".to_string()),
    }
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let text = if words.text == "-" { read_stdin()? } else { words.text };
    if text.trim().is_empty() {
        return Err(CliError::Usage("There is no query to run.".to_string()));
    }
    let Kind::Sql = words.kind;
    let home = Home::open(&settings.home)?;
    // A folder of its own: a server may be writing its results to the home right now.
    let results = tempfile::tempdir()?;
    let config = EngineConfig {
        home: home.dir().to_path_buf(),
        results: Some(results.path().to_path_buf()),
        ..settings.engine()
    };
    let engine = Engine::open(config)?;
    for (name, file) in &words.attach {
        engine.attach(name, file)?;
    }
    let id = "command-line";
    let request = JobRequest { id: id.to_string(), text, owner: id.to_string(), ..JobRequest::default() };
    let job = engine.submit(request)?;
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
    print(engine.result(id)?, words.format).await
}

fn read_stdin() -> Result<String, CliError> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| CliError::Failed("The query on stdin is not UTF-8 text.".to_string()))
}

async fn print(result: StoredResult, format: OutputFormat) -> Result<(), CliError> {
    let format = match format {
        OutputFormat::Table => return print_table(&result),
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Json => Format::Json,
        OutputFormat::Parquet => Format::Parquet,
        OutputFormat::Arrow => Format::Arrow,
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
