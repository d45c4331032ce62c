//! Views: tables that other tools have and that follow from the chain's own, under the names people know them by. They
//! hold no data; a query that names one reads the chain's files.

mod activity;
mod balances;
mod planner;
mod prices;
mod tokens;
mod trades;
mod transfers;

use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};

use crate::functions::uint256::in_queries;
use crate::lake::tables::Column;

pub(crate) use planner::Planner;
pub(crate) use prices::Anchors;

/// A table that is a query over the tables of the chain.
#[derive(Debug)]
pub(crate) struct View {
    pub schema: &'static str,
    /// In lower case: names are matched without regard to it.
    pub name: &'static str,
    /// One sentence on what a row is.
    pub doc: &'static str,
    pub columns: &'static [Column],
    /// Over schema `ethereum` and other views. Words in braces stand for what prices rest on.
    pub sql: &'static str,
}

/// All views, in the order in which documentation and the editor show them.
pub(crate) const ALL: [&View; 10] = [
    &balances::BALANCES,
    &tokens::CREATION_TRACES,
    &tokens::ERC20,
    &transfers::ERC20,
    &transfers::ERC721,
    &transfers::ERC1155_SINGLE,
    &transfers::ERC1155_BATCH,
    &trades::TRADES,
    &prices::USD,
    &activity::ACTIVE_ADDRESSES,
];

impl View {
    pub fn arrow_schema(&self) -> SchemaRef {
        let fields: Vec<_> = self.columns.iter().map(|column| in_queries(&column.field())).collect();
        Arc::new(Schema::new(fields))
    }
}

#[cfg(test)]
mod tests;
