//! Saving dashboards: the row of the creation, the content, a version, the record and the index in one transaction.

use super::model::{DashboardChange, DashboardView, NewDashboard};
use super::{comments, widgets};
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::conflict::conflict;
use crate::creations::dashboards::content::DashboardContent;
use crate::creations::dashboards::records::{self, Operation};
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::store::{self, Change, Creation, New, new_id};
use crate::creations::{dashboards, index, rewards, rules, tags, versions};
use crate::credits;
use crate::db::Db;
use crate::http::ApiError;

const KIND: CreationKind = CreationKind::Dashboard;

/// Saves a new dashboard; answers its id.
pub async fn create(db: &Db, user: &CurrentUser, new: &NewDashboard) -> Result<String, ApiError> {
    let tags = rules::tags(&new.tags)?;
    new.content.check()?;
    let creation = New {
        kind: KIND,
        title: rules::title(&new.title)?,
        notes: rules::notes(&new.notes)?,
        tags: &tags,
        visibility: new.visibility,
        forked_from: None,
    };
    insert(db, user, &creation, &new.content).await
}

/// Makes a copy that belongs to the user; its widgets show the same visualizations. Answers its id.
pub async fn fork(db: &Db, user: &CurrentUser, origin: &Creation) -> Result<String, ApiError> {
    let content = dashboards::find(db, &origin.id).await?;
    let tags = tags::of(db, KIND, &origin.id).await?;
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    let creation = New {
        kind: KIND,
        title: &origin.title,
        notes: &origin.notes,
        tags: &tags,
        visibility: Visibility::Private,
        forked_from: Some(&origin.id),
    };
    let id = insert(db, user, &creation, &content).await?;
    rewards::forked(db, origin, user.id).await?;
    Ok(id)
}

async fn insert(
    db: &Db,
    user: &CurrentUser,
    creation: &New<'_>,
    content: &DashboardContent,
) -> Result<String, ApiError> {
    let (id, number) = (new_id(), db.next_id("creations").await?);
    let record = db.next_id("operation_records").await?;
    let entry = db.next_id(credits::ENTRIES).await?;
    let text = serde_json::to_string(content).map_err(ApiError::internal)?;
    let mut transaction = db.begin().await?;
    store::insert(&mut transaction, user.id, &id, number, creation).await?;
    dashboards::insert(&mut transaction, &id, content).await?;
    versions::keep(&mut transaction, &id, user.id, creation.title, &text, false).await?;
    records::write(&mut transaction, record, Operation::Create, (&id, creation.title), user).await?;
    index::refresh(db, &mut transaction, &id).await?;
    rewards::published(&mut transaction, entry, &id).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Changes a dashboard; 409 with its current state when the change was made on an older one.
pub async fn update(db: &Db, user: &CurrentUser, change: &DashboardChange) -> Result<(), ApiError> {
    let found = store::editable(db, user, KIND, &change.id).await?;
    let tags = change.tags.as_deref().map(rules::tags).transpose()?;
    if let Some(content) = &change.content {
        content.check()?;
    }
    let creation = Change {
        revision: Some(change.revision),
        title: change.title.as_deref().map(rules::title).transpose()?,
        notes: change.notes.as_deref().map(rules::notes).transpose()?,
        tags: tags.as_deref(),
    };
    let title = creation.title.unwrap_or(&found.title);
    let record = db.next_id("operation_records").await?;
    let mut transaction = db.begin().await?;
    if !store::update(&mut transaction, user, KIND, &change.id, &creation).await? {
        transaction.rollback().await?;
        return Err(conflict(&view(db, &Reader::of(user), &change.id).await?));
    }
    if let Some(content) = &change.content {
        let text = serde_json::to_string(content).map_err(ApiError::internal)?;
        dashboards::update(&mut transaction, &change.id, content).await?;
        versions::keep(&mut transaction, &change.id, user.id, title, &text, change.autosave).await?;
    }
    records::write(&mut transaction, record, Operation::Edit, (&change.id, title), user).await?;
    index::refresh(db, &mut transaction, &change.id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Removes a dashboard with its versions and comments.
pub async fn remove(db: &Db, user: &CurrentUser, id: &str) -> Result<(), ApiError> {
    let removed = store::remove(db, user, KIND, id).await?;
    let record = db.next_id("operation_records").await?;
    let mut connection = db.pool().acquire().await?;
    records::write(&mut connection, record, Operation::Delete, (id, &removed.title), user).await?;
    Ok(())
}

/// Puts a former content back, as a new version.
pub async fn put_back(db: &Db, user: &CurrentUser, id: &str, content: DashboardContent) -> Result<(), ApiError> {
    let found = store::editable(db, user, KIND, id).await?;
    let change = DashboardChange {
        id: id.to_string(),
        revision: found.revision,
        title: None,
        notes: None,
        tags: None,
        content: Some(content),
        autosave: false,
    };
    update(db, user, &change).await
}

/// The dashboard as this reader sees it.
pub async fn view(db: &Db, reader: &Reader, id: &str) -> Result<DashboardView, ApiError> {
    let creation = store::readable(db, reader, KIND, id).await?;
    let content = dashboards::find(db, id).await?;
    let shows = widgets::shows(db, reader, Some(creation.owner_id), &content).await?;
    let comments = comments::count(db.pool(), id).await?;
    Ok(DashboardView { head: store::head(db, reader, creation).await?, content, shows, comments })
}
