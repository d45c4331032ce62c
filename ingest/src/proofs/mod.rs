//! What a block proves by itself: its header, transactions, receipts, withdrawals, signatures and traces.

mod block;
mod call_trees;
mod outermost_calls;
mod products;
mod rewards;
pub(crate) mod roots;
mod sender;
mod senders;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use block::block;
pub use block::{Check, Mismatch};
pub(crate) use block::{links, mismatches};
#[cfg(test)]
pub(crate) use sender::signer;
