//! What the end-to-end tests share: the `quarry` binary as a user runs it, a real Ethereum node, and waiting for things.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a harness of tests: a failure here is a failed test")]

pub mod asked;
pub mod beside;
pub mod cluster;
pub mod dice;
pub mod etl;
pub mod fuzz;
pub mod http;
pub mod kills;
pub mod load;
pub mod node;
pub mod postgres;
pub mod process;
pub mod quarry;
pub mod readers;
pub mod repository;
pub mod scram;
pub mod server;
pub mod server_log;
pub mod small_disk;
pub mod wait;
pub mod websocket;
pub mod worker;
