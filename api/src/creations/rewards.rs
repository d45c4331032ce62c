//! Credits that creators gain when others use what they made.

use sqlx::AnyConnection;

use super::favorites::Marked;
use super::store::Creation;
use crate::credits::{self, Rule};
use crate::db::Db;

/// Somebody marked a creation as a favourite, or took that back, in the same transaction. Nobody gains by their own mark.
/// `entry` is the next of the counter of entries.
pub async fn marked(at: &mut AnyConnection, entry: i64, of: &Marked, by: i64, marked: bool) -> Result<(), sqlx::Error> {
    let receiver = of.receiver.filter(|receiver| of.kind.creation().is_some() && *receiver != by);
    let Some(receiver) = receiver else { return Ok(()) };
    if marked {
        credits::award_at(at, entry, receiver, Rule::Favourite, &of_mark(&of.id, by)).await
    } else {
        unmarked(at, &of.id, by).await
    }
}

/// What the owner of a creation gained by somebody's mark is gone with it.
pub async fn unmarked(at: &mut AnyConnection, id: &str, by: i64) -> Result<(), sqlx::Error> {
    credits::withdraw(at, Rule::Favourite, &of_mark(id, by)).await
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

/// A creation was made or shown; the owner of a dashboard that is public gains once, in the same transaction. `entry` is the
/// next of the counter of entries.
pub async fn published(at: &mut AnyConnection, entry: i64, id: &str) -> Result<(), sqlx::Error> {
    let owner: Option<i64> = sqlx::query_scalar(
        "select owner_id from creations where id = $1 and kind = 'dashboard' and visibility = 'public'",
    )
    .bind(id)
    .fetch_optional(&mut *at)
    .await?;
    match owner {
        Some(owner) => credits::award_at(at, entry, owner, Rule::Dashboard, &of_dashboard(id)).await,
        None => Ok(()),
    }
}

fn of_dashboard(id: &str) -> String {
    format!("dashboard:{id}")
}

fn of_mark(id: &str, by: i64) -> String {
    format!("favourite:{id}:{by}")
}
