//! What is planted in a sample chain, written down beside it: `truth.json`. Users can't query it; tests of label rules
//! and models compare against it.

use alloy_primitives::Address;
use serde::Serialize;
use serde_json::{Map, Value};

use super::world::{Id, World};

/// Planted truth by pattern, in the order of planting.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Truth(Map<String, Value>);

impl Truth {
    pub fn note(&mut self, pattern: &str, what: Value) {
        self.0.insert(pattern.to_string(), what);
    }

    /// What was noted, null when nothing was.
    pub fn get(&self, pattern: &str) -> &Value {
        self.0.get(pattern).unwrap_or(&Value::Null)
    }
}

pub fn addresses(world: &World, ids: &[Id]) -> Vec<Address> {
    ids.iter().map(|id| world.address(*id)).collect()
}
