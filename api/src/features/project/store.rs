//! Projects and what is in them, in the database.

use axum::http::StatusCode;

use super::model::{NewProject, ProjectChange, ProjectView};
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::card;
use crate::creations::conflict::conflict;
use crate::creations::model::{CreationKind, Visibility};
use crate::creations::store::{self, Change, New, new_id};
use crate::creations::{index, rules};
use crate::db::Db;
use crate::http::ApiError;

const KIND: CreationKind = CreationKind::Project;
/// Things in one project.
const MOST: i64 = 200;

/// Makes a project; answers its id.
pub async fn create(db: &Db, user: &CurrentUser, new: &NewProject) -> Result<String, ApiError> {
    let tags = rules::tags(&new.tags)?;
    let creation = New {
        kind: KIND,
        title: rules::title(&new.title)?,
        notes: rules::notes(&new.notes)?,
        tags: &tags,
        visibility: new.visibility,
        forked_from: None,
    };
    let (id, number) = (new_id(), db.next_id("creations").await?);
    let mut transaction = db.begin().await?;
    store::insert(&mut transaction, user.id, &id, number, &creation).await?;
    index::refresh(db, &mut transaction, &id).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Changes a project; 409 with its current state when the change was made on an older one.
pub async fn update(db: &Db, user: &CurrentUser, change: &ProjectChange) -> Result<(), ApiError> {
    store::editable(db, user, KIND, &change.id).await?;
    let tags = change.tags.as_deref().map(rules::tags).transpose()?;
    let creation = Change {
        revision: Some(change.revision),
        title: change.title.as_deref().map(rules::title).transpose()?,
        notes: change.notes.as_deref().map(rules::notes).transpose()?,
        tags: tags.as_deref(),
    };
    let mut transaction = db.begin().await?;
    if !store::update(&mut transaction, user, KIND, &change.id, &creation).await? {
        transaction.rollback().await?;
        return Err(conflict(&view(db, &Reader::of(user), &change.id).await?));
    }
    index::refresh(db, &mut transaction, &change.id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Puts something that the user may read at the end of a project of theirs.
pub async fn add(db: &Db, user: &CurrentUser, project: &str, item: &str) -> Result<(), ApiError> {
    store::editable(db, user, KIND, project).await?;
    let found = store::any(db, item).await?.filter(|found| found.kind != KIND);
    let Some(found) = found else { return Err(ApiError::not_found("creation").param("itemId")) };
    store::readable(db, &Reader::of(user), found.kind, item).await?;
    let mut transaction = db.begin().await?;
    sqlx::query(
        "insert into project_items (project_id, item_id, position)
         select $1, $2, coalesce(max(position), 0) + 1 from project_items where project_id = $1
         on conflict (project_id, item_id) do nothing",
    )
    .bind(project)
    .bind(item)
    .execute(&mut *transaction)
    .await?;
    let count: i64 = sqlx::query_scalar("select count(*) from project_items where project_id = $1")
        .bind(project)
        .fetch_one(&mut *transaction)
        .await?;
    if count > MOST {
        let msg = format!("A project holds at most {MOST} things.");
        return Err(ApiError::new(StatusCode::CONFLICT, "project_full", msg));
    }
    transaction.commit().await?;
    Ok(())
}

/// Takes something out of a project.
pub async fn remove(db: &Db, user: &CurrentUser, project: &str, item: &str) -> Result<(), ApiError> {
    store::editable(db, user, KIND, project).await?;
    sqlx::query("delete from project_items where project_id = $1 and item_id = $2")
        .bind(project)
        .bind(item)
        .execute(db.pool())
        .await?;
    Ok(())
}

/// Gives what is in a project the order of these ids; the rest follows as it was.
pub async fn arrange(db: &Db, user: &CurrentUser, project: &str, order: &[String]) -> Result<(), ApiError> {
    store::editable(db, user, KIND, project).await?;
    if order.len() > MOST as usize {
        return Err(ApiError::invalid("items", format!("A project holds at most {MOST} things.")));
    }
    let mut transaction = db.begin().await?;
    sqlx::query("update project_items set position = position + $2 where project_id = $1")
        .bind(project)
        .bind(MOST)
        .execute(&mut *transaction)
        .await?;
    for (item, position) in order.iter().zip(1_i64..) {
        sqlx::query("update project_items set position = $3 where project_id = $1 and item_id = $2")
            .bind(project)
            .bind(item)
            .bind(position)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// The project as this reader sees it: what is in it and not theirs to read is left out.
pub async fn view(db: &Db, reader: &Reader, id: &str) -> Result<ProjectView, ApiError> {
    let creation = store::readable(db, reader, KIND, id).await?;
    let ids: Vec<String> =
        sqlx::query_scalar("select item_id from project_items where project_id = $1 order by position, item_id")
            .bind(id)
            .fetch_all(db.pool())
            .await?;
    let mut items = card::cards(db, reader.id(), &ids).await?;
    let name = reader.user.as_ref().map(|user| user.name.as_str());
    items.retain(|item| {
        item.visibility == Visibility::Public || reader.is_admin() || name == Some(item.user_name.as_str())
    });
    let mut members: Vec<String> = items.iter().map(|item| item.user_name.clone()).collect();
    members.push(creation.owner_name.clone());
    members.sort();
    members.dedup();
    Ok(ProjectView { head: store::head(db, reader, creation).await?, items, members })
}
