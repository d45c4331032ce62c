//! The variables a clause sees, and their slots in the row.

use std::cell::Cell;
use std::rc::Rc;

use crate::logical_plan::{Expr, Kind, Slot};
use crate::query_text::At;
use crate::values::ValueType;
use quarry_types::nearest_name::nearest;
use quarry_types::{Error, ErrorCode, Result};

#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub name: String,
    pub slot: Slot,
    pub kind: ValueType,
}

impl Variable {
    /// An expression that reads this variable.
    pub fn expr(&self, at: At) -> Expr {
        Expr { kind: Kind::Slot(self.slot), at, value_type: self.kind }
    }
}

/// The variables in force. A clone sees the same row: new slots of either never collide.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    next: Rc<Cell<Slot>>,
}

impl Scope {
    /// A scope over a row that holds these variables from its start.
    pub fn new(names: impl IntoIterator<Item = (String, ValueType)>) -> Scope {
        let mut scope = Scope::default();
        for (name, kind) in names {
            scope.add(&name, kind);
        }
        scope
    }

    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// The variable, or the error that there is none.
    pub fn get(&self, name: &str) -> Result<&Variable> {
        self.find(name).ok_or_else(|| {
            let mut message = format!("There is no variable {name} here.");
            if let Some(near) = nearest(name, self.variables.iter().map(|variable| variable.name.as_str())) {
                message.push_str(&format!(" Did you mean {near}?"));
            }
            Error::new(ErrorCode::UnknownColumn, message)
        })
    }

    /// A new variable; an older one of the same name is hidden.
    pub fn add(&mut self, name: &str, kind: ValueType) -> Slot {
        let slot = self.unnamed();
        self.variables.push(Variable { name: name.to_string(), slot, kind });
        slot
    }

    /// A name for a place that exists.
    pub fn bind(&mut self, name: &str, slot: Slot, kind: ValueType) {
        self.variables.push(Variable { name: name.to_string(), slot, kind });
    }

    /// A place for a value without a name.
    pub fn unnamed(&self) -> Slot {
        let slot = self.next.get();
        self.next.set(slot + 1);
        slot
    }

    /// The first place that is still free; all later ones are too.
    pub fn free(&self) -> Slot {
        self.next.get()
    }

    /// What `*` means: every variable by name.
    pub fn visible(&self) -> Vec<Variable> {
        let mut visible: Vec<Variable> = Vec::new();
        for variable in self.variables.iter().rev() {
            if !visible.iter().any(|one| one.name == variable.name) {
                visible.push(variable.clone());
            }
        }
        visible.sort_by(|a, b| a.name.cmp(&b.name));
        visible
    }
}
