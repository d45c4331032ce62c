//! Functions of JSON: values read out of it, and values written as it. JSON is text here, told by its field.

pub(super) mod extract;
pub(super) mod flattened;
pub(super) mod keys;
mod path;
mod text;

use datafusion::logical_expr::ScalarUDF;

pub(super) use text::{compact, elements, is_json, json_field, json_list_field, member, members, no_json, plain};
pub use text::{is_json_field, is_json_list};

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = flattened::udfs();
    all.extend(extract::udfs());
    all.extend(keys::udfs());
    all
}
