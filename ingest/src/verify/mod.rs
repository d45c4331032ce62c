//! Verification: what a block proves by itself, and a lake checked again from what it stored.

mod beside;
mod block;
mod call_trees;
mod cells;
mod compare;
mod lake;
#[cfg(test)]
mod lake_tests;
mod outermost_calls;
mod products;
mod rebuild;
mod rewards;
pub(crate) mod roots;
mod sender;
mod senders;
mod stored;
mod sums;
#[cfg(test)]
mod tests;
mod traces;

pub use block::{Check, Mismatch, block, links, mismatches};
pub use lake::{VerifyConfig, VerifyProgress, VerifySummary, run};
#[cfg(test)]
pub(crate) use sender::signer;
pub(crate) use stored::{stored_heads, stored_parent};
