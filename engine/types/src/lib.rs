//! Types that all other crates share: errors and their codes, the 256-bit number, the meaning of columns, names of types, and values
//! as text.

pub mod byte_columns;
pub mod cell;
pub mod error;
pub mod foreign_columns;
pub mod interval_text;
pub mod meaning;
pub mod nearest_name;
pub mod type_names;
pub mod uint256;

pub use error::{Error, ErrorCode, Position, Result, invalid, is_storage_full, out_of_range, refuse};
