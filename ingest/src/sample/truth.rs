//! The ground truth of a sample chain, in `truth.json` beside it. It is not queryable; tests of label rules and models
//! compare with it.

use alloy_primitives::Address;
use serde::Serialize;
use serde_json::{Map, Value};

use super::world::{Id, World};

/// Ground truth by pattern, in the order of planning.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Truth(Map<String, Value>);

impl Truth {
    pub fn note(&mut self, pattern: &str, what: Value) {
        self.0.insert(pattern.to_string(), what);
    }

    /// An entry, or null.
    pub fn get(&self, pattern: &str) -> &Value {
        self.0.get(pattern).unwrap_or(&Value::Null)
    }
}

pub fn addresses(world: &World, ids: &[Id]) -> Vec<Address> {
    ids.iter().map(|id| world.address(*id)).collect()
}
