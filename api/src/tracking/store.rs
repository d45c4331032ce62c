//! Events of visitors in the platform database.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::{Event, sums};
use crate::db::Db;
use crate::db::list::{List, Page, Paged, pattern};

/// A visitor went from one page to another.
#[derive(Debug)]
pub struct RouteEvent {
    /// Milliseconds since 1970.
    pub at: i64,
    /// Who it was, over the pages of a visit: the browser's fingerprint or the user's name.
    pub visitor: String,
    /// Empty for visitors who are not logged in.
    pub user_name: String,
    pub previous_url: String,
    pub previous_title: String,
    pub current_url: String,
    pub current_title: String,
    /// How long the previous page was looked at.
    pub browsed_ms: i64,
}

/// A visitor used something on a page.
#[derive(Debug)]
pub struct ClickEvent {
    /// Milliseconds since 1970.
    pub at: i64,
    pub visitor: String,
    /// Empty for visitors who are not logged in.
    pub user_name: String,
    pub current_url: String,
    pub trigger_type: String,
    pub title: String,
    pub behavior: String,
}

/// A visit of a page as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct RouteRow {
    pub id: i64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub visitor: String,
    /// Empty for visitors who were not logged in.
    pub user_name: String,
    pub previous_url: String,
    pub current_url: String,
    pub current_title: String,
    /// How long the previous page was looked at, in milliseconds.
    pub browsed_ms: i64,
}

/// Which visits.
#[derive(Debug, Default)]
pub struct Visits<'a> {
    pub user_name: Option<&'a str>,
    pub url: Option<&'a str>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// Newest first.
pub async fn visits(db: &Db, filter: &Visits<'_>, page: Page) -> Result<Paged<RouteRow>, sqlx::Error> {
    let list = List::new(
        "id, at, visitor, user_name, previous_url, current_url, current_title, browsed_ms",
        "route_events",
        "at desc, id desc",
    )
    .contains_small("user_name", filter.user_name)
    .among("current_url", "select url from page_sums where lower(url)", filter.url)
    .between("at", filter.from, filter.to);
    match filter {
        // How much a page was looked at is known.
        Visits { user_name: None, url: Some(url), from: None, to: None } if !url.trim().is_empty() => {
            let views = "select cast(coalesce(sum(views), 0) as bigint) from page_sums
                where lower(url) like $1 escape '\\'";
            let total = sqlx::query_scalar(views).bind(pattern(url.trim())).fetch_one(db.pool()).await?;
            list.page_of(db, page, total).await
        }
        _ => list.page(db, page).await,
    }
}

/// Writes events down in one transaction, in the order of their times.
pub async fn insert(db: &Db, mut events: Vec<Event>) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    events.sort_by_key(|event| match event {
        Event::Route(event) => event.at,
        Event::Click(event) => event.at,
    });
    let first = db.next_ids("events", i64::try_from(events.len()).unwrap_or(i64::MAX)).await?;
    let mut transaction = db.begin().await?;
    let mut since = None;
    for (id, event) in (first..).zip(events) {
        match event {
            Event::Route(event) => {
                since.get_or_insert(event.at);
                insert_route(&mut transaction, id, event).await?;
            }
            Event::Click(event) => insert_click(&mut transaction, id, event).await?,
        }
    }
    if let Some(since) = since {
        sums::take(&mut transaction, first, since).await?;
    }
    transaction.commit().await
}

async fn insert_route(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    id: i64,
    event: RouteEvent,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into route_events (id, at, visitor, user_name, previous_url, previous_title, current_url,
         current_title, browsed_ms, visitor_before, user_before) values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
         coalesce((select e.at from route_events e where e.visitor = $3 and e.at <= $2
           order by e.at desc, e.id desc limit 1), -1),
         case when $4 <> '' then coalesce((select e.at from route_events e where e.user_name = $4
           and e.user_name <> '' and e.at <= $2 order by e.at desc, e.id desc limit 1), -1) end)",
    )
    .bind(id)
    .bind(event.at)
    .bind(event.visitor)
    .bind(event.user_name)
    .bind(event.previous_url)
    .bind(event.previous_title)
    .bind(event.current_url)
    .bind(event.current_title)
    .bind(event.browsed_ms)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

async fn insert_click(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    id: i64,
    event: ClickEvent,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into click_events (id, at, visitor, user_name, current_url, trigger_type, title, behavior)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(event.at)
    .bind(event.visitor)
    .bind(event.user_name)
    .bind(event.current_url)
    .bind(event.trigger_type)
    .bind(event.title)
    .bind(event.behavior)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
