//! The error for a table that does not exist, with what to read in the place of tables of other products.

use crate::session::tables::{CATALOG, MAIN};
use quarry_types::nearest_name::nearest;
use quarry_types::{Error, ErrorCode};

/// The error for a table by its full name; `tables` are those that exist.
pub(super) fn error(name: &str, tables: &[String]) -> Error {
    let own = [format!("{CATALOG}.{MAIN}."), format!("{CATALOG}.")];
    let shown = own.iter().find_map(|prefix| name.strip_prefix(prefix.as_str())).unwrap_or(name);
    let last = shown.rsplit('.').next().unwrap_or(shown);
    let number = last.strip_prefix("query_").or_else(|| last.strip_prefix("result_"));
    if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        return unknown(format!(
            "There is no table {shown}: results of saved queries are not tables here. Write that query before yours: WITH {last} AS (…)."
        ));
    }
    if last.contains("_evt_") {
        return unknown(format!(
            "There is no table {shown}: events of single contracts are not tables here. Read ethereum.logs with decode_event."
        ));
    }
    if last.contains("_call_") {
        return unknown(format!(
            "There is no table {shown}: calls of single contracts are not tables here. Read ethereum.traces with decode_input."
        ));
    }
    unknown(match nearest(last, tables.iter().map(String::as_str)) {
        Some(near) => format!("There is no table {shown}. Did you mean {near}?"),
        None => format!("There is no table {shown}."),
    })
}

fn unknown(message: String) -> Error {
    Error::new(ErrorCode::UnknownTable, message)
}
