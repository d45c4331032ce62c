//! The search over public creations.

use sqlx::Row;

use super::model::Sort;
use crate::creations::card::{Bind, Card, bind, cards};
use crate::creations::index::Wish;
use crate::creations::lists::containing;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, Window};
use crate::db::Db;

/// What is searched among the public creations of one kind.
#[derive(Debug)]
pub struct Search<'a> {
    pub kind: CreationKind,
    pub wish: &'a Wish,
    /// Milliseconds since 1970.
    pub since: i64,
}

/// The parts of a statement that finds what is searched.
struct Found {
    condition: String,
    values: Vec<Bind>,
    /// The index alone knows how many there are, by this expression.
    indexed: Option<String>,
}

/// One page of what is searched.
pub async fn page(
    db: &Db,
    viewer: Option<i64>,
    search: &Search<'_>,
    sort: Sort,
    window: Window,
) -> Result<Listing<Card>, sqlx::Error> {
    let found = found(db, search).await?;
    let order = match sort {
        Sort::Favorites => "c.favorites desc, c.updated_at desc, c.number desc",
        Sort::Time => "c.updated_at desc, c.number desc",
    };
    let statement = format!(
        "select c.id from creations c where {} order by {order} limit {} offset {}",
        found.condition, window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &found.values).fetch_all(db.pool()).await?;
    let ids = rows.iter().map(|row| row.try_get("id")).collect::<Result<Vec<String>, _>>()?;
    Ok(Listing { items: cards(db, viewer, &ids).await?, total: total(db, &found).await? })
}

/// How much there is of what is searched.
pub async fn count(db: &Db, search: &Search<'_>) -> Result<i64, sqlx::Error> {
    total(db, &found(db, search).await?).await
}

async fn total(db: &Db, found: &Found) -> Result<i64, sqlx::Error> {
    if let Some(expression) = &found.indexed {
        let statement = format!("select count(*) as total from ({}) m", db.search().matching("$1"));
        let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(expression).fetch_one(db.pool()).await?;
        return row.try_get("total");
    }
    let statement = format!("select count(*) as total from creations c where {}", found.condition);
    bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &found.values).fetch_one(db.pool()).await?.try_get("total")
}

async fn found(db: &Db, search: &Search<'_>) -> Result<Found, sqlx::Error> {
    let mut condition = "c.kind = $1 and c.visibility = 'public'".to_string();
    let mut values = vec![Bind::Text(search.kind.name().to_string())];
    if search.since > 0 {
        values.push(Bind::Number(search.since));
        condition.push_str(&format!(" and c.updated_at >= ${}", values.len()));
    }
    if search.wish.is_empty() {
        return Ok(Found { condition, values, indexed: None });
    }
    let dialect = db.search();
    let expression = dialect.expression(&search.wish.public_terms(search.kind));
    values.push(Bind::Text(expression.clone()));
    condition.push_str(&format!(" and c.number in ({})", dialect.matching(&format!("${}", values.len()))));
    for text in &search.wish.texts {
        values.push(Bind::Text(containing(text)));
        condition.push_str(&format!(
            " and exists (select 1 from search_texts t where t.number = c.number and t.content like ${} escape '\\')",
            values.len()
        ));
    }
    let indexed = (search.since == 0 && search.wish.texts.is_empty()).then_some(expression);
    Ok(Found { condition, values, indexed })
}
