//! Creations in lists: a card each, read in one go for a page.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, Row, any::AnyArguments, query::Query};
use utoipa::ToSchema;

use super::model::{CreationKind, Visibility};
use super::paging::{Listing, Window};
use super::tags;
use crate::db::Db;
use crate::jobs::model::Kind;

/// Characters of the notes that a card shows.
const NOTES: usize = 300;

/// One creation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    pub id: String,
    pub kind: CreationKind,
    pub title: String,
    /// The first characters of the notes.
    pub notes: String,
    /// Of content that ships with the product; null for what people made.
    pub title_zh: Option<String>,
    pub tags: Vec<String>,
    pub user_name: String,
    pub head_photo: String,
    pub visibility: Visibility,
    pub official: bool,
    pub favorites: i64,
    /// Whether the caller marked it as a favourite.
    pub favorited: bool,
    pub forks: i64,
    pub create_time: i64,
    pub update_time: i64,
    /// Of a query.
    pub query_kind: Option<Kind>,
    /// Of a query: when the result that viewers see was made.
    pub last_run_time: Option<i64>,
    pub visualization_type: Option<String>,
    /// Of a visualization: its query; null where that is neither public nor the caller's.
    pub query_id: Option<String>,
    /// Of a dashboard: its widgets. Of a project: what is in it.
    pub items: Option<i64>,
    /// Of a dashboard: the visualization that stands for it; null where the query behind it is neither public nor the
    /// caller's, so that there is nothing to draw it from.
    pub preview_id: Option<String>,
}

/// Which creations to list: a condition on `creations c` with `$1`, `$2` … and their values.
#[derive(Debug)]
pub struct Selection {
    pub from: &'static str,
    pub condition: String,
    pub values: Vec<Bind>,
    /// Columns that make the order of two rows certain.
    pub order: &'static str,
}

/// A value of a condition.
#[derive(Debug, Clone)]
pub enum Bind {
    Number(i64),
    Text(String),
}

/// Binds the values in their order.
pub fn bind<'q>(mut query: Query<'q, Any, AnyArguments>, values: &[Bind]) -> Query<'q, Any, AnyArguments> {
    for value in values {
        query = match value {
            Bind::Number(number) => query.bind(*number),
            Bind::Text(text) => query.bind(text.clone()),
        };
    }
    query
}

/// A page of the selected creations, and how many there are.
pub async fn list(
    db: &Db,
    viewer: Option<i64>,
    selection: &Selection,
    window: Window,
) -> Result<Listing<Card>, sqlx::Error> {
    let Selection { from, condition, values, order } = selection;
    let count = format!("select count(*) as total from {from} where {condition}");
    let total = bind(sqlx::query(sqlx::AssertSqlSafe(count)), values).fetch_one(db.pool()).await?.try_get("total")?;
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let page = format!(
        "select c.id from {from} where {condition} order by {order} limit {} offset {}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(page)), values).fetch_all(db.pool()).await?;
    let ids = rows.iter().map(|row| row.try_get("id")).collect::<Result<Vec<String>, _>>()?;
    Ok(Listing { items: cards(db, viewer, &ids).await?, total })
}

/// The cards of the creations of these numbers, in their order.
pub async fn numbered(db: &Db, viewer: Option<i64>, numbers: &[i64]) -> Result<Vec<Card>, sqlx::Error> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let statement = format!("select number, id from creations where number in ({})", marks(numbers.len(), 1));
    let query = numbers.iter().fold(sqlx::query(sqlx::AssertSqlSafe(statement)), |query, number| query.bind(*number));
    let mut ids = HashMap::new();
    for row in query.fetch_all(db.pool()).await? {
        ids.insert(row.try_get::<i64, _>("number")?, row.try_get::<String, _>("id")?);
    }
    let ids: Vec<String> = numbers.iter().filter_map(|number| ids.remove(number)).collect();
    cards(db, viewer, &ids).await
}

