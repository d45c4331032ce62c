//! The audit log: every action in the back office, who did it, and how it ended.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::deeds::Deed;
use crate::app::App;
use crate::db::Db;
use crate::http::ClientAddress;
use crate::time::now_ms;

/// Status of a request that its client broke off, for which there is none in HTTP.
const BROKEN_OFF: i64 = 499;

/// Who acts.
#[derive(Debug, Clone)]
pub struct Actor {
    pub id: i64,
    pub name: String,
    /// The permission that let them, or the role of administrators.
    pub area: &'static str,
}

/// The values of a deed's sentence, by their names.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    pub fn new(values: &[(&str, &dyn Display)]) -> Values {
        Values(values.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }
}

impl TryFrom<String> for Values {
    type Error = serde_json::Error;

    fn try_from(kept: String) -> Result<Values, serde_json::Error> {
        serde_json::from_str(&kept).map(Values)
    }
}

/// A place in a request where the check of a permission leaves who acts; empty for requests that need none.
#[derive(Debug, Clone, Default)]
pub struct Slot(Arc<Mutex<Filled>>);

#[derive(Debug, Default)]
struct Filled {
    actor: Option<Actor>,
    done: Option<Done>,
}

/// What exactly is done.
#[derive(Debug)]
struct Done {
    deed: Deed,
    values: Values,
    /// Whether it is written down even when the request only reads.
    always: bool,
}

impl Slot {
    pub fn enter(&self, actor: Actor) {
        self.filled().actor = Some(actor);
    }

    /// What exactly was done; a request that only reads is written down for this alone.
    pub fn note(&self, deed: Deed, values: Values) {
        self.filled().done = Some(Done { deed, values, always: true });
    }

    /// Something is done with what belongs to somebody else, unless the request only reads.
    pub fn touch(&self, actor: Actor, deed: Deed, values: Values) {
        let mut filled = self.filled();
        filled.actor = Some(actor);
        filled.done = Some(Done { deed, values, always: false });
    }

    fn filled(&self) -> MutexGuard<'_, Filled> {
        // A panic between two statements here leaves a whole value behind, so a poisoned lock is still good.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An action as a file of the log has it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    pub id: i64,
    /// Milliseconds since 1970.
    pub acted_at: i64,
    pub user_id: i64,
    pub user_name: String,
    /// The permission that allowed it; `admin` where it was the role of administrators.
    pub area: String,
    pub method: String,
    pub path: String,
    /// What exactly was done, in English.
    pub detail: String,
    /// HTTP status of the answer; 499 where the client did not wait for it.
    pub status: i64,
    /// Address of the client.
    pub address: String,
}

/// An action as the log keeps it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
pub struct Entry {
    #[serde(flatten)]
    #[sqlx(flatten)]
    pub line: Line,
    /// What `detail` says, as a name that stays; null where nothing more is known, and for what older versions wrote.
    #[schema(value_type = Option<Deed>)]
    pub deed: Option<String>,
    /// Values of the deed's sentence.
    #[schema(value_type = BTreeMap<String, String>)]
    #[sqlx(rename = "deed_values", try_from = "String")]
    pub values: Values,
}

/// Writes an action down after it was done or refused; what only reads is written where the handler noted something.
pub async fn record(state: State<App>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(&mut parts, &state.0).await;
    let slot = Slot::default();
    parts.extensions.insert(slot.clone());
    let (method, path) = (parts.method.clone(), parts.uri.path().to_string());
    let watch = Watch { app: state.0, slot, address, method, path };
    let response = next.run(Request::from_parts(parts, body)).await;
    if let Some(action) = watch.action(i64::from(response.status().as_u16())) {
        action.write(&watch.app.db).await;
    }
    response
}

/// A request that goes on. Whoever breaks it off may have done something already, so that is written down too.
struct Watch {
    app: App,
    slot: Slot,
    address: IpAddr,
    method: Method,
    path: String,
}

impl Watch {
    /// What is to be written down, once.
    fn action(&self, status: i64) -> Option<Action> {
        let (actor, done) = {
            let mut filled = self.slot.filled();
            (filled.actor.take(), filled.done.take())
        };
        let written = !self.method.is_safe() || done.as_ref().is_some_and(|done| done.always);
        let actor = actor.filter(|_| written)?;
        let (method, path) = (self.method.clone(), self.path.clone());
        Some(Action { actor, address: self.address, method, path, done, status })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(action) = self.action(BROKEN_OFF) {
            let db = self.app.db.clone();
            self.app.tasks.spawn(async move { action.write(&db).await });
        }
    }
}

/// An action to be written down.
struct Action {
    actor: Actor,
    address: IpAddr,
    method: Method,
    path: String,
    done: Option<Done>,
    status: i64,
}

impl Action {
    async fn write(&self, db: &Db) {
        if let Err(error) = insert(db, self).await {
            let Action { actor, method, path, status, .. } = self;
            tracing::error!(%error, user = %actor.name, %method, path, status, "an action is missing in the audit log");
        }
    }
}

async fn insert(db: &Db, action: &Action) -> Result<(), sqlx::Error> {
    let values = action.done.as_ref().map(|done| done.values.clone()).unwrap_or_default();
    let detail = action.done.as_ref().map(|done| done.deed.told(|name| values.0.get(name).map(String::as_str)));
    let kept = serde_json::to_string(&values).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "insert into audit_log
         (id, acted_at, user_id, user_name, area, method, path, detail, status, address, deed, deed_values)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(db.next_id("audit_log").await?)
    .bind(now_ms())
    .bind(action.actor.id)
    .bind(&action.actor.name)
    .bind(action.actor.area)
    .bind(action.method.as_str())
    .bind(&action.path)
    .bind(detail.unwrap_or_default())
    .bind(action.status)
    .bind(action.address.to_string())
    .bind(action.done.as_ref().map(|done| done.deed.name()))
    .bind(kept)
    .execute(db.pool())
    .await?;
    Ok(())
}
