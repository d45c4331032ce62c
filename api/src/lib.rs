//! The server of Quarry: accounts, jobs of users, the HTTP API, the websocket, and the command line around them.

pub mod app;
pub mod auth;
pub mod cli;
pub mod config;
pub mod db;
pub mod features;
pub mod http;
pub mod jobs;
pub mod router;
pub mod time;
pub mod ws;
