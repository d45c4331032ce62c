//! Prepared statements.

use serde_json::Value;

use super::giving::tell_fields;
use super::session::{Session, Wire};
use super::statement::{self, Statement, What};
use super::types::{self, list_of};
use super::wire::Fault;
use super::{bound, fault};

/// Maximum prepared statements of a connection.
const STATEMENTS: usize = 1_000;
/// Maximum memory of a connection's prepared statements and portals, in bytes.
const HELD: usize = 32 << 20;

/// A prepared statement.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub statement: Statement,
    /// Types of its values; 0 where neither the client nor the context tells.
    pub types: Vec<u32>,
}

impl Prepared {
    /// The memory it holds: the text twice, as written and as translated for the engine.
    fn bytes(&self) -> usize {
        2 * self.statement.text.len() + size_of::<u32>() * (self.types.len() + self.statement.types.len())
    }
}

impl Session<'_> {
    pub(super) fn parse(&mut self, name: String, text: &str, mut types: Vec<u32>) -> Result<(), Fault> {
        let mut statements = self.split(text)?;
        if statements.len() > 1 {
            return Err(Fault::new("42601", "A prepared statement is one statement."));
        }
        let statement = statements.pop().unwrap_or_else(Statement::empty);
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

    /// The statements of a text. One that is too long for the engine is refused before it is tokenized.
    pub(super) fn split(&self, text: &str) -> Result<Vec<Statement>, Fault> {
        let most = self.app.engine.config().text_limit;
        if text.len() > most {
            let message = format!("The query text has {} bytes; at most {most} are allowed.", text.len());
            return Err(fault::of_code("too_complex", message));
        }
        statement::split(text)
    }

    /// Refuses to hold more than the connection's memory limit.
    pub(super) fn has_room(&self, more: usize) -> Result<(), Fault> {
        let statements: usize = self.statements.values().map(Prepared::bytes).sum();
        let portals: usize = self.portals.values().map(|portal| portal.bytes).sum();
        if statements + portals + more > HELD {
            let message = format!("A connection holds at most {HELD} bytes of prepared statements, values and rows.");
            return Err(Fault::new("53400", message));
        }
        Ok(())
    }

    /// Describes an untyped value with the type of the column it is compared with, else as text, or as a number where text does
    /// not fit.
    pub(super) async fn describe_statement(&mut self, name: &str, wire: &mut Wire<'_>) -> Result<(), Fault> {
        let Prepared { statement, types } = self.prepared(name)?.clone();
        if let What::Fetch(fetch) = &statement.what {
            let fields = self.fetched_fields(fetch, wire).await?;
            wire.answers.parameters(&types);
            tell_fields(fields.as_deref(), &[], &mut wire.answers);
            return Ok(());
        }
        let list = |place: usize| statement.lists.get(place).copied().unwrap_or(false);
        let told = |types: &[u32], open: u32| {
            let told = |(place, oid): (usize, &u32)| match *oid {
                0 if list(place) => list_of(open),
                0 => open,
                known => known,
            };
            types.iter().enumerate().map(told).collect::<Vec<u32>>()
        };
        let of_columns = match &statement.query().what {
            What::Query(_) => self.types_of_columns(&statement, &types).await?,
            _ => types.clone(),
        };
        let mut tries = vec![told(&of_columns, types::TEXT), told(&types, types::TEXT), told(&types, types::INT8)];
        tries.dedup();
        // If all fail, the first error is reported.
        let mut outcome = Ok(());
        for told in tries {
            let examples: Vec<Value> = told.iter().map(|oid| bound::example(*oid)).collect();
            match self.fields(&statement, &examples).await {
                Ok(fields) => {
                    wire.answers.parameters(&told);
                    tell_fields(fields.as_deref(), &[], &mut wire.answers);
                    // Values are decoded as described. One described as text stays untyped: it may still be a number.
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

    pub(super) fn prepared(&self, name: &str) -> Result<&Prepared, Fault> {
        let missing = || Fault::new("26000", format!("There is no prepared statement {name:?}."));
        self.statements.get(name).ok_or_else(missing)
    }
}
