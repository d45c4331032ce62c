//! What a view is.

use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};

use quarry_lake::tables::Column;
use quarry_types::uint256::in_queries;

/// A table that is a query over the tables of the chain.
#[derive(Debug)]
pub struct View {
    pub schema: &'static str,
    /// In lower case: names ignore letter case.
    pub name: &'static str,
    /// One sentence on what a row is.
    pub doc: &'static str,
    pub columns: &'static [Column],
    /// Over schema `ethereum` and other views, with placeholders for [`super::fill_contracts`].
    pub sql: &'static str,
}

impl View {
    pub fn arrow_schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(|column| in_queries(&column.field())).collect();
        Arc::new(Schema::new(fields))
    }
}
