//! Statements that are parsed once, and portals: such a statement with its values.

use serde_json::Value;

use super::answer::Answer;
use super::session::{Session, Wire, tell_fields};
use super::statement::{self, Statement, What};
use super::types;
use super::wire::{Fault, format_of};
use super::{bound, fault};

/// Prepared statements of a connection.
const STATEMENTS: usize = 1_000;
/// Portals of a connection.
const PORTALS: usize = 200;
/// Bytes that the prepared statements and portals of a connection may hold.
const HELD: usize = 32 << 20;

/// A statement that was parsed.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub statement: Statement,
    /// Types of its values; 0 where neither the client nor their places tell them.
    pub types: Vec<u32>,
}

impl Prepared {
    /// Bytes that it holds: the text twice, as it was written and as the engine reads it.
    fn bytes(&self) -> usize {
        2 * self.statement.text.len() + size_of::<u32>() * (self.types.len() + self.statement.types.len())
    }
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
    /// Bytes that statement and values hold.
    bytes: usize,
}

impl Session<'_> {
    pub(super) fn parse(&mut self, name: String, text: &str, mut types: Vec<u32>) -> Result<(), Fault> {
        let mut statements = self.split(text)?;
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
        let prepared = Prepared { statement, types };
        self.has_room(prepared.bytes())?;
        self.statements.insert(name, prepared);
        Ok(())
    }

    /// The statements of a text that is not longer than the engine reads; nothing is done with a longer one.
    pub(super) fn split(&self, text: &str) -> Result<Vec<Statement>, Fault> {
        let most = self.app.engine.config().text_limit;
        if text.len() > most {
            let message = format!("The text has {} bytes; at most {most} are allowed.", text.len());
            return Err(fault::of_code("too_complex", message));
        }
        statement::split(text)
    }

    /// Refuses what would make the connection hold too much.
    fn has_room(&self, more: usize) -> Result<(), Fault> {
        let statements: usize = self.statements.values().map(Prepared::bytes).sum();
        let portals: usize = self.portals.values().map(|portal| portal.bytes).sum();
        if statements + portals + more > HELD {
            let message = format!("A connection holds at most {HELD} bytes of prepared statements and their values.");
            return Err(Fault::new("53400", message));
        }
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
        let prepared = self.prepared(statement)?;
        let given: usize = values.iter().flatten().map(|value| value.len()).sum();
        // Values stand twice where they may be numbers.
        let bytes = prepared.bytes() + 2 * (given + values.len() * size_of::<Value>());
        let Prepared { statement, types } = prepared.clone();
        if values.len() != types.len() {
            let message = format!("The statement takes {} values, and {} were bound.", types.len(), values.len());
            return Err(Fault::new("08P01", message));
        }
        if self.portals.len() >= PORTALS {
            return Err(Fault::new("53400", format!("A connection has at most {PORTALS} portals.")));
        }
        self.has_room(bytes)?;
        let value = |(place, (value, oid)): (usize, (&Option<&[u8]>, &u32))| {
            bound::parameter(*value, *oid, format_of(formats, place))
        };
        let values = values.iter().zip(&types).enumerate().map(value).collect::<Result<Vec<Value>, Fault>>()?;
        let numbers = bound::as_numbers(&values, &types);
        self.portals.insert(portal, Portal { statement, values, numbers, formats: answers, answer: None, bytes });
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
