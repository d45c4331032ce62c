//! The first labels of a sample chain: every rule runs once, beside everything else, so that address pages have something to
//! show. A real chain is labelled by who runs it.

use quarry_label_rules::{Rule, catalogue};
use quarry_lake::Origin;
use quarry_runtime::job::{JobKind, JobRequest, JobState, Schemas};
use serde_json::json;

use crate::app::App;
use crate::auth::token::random_key;
use crate::http::ApiError;

/// Under which name it is remembered that they were found.
const FOUND: &str = "starter-labels";
const OWNER: &str = "first-labels";

/// Finds the labels unless that was done before; ends early when the server stops.
pub async fn find(app: App) {
    tokio::select! {
        () = app.stop.cancelled() => {}
        found = all(&app) => match found {
            Ok(0) => {}
            Ok(rules) => tracing::info!(rules, "the first labels were found"),
            Err(error) => tracing::warn!(code = %error.code, "the first labels could not be found: {}", error.msg),
        },
    }
}

async fn all(app: &App) -> Result<usize, ApiError> {
    let pool = app.db.pool();
    let done: i64 =
        sqlx::query_scalar("select count(*) from starter_loaded where id = $1").bind(FOUND).fetch_one(pool).await?;
    if done > 0 || app.engine.lake().info().await?.origin != Some(Origin::Sample) {
        return Ok(0);
    }
    let mut found = 0;
    for rule in catalogue().iter().filter(|rule| !rule.inputs.iter().any(|input| input.required)) {
        found += usize::from(one(app, rule).await?);
    }
    sqlx::query("insert into starter_loaded (id) values ($1)").bind(FOUND).execute(pool).await?;
    Ok(found)
}

/// One rule over the whole chain or its last month; whether it found its labels.
async fn one(app: &App, rule: &Rule) -> Result<bool, ApiError> {
    let id = random_key();
    let job = app.engine.submit(JobRequest {
        id: id.clone(),
        kind: JobKind::Label,
        owner: OWNER.to_string(),
        schemas: Schemas { curator: true, ..Schemas::default() },
        spec: Some(json!({ "label": rule.name })),
        ..JobRequest::default()
    })?;
    let ended = job.wait().await;
    let engine = app.engine.clone();
    // The labels stay; nobody asks for the result.
    tokio::task::spawn_blocking(move || engine.remove_result(&id)).await.map_err(ApiError::internal)??;
    let error = ended.error.map(|error| error.message).unwrap_or_default();
    if ended.state != JobState::Succeeded {
        tracing::warn!(rule = rule.name, "a rule found no first labels: {error}");
    }
    Ok(ended.state == JobState::Succeeded)
}
