//! Verifies a stored lake, by itself or against nodes.

mod cells;
mod compare;
mod lake;
#[cfg(test)]
mod lake_tests;
mod node_blocks;
mod rebuild;
mod stored;
mod sums;
mod traces;

pub use crate::proofs::{Check, Mismatch};
pub use lake::{VerifyConfig, VerifyProgress, VerifySummary, run};
pub(crate) use stored::{stored_heads, stored_parent};
