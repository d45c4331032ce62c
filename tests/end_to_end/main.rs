//! What crosses crates: a real node → ingest → lake → SQL, other tools on the lake's files, and the server as a process.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod attacked;
mod bad_sources;
mod chain;
mod commands;
mod database_gone;
mod expected;
mod follow;
mod full_disk;
mod import;
mod killed;
mod killed_server;
mod long_load;
mod memory_bombs;
mod other_readers;
mod postgres_clients;
mod postgres_outages;
mod postgres_streams;
mod private_files;
mod properties;
mod serve;
mod websocket_fuzz;
mod wire_fuzz;
mod workers;
