//! `quarry mapreduce`: one job of map and reduce on the lake, its rows on stdout and nothing else there.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use quarry_engine::Engine;
use quarry_mapreduce::job_file;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobKind, JobRequest, Schemas};
use serde_json::Value;

use super::CliError;
use super::home::Home;
use super::sql::{OutputFormat, attachment, parameter, print, wait};
use crate::config::Settings;

#[derive(Debug, Args)]
pub struct Words {
    /// The job: its spec as JSON, or driver, mapper and reducer in one file of JavaScript (docs/mapreduce.md).
    file: PathBuf,
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    format: OutputFormat,
    /// A Parquet file, or a folder of them, as a table that the driver may name.
    #[arg(long, value_name = "NAME=FILE", value_parser = attachment)]
    attach: Vec<(String, PathBuf)>,
    /// A value for a parameter of the driver, as JSON; what is no JSON is a text.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    param: Vec<(String, Value)>,
    /// Keep the table in the schema of this user; without it the rows are printed only.
    #[arg(long, value_name = "USER")]
    tables_of: Option<String>,
    /// Also tell what the job said and counted, on stderr.
    #[arg(long)]
    lines: bool,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let file = words.file.display();
    let text = std::fs::read_to_string(&words.file)
        .map_err(|error| CliError::Failed(format!("The job {file} can't be read: {error}.")))?;
    let mut spec = job_file(&text)?.spec;
    if words.tables_of.is_none()
        && let Some(spec) = spec.as_object_mut()
    {
        spec.insert("result".to_string(), "rows".into());
        spec.remove("tableName");
    }
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
    let request = JobRequest {
        id: id.to_string(),
        kind: JobKind::MapReduce,
        owner: id.to_string(),
        schemas: Schemas { own: words.tables_of.map(|user| format!("user_{user}")), ..Schemas::default() },
        parameters: words.param.into_iter().collect(),
        spec: Some(spec),
        ..JobRequest::default()
    };
    let job = engine.submit(request)?;
    let outcome = wait(&job).await;
    if words.lines {
        for line in job.logs() {
            writeln!(std::io::stderr().lock(), "{}", line.text)?;
        }
    }
    outcome?;
    print(engine.result(id)?, words.format).await
}
