//! Credits that creators gain when others use what they made.

use super::model::{CreationKind, EntityKind, Visibility};
use super::store::Creation;
use crate::credits::{self, Rule};
use crate::db::Db;

/// Somebody marked a creation as a favourite, or took that back. Nobody gains by their own mark.
pub async fn marked(
    db: &Db,
    of: (EntityKind, &str),
    receiver: Option<i64>,
    by: i64,
    marked: bool,
) -> Result<(), sqlx::Error> {
    let (kind, id) = of;
    let Some(receiver) = receiver.filter(|receiver| kind.creation().is_some() && *receiver != by) else {
        return Ok(());
    };
    let subject = format!("favourite:{id}:{by}");
    if marked {
        credits::award(db, receiver, Rule::Favourite, &subject).await
    } else {
        credits::withdraw(db, Rule::Favourite, &subject).await
    }
}

/// Somebody forked a creation; its owner gains once per person.
pub async fn forked(db: &Db, origin: &Creation, by: i64) -> Result<(), sqlx::Error> {
    if origin.owner_id == by {
        return Ok(());
    }
    credits::award(db, origin.owner_id, Rule::Fork, &format!("fork:{}:{by}", origin.id)).await
}

/// A dashboard became public; its owner gains once.
pub async fn published(db: &Db, id: &str) -> Result<(), sqlx::Error> {
    let found = super::store::any(db, id).await?;
    let found = found.filter(|found| found.kind == CreationKind::Dashboard && found.visibility == Visibility::Public);
    match found {
        Some(found) => credits::award(db, found.owner_id, Rule::Dashboard, &format!("dashboard:{id}")).await,
        None => Ok(()),
    }
}
