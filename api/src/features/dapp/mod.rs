//! Dapps: what they are (info), and which addresses belong to them (reflect).

mod import;
pub mod info;
pub mod model;
pub mod reflect;
