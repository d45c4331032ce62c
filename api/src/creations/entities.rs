//! Things that can be tagged and marked as a favourite: creations, users and addresses, found by what names them.

use super::access::Reader;
use super::favorites::Marked;
use super::model::EntityKind;
use super::{rules, store};
use crate::auth::accounts;
use crate::db::Db;
use crate::http::ApiError;

/// Finds what is meant, if the reader may see it. A user is named by their user name, an address by itself.
pub async fn find(db: &Db, reader: &Reader, kind: EntityKind, id: &str) -> Result<Marked, ApiError> {
    match kind.creation() {
        Some(creation) => {
            let found = store::readable(db, reader, creation, id).await?;
            Ok(Marked { kind, id: found.id, receiver: Some(found.owner_id) })
        }
        None if kind == EntityKind::User => {
            let account = accounts::find(db, id).await?.ok_or_else(ApiError::no_such_user)?;
            Ok(Marked { kind, id: account.user_name, receiver: Some(account.id) })
        }
        None => Ok(Marked { kind, id: rules::address(id)?, receiver: None }),
    }
}
