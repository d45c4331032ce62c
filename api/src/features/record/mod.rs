//! Mails and text messages that were sent, as administrators read them.

pub mod routes;
