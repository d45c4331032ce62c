//! What is the same for all kinds of creations: visibility, share links, lists of one's own and of others'.

pub mod routes;
