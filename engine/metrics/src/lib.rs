//! Metrics: time series by hour, day, week and month, computed in one pass over the chain (`fold`). A file for each category defines
//! its metrics: their meaning, and how their value is computed from the figures of a period. Requests read nothing of the lake.

mod address;
mod blockchain;
mod ether;
mod fees;
mod fold;
mod market;
mod metric;
mod mining;
mod number;
mod period;
mod protocols;
mod registry;
mod resolution;
mod series;
mod store;
mod supply;
mod tokens;
mod transactions;
mod update;

pub use metric::{Both, Category, Form, Kind, Metric};
pub use registry::{all, find};
pub use resolution::Resolution;
pub use series::{Point, Series};
pub use update::Metrics;
