//! Saving queries: the row of the creation, the query's own, a version and the index in one transaction.

use super::model::{NewQuery, QueryChange, QueryView, VisualizationOf};
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::conflict::conflict;
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::queries::{self, QueryRow, QueryText};
use crate::creations::store::{self, Change, Creation, New, new_id};
use crate::creations::visualizations::{self, VisualizationRow};
use crate::creations::{index, rewards, rules, versions};
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::of_query;
use crate::schedule::next::next;
use crate::time::now_ms;

const DATABASE: &str = "ethereum";
const LONGEST_DATABASE: usize = 64;

/// Saves a new query; answers its id.
pub async fn create(db: &Db, user: &CurrentUser, new: &NewQuery) -> Result<String, ApiError> {
    let tags = rules::tags(&new.tags)?;
    new.what.check()?;
    let creation = New {
        kind: CreationKind::Query,
        title: rules::title(&new.title)?,
        notes: rules::notes(&new.notes)?,
        tags: &tags,
        visibility: new.visibility,
        forked_from: None,
    };
    let mut row = QueryRow {
        id: new_id(),
        what: new.what.clone(),
        database: database(new.database.as_deref())?,
        strategy: new.update_strategy,
        cron: new.cron.clone(),
        paused: false,
        next_run_at: None,
    };
    insert(db, user, &creation, &mut row).await?;
    Ok(row.id)
}

/// Makes a copy that belongs to the user, with the query's visualizations; answers its id.
pub async fn fork(db: &Db, user: &CurrentUser, origin: &Creation) -> Result<String, ApiError> {
    let source = queries::find(db, &origin.id).await?;
    let tags = crate::creations::tags::of(db, origin.kind, &origin.id).await?;
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    let creation = New {
        kind: CreationKind::Query,
        title: &origin.title,
        notes: &origin.notes,
        tags: &tags,
        visibility: Visibility::Private,
        forked_from: Some(&origin.id),
    };
    let mut row = QueryRow {
        id: new_id(),
        strategy: queries::Strategy::Manual,
        cron: String::new(),
        paused: false,
        next_run_at: None,
        ..source
    };
    insert(db, user, &creation, &mut row).await?;
    rewards::forked(db, origin, user.id).await?;
    for id in visualizations::of_query(db, &origin.id).await? {
        let Some(original) = store::any(db, &id).await? else { continue };
        let viz = visualizations::find(db, &id).await?.viz;
        let copy = New {
            kind: CreationKind::Visualization,
            title: &original.title,
            notes: &original.notes,
            tags: &[],
            forked_from: Some(&original.id),
            visibility: Visibility::Private,
        };
        let number = db.next_id("creations").await?;
        let own = VisualizationRow { id: new_id(), query_id: row.id.clone(), viz };
        let mut transaction = db.begin().await?;
        store::insert(&mut transaction, user.id, &own.id, number, &copy).await?;
        visualizations::insert(&mut transaction, &own).await?;
        transaction.commit().await?;
    }
    Ok(row.id)
}

