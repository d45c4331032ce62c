//! What is kept of visits so that figures need no look at all of them. Who counts the different visitors of a span counts the
//! visits in it before which the visitor was last here before the span.

use std::collections::BTreeSet;

use sqlx::{AnyConnection, Row};

use super::statistics::Figures;
use crate::db::Db;
use crate::time::now_ms;

/// In milliseconds.
pub const DAY: i64 = 86_400_000;
/// How long after its end a day is counted for good: events wait a moment before they are written.
const SETTLED: i64 = 3_600_000;

/// Takes the events from the id `first` on into the sums; `since` is the earliest moment among them.
pub async fn take(at: &mut AnyConnection, first: i64, since: i64) -> Result<(), sqlx::Error> {
    // Events that were written earlier with later times, which a clock that was set back leaves: the new ones are before them.
    let before = |same: &str| {
        format!(
            "coalesce((select e.at from route_events e where {same} and e.at <= route_events.at
             and (e.at < route_events.at or e.id < route_events.id) order by e.at desc, e.id desc limit 1), -1)"
        )
    };
    let later = format!(
        "update route_events set visitor_before = {},
         user_before = case when user_name <> '' then {} end where at >= $1 and +id < $2",
        before("e.visitor = route_events.visitor"),
        before("e.user_name = route_events.user_name and e.user_name <> ''")
    );
    sqlx::query(sqlx::AssertSqlSafe(later)).bind(since).bind(first).execute(&mut *at).await?;
    // None, unless the events are of a day that is over.
    sqlx::query("delete from visit_days where day >= $1").bind(since / DAY * DAY).execute(&mut *at).await?;
    // The addresses are put together, so that SQLite begins with the ids and not with its index of addresses.
    sqlx::query(
        "insert into page_sums (url, views, visitors, browsed_ms, timed)
         select url, cast(sum(views) as bigint), cast(sum(visitors) as bigint), cast(sum(browsed_ms) as bigint),
           cast(sum(timed) as bigint)
         from (select e.current_url || '' as url, count(*) as views,
             count(distinct case when not exists (select 1 from page_visitors v
               where v.url = e.current_url || '' and v.visitor = e.visitor) then e.visitor end) as visitors,
             0 as browsed_ms, 0 as timed
           from route_events e where e.id >= $1 group by e.current_url || ''
           union all
           select previous_url, 0, 0, sum(browsed_ms), count(*) from route_events
           where id >= $1 and browsed_ms > 0 group by previous_url) parts
         group by url
         on conflict (url) do update set views = page_sums.views + excluded.views,
           visitors = page_sums.visitors + excluded.visitors, browsed_ms = page_sums.browsed_ms + excluded.browsed_ms,
           timed = page_sums.timed + excluded.timed",
    )
    .bind(first)
    .execute(&mut *at)
    .await?;
    sqlx::query(
        "insert into page_visitors (url, visitor) select distinct current_url || '', visitor from route_events where id >= $1
         on conflict do nothing",
    )
    .bind(first)
    .execute(at)
    .await?;
    Ok(())
}

/// Figures of the days that lie whole between two moments, oldest first; the last ones may be missing because they are not
/// over.
pub async fn days(db: &Db, from: i64, to: i64) -> Result<Vec<(i64, Figures)>, sqlx::Error> {
    let first: Option<i64> = sqlx::query_scalar("select min(at) from route_events").fetch_one(db.pool()).await?;
    let Some(first) = first else { return Ok(Vec::new()) };
    let from = (from.saturating_add(DAY - 1) / DAY * DAY).max(first / DAY * DAY);
    let to = to.min(now_ms() - SETTLED) / DAY * DAY;
    if from >= to {
        return Ok(Vec::new());
    }
    let kept = read(db, from, to).await?;
    let known: BTreeSet<i64> = kept.iter().map(|(day, _)| *day).collect();
    let lacking: Vec<i64> =
        (0..(to - from) / DAY).map(|place| from + place * DAY).filter(|day| !known.contains(day)).collect();
    if lacking.is_empty() {
        return Ok(kept);
    }
    for day in lacking {
        sqlx::query(
            "insert into visit_days (day, views, visitors, browsed_ms, timed)
             select $1, count(*), coalesce(sum(case when visitor_before < $1 then 1 else 0 end), 0),
               coalesce(sum(browsed_ms), 0), coalesce(sum(case when browsed_ms > 0 then 1 else 0 end), 0)
             from route_events where at >= $1 and at < $2 on conflict do nothing",
        )
        .bind(day)
        .bind(day + DAY)
        .execute(db.pool())
        .await?;
    }
    read(db, from, to).await
}

async fn read(db: &Db, from: i64, to: i64) -> Result<Vec<(i64, Figures)>, sqlx::Error> {
    let rows = sqlx::query(
        "select day, views, visitors, browsed_ms, timed from visit_days where day >= $1 and day < $2 order by day",
    )
    .bind(from)
    .bind(to)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(|row| Ok((row.try_get("day")?, Figures::read(row)?))).collect()
}
