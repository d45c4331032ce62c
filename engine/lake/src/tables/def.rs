//! What a table is, beside its rows.

use super::{Column, Synonym};

/// What the lake knows of a table beside its rows.
#[derive(Debug, Clone, Copy)]
pub struct TableDef {
    pub name: &'static str,
    /// One sentence on what a row is.
    pub doc: &'static str,
    pub columns: &'static [Column],
    /// Sort order of every file; the first column is the block number.
    pub sort: &'static [&'static str],
    /// Column that holds the block's time.
    pub time: &'static str,
    /// Other names under which its columns are known, mostly Dune's.
    pub synonyms: &'static [Synonym],
}
