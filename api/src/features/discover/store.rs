//! The search over public creations.
//!
//! A page is read along the index of its order, and each row is asked whether it is meant, until the page is full. So the plus
//! before a column: it keeps the databases from beginning with that condition and sorting all that it finds.

use sqlx::Row;

use super::model::Sort;
use crate::creations::card::{self, Bind, Card, bind};
use crate::creations::index::Wish;
use crate::creations::lists::containing;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, Window};
use crate::db::{Db, tallies};

/// What is searched among the public creations of one kind.
#[derive(Debug)]
pub struct Search<'a> {
    pub kind: CreationKind,
    pub wish: &'a Wish,
    /// Milliseconds since 1970.
    pub since: i64,
}

/// One page of what is searched.
pub async fn page(
    db: &Db,
    viewer: Option<i64>,
    search: &Search<'_>,
    sort: Sort,
    window: Window,
) -> Result<Listing<Card>, sqlx::Error> {
    let total = count(db, search).await?;
    if window.offset >= total {
        return Ok(Listing { items: Vec::new(), total });
    }
    let (order, time) = match sort {
        Sort::Favorites => ("c.favorites desc, c.updated_at desc, c.number desc", "+c.updated_at"),
        Sort::Time => ("c.updated_at desc, c.number desc", "c.updated_at"),
    };
    let (condition, values) = condition(db, search, time);
    let statement = format!(
        "select c.number from creations c where {condition} order by {order} limit {} offset {}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_all(db.pool()).await?;
    let numbers = rows.iter().map(|row| row.try_get("number")).collect::<Result<Vec<i64>, _>>()?;
    Ok(Listing { items: card::numbered(db, viewer, &numbers).await?, total })
}

/// How much there is of what is searched.
pub async fn count(db: &Db, search: &Search<'_>) -> Result<i64, sqlx::Error> {
    let all = search.since == 0;
    if all && search.wish.is_empty() {
        return db.tally(tallies::CREATIONS, search.kind.name()).await;
    }
    let (statement, values) = if all {
        // Who is public is a word of the index too.
        let mut values = Vec::new();
        let matching = matching(db, search, &mut values);
        (format!("select count(*) as total from ({matching}) m"), values)
    } else {
        let (condition, values) = condition(db, search, "c.updated_at");
        (format!("select count(*) as total from creations c where {condition}"), values)
    };
    bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_one(db.pool()).await?.try_get("total")
}

/// What rows of `creations c` have to fulfil; `time` is their time of the last change.
fn condition(db: &Db, search: &Search<'_>, time: &str) -> (String, Vec<Bind>) {
    let mut condition = "c.kind = $1 and c.visibility = 'public'".to_string();
    let mut values = vec![Bind::Text(search.kind.name().to_string())];
    if search.since > 0 {
        values.push(Bind::Number(search.since));
        condition.push_str(&format!(" and {time} >= ${}", values.len()));
    }
    if !search.wish.is_empty() {
        let matching = matching(db, search, &mut values);
        condition.push_str(&format!(" and +c.number in ({matching})"));
    }
    (condition, values)
}

/// A query for the numbers of what the words mean; its values follow those that are there.
fn matching(db: &Db, search: &Search<'_>, values: &mut Vec<Bind>) -> String {
    let dialect = db.search();
    values.push(Bind::Text(dialect.expression(&search.wish.public_terms(search.kind))));
    let mark = format!("${}", values.len());
    let mut texts = Vec::new();
    for text in &search.wish.texts {
        values.push(Bind::Text(containing(text)));
        texts.push(format!("${}", values.len()));
    }
    dialect.matching(&mark, &texts)
}
