//! Labels of addresses: the catalogue of rules, what an address is known as, one's own labels, and everybody's.

pub mod catalogue;
pub mod desk;
pub mod own;
