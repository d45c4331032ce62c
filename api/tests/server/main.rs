//! The server as its clients see it: accounts, jobs, downloads, the websocket, pages, and the stores on both databases.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper of a test fails the test by a panic")]

mod accounts;
mod chain;
mod harness;
mod jobs;
mod live;
mod pages;
mod stores;
mod tables;
