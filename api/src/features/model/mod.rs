//! The 3D models.

pub mod routes;
