//! Verifies blocks: header, transactions, receipts, withdrawals, signatures and traces.

mod block;
mod call_trees;
mod multi_scalar;
mod rewards;
pub(crate) mod roots;
mod sender;
mod sender_batches;
#[cfg(test)]
mod tests;
mod top_level_calls;

#[cfg(test)]
pub(crate) use block::block;
pub use block::{Check, Mismatch};
pub(crate) use block::{links, mismatches};
#[cfg(test)]
pub(crate) use sender::signer;
