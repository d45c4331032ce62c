//! The server of Quarry: accounts, jobs of users, the HTTP API, the websocket, and the command line around them.

pub mod addresses;
pub mod app;
pub mod auth;
pub mod cli;
pub mod config;
pub mod creations;
pub mod credits;
pub mod db;
pub mod features;
pub mod http;
pub mod jobs;
pub mod labels;
pub mod letters;
pub mod router;
pub mod schedule;
pub mod sending;
pub mod starter;
pub mod time;
pub mod tracking;
pub mod uploads;
pub mod ws;
