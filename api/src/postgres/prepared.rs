//! Statements that are parsed once, and portals: such a statement with its values.

use serde_json::Value;

use super::answer::Answer;
use super::bound;
use super::session::{Session, Wire, tell_fields};
use super::statement::{self, Statement, What};
use super::types;
use super::wire::{Fault, format_of};

/// Prepared statements of a connection.
const STATEMENTS: usize = 1_000;
/// Portals of a connection.
const PORTALS: usize = 200;

/// A statement that was parsed.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub statement: Statement,
    /// Types of its values; 0 where neither the client nor their places tell them.
    pub types: Vec<u32>,
}

/// A statement with its values.
#[derive(Debug)]
pub struct Portal {
    pub statement: Statement,
    pub values: Vec<Value>,
    /// The same with those as numbers whose type is open and which may be one.
    pub numbers: Option<Vec<Value>>,
    /// 0 for text, 1 for binary: for all columns, or for each.
    pub formats: Vec<i16>,
    pub answer: Option<Answer>,
}

impl Session<'_> {
    pub(super) fn parse(&mut self, name: String, text: &str, mut types: Vec<u32>) -> Result<(), Fault> {
        let mut statements = statement::split(text)?;
        if statements.len() > 1 {
            return Err(Fault::new("42601", "A prepared statement is one statement."));
        }
        let empty = Statement { text: String::new(), before: 0, types: Vec::new(), what: What::Empty };
        let statement = statements.pop().unwrap_or(empty);
        if !name.is_empty() && self.statements.contains_key(&name) {
            return Err(Fault::new("42P05", format!("There is a prepared statement {name} already.")));
        }
        if self.statements.len() >= STATEMENTS {
            return Err(Fault::new("53400", format!("A connection has at most {STATEMENTS} prepared statements.")));
        }
        types.resize(types.len().max(statement.types.len()), 0);
        for (told, by_place) in types.iter_mut().zip(&statement.types).filter(|(told, _)| **told == 0) {
            *told = *by_place;
        }
        self.statements.insert(name, Prepared { statement, types });
        Ok(())
    }

    /// Types that are open are told as those of the columns beside the values, else as texts, unless only numbers can
    /// stand there.
    pub(super) async fn describe_statement(&mut self, name: &str, wire: &mut Wire<'_>) -> Result<(), Fault> {
        let Prepared { statement, types } = self.prepared(name)?.clone();
        let told = |types: &[u32], open: u32| {
            types.iter().map(|oid| if *oid == 0 { open } else { *oid }).collect::<Vec<u32>>()
        };
        let of_columns = match &statement.what {
            What::Query(_) => self.types_of_columns(&statement, &types).await?,
            _ => types.clone(),
        };
        let mut tries = vec![told(&of_columns, types::TEXT), told(&types, types::TEXT), told(&types, types::INT8)];
        tries.dedup();
        // What is wrong with the first is told, if all are.
        let mut outcome = Ok(());
        for told in tries {
            let examples: Vec<Value> = told.iter().map(|oid| bound::example(*oid)).collect();
            match self.fields(&statement, &examples).await {
                Ok(fields) => {
                    wire.answers.parameters(&told);
                    tell_fields(fields.as_deref(), &[], &mut wire.answers);
                    // So the values are read that come now; a text may still turn out to be a number.
                    let open = |(told, was): (u32, &u32)| if told == types::TEXT { *was } else { told };
                    if let Some(prepared) = self.statements.get_mut(name) {
                        prepared.types = told.into_iter().zip(&types).map(open).collect();
                    }
                    return Ok(());
                }
                Err(fault) => outcome = outcome.and(Err(fault)),
            }
        }
        outcome
    }

    pub(super) fn bind(
        &mut self,
        portal: String,
        statement: &str,
        formats: &[i16],
        values: &[Option<&[u8]>],
        answers: Vec<i16>,
    ) -> Result<(), Fault> {
        let Prepared { statement, types } = self.prepared(statement)?.clone();
        if values.len() != types.len() {
            let message = format!("The statement takes {} values, and {} were bound.", types.len(), values.len());
            return Err(Fault::new("08P01", message));
        }
        if self.portals.len() >= PORTALS {
            return Err(Fault::new("53400", format!("A connection has at most {PORTALS} portals.")));
        }
        let value = |(place, (value, oid)): (usize, (&Option<&[u8]>, &u32))| {
            bound::parameter(*value, *oid, format_of(formats, place))
        };
        let values = values.iter().zip(&types).enumerate().map(value).collect::<Result<Vec<Value>, Fault>>()?;
        let numbers = bound::as_numbers(&values, &types);
        self.portals.insert(portal, Portal { statement, values, numbers, formats: answers, answer: None });
        Ok(())
    }

    pub(super) fn prepared(&self, name: &str) -> Result<&Prepared, Fault> {
        let missing = || Fault::new("26000", format!("There is no prepared statement {name:?}."));
        self.statements.get(name).ok_or_else(missing)
    }

    /// The portal, out of its place.
    pub(super) fn take(&mut self, name: &str) -> Result<Portal, Fault> {
        self.portals.remove(name).ok_or_else(|| Fault::new("34000", format!("There is no portal {name:?}.")))
    }
}
