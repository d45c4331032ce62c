//! The definition of a table.

use super::column::Column;
use super::synonym::Synonym;

/// Definition of a table.
#[derive(Debug, Clone, Copy)]
pub struct TableDef {
    pub name: &'static str,
    /// What a row is, in one sentence.
    pub doc: &'static str,
    pub columns: &'static [Column],
    /// Sort order of every file; the first column is the block number.
    pub sort: &'static [&'static str],
    /// The column with the time of the block.
    pub time: &'static str,
    /// Other names of columns, mostly Dune's.
    pub synonyms: &'static [Synonym],
}
