//! Favourites.

pub mod routes;
