//! Which creations the usual lists show, and in which order.

use super::card::{Bind, Selection};
use super::model::CreationKind;
use crate::db::list::pattern;

const NEWEST_FIRST: &str = "c.updated_at desc, c.id";

/// An account's own creations of these kinds, all of them or those whose title contains a text; the newest first.
pub fn own(user: i64, kinds: &[CreationKind], search: Option<&str>) -> Selection {
    owned(user, kinds, search, "")
}

/// What everybody sees of an account's creations of these kinds.
pub fn public_of(user: i64, kinds: &[CreationKind], search: Option<&str>) -> Selection {
    owned(user, kinds, search, " and c.visibility = 'public'")
}

fn owned(user: i64, kinds: &[CreationKind], search: Option<&str>, more: &str) -> Selection {
    let mut condition = format!("c.owner_id = $1 and c.kind in ({}){more}", names(kinds));
    let mut values = vec![Bind::Number(user)];
    if let Some(text) = search.map(str::trim).filter(|text| !text.is_empty()) {
        condition.push_str(" and lower(c.title) like $2 escape '\\'");
        values.push(Bind::Text(pattern(text)));
    }
    Selection { from: "creations c", condition, values, order: NEWEST_FIRST }
}

/// What an account marked as a favourite and may still read, the newest mark first.
pub fn favorites(user: i64, kind: CreationKind) -> Selection {
    // Each mark is asked whether its creation may be read, in the order of the marks: a join would read all creations.
    let condition = "c.user_id = $1 and c.entity_kind = $2 and (select count(*) from creations r where r.id = c.id
        and (r.visibility = 'public' or r.owner_id = $1)) = 1";
    Selection {
        from: "(select f.user_id, f.entity_kind, f.entity_id as id, f.created_at from favorites f) c",
        condition: condition.to_string(),
        values: vec![Bind::Number(user), Bind::Text(kind.name().to_string())],
        order: "c.created_at desc, c.id",
    }
}

/// The names of kinds as a list of SQL; they are words of the program.
fn names(kinds: &[CreationKind]) -> String {
    kinds.iter().map(|kind| format!("'{}'", kind.name())).collect::<Vec<_>>().join(", ")
}
