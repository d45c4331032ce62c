//! What a statement asks for.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::Query;

use super::changed::Update;
use super::columns::Change;
use super::dropped::Condition;
use super::load::Load;
use super::merge::Merge;
use super::reader::{Insert, Partition};
use super::show::Show;

/// What one statement asks for.
#[derive(Debug)]
pub(super) enum Command {
    Query(Box<Query>),
    Explain(Box<Query>),
    Create(Create),
    /// A query under a name, for the rest of the script.
    View {
        name: String,
        columns: Vec<String>,
        query: Box<Query>,
    },
    Insert(Insert),
    Load(Load),
    Drop {
        name: String,
        if_exists: bool,
    },
    /// Takes all rows out of a table, or those of partitions.
    Truncate {
        name: String,
        partitions: Vec<Partition>,
    },
    Rename {
        name: String,
        to: String,
    },
    Columns {
        name: String,
        change: Change,
    },
    /// Takes the rows of partitions out of a table.
    DropPartitions {
        name: String,
        partitions: Vec<Vec<Condition>>,
    },
    /// Gives the rows of a partition the values of another one.
    MovePartition {
        name: String,
        from: Partition,
        to: Partition,
    },
    /// Leaves the rows of a query in a table.
    Delete {
        name: String,
        kept: Box<Query>,
    },
    Update(Update),
    Merge(Merge),
    /// Fills a materialized view of this script again.
    Rebuild {
        name: String,
    },
    Show(Show),
    /// Nothing to do: a setting or a note to a system that is not here. Says so in the log.
    Nothing(String),
}

#[derive(Debug, Default)]
pub(super) struct Create {
    pub name: String,
    pub temporary: bool,
    pub if_not_exists: bool,
    /// The columns, those of its partitions last; empty when they follow from the query or the other table.
    pub columns: Vec<Field>,
    pub like: Option<String>,
    pub query: Option<Box<Query>>,
    /// Whether its query is kept, so that the table can be filled again.
    pub kept: bool,
}

impl Command {
    /// Whether its rows can be the result.
    pub(super) fn has_rows(&self) -> bool {
        matches!(self, Command::Query(_) | Command::Explain(_) | Command::Show(_))
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Command::Query(_) => "query".to_string(),
            Command::Explain(_) => "explain".to_string(),
            Command::Create(create) => format!("create table {}", create.name),
            Command::View { name, .. } => format!("create view {name}"),
            Command::Insert(insert) => format!("insert into {}", insert.table),
            Command::Load(load) => format!("load data into {}", load.table),
            Command::Drop { name, .. } => format!("drop {name}"),
            Command::Truncate { name, .. } => format!("truncate {name}"),
            Command::Rename { name, to } => format!("rename {name} to {to}"),
            Command::Columns { name, .. }
            | Command::DropPartitions { name, .. }
            | Command::MovePartition { name, .. } => format!("alter table {name}"),
            Command::Delete { name, .. } => format!("delete from {name}"),
            Command::Update(update) => format!("update {}", update.table),
            Command::Merge(merge) => format!("merge into {}", merge.table),
            Command::Rebuild { name } => format!("rebuild {name}"),
            Command::Show(_) => "show".to_string(),
            Command::Nothing(_) => "setting".to_string(),
        }
    }
}
