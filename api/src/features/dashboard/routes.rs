//! Calls for dashboards.

use std::collections::BTreeSet;

use axum::extract::State;
use quarry_runtime::job::Parameters;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{
    DashboardChange, DashboardView, NewDashboard, Preview, Previewed, Refreshed, RefreshedQuery, WidgetRows,
};
use super::{comments, filtered, records, store, versions, widgets};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::model::{Chosen, CreationKind, Target, Visibility};
use crate::creations::results::{self, RowParams, ShownRows};
use crate::creations::{dashboards, queries, store as creations};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::jobs::of_query::{self, RunOf, RunOrigin};

const KIND: CreationKind = CreationKind::Dashboard;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(detail))
        .routes(routes!(update))
        .routes(routes!(delete))
        .routes(routes!(fork))
        .routes(routes!(publish))
        .routes(routes!(preview))
        .routes(routes!(refresh))
        .routes(routes!(widget_result))
        .merge(filtered::routes())
        .merge(versions::routes())
        .merge(comments::routes())
        .merge(records::routes())
}

/// Saves a new dashboard.
#[utoipa::path(post, path = "/api/dashboard/create", tag = "dashboard", operation_id = "createDashboard",
    request_body = NewDashboard, security(("bearer" = [])),
    responses((status = 200, body = Success<DashboardView>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewDashboard>) -> Answer<DashboardView> {
    let id = store::create(&state.db, &user, &body.0).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &id).await?))
}

/// A dashboard and what its widgets show. Visitors see public ones; a share link opens others.
#[utoipa::path(get, path = "/api/dashboard/detail", tag = "dashboard", operation_id = "dashboard", params(Target),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<DashboardView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, target: Query<Target>) -> Answer<DashboardView> {
    let Target { id, share } = target.0;
    Ok(Reply(store::view(&state.db, &reader.with(share), &id).await?))
}

/// Changes a dashboard, by hand or by the editor itself.
#[utoipa::path(patch, path = "/api/dashboard/update", tag = "dashboard", operation_id = "updateDashboard",
    request_body = DashboardChange, security(("bearer" = [])),
    responses((status = 200, body = Success<DashboardView>), (status = "default", body = Failure)))]
async fn update(state: State<App>, user: CurrentUser, body: Json<DashboardChange>) -> Answer<DashboardView> {
    store::update(&state.db, &user, &body.0).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &body.0.id).await?))
}

/// Removes a dashboard with its versions and comments.
#[utoipa::path(post, path = "/api/dashboard/delete", tag = "dashboard", operation_id = "deleteDashboard",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    store::remove(&state.db, &user, &body.0.id).await?;
    Ok(Reply(true))
}

/// Copies a dashboard that the caller may read into a private one of their own.
#[utoipa::path(post, path = "/api/dashboard/fork", tag = "dashboard", operation_id = "forkDashboard",
    request_body = Target, security(("bearer" = [])),
    responses((status = 200, body = Success<DashboardView>), (status = "default", body = Failure)))]
async fn fork(state: State<App>, user: CurrentUser, body: Json<Target>) -> Answer<DashboardView> {
    let Target { id, share } = body.0;
    let reader = Reader::of(&user);
    let origin = creations::readable(&state.db, &reader.clone().with(share), KIND, &id).await?;
    let id = store::fork(&state.db, &user, &origin).await?;
    Ok(Reply(store::view(&state.db, &reader, &id).await?))
}

/// Makes a dashboard public.
#[utoipa::path(post, path = "/api/dashboard/publish", tag = "dashboard", operation_id = "publishDashboard",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<DashboardView>), (status = "default", body = Failure)))]
async fn publish(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<DashboardView> {
    creations::editable(&state.db, &user, KIND, &body.0.id).await?;
    creations::set_visibility(&state.db, &user, &body.0.id, Visibility::Public).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &body.0.id).await?))
}

/// What the widgets of a dashboard that is not saved yet would show to the caller.
#[utoipa::path(post, path = "/api/dashboard/preview", tag = "dashboard", operation_id = "previewDashboard",
    request_body = Preview, security(("bearer" = [])),
    responses((status = 200, body = Success<Previewed>), (status = "default", body = Failure)))]
async fn preview(state: State<App>, user: CurrentUser, body: Json<Preview>) -> Answer<Previewed> {
    body.0.content.check()?;
    let shows = widgets::shows(&state.db, &Reader::of(&user), Some(user.id), &body.0.content).await?;
    Ok(Reply(Previewed { shows }))
}

/// Runs every query of the caller's behind the widgets once, however many widgets show it.
#[utoipa::path(post, path = "/api/dashboard/refresh", tag = "dashboard", operation_id = "refreshDashboard",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<Refreshed>), (status = "default", body = Failure)))]
async fn refresh(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<Refreshed> {
    let (db, reader) = (&state.db, Reader::of(&user));
    let dashboard = creations::editable(db, &user, KIND, &body.0.id).await?;
    let content = dashboards::find(db, &dashboard.id).await?;
    let mut wanted = BTreeSet::new();
    for widget in &content.widgets {
        let source = widgets::source(db, &reader, Some(dashboard.owner_id), &widget.content).await?;
        wanted.extend(source.map(|source| source.query_id));
    }
    let mut answer = Refreshed { started: Vec::new(), skipped: Vec::new() };
    for query_id in wanted {
        let creation = creations::any(db, &query_id).await?.filter(|found| found.owner_id == user.id);
        let Some(creation) = creation.filter(|_| answer.started.len() < 50) else {
            answer.skipped.push(query_id);
            continue;
        };
        if of_query::unfinished(db, &query_id).await?.is_some() {
            answer.skipped.push(query_id);
            continue;
        }
        let row = queries::find(db, &query_id).await?;
        // A query that can't run without being asked for a value is left alone.
        let Ok(values) = row.what.values(&Parameters::default()) else {
            answer.skipped.push(query_id);
            continue;
        };
        let of = RunOf {
            query_id: query_id.clone(),
            revision: creation.revision,
            origin: RunOrigin::Refresh,
            shared: true,
            parameters: String::new(),
        };
        let job_id = state.jobs.submit(&user, row.what.work(values), Some(&of)).await?.id;
        answer.started.push(RefreshedQuery { query_id, job_id });
    }
    Ok(Reply(answer))
}

/// Rows of the result that a widget shows; nothing is run. Official results end 30 days before now for visitors.
#[utoipa::path(get, path = "/api/dashboard/widget/result", tag = "dashboard", operation_id = "widgetResult",
    params(WidgetRows), security(("bearer" = []), ()),
    responses((status = 200, body = Success<ShownRows>), (status = "default", body = Failure)))]
async fn widget_result(state: State<App>, reader: Reader, params: Query<WidgetRows>) -> Answer<ShownRows> {
    let WidgetRows { id, widget_id, share, offset, limit } = params.0;
    let (db, reader) = (&state.db, reader.with(share));
    let dashboard = creations::readable(db, &reader, KIND, &id).await?;
    let content = dashboards::find(db, &id).await?;
    let widget = content.widgets.iter().find(|widget| widget.id == widget_id);
    let widget = widget.ok_or_else(|| ApiError::not_found("widget"))?;
    let source = widgets::source(db, &reader, Some(dashboard.owner_id), &widget.content).await?;
    let source = source.ok_or_else(|| ApiError::not_found("widget"))?;
    let shown = of_query::shown(db, &source.query_id, "").await?.ok_or_else(|| ApiError::not_found("result"))?;
    let rows = RowParams { offset, limit };
    Ok(Reply(results::rows(&state, &reader, source.official, shown, rows).await?))
}
