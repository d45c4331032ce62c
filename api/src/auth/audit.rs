//! The audit log: every action in the back office, who did it, and how it ended.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use crate::app::App;
use crate::db::Db;
use crate::time::now_ms;

/// Who acts, and where.
#[derive(Debug, Clone)]
pub struct Actor {
    pub id: i64,
    pub name: String,
    /// The permission that let them.
    pub area: &'static str,
    pub address: IpAddr,
}

/// A place in a request where the check of a permission leaves who acts; empty for requests that need none.
#[derive(Debug, Clone, Default)]
pub struct Slot(Arc<Mutex<Filled>>);

#[derive(Debug, Default)]
struct Filled {
    actor: Option<Actor>,
    notes: Vec<String>,
}

impl Slot {
    pub fn enter(&self, actor: Actor) {
        self.filled().actor = Some(actor);
    }

    pub fn note(&self, what: String) {
        self.filled().notes.push(what);
    }

    fn filled(&self) -> MutexGuard<'_, Filled> {
        // A panic between two statements here leaves a whole value behind, so a poisoned lock is still good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An action as the log keeps it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub id: i64,
    /// Milliseconds since 1970.
    pub acted_at: i64,
    pub user_id: i64,
    pub user_name: String,
    /// The permission that allowed it.
    pub area: String,
    pub method: String,
    pub path: String,
    /// What exactly was done.
    pub detail: String,
    /// HTTP status of the answer.
    pub status: i64,
    /// Address of the client.
    pub address: String,
}

/// Writes an action down after it was done or refused; what only reads is written where the handler noted something.
pub async fn record(state: State<App>, mut request: Request, next: Next) -> Response {
    let slot = Slot::default();
    request.extensions_mut().insert(slot.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let response = next.run(request).await;
    let (actor, notes) = {
        let mut filled = slot.filled();
        (filled.actor.take(), std::mem::take(&mut filled.notes))
    };
    let Some(actor) = actor.filter(|_| method != Method::GET || !notes.is_empty()) else { return response };
    let status = i64::from(response.status().as_u16());
    if let Err(error) = insert(&state.db, &actor, &method, &path, &notes.join("; "), status).await {
        tracing::error!(%error, user = %actor.name, %method, path, status, "an action is missing in the audit log");
    }
    response
}

async fn insert(
    db: &Db,
    actor: &Actor,
    method: &Method,
    path: &str,
    detail: &str,
    status: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into audit_log (id, acted_at, user_id, user_name, area, method, path, detail, status, address)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(db.next_id("audit_log").await?)
    .bind(now_ms())
    .bind(actor.id)
    .bind(&actor.name)
    .bind(actor.area)
    .bind(method.as_str())
    .bind(path)
    .bind(detail)
    .bind(status)
    .bind(actor.address.to_string())
    .execute(db.pool())
    .await?;
    Ok(())
}
