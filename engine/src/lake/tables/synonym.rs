//! Other names of the columns of a table, so that queries written for Dune run as they are.

/// A name that a query may use in place of a column or of an expression over columns of the same table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synonym {
    /// In lower case.
    pub name: &'static str,
    /// SQL over the table's own columns, most often just one of them.
    pub means: &'static str,
}

pub(super) const fn synonym(name: &'static str, means: &'static str) -> Synonym {
    Synonym { name, means }
}
