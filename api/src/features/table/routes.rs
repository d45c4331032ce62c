//! Calls on users' tables.

use axum::extract::State;
use quarry_engine::Engine;
use quarry_runtime::job::Schemas;
use quarry_runtime::user_tables::UserTable;
use quarry_types::ErrorCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{OwnTable, Share, TableName, TakenBack, UserTableView, UserTables};
use super::upload;
use crate::app::App;
use crate::auth::{CurrentUser, accounts};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::jobs::shares::{self, EVERYBODY, schema_of};
use crate::jobs::sources::{self, Dependents};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(describe))
        .routes(routes!(drop_table))
        .routes(routes!(share))
        .routes(routes!(dependents))
        .merge(upload::routes())
}

/// The caller's tables, and those of others that the caller may read.
#[utoipa::path(get, path = "/api/table/list", tag = "table", operation_id = "listTables", security(("bearer" = [])),
    responses((status = 200, body = Success<UserTables>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser) -> Answer<UserTables> {
    let schemas = shares::schemas(&state.db, &user).await?;
    let schema = schema_of(&user.name);
    let (own, shared, (used, quota)) = blocking(&state, {
        let schema = schema.clone();
        move |engine| {
            let tables = engine.user_tables();
            let shared = schemas.shared.iter().filter_map(|shared| {
                let table = tables.get(&shared.schema, &shared.table).ok()?;
                (table.created == shared.created).then_some(table)
            });
            Ok((tables.list(&schema)?, shared.collect::<Vec<_>>(), tables.usage(&schema)?))
        }
    })
    .await?;
    let mut tables = Vec::new();
    for table in own {
        let readers = shares::readers(&state.db, user.id, &table.name, table.created).await?;
        tables.push(UserTableView::new(table, readers));
    }
    let shared = shared.into_iter().map(|table| UserTableView::new(table, Vec::new())).collect();
    Ok(Reply(UserTables { schema, used, quota, tables, shared }))
}

/// One table with its columns.
#[utoipa::path(get, path = "/api/table/describe", tag = "table", operation_id = "describeTable", params(TableName),
    security(("bearer" = [])),
    responses((status = 200, body = Success<UserTableView>), (status = "default", body = Failure)))]
async fn describe(state: State<App>, user: CurrentUser, query: Query<TableName>) -> Answer<UserTableView> {
    let schemas = shares::schemas(&state.db, &user).await?;
    let name = query.0;
    let table = blocking(&state, move |engine| readable(engine, &schemas, &name)).await?;
    let readers = match table.schema == schema_of(&user.name) {
        true => shares::readers(&state.db, user.id, &table.name, table.created).await?,
        false => Vec::new(),
    };
    Ok(Reply(UserTableView::new(table, readers)))
}

/// Drops a table of the caller.
#[utoipa::path(post, path = "/api/table/drop", tag = "table", operation_id = "dropTable", request_body = OwnTable,
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn drop_table(state: State<App>, user: CurrentUser, body: Json<OwnTable>) -> Answer<bool> {
    let (schema, table) = (schema_of(&user.name), body.0.table.to_lowercase());
    let name = table.clone();
    let dropped = blocking(&state, move |engine| engine.user_tables().drop_table(&schema, &name)).await?;
    if !dropped {
        return Err(ApiError::not_found("table"));
    }
    shares::forget(&state.db, user.id, &table).await?;
    Ok(Reply(true))
}

/// Lets somebody read a table of the caller, or no longer.
#[utoipa::path(post, path = "/api/table/share", tag = "table", operation_id = "shareTable", request_body = Share,
    security(("bearer" = [])),
    responses((status = 200, body = Success<UserTableView>), (status = "default", body = Failure)))]
async fn share(state: State<App>, user: CurrentUser, body: Json<Share>) -> Answer<UserTableView> {
    let Share { table, user_name, allow } = body.0;
    let schema = schema_of(&user.name);
    let table = blocking(&state, move |engine| engine.user_tables().get(&schema, &table)).await?;
    let reader = reader(&state, &user_name).await?;
    if allow {
        shares::share(&state.db, user.id, &table.name, table.created, reader).await?;
    } else {
        shares::unshare(&state.db, user.id, &table.name, reader).await?;
    }
    let readers = shares::readers(&state.db, user.id, &table.name, table.created).await?;
    Ok(Reply(UserTableView::new(table, readers)))
}

/// How many published results of others were computed from a table of the caller and could not be read any more if the right to
/// it were taken back; nothing is changed.
#[utoipa::path(get, path = "/api/table/dependents", tag = "table", operation_id = "tableDependents", params(TakenBack),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Dependents>), (status = "default", body = Failure)))]
async fn dependents(state: State<App>, user: CurrentUser, query: Query<TakenBack>) -> Answer<Dependents> {
    let TakenBack { table, user_name } = query.0;
    let schema = schema_of(&user.name);
    let table = blocking(&state, move |engine| engine.user_tables().get(&schema, &table)).await?;
    let reader = match &user_name {
        Some(name) => Some(reader(&state, name).await?),
        None => None,
    };
    Ok(Reply(sources::dependents(&state.db, &user.name, (&table.name, table.created), reader).await?))
}

/// Who is meant as a reader of a table.
async fn reader(app: &App, user_name: &str) -> Result<i64, ApiError> {
    if user_name == "*" {
        return Ok(EVERYBODY);
    }
    let account = accounts::find(&app.db, user_name).await?;
    Ok(account.ok_or_else(|| ApiError::invalid("userName", "No such user!"))?.id)
}

/// A table that these schemas let somebody read; any other is as if it were not there.
fn readable(engine: &Engine, schemas: &Schemas, name: &TableName) -> quarry_types::Result<UserTable> {
    let own = schemas.own.as_deref().unwrap_or_default();
    let schema = name.schema.as_deref().unwrap_or(own);
    let missing = || quarry_types::Error::new(ErrorCode::NotFound, "There is no such table.");
    let shared = schemas.shared.iter().any(|shared| {
        let stamp = || engine.user_tables().get(schema, &name.table).is_ok_and(|table| table.created == shared.created);
        shared.schema == schema && shared.table.eq_ignore_ascii_case(&name.table) && stamp()
    });
    if schema != own && !shared {
        return Err(missing());
    }
    engine.user_tables().get(schema, &name.table)
}

/// Work on files, off the threads that serve the web.
pub(super) async fn blocking<T: Send + 'static>(
    state: &App,
    work: impl FnOnce(&Engine) -> quarry_types::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let engine = state.engine.clone();
    Ok(tokio::task::spawn_blocking(move || work(&engine)).await.map_err(ApiError::internal)??)
}
