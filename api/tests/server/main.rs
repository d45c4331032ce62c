//! The server as its clients see it: accounts, jobs, downloads, the websocket, pages, and the stores on both databases.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper of a test fails the test by a panic")]

mod accounts;
mod assistant;
mod back_office;
mod chain;
mod chat;
mod codes;
mod creation_stores;
mod creations;
mod dashboards;
mod data_monitor;
mod decoder;
mod desk;
mod docs;
mod files;
mod graph_examples;
mod harness;
mod job_ends;
mod job_kinds;
mod jobs;
mod label_rules;
mod labels;
mod lists;
mod live;
mod mapreduce;
mod matrix;
mod matrix_objects;
mod metric_values;
mod metrics;
mod official;
mod pages;
mod postgres;
mod profiles;
mod refusals;
mod rights;
mod runs;
mod schedules;
mod secrets;
mod signs;
mod stores;
mod stores_accounts;
mod stores_keys;
mod stores_lists;
mod sums;
mod tables;