async fn insert(db: &Db, user: &CurrentUser, creation: &New<'_>, row: &mut QueryRow) -> Result<(), ApiError> {
    let number = db.next_id("creations").await?;
    row.next_run_at = next(row.strategy, &row.cron, number, now_ms())?;
    let content = serde_json::to_string(&row.what).map_err(ApiError::internal)?;
    let mut transaction = db.begin().await?;
    store::insert(&mut transaction, user.id, &row.id, number, creation).await?;
    queries::insert(&mut transaction, row).await?;
    versions::keep(&mut transaction, &row.id, user.id, creation.title, &content, false).await?;
    index::refresh(db, &mut transaction, &row.id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Changes a query that this user may change; 409 with its current state when the change was made on an older one.
pub async fn update(db: &Db, user: &CurrentUser, change: &QueryChange) -> Result<(), ApiError> {
    let found = store::editable(db, user, CreationKind::Query, &change.id).await?;
    let tags = change.tags.as_deref().map(rules::tags).transpose()?;
    let mut row = queries::find(db, &change.id).await?;
    let before = row.what.clone();
    apply(&mut row, change, &found)?;
    let creation = Change {
        revision: Some(change.revision),
        title: change.title.as_deref().map(rules::title).transpose()?,
        notes: change.notes.as_deref().map(rules::notes).transpose()?,
        tags: tags.as_deref(),
    };
    let mut transaction = db.begin().await?;
    if !store::update(&mut transaction, user, CreationKind::Query, &change.id, &creation).await? {
        transaction.rollback().await?;
        return Err(conflict(&view(db, &Reader::of(user), &change.id).await?));
    }
    queries::update(&mut transaction, &row).await?;
    if row.what != before {
        let content = serde_json::to_string(&row.what).map_err(ApiError::internal)?;
        let title = creation.title.unwrap_or(&found.title);
        versions::keep(&mut transaction, &row.id, user.id, title, &content, false).await?;
    }
    index::refresh(db, &mut transaction, &row.id).await?;
    transaction.commit().await?;
    Ok(())
}

fn apply(row: &mut QueryRow, change: &QueryChange, of: &Creation) -> Result<(), ApiError> {
    if let Some(what) = &change.what {
        what.check()?;
        row.what = what.clone();
    }
    if let Some(name) = &change.database {
        row.database = database(Some(name))?;
    }
    let before = (row.strategy, row.cron.clone(), row.paused);
    row.strategy = change.update_strategy.unwrap_or(row.strategy);
    row.cron = change.cron.clone().unwrap_or_else(|| row.cron.clone());
    row.paused = change.paused.unwrap_or(row.paused);
    if before != (row.strategy, row.cron.clone(), row.paused) {
        row.next_run_at = next(row.strategy, &row.cron, of.number, now_ms())?;
    }
    Ok(())
}

/// Puts a former text back, as a new version.
pub async fn put_back(db: &Db, user: &CurrentUser, id: &str, what: QueryText) -> Result<(), ApiError> {
    let found = store::editable(db, user, CreationKind::Query, id).await?;
    let change = QueryChange {
        id: id.to_string(),
        revision: found.revision,
        title: None,
        notes: None,
        tags: None,
        what: Some(what),
        database: None,
        update_strategy: None,
        cron: None,
        paused: None,
    };
    update(db, user, &change).await
}

/// The query as this reader sees it.
pub async fn view(db: &Db, reader: &Reader, id: &str) -> Result<QueryView, ApiError> {
    let creation = store::readable(db, reader, CreationKind::Query, id).await?;
    let row = queries::find(db, id).await?;
    let mut found = Vec::new();
    for own in visualizations::of_query(db, id).await? {
        let Some(creation) = store::any(db, &own).await? else { continue };
        found.push(VisualizationOf {
            id: own.clone(),
            title: creation.title,
            revision: creation.revision,
            visibility: creation.visibility,
            viz: visualizations::find(db, &own).await?.viz,
        });
    }
    Ok(QueryView {
        head: store::head(db, reader, creation).await?,
        what: row.what,
        database: row.database,
        update_strategy: row.strategy,
        cron: row.cron,
        paused: row.paused,
        next_run_time: row.next_run_at.filter(|_| !row.paused),
        shown: of_query::shown(db, id, "").await?,
        visualizations: found,
    })
}

fn database(name: Option<&str>) -> Result<String, ApiError> {
    let name = name.unwrap_or(DATABASE);
    let fine = |letter: char| letter.is_alphanumeric() || letter == '_';
    if !(1..=LONGEST_DATABASE).contains(&name.chars().count()) || !name.chars().all(fine) {
        return Err(ApiError::invalid(
            "database",
            "The name of a database has 1 to 64 letters, digits or underscores.",
        ));
    }
    Ok(name.to_string())
}
