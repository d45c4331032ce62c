//! Metrics: one number each by hour, day, week and month, made while the chain is gone through once. A file per metric
//! says what it means and how its value follows from the figures of a period; an answer reads nothing of the lake.

mod address;
mod all;
mod blockchain;
mod define;
mod ether;
mod fees;
mod fold;
mod keeper;
mod market;
mod mining;
mod number;
mod period;
mod protocols;
mod resolution;
mod series;
mod store;
mod supply;
mod tokens;
mod transactions;

pub use all::{all, find};
pub use define::{Both, Category, Form, Kind, Metric};
pub use keeper::Metrics;
pub use resolution::Resolution;
pub use series::{Point, Series};
