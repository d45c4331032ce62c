//! Functions of JSON: values read from it, and values written as it. JSON is text; the metadata of its field marks it.

pub(super) mod extract;
pub(super) mod flattened;
pub(super) mod keys;
mod kind;
mod number;
mod path;
mod text;

use datafusion::logical_expr::ScalarUDF;

pub use number::{json_digits, json_integer, json_number};
pub(super) use text::{compact, elements, is_json, json_field, json_list_field, member, members, no_json, unquoted};
pub use text::{is_json_field, is_json_list};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    flattened::udfs().into_iter().chain(extract::udfs()).chain(keys::udfs()).chain(kind::udfs()).collect()
}
