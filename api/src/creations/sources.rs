//! The tables of other users that the results of a creation were computed from.

use std::collections::BTreeSet;

use super::dashboards::content::WidgetContent;
use super::model::CreationKind;
use super::{dashboards, store, visualizations};
use crate::auth::CurrentUser;
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::sources::{self, SourceTable};

/// For who may change the creation.
pub async fn of_creation(db: &Db, user: &CurrentUser, id: &str) -> Result<Vec<SourceTable>, ApiError> {
    let missing = || ApiError::not_found("creation");
    let creation = store::any(db, id).await?.ok_or_else(missing)?;
    if creation.owner_id != user.id && !user.is_admin() {
        return Err(missing());
    }
    let mut queries = BTreeSet::new();
    match creation.kind {
        CreationKind::Query => {
            queries.insert(creation.id);
        }
        CreationKind::Visualization => {
            queries.insert(visualizations::find(db, id).await?.query_id);
        }
        CreationKind::Dashboard => {
            for widget in dashboards::find(db, id).await?.widgets {
                match widget.content {
                    WidgetContent::Counter { query_id, .. } => {
                        queries.insert(query_id);
                    }
                    // One that was deleted meanwhile shows nothing.
                    WidgetContent::Visualization { visualization_id, .. } => {
                        let found = visualizations::find(db, &visualization_id).await;
                        queries.extend(found.ok().map(|chart| chart.query_id));
                    }
                    _ => {}
                }
            }
        }
        CreationKind::Graph | CreationKind::Project => {}
    }
    Ok(sources::of_queries(db, &queries.into_iter().collect::<Vec<_>>()).await?)
}
