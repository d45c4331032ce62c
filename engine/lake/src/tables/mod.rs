//! The tables of the lake, one file per table: columns, sort order, indexes and synonyms.

mod blocks;
pub mod column;
mod contracts;
mod file_schema;
pub(crate) mod layout;
mod logs;
mod rollups;
mod synonym;
mod table_def;
mod token_transfers;
mod traces;
mod transactions;
mod withdrawals;

use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};

pub use column::{Column, ColumnType};
pub(crate) use file_schema::{conform, has_fixed_items};
pub use synonym::{OF_ROW, Synonym};
pub use table_def::TableDef;

/// The tables of the chain, in the order of the documentation and the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    Blocks,
    Transactions,
    Logs,
    TokenTransfers,
    Traces,
    Contracts,
    Withdrawals,
    AddressDays,
    Days,
}

impl Table {
    /// The tables of the chain.
    pub const ALL: [Table; 7] = [
        Table::Blocks,
        Table::Transactions,
        Table::Logs,
        Table::TokenTransfers,
        Table::Traces,
        Table::Contracts,
        Table::Withdrawals,
    ];

    /// Roll-ups, which are computed from the tables of the chain and written with them.
    pub const DERIVED: [Table; 2] = [Table::AddressDays, Table::Days];

    pub fn def(self) -> &'static TableDef {
        match self {
            Table::Blocks => &blocks::DEF,
            Table::Transactions => &transactions::DEF,
            Table::Logs => &logs::DEF,
            Table::TokenTransfers => &token_transfers::DEF,
            Table::Traces => &traces::DEF,
            Table::Contracts => &contracts::DEF,
            Table::Withdrawals => &withdrawals::DEF,
            Table::AddressDays => &rollups::ADDRESS_DAYS,
            Table::Days => &rollups::DAYS,
        }
    }

    pub fn name(self) -> &'static str {
        self.def().name
    }

    /// The table of that name, without regard to letter case.
    pub fn parse(name: &str) -> Option<Table> {
        Table::ALL.into_iter().chain(Table::DERIVED).find(|table| table.name().eq_ignore_ascii_case(name))
    }

    /// A synonym by its name in lower case.
    pub fn synonym(self, name: &str) -> Option<&'static Synonym> {
        self.def().synonyms.iter().find(|synonym| synonym.name == name)
    }

    /// Whether a column is an addition that neither Dune nor BigQuery has in this table. Existing queries use its unqualified name
    /// in joins for the column of the other table.
    pub fn yields(self, column: &str) -> bool {
        matches!((self, column), (Table::Transactions, "base_fee_per_gas"))
    }

    /// Schema in memory.
    pub fn schema(self) -> SchemaRef {
        let fields: Vec<_> = self.def().columns.iter().map(Column::field).collect();
        Arc::new(Schema::new(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_and_time_column_exists() {
        for table in Table::ALL.into_iter().chain(Table::DERIVED) {
            let schema = table.schema();
            for name in table.def().sort.iter().chain([&table.def().time]) {
                assert!(schema.field_with_name(name).is_ok(), "{}.{name}", table.name());
            }
            assert_eq!(Table::parse(&table.name().to_uppercase()), Some(table));
            for synonym in table.def().synonyms {
                let twice = table.def().synonyms.iter().filter(|other| other.name == synonym.name).count() > 1;
                let taken = schema.field_with_name(synonym.name).is_ok();
                assert!(!twice && !taken, "{}.{}", table.name(), synonym.name);
            }
        }
    }
}
