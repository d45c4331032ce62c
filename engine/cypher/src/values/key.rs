//! Values as keys of groups: equal keys are equivalent values.

use std::hash::{Hash, Hasher};

use super::{Value, as_f64};

/// A row of values that groups by equivalence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key(pub Vec<Value>);

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for value in &self.0 {
            hash(value, state);
        }
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Null => 0_u8.hash(state),
        Value::Bool(truth) => truth.hash(state),
        // Numbers of all types that are equal hash alike: by the nearest float, where 0 and -0 are one.
        Value::Int(_) | Value::Amount(_) | Value::Float(_) => {
            let number = as_f64(value).unwrap_or(f64::NAN);
            let bits = if number == 0.0 {
                0
            } else if number.is_nan() {
                f64::NAN.to_bits()
            } else {
                number.to_bits()
            };
            bits.hash(state);
        }
        Value::Text(text) => text.hash(state),
        Value::List(items) => {
            items.len().hash(state);
            items.iter().for_each(|item| hash(item, state));
        }
        Value::Map(map) => {
            for (key, item) in map.iter() {
                key.hash(state);
                hash(item, state);
            }
        }
        Value::Node(node) => node.hash(state),
        Value::Relationship(relationship) => relationship.hash(state),
        Value::Path(path) => path.hash(state),
        Value::Temporal(one) => one.hash(state),
    }
}
