//! Credits that creators gain when others use what they made.

use sqlx::AnyConnection;

use super::favorites::Marked;
use super::model::{CreationKind, Visibility};
use super::store::Creation;
use crate::credits::{self, Rule};
use crate::db::Db;

/// Somebody marked a creation as a favourite, or took that back, in the same transaction. Nobody gains by their own mark.
/// `entry` is the next of the counter of entries.
pub async fn marked(at: &mut AnyConnection, entry: i64, of: &Marked, by: i64, marked: bool) -> Result<(), sqlx::Error> {
    let receiver = of.receiver.filter(|receiver| of.kind.creation().is_some() && *receiver != by);
    let Some(receiver) = receiver else { return Ok(()) };
    let subject = format!("favourite:{}:{by}", of.id);
    if marked {
        credits::award_at(at, entry, receiver, Rule::Favourite, &subject).await
    } else {
        credits::withdraw(at, Rule::Favourite, &subject).await
    }
}

/// Somebody forked a creation; its owner gains once per person.
pub async fn forked(db: &Db, origin: &Creation, by: i64) -> Result<(), sqlx::Error> {
    if origin.owner_id == by {
        return Ok(());
    }
    credits::award(db, origin.owner_id, Rule::Fork, &format!("fork:{}:{by}", origin.id)).await
}

/// A dashboard is not public any more, or gone: what its owner gained for it goes too, so that publishing again and again,
/// or one after the other, gains nothing.
pub async fn hidden(at: &mut AnyConnection, id: &str) -> Result<(), sqlx::Error> {
    credits::withdraw(at, Rule::Dashboard, &of_dashboard(id)).await
}

/// A dashboard became public; its owner gains once.
pub async fn published(db: &Db, id: &str) -> Result<(), sqlx::Error> {
    let found = super::store::any(db, id).await?;
    let found = found.filter(|found| found.kind == CreationKind::Dashboard && found.visibility == Visibility::Public);
    match found {
        Some(found) => credits::award(db, found.owner_id, Rule::Dashboard, &of_dashboard(id)).await,
        None => Ok(()),
    }
}

fn of_dashboard(id: &str) -> String {
    format!("dashboard:{id}")
}
