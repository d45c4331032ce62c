//! Calls for the audit log.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Allowed;
use crate::auth::audit::{Entry, Line};
use crate::auth::deeds::Deed;
use crate::auth::rights::AuditLog;
use crate::db::list::{List, Page, Paged};
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success, csv};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(file))
}

/// Which actions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct AuditParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the name of who acted.
    user_name: Option<String>,
    /// The permission that allowed it.
    area: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    from: Option<i64>,
    /// Before this moment.
    to: Option<i64>,
}

/// Actions in the back office, newest first.
#[utoipa::path(get, path = "/api/system/audit/list", tag = "system", operation_id = "auditLog", params(AuditParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Entry>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<AuditLog>, query: Query<AuditParams>) -> Answer<Paged<Entry>> {
    let page = Page { page: query.0.page, size: query.0.size };
    Ok(Reply(entries(&query.0).page(&state.db, page).await?))
}

/// The same list as a CSV file.
#[utoipa::path(get, path = "/api/system/audit/export", tag = "system", operation_id = "exportAuditLog",
    params(AuditParams), security(("bearer" = [])),
    responses((status = 200, description = "The file.", content_type = "text/csv"),
        (status = "default", body = Failure)))]
async fn file(state: State<App>, by: Allowed<AuditLog>, query: Query<AuditParams>) -> Result<Response, ApiError> {
    by.note(Deed::Exported, &[]);
    let lines: Vec<Line> = entries(&query.0).all(&state.db).await?;
    csv("audit", &lines)
}

fn entries(params: &AuditParams) -> List {
    List::new(
        "id, acted_at, user_id, user_name, area, method, path, detail, status, address, deed, deed_values",
        "audit_log",
        "acted_at desc, id desc",
    )
    .contains_small("user_name", params.user_name.as_deref())
    .text("area", params.area.as_deref())
    .between("acted_at", params.from, params.to)
}
