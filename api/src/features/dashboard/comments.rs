//! Calls for comments on dashboards and the answers to them.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Executor, Row};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Comment, CommentList, NewComment};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::{CurrentUser, rules};
use crate::creations::access::Reader;
use crate::creations::card::marks;
use crate::creations::model::{Chosen, CreationKind};
use crate::creations::paging::{Listing, PageParams};
use crate::creations::store::{self, new_id};
use crate::db::Db;
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::time::now_ms;

const LONGEST: usize = 2_000;
/// Comments of one dashboard, answers included.
const MOST: i64 = 5_000;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(create)).routes(routes!(delete))
}

/// The comments on a dashboard with their answers; the newest comments first.
#[utoipa::path(get, path = "/api/dashboard/comment/list", tag = "dashboard", operation_id = "comments",
    params(CommentList), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<Comment>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, reader: Reader, params: Query<CommentList>) -> Answer<Listing<Comment>> {
    let CommentList { id, share, page, size } = params.0;
    let reader = reader.with(share);
    let dashboard = store::readable(&state.db, &reader, CreationKind::Dashboard, &id).await?;
    let window = PageParams { page, size }.window()?;
    let mine =
        |author: i64| reader.is_admin() || reader.id().is_some_and(|id| id == author || id == dashboard.owner_id);
    // Only those of the page are joined with their authors.
    let rows = sqlx::query(
        "select m.id, m.content, m.author_id, m.created_at, m.deleted_at, u.user_name, u.head_photo
         from (select * from comments where creation_id = $1 and parent_id is null
            order by created_at desc, id limit $2 offset $3) m
         join users u on u.id = m.author_id order by m.created_at desc, m.id",
    )
    .bind(&id)
    .bind(window.limit)
    .bind(window.offset)
    .fetch_all(state.db.pool())
    .await?;
    let mut items = rows.iter().map(|row| comment(row, &mine)).collect::<Result<Vec<_>, _>>()?;
    let mut replies = replies(&state.db, &items, &mine).await?;
    for item in &mut items {
        item.replies = replies.remove(&item.id).unwrap_or_default();
    }
    let total = sqlx::query_scalar("select count(*) from comments where creation_id = $1 and parent_id is null")
        .bind(&id)
        .fetch_one(state.db.pool())
        .await?;
    Ok(Reply(Listing { items, total }))
}

/// Adds a comment to a dashboard that the caller may read, or answers one.
#[utoipa::path(post, path = "/api/dashboard/comment/create", tag = "dashboard", operation_id = "createComment",
    request_body = NewComment, security(("bearer" = [])),
    responses((status = 200, body = Success<Comment>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewComment>) -> Answer<Comment> {
    let NewComment { id, content, parent_id, share } = body.0;
    let reader = Reader::of(&user).with(share);
    store::readable(&state.db, &reader, CreationKind::Dashboard, &id).await?;
    let content = content.trim().to_string();
    if content.chars().count() > LONGEST || !rules::visible(&content) {
        return Err(ApiError::invalid("content", "A comment has 1 to 2,000 characters."));
    }
    // Counted and written in one transaction: many that come at once are no more than one after the other.
    let mut transaction = state.db.begin().await?;
    if count(&mut *transaction, &id).await? >= MOST {
        let msg = "This dashboard has as many comments as there can be.";
        return Err(ApiError::new(StatusCode::CONFLICT, "too_many_comments", msg));
    }
    let parent = match parent_id {
        Some(parent) => Some(thread(&mut transaction, &id, &parent).await?),
        None => None,
    };
    let (own, now) = (new_id(), now_ms());
    sqlx::query(
        "insert into comments (id, creation_id, parent_id, author_id, content, created_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&own)
    .bind(&id)
    .bind(parent)
    .bind(user.id)
    .bind(&content)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Reply(Comment {
        id: own,
        content,
        removed: false,
        user_name: user.name,
        head_photo: user.head_photo,
        create_time: now,
        removable: true,
        replies: Vec::new(),
    }))
}

/// Removes a comment: its author, the dashboard's owner and administrators may. One with answers leaves its place.
#[utoipa::path(post, path = "/api/dashboard/comment/delete", tag = "dashboard", operation_id = "deleteComment",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    let allowed = "(author_id = $2 or $3 = 1 or creation_id in (select id from creations where owner_id = $2))";
    let mut transaction = state.db.begin().await?;
    let statement = format!("update comments set content = '', deleted_at = $4 where id = $1 and {allowed}");
    let done = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(&body.0.id)
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
    if done.rows_affected() == 0 {
        return Err(ApiError::not_found("comment"));
    }
    let author = "select author_id, user_name from comments join users on users.id = author_id where comments.id = $1";
    let author = sqlx::query_as(author).bind(&body.0.id).fetch_optional(&mut *transaction).await?;
    let author: Option<(i64, String)> = author;
    if let Some((author, name)) = author {
        user.touches(author, Deed::CommentRemoved, &[("id", &body.0.id), ("owner", &name)]);
    }
    // What nobody has answered need not leave a place.
    sqlx::query("delete from comments where id = $1 and not exists (select 1 from comments r where r.parent_id = $1)")
        .bind(&body.0.id)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(Reply(true))
}

/// Comments and answers of a dashboard that were not removed.
pub async fn count<'c>(at: impl Executor<'c, Database = Any>, dashboard: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from comments where creation_id = $1 and deleted_at is null")
        .bind(dashboard)
        .fetch_one(at)
        .await
}

/// The comment that starts the thread: an answer to an answer belongs to the same thread.
async fn thread(at: &mut AnyConnection, dashboard: &str, comment: &str) -> Result<String, ApiError> {
    let first: Option<String> =
        sqlx::query_scalar("select coalesce(parent_id, id) from comments where id = $1 and creation_id = $2")
            .bind(comment)
            .bind(dashboard)
            .fetch_optional(at)
            .await?;
    first.ok_or_else(|| ApiError::not_found("comment").param("parentId"))
}

async fn replies(
    db: &Db,
    comments: &[Comment],
    mine: &impl Fn(i64) -> bool,
) -> Result<BTreeMap<String, Vec<Comment>>, sqlx::Error> {
    let mut found: BTreeMap<String, Vec<Comment>> = BTreeMap::new();
    if comments.is_empty() {
        return Ok(found);
    }
    let statement = format!(
        "select m.id, m.parent_id, m.content, m.author_id, m.created_at, m.deleted_at, u.user_name, u.head_photo
         from comments m join users u on u.id = m.author_id where m.parent_id in ({}) order by m.created_at, m.id",
        marks(comments.len(), 1)
    );
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement));
    for comment in comments {
        query = query.bind(comment.id.as_str());
    }
    for row in query.fetch_all(db.pool()).await? {
        found.entry(row.try_get("parent_id")?).or_default().push(comment(&row, mine)?);
    }
    Ok(found)
}

fn comment(row: &AnyRow, mine: &impl Fn(i64) -> bool) -> Result<Comment, sqlx::Error> {
    let removed = row.try_get::<Option<i64>, _>("deleted_at")?.is_some();
    Ok(Comment {
        id: row.try_get("id")?,
        content: row.try_get("content")?,
        removed,
        user_name: row.try_get("user_name")?,
        head_photo: row.try_get("head_photo")?,
        create_time: row.try_get("created_at")?,
        removable: !removed && mine(row.try_get("author_id")?),
        replies: Vec::new(),
    })
}
