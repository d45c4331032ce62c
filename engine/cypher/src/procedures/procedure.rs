//! What a procedure is.

use crate::budget::Budget;
use crate::store::{Flow, PropertyGraph};
use crate::value::{Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// Takes the rows of a procedure; it says whether more are wanted.
pub(crate) type Take<'t> = dyn FnMut(&[Value]) -> Result<Flow> + 't;

/// What a procedure works with.
pub(crate) struct Work<'w> {
    pub graph: &'w dyn PropertyGraph,
    pub budget: &'w Budget,
    pub arguments: &'w [Value],
}

/// One procedure.
pub(crate) struct Procedure {
    pub name: &'static str,
    /// Names of its parameters; the first `required` must be given.
    pub parameters: &'static [&'static str],
    pub required: usize,
    pub columns: &'static [(&'static str, ValueType)],
    pub run: fn(&Work<'_>, &mut Take<'_>) -> Result<()>,
}

impl std::fmt::Debug for Procedure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Procedure {
    fn eq(&self, other: &Procedure) -> bool {
        self.name == other.name
    }
}

impl Procedure {
    /// How it is called, and what it gives.
    pub fn signature(&self) -> String {
        let parameter = |(index, name): (usize, &&str)| {
            if index < self.required { (*name).to_string() } else { format!("[{name}]") }
        };
        let parameters: Vec<String> = self.parameters.iter().enumerate().map(parameter).collect();
        let columns: Vec<&str> = self.columns.iter().map(|column| column.0).collect();
        format!("{}({}) YIELD {}", self.name, parameters.join(", "), columns.join(", "))
    }

    pub fn column(&self, name: &str) -> Result<usize> {
        self.columns.iter().position(|column| column.0 == name).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.0).collect();
            let message = format!("{} has no column {name}; it has {}.", self.name, names.join(", "));
            Error::new(ErrorCode::UnknownColumn, message)
        })
    }

    pub fn kind_of(&self, column: usize) -> ValueType {
        self.columns.get(column).map_or(ValueType::Any, |column| column.1)
    }
}
