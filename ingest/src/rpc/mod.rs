//! Talks to an Ethereum node by JSON-RPC: batches of calls with retries, and whole blocks checked on arrival.

mod allowance;
#[cfg(test)]
mod allowance_tests;
mod announce;
mod answer;
mod call;
mod convert;
mod failover;
mod failure;
mod fetch;
mod height;
mod joining;
mod members;
mod node;
mod nodes;
mod pace;
mod request;
mod tokens;
mod traces;
mod tracing_method;
mod transport;
mod trees;
mod wire;

#[cfg(test)]
mod source_tests;
#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tracing_tests;

pub(crate) use allowance::{MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT};
pub(crate) use announce::Announcements;
pub(crate) use call::Call;
pub(crate) use failure::FetchError;
pub use node::{Node, NodeConfig};
pub use nodes::Nodes;
pub(crate) use nodes::{BlockStatus, FetchedBlocks};
