//! A JSON-RPC client for Ethereum nodes: batches of calls with retries, and verified blocks.

mod byte_budget;
#[cfg(test)]
mod byte_budget_tests;
mod call;
mod call_trees;
mod connect;
mod convert;
mod failover;
mod failure;
mod fetch;
mod height;
mod json_types;
mod limiter;
mod new_heads;
mod node;
mod node_pool;
mod nodes;
mod request;
mod response;
mod tokens;
mod traces;
mod tracing_method;
mod transport;

#[cfg(test)]
pub(crate) mod mock_node;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tracing_tests;

pub(crate) use byte_budget::{MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT};
pub(crate) use call::Call;
pub(crate) use failure::FetchError;
pub(crate) use new_heads::Announcements;
pub use node::{Node, NodeConfig};
pub use nodes::Nodes;
pub(crate) use nodes::{BlockStatus, FetchedBlocks};