/// The cards of these creations, in their order. Who may see them is the caller's to decide.
pub async fn cards(db: &Db, viewer: Option<i64>, ids: &[String]) -> Result<Vec<Card>, sqlx::Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let statement = format!(
        "select c.id, c.kind, c.title, c.title_zh, substr(c.notes, 1, {NOTES}) as notes, c.visibility, c.official,
         c.favorites, c.forks, c.created_at, c.updated_at, u.user_name, u.head_photo, q.kind as query_kind,
         v.type as visualization_type, behind.id as query_id, d.widgets,
         case when behind.id is not null then d.preview end as preview,
         (select count(*) from project_items p where p.project_id = c.id) as items,
         (select max(j.finished_at) from jobs j where j.query_id = c.id and j.shared = 1 and j.state = 'SUCCEEDED')
            as last_run
         from creations c join users u on u.id = c.owner_id left join queries q on q.id = c.id
         left join visualizations v on v.id = c.id left join dashboards d on d.id = c.id
         left join visualizations picture on picture.id = d.preview
         left join creations behind on behind.id = coalesce(v.query_id, picture.query_id)
         and (behind.visibility = 'public' or behind.owner_id = $1) where c.id in ({})",
        marks(ids.len(), 2)
    );
    // No account has the number 0.
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(viewer.unwrap_or(0));
    for id in ids {
        query = query.bind(id.as_str());
    }
    let mut found = HashMap::new();
    for row in query.fetch_all(db.pool()).await? {
        let card = card(&row)?;
        found.insert(card.id.clone(), card);
    }
    let mut cards: Vec<Card> = ids.iter().filter_map(|id| found.remove(id)).collect();
    dress(db, viewer, &mut cards).await?;
    Ok(cards)
}

/// Adds tags and the viewer's favourites.
async fn dress(db: &Db, viewer: Option<i64>, cards: &mut [Card]) -> Result<(), sqlx::Error> {
    for kind in [CreationKind::Query, CreationKind::Dashboard, CreationKind::Project] {
        let ids: Vec<&str> = cards.iter().filter(|card| card.kind == kind).map(|card| card.id.as_str()).collect();
        let mut tags = tags::of_all(db, kind.name(), &ids).await?;
        let marked = marked(db, viewer, kind.name(), &ids).await?;
        for card in cards.iter_mut().filter(|card| card.kind == kind) {
            card.tags = tags.remove(&card.id).unwrap_or_default();
            card.favorited = marked.contains(&card.id);
        }
    }
    Ok(())
}

/// Which of these things of one kind the viewer marked as favourites.
pub async fn marked(db: &Db, viewer: Option<i64>, kind: &str, ids: &[&str]) -> Result<HashSet<String>, sqlx::Error> {
    let Some(viewer) = viewer.filter(|_| !ids.is_empty()) else { return Ok(HashSet::new()) };
    let statement = format!(
        "select entity_id from favorites where user_id = $1 and entity_kind = $2 and entity_id in ({})",
        marks(ids.len(), 3)
    );
    let mut query = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).bind(viewer).bind(kind);
    for id in ids {
        query = query.bind(*id);
    }
    Ok(query.fetch_all(db.pool()).await?.into_iter().collect())
}

/// `$3, $4, $5` for three values from the third on.
pub fn marks(count: usize, first: usize) -> String {
    (0..count).map(|at| format!("${}", at + first)).collect::<Vec<_>>().join(", ")
}

fn card(row: &AnyRow) -> Result<Card, sqlx::Error> {
    let unknown = |column: &str| sqlx::Error::Decode(format!("{column} of a creation holds an unknown word").into());
    let kind = CreationKind::parse(row.try_get("kind")?).ok_or_else(|| unknown("kind"))?;
    let query_kind: Option<String> = row.try_get("query_kind")?;
    let widgets: Option<i64> = row.try_get("widgets")?;
    let items: i64 = row.try_get("items")?;
    Ok(Card {
        id: row.try_get("id")?,
        kind,
        title: row.try_get("title")?,
        notes: row.try_get("notes")?,
        title_zh: row.try_get("title_zh")?,
        tags: Vec::new(),
        user_name: row.try_get("user_name")?,
        head_photo: row.try_get("head_photo")?,
        visibility: Visibility::parse(row.try_get("visibility")?).ok_or_else(|| unknown("visibility"))?,
        official: row.try_get::<i64, _>("official")? != 0,
        favorites: row.try_get("favorites")?,
        favorited: false,
        forks: row.try_get("forks")?,
        create_time: row.try_get("created_at")?,
        update_time: row.try_get("updated_at")?,
        query_kind: query_kind.as_deref().and_then(Kind::parse),
        last_run_time: row.try_get("last_run")?,
        visualization_type: row.try_get("visualization_type")?,
        query_id: if kind == CreationKind::Visualization { row.try_get("query_id")? } else { None },
        items: if kind == CreationKind::Project { Some(items) } else { widgets },
        preview_id: row.try_get("preview")?,
    })
}
