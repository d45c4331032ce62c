//! Dapps: what they are (info), and which addresses belong to them (reflect).

pub mod info;
pub mod model;
pub mod ranking;
pub mod reflect;
