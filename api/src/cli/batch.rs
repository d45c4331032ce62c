//! `quarry sql --batch`: many queries in one process, one a line as JSON, one line of JSON for each answer.

use std::io::{Write, stdin, stdout};
use std::sync::Arc;

use quarry_engine::Engine;
use quarry_runtime::job::{JobKind, JobRequest, JobState, Parameters, Schemas};
use quarry_types::Position;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CliError;

/// Most rows of an answer.
const ROWS: u64 = 100_000;

/// One line of the input.
#[derive(Debug, Deserialize)]
struct Question {
    /// `SQL` unless it is told.
    #[serde(default)]
    kind: JobKind,
    text: String,
    #[serde(default)]
    parameters: Parameters,
    /// The property graph that a query of the kind GRAPH runs on, in place of the chain.
    graph: Option<Value>,
}

/// One line of the output.
#[derive(Debug, Default, Serialize)]
struct Reply {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// Why there are no rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// Where in the text the reason stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
}

/// Answers each line of stdin in its order, before it reads the next one: who asks may wait for the answer.
pub async fn run(engine: &Arc<Engine>) -> Result<(), CliError> {
    for (number, line) in stdin().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let reply = match serde_json::from_str(&line) {
            Ok(question) => answer(engine, &format!("batch-{number}"), question).await?,
            Err(error) => Reply { error: Some(error.to_string()), ..Reply::default() },
        };
        let mut out = stdout().lock();
        serde_json::to_writer(&mut out, &reply).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

async fn answer(engine: &Arc<Engine>, id: &str, question: Question) -> Result<Reply, CliError> {
    let Question { kind, text, parameters, graph } = question;
    if let Some(graph) = graph
        && let Err(error) = engine.attach_graph(&graph.to_string())
    {
        return Ok(Reply { error: Some(error.message), ..Reply::default() });
    }
    let owner = "command-line".to_string();
    // Tables that one script of HiveQL makes are none of the next one's.
    let schemas = Schemas { own: Some(format!("user_{}", id.replace('-', "_"))), ..Schemas::default() };
    let request = JobRequest { id: id.to_string(), kind, text, owner, parameters, schemas, ..JobRequest::default() };
    let ended = match engine.submit(request) {
        Ok(job) => job.wait().await,
        Err(error) => {
            let code = Some(error.code.as_str().to_string());
            return Ok(Reply { error: Some(error.message.clone()), code, ..Reply::default() });
        }
    };
    if ended.state != JobState::Succeeded {
        let position = ended.error.as_ref().and_then(|error| error.position);
        let (message, code) = ended.error.map(|error| (error.message, error.code)).unzip();
        return Ok(Reply { error: Some(message.unwrap_or_default()), code, position, ..Reply::default() });
    }
    let result = engine.result(id)?;
    let columns = result.columns().iter().map(|column| column.name.clone()).collect();
    let rows = result.page(0, ROWS)?;
    engine.remove_result(id)?;
    Ok(Reply { columns, rows, ..Reply::default() })
}
