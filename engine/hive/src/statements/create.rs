//! `CREATE` of tables, views and macros.

use super::{Statement, create_table, create_view, macros, materialized_view};
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use quarry_types::Result;

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let mut is_temporary = false;
    loop {
        if cursor.take("temporary") {
            is_temporary = true;
        } else if !cursor.take_any(&["or replace", "or", "external", "transactional", "managed"]) {
            break;
        }
    }
    if is_temporary && cursor.take("macro") {
        macros::parse_create(cursor, context)
    } else if cursor.take("materialized view") {
        materialized_view::parse(cursor, context)
    } else if cursor.take("view") {
        create_view::parse(cursor, context)
    } else if cursor.take("table") {
        create_table::parse(cursor, context, is_temporary)
    } else {
        Err(cursor.refuse("CREATE supports only TABLE and VIEW."))
    }
}
