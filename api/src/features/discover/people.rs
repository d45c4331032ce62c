//! Lists of creators and of addresses.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::{AddressCard, CreatorCard, Sort};
use crate::creations::card::{Bind, bind, marked};
use crate::creations::model::EntityKind;
use crate::creations::paging::{Listing, Window};
use crate::creations::{rules, tags};
use crate::db::list::pattern;
use crate::db::search::Dialect;
use crate::db::{Db, tallies};

/// What is asked of people and addresses.
#[derive(Debug)]
pub struct Asked<'a> {
    pub search: &'a str,
    pub since: i64,
}

/// Creators with something public, found by the start of their name.
pub async fn creators(
    db: &Db,
    viewer: Option<i64>,
    asked: &Asked<'_>,
    sort: Sort,
    window: Window,
) -> Result<Listing<CreatorCard>, sqlx::Error> {
    let total = creators_count(db, asked).await?;
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let (from, condition, values) = creators_asked(db, asked);
    let order = match sort {
        Sort::Favorites => "f.stars desc, f.user_id desc",
        // Accounts are numbered as they come.
        Sort::Time => "f.user_id desc",
    };
    // Who is on the page comes from an index alone, however many stand before it.
    let statement = format!(
        "select u.user_name, u.head_photo, f.stars, f.dashboards, f.queries, u.created_at
         from (select f.user_id from {from} where {condition} order by {order} limit {} offset {}) page
         join creator_figures f on f.user_id = page.user_id join users u on u.id = f.user_id order by {order}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_all(db.pool()).await?;
    let mut items = rows.iter().map(creator).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = items.iter().map(|item| item.user_name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut tags = tags::of_all(db, EntityKind::User.name(), &names).await?;
    let marked = marked(db, viewer, EntityKind::User.name(), &names).await?;
    for item in &mut items {
        item.tags = tags.remove(&item.user_name).unwrap_or_default();
        item.favorited = marked.contains(&item.user_name);
    }
    Ok(Listing { items, total })
}

pub async fn creators_count(db: &Db, asked: &Asked<'_>) -> Result<i64, sqlx::Error> {
    let (from, condition, values) = creators_asked(db, asked);
    if values.is_empty() {
        return db.tally(tallies::CREATORS, "").await;
    }
    let statement = format!("select count(*) as total from {from} where {condition}");
    bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_one(db.pool()).await?.try_get("total")
}

/// Tables, condition and values. Who is asked for by name or time is looked up among the users first, which a cross join
/// tells SQLite.
fn creators_asked(db: &Db, asked: &Asked<'_>) -> (&'static str, String, Vec<Bind>) {
    let mut conditions = Vec::new();
    let mut values = Vec::new();
    if asked.since > 0 {
        values.push(Bind::Number(asked.since));
        conditions.push(format!("u.created_at >= ${}", values.len()));
    }
    let name = asked.search.trim().trim_start_matches("author:").to_lowercase();
    if !name.is_empty() {
        // User names are small ASCII letters, digits and underscores, so `{` comes after all of them.
        values.push(Bind::Text(name.clone()));
        conditions.push(format!("u.user_name >= ${}", values.len()));
        values.push(Bind::Text(format!("{name}{{")));
        conditions.push(format!("u.user_name < ${}", values.len()));
    }
    if values.is_empty() {
        return ("creator_figures f", "f.shown = 1".to_string(), values);
    }
    // The plus keeps SQLite from looking for each of them among all who are shown. PostgreSQL would know less with it.
    let shown = if db.search() == Dialect::Sqlite { "+f.shown" } else { "f.shown" };
    let condition = format!("{} and f.user_id = u.id and {shown} = 1", conditions.join(" and "));
    ("users u cross join creator_figures f", condition, values)
}

/// Addresses that people marked or tagged, found by the start of the address or a part of a tag. A whole address is found
/// whether or not anybody has.
pub async fn addresses(
    db: &Db,
    viewer: Option<i64>,
    asked: &Asked<'_>,
    sort: Sort,
    window: Window,
) -> Result<Listing<AddressCard>, sqlx::Error> {
    let known = known_addresses(db, asked).await?;
    let total = with_unknown(known, asked);
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let (order, time) = match sort {
        // The plus keeps the databases on the index of the order.
        Sort::Favorites => ("a.favorites desc, a.updated_at desc, a.address", "+a.updated_at"),
        Sort::Time => ("a.updated_at desc, a.address", "a.updated_at"),
    };
    let (condition, values) = addresses_asked(asked, time);
    let statement = format!(
        "select a.address, a.favorites, a.updated_at from addresses a where {condition}
         order by {order} limit {} offset {}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_all(db.pool()).await?;
    let mut items = rows.iter().map(address).collect::<Result<Vec<_>, _>>()?;
    if known == 0
        && let Ok(address) = rules::address(asked.search)
    {
        items.push(AddressCard { address, favorites: 0, favorited: false, tags: Vec::new(), update_time: None });
    }
    let names: Vec<String> = items.iter().map(|item| item.address.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut tags = tags::of_all(db, EntityKind::Address.name(), &names).await?;
    let marked = marked(db, viewer, EntityKind::Address.name(), &names).await?;
    for item in &mut items {
        item.tags = tags.remove(&item.address).unwrap_or_default();
        item.favorited = marked.contains(&item.address);
    }
    Ok(Listing { items, total })
}

pub async fn addresses_count(db: &Db, asked: &Asked<'_>) -> Result<i64, sqlx::Error> {
    Ok(with_unknown(known_addresses(db, asked).await?, asked))
}

/// How many are found, with a whole address that is not known.
fn with_unknown(known: i64, asked: &Asked<'_>) -> i64 {
    if known == 0 && rules::address(asked.search).is_ok() { 1 } else { known }
}

async fn known_addresses(db: &Db, asked: &Asked<'_>) -> Result<i64, sqlx::Error> {
    let (condition, values) = addresses_asked(asked, "a.updated_at");
    let statement = format!("select count(*) as total from addresses a where {condition}");
    bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values).fetch_one(db.pool()).await?.try_get("total")
}

fn addresses_asked(asked: &Asked<'_>, time: &str) -> (String, Vec<Bind>) {
    let mut condition = "1 = 1".to_string();
    let mut values = Vec::new();
    if asked.since > 0 {
        values.push(Bind::Number(asked.since));
        condition.push_str(&format!(" and {time} >= ${}", values.len()));
    }
    let text = asked.search.trim().to_lowercase();
    if text.starts_with("0x") {
        values.push(Bind::Text(text.clone()));
        condition.push_str(&format!(" and a.address >= ${}", values.len()));
        values.push(Bind::Text(format!("{text}g")));
        condition.push_str(&format!(" and a.address < ${}", values.len()));
    } else if !text.is_empty() {
        // Few tags are looked through in place of all that have one.
        values.push(Bind::Text(pattern(text.trim_start_matches("tag:"))));
        condition.push_str(&format!(
            " and a.address in (select t.entity_id from tags t where t.public = 1 and t.entity_kind = 'address'
             and t.tag_key in (select y.name from tallies y where y.topic = 'tag:address'
             and y.name like ${} escape '\\'))",
            values.len()
        ));
    }
    (condition, values)
}

fn creator(row: &AnyRow) -> Result<CreatorCard, sqlx::Error> {
    Ok(CreatorCard {
        user_name: row.try_get("user_name")?,
        head_photo: row.try_get("head_photo")?,
        stars: row.try_get("stars")?,
        dashboards: row.try_get("dashboards")?,
        queries: row.try_get("queries")?,
        tags: Vec::new(),
        favorited: false,
        create_time: row.try_get("created_at")?,
    })
}

fn address(row: &AnyRow) -> Result<AddressCard, sqlx::Error> {
    Ok(AddressCard {
        address: row.try_get("address")?,
        favorites: row.try_get("favorites")?,
        favorited: false,
        tags: Vec::new(),
        update_time: row.try_get("updated_at")?,
    })
}
