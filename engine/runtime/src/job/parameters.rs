//! Values for the parameters of a text.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values by the name between `{{` and `}}`. A value is plain JSON (a text, a number, a truth value, a list, or
/// `{"start": …, "end": …}` for a range), or says its type: `{"type": "number", "value": "42"}` with the types `text`,
/// `number`, `date`, `range` and `list`.
pub type Parameters = BTreeMap<String, Value>;
