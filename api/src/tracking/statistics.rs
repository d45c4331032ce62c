//! How much the web pages are used: views, visitors, durations and pages.

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};
use utoipa::ToSchema;

use super::sums::{self, DAY};
use crate::db::Db;
use crate::db::list::{List, Page, Paged};

/// Figures of a span of time.
#[derive(Debug, Serialize, ToSchema)]
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
#[derive(Debug, Serialize, ToSchema)]
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

/// Figures of a day or a part of it.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    views: i64,
    visitors: i64,
    /// Time on pages, in milliseconds, and how many visits told it.
    browsed_ms: i64,
    timed: i64,
}

impl Figures {
    pub fn read(row: &AnyRow) -> Result<Figures, sqlx::Error> {
        Ok(Figures {
            views: row.try_get("views")?,
            visitors: row.try_get("visitors")?,
            browsed_ms: row.try_get("browsed_ms")?,
            timed: row.try_get("timed")?,
        })
    }
}

/// Figures from `from` up to, but without, `to`, in milliseconds since 1970, and per day, oldest first.
pub async fn summary(db: &Db, from: i64, to: i64) -> Result<(Summary, Vec<DayAccess>), sqlx::Error> {
    let mut days = sums::days(db, from, to).await?;
    // What is left: a part of the first day, and those that are not over.
    let whole = days.first().zip(days.last()).map(|((first, _), (last, _))| (*first, *last + DAY));
    match whole {
        Some((first, end)) => {
            days.extend(parts(db, from, first).await?);
            days.extend(parts(db, end, to).await?);
        }
        None => days = parts(db, from, to).await?,
    }
    days.sort_by_key(|(day, _)| *day);
    days.retain(|(_, figures)| figures.views > 0);
    let row = sqlx::query(
        "select cast(coalesce(sum(case when visitor_before < $1 then 1 else 0 end), 0) as bigint) as visitors,
         cast(coalesce(sum(case when user_before < $1 then 1 else 0 end), 0) as bigint) as users
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
    let sum = |of: fn(&Figures) -> i64| days.iter().map(|(_, figures)| of(figures)).sum::<i64>();
    let summary = Summary {
        views: sum(|figures| figures.views),
        visitors: row.try_get("visitors")?,
        users: row.try_get("users")?,
        mean_browse_ms: sum(|figures| figures.browsed_ms).checked_div(sum(|figures| figures.timed)).unwrap_or(0),
        clicks,
    };
    let day =
        |(day, figures): &(i64, Figures)| DayAccess { day: *day, views: figures.views, visitors: figures.visitors };
    Ok((summary, days.iter().map(day).collect()))
}

/// Figures of days, the first and the last of which may be parts.
async fn parts(db: &Db, from: i64, to: i64) -> Result<Vec<(i64, Figures)>, sqlx::Error> {
    if from >= to {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(
        "select at / 86400000 * 86400000 as day, count(*) as views,
         cast(sum(case when visitor_before < $1 or visitor_before < at / 86400000 * 86400000 then 1 else 0 end) as bigint)
           as visitors,
         cast(sum(browsed_ms) as bigint) as browsed_ms,
         cast(sum(case when browsed_ms > 0 then 1 else 0 end) as bigint) as timed
         from route_events where at >= $1 and at < $2 group by at / 86400000",
    )
    .bind(from)
    .bind(to)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(|row| Ok((row.try_get("day")?, Figures::read(row)?))).collect()
}

/// Figures per page of the whole time, the most viewed first.
pub async fn pages(db: &Db, url: Option<&str>, page: Page) -> Result<Paged<PageAccess>, sqlx::Error> {
    List::new(
        "url, views, visitors, case when timed = 0 then 0 else browsed_ms / timed end as mean_browse_ms",
        "page_sums",
        "views desc, url",
    )
    // Others were only left.
    .only("views > 0")
    .contains("url", url)
    .page(db, page)
    .await
}
