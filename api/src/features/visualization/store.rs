//! Saving visualizations, and who may see one: the readers of its own row, and the readers of its query.

use super::model::{NewVisualization, VisualizationChange, VisualizationView};
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::conflict::conflict;
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::rules;
use crate::creations::store::{self, Change, Creation, New, new_id};
use crate::creations::visualizations::{self, VisualizationRow};
use crate::db::Db;
use crate::http::ApiError;

/// Saves a visualization of a query that this user may change; answers its id.
pub async fn create(db: &Db, user: &CurrentUser, new: &NewVisualization) -> Result<String, ApiError> {
    let query = store::editable(db, user, CreationKind::Query, &new.query_id).await?;
    new.viz.check()?;
    let inherited = if query.visibility == Visibility::Public { Visibility::Public } else { Visibility::Private };
    let creation = New {
        kind: CreationKind::Visualization,
        title: rules::title(&new.title)?,
        notes: rules::notes(&new.notes)?,
        tags: &[],
        visibility: new.visibility.unwrap_or(inherited),
        forked_from: None,
    };
    let row = VisualizationRow { id: new_id(), query_id: query.id, viz: new.viz.clone() };
    let number = db.next_id("creations").await?;
    let mut transaction = db.begin().await?;
    store::insert(&mut transaction, query.owner_id, &row.id, number, &creation).await?;
    visualizations::insert(&mut transaction, &row).await?;
    transaction.commit().await?;
    Ok(row.id)
}

/// Changes a visualization; 409 with its current state when the change was made on an older one.
pub async fn update(db: &Db, user: &CurrentUser, change: &VisualizationChange) -> Result<(), ApiError> {
    store::editable(db, user, CreationKind::Visualization, &change.id).await?;
    let creation = Change {
        revision: Some(change.revision),
        title: change.title.as_deref().map(rules::title).transpose()?,
        notes: change.notes.as_deref().map(rules::notes).transpose()?,
        tags: None,
    };
    if let Some(viz) = &change.viz {
        viz.check()?;
    }
    let mut transaction = db.begin().await?;
    if !store::update(&mut transaction, user, CreationKind::Visualization, &change.id, &creation).await? {
        transaction.rollback().await?;
        return Err(conflict(&view(db, &Reader::of(user), &change.id).await?));
    }
    if let Some(viz) = &change.viz {
        visualizations::update(&mut transaction, &change.id, viz).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// The visualization as this reader sees it.
pub async fn view(db: &Db, reader: &Reader, id: &str) -> Result<VisualizationView, ApiError> {
    let creation = readable(db, reader, id).await?;
    let row = visualizations::find(db, id).await?;
    Ok(VisualizationView { head: store::head(db, reader, creation).await?, query_id: row.query_id, viz: row.viz })
}

async fn readable(db: &Db, reader: &Reader, id: &str) -> Result<Creation, ApiError> {
    let own = store::readable(db, reader, CreationKind::Visualization, id).await;
    if own.is_ok() {
        return own;
    }
    let row = visualizations::find(db, id).await?;
    match store::readable(db, reader, CreationKind::Query, &row.query_id).await {
        Ok(_) => store::any(db, id).await?.ok_or_else(|| ApiError::not_found("visualization")),
        Err(_) => own,
    }
}
