//! How much the web pages are used: views, visitors, durations and pages.

use serde::Serialize;
use sqlx::{FromRow, Row};
use utoipa::ToSchema;

use crate::db::Db;
use crate::db::list::{List, Page, Paged};

/// Figures of a span of time.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Pages looked at.
    pub views: i64,
    /// Different visitors.
    pub visitors: i64,
    /// Different users who were logged in.
    pub users: i64,
    /// Mean time on a page, in milliseconds.
    pub mean_browse_ms: i64,
    /// Clicks that pages report.
    pub clicks: i64,
}

/// Figures of one day in UTC.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DayAccess {
    /// Start of the day, in milliseconds since 1970.
    pub day: i64,
    pub views: i64,
    pub visitors: i64,
}

/// Figures of one page.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct PageAccess {
    pub url: String,
    pub views: i64,
    pub visitors: i64,
    /// Mean time that visitors looked at it, in milliseconds; 0 while nobody has left it for another page.
    pub mean_browse_ms: i64,
}

/// Figures from `from` up to, but without, `to`, in milliseconds since 1970.
pub async fn summary(db: &Db, from: i64, to: i64) -> Result<Summary, sqlx::Error> {
    let routes = sqlx::query(
        "select count(*) as views, count(distinct visitor) as visitors,
         count(distinct nullif(user_name, '')) as users,
         cast(coalesce(sum(browsed_ms), 0) as bigint) as browsed,
         cast(coalesce(sum(case when browsed_ms > 0 then 1 else 0 end), 0) as bigint) as timed
         from route_events where at >= $1 and at < $2",
    )
    .bind(from)
    .bind(to)
    .fetch_one(db.pool())
    .await?;
    let clicks = sqlx::query_scalar("select count(*) from click_events where at >= $1 and at < $2")
        .bind(from)
        .bind(to)
        .fetch_one(db.pool())
        .await?;
    let (browsed, timed): (i64, i64) = (routes.try_get("browsed")?, routes.try_get("timed")?);
    Ok(Summary {
        views: routes.try_get("views")?,
        visitors: routes.try_get("visitors")?,
        users: routes.try_get("users")?,
        mean_browse_ms: browsed.checked_div(timed).unwrap_or(0),
        clicks,
    })
}

/// Figures per day, oldest first.
pub async fn days(db: &Db, from: i64, to: i64) -> Result<Vec<DayAccess>, sqlx::Error> {
    let rows = sqlx::query(
        "select at / 86400000 * 86400000 as day, count(*) as views, count(distinct visitor) as visitors
         from route_events where at >= $1 and at < $2 group by at / 86400000 order by day",
    )
    .bind(from)
    .bind(to)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(DayAccess::from_row).collect()
}

/// Figures per page of the whole time, the most viewed first.
pub async fn pages(db: &Db, url: Option<&str>, page: Page) -> Result<Paged<PageAccess>, sqlx::Error> {
    List::new(
        "url, views, visitors, mean_browse_ms",
        "(select viewed.url, views, visitors, coalesce(timed.mean_ms, 0) as mean_browse_ms from
          (select current_url as url, count(*) as views, count(distinct visitor) as visitors
           from route_events group by current_url) viewed left join
          (select previous_url as url, cast(sum(browsed_ms) / count(*) as bigint) as mean_ms
           from route_events where browsed_ms > 0 group by previous_url) timed on timed.url = viewed.url) pages",
        "views desc, url",
    )
    .contains("url", url)
    .page(db, page)
    .await
}
