//! Portals: a statement with bound values, and its response while the client reads it.

use serde_json::Value;

use super::answer::Answer;
use super::bound;
use super::cursors::{Cursor, missing};
use super::fault::unless_gone;
use super::giving::tell_fields;
use super::prepared::Prepared;
use super::session::{Session, Wire};
use super::statement::{Statement, What};
use super::wire::{Fault, Field, format_of};

/// Maximum portals of a connection, cursors included.
const PORTALS: usize = 200;

/// A statement with bound values.
#[derive(Debug)]
pub struct Portal {
    pub statement: Statement,
    values: Vec<Value>,
    /// The types of the values, of which some may be open (0), until the statement runs.
    types: Vec<u32>,
    /// Formats of the columns: 0 for text, 1 for binary. One for all, or one for each.
    formats: Vec<i16>,
    pub answer: Option<Answer>,
    pub cursor: Cursor,
    /// The approximate memory it holds, in bytes.
    pub bytes: usize,
}

impl Portal {
    pub fn new(statement: Statement, values: Vec<Value>, types: Vec<u32>, formats: Vec<i16>) -> Portal {
        let mut portal =
            Portal { statement, values, types, formats, answer: None, cursor: Cursor::default(), bytes: 0 };
        portal.bytes = portal.measured();
        portal
    }

    /// The memory it holds: the text twice, the values, and rows that are not on disk.
    fn measured(&self) -> usize {
        let values = |values: &[Value]| values.iter().map(bound::bytes).sum::<usize>();
        let answer = match &self.answer {
            Some(Answer::Rows(rows)) => rows.bytes(),
            Some(Answer::Copied(copied)) => copied.rows.bytes(),
            _ => 0,
        };
        2 * self.statement.text.len() + values(&self.values) + size_of::<u32>() * self.types.len() + answer
    }
}

impl Session<'_> {
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
        if formats.len() > 1 && formats.len() != values.len() {
            let message = format!("{} values were bound in {} formats.", values.len(), formats.len());
            return Err(Fault::new("08P01", message));
        }
        if portal.is_empty() {
            self.portals.remove("");
        } else {
            self.has_no_portal(&portal)?;
        }
        let given: usize = values.iter().flatten().map(|value| value.len()).sum();
        // Untyped values are held twice while their types are found.
        self.has_room(2 * (statement.text.len() + given + values.len() * size_of::<Value>()))?;
        let value = |(place, (value, oid)): (usize, (&Option<&[u8]>, &u32))| {
            let list = statement.lists.get(place).copied().unwrap_or(false);
            bound::parameter(*value, *oid, list, format_of(formats, place))
        };
        let values = values.iter().zip(&types).enumerate().map(value).collect::<Result<Vec<Value>, Fault>>()?;
        self.keep(portal, Portal::new(statement, values, types, answers))
    }

    /// Stores a portal under a name.
    pub(super) fn keep(&mut self, name: String, portal: Portal) -> Result<(), Fault> {
        if self.portals.len() >= PORTALS {
            return Err(Fault::new("53400", format!("A connection has at most {PORTALS} portals.")));
        }
        self.has_room(portal.bytes)?;
        self.portals.insert(name, portal);
        Ok(())
    }

    /// Takes a portal out of the session.
    pub(super) fn take(&mut self, name: &str) -> Result<Portal, Fault> {
        self.portals.remove(name).ok_or_else(|| missing(name))
    }

    /// Runs the statement of a portal, unless it ran already.
    pub(super) async fn run_portal(&mut self, portal: &mut Portal, wire: &mut Wire<'_>) -> Result<(), Fault> {
        if portal.answer.is_some() {
            // The login may have ended since the statement ran. Its remaining rows are not for it any more.
            let login = async { self.login.current(self.app).await.map(drop).map_err(Fault::from) };
            return unless_gone(self.app, login).await;
        }
        self.settle(portal).await;
        portal.answer = Some(unless_gone(self.app, self.answer(&portal.statement, &portal.values, wire)).await?);
        portal.bytes = portal.measured();
        self.has_room(portal.bytes)
    }

    /// Takes untyped values as numbers and times where text does not fit: `limit $1`, `$1 + interval '1' day`. A time that fits
    /// either way is compared with another time, which ignores the zone.
    async fn settle(&self, portal: &mut Portal) {
        let types = std::mem::take(&mut portal.types);
        let Some(by_looks) = bound::by_looks(&portal.values, &types) else { return };
        let query = portal.statement.query();
        if !matches!(query.what, What::Query(_)) {
            return;
        }
        let columns = async |values: &[Value]| {
            let fields = self.fields(query, values).await.ok()?.unwrap_or_default();
            Some(fields.iter().map(|field| field.oid).collect::<Vec<u32>>())
        };
        let (of_texts, plain) = (columns(&portal.values).await, bound::without_zones(&portal.values, &types));
        if of_texts.is_some() && plain.is_none() {
            return;
        }
        let of_looks = columns(&by_looks).await;
        match (of_texts, of_looks, plain) {
            (None, Some(_), _) => portal.values = by_looks,
            (Some(of_texts), Some(of_looks), Some(plain)) if of_texts == of_looks => portal.values = plain,
            _ => {}
        }
    }

    /// Runs the portal if it returns rows, since an Execute follows.
    pub(super) async fn describe_portal(&mut self, name: &str, wire: &mut Wire<'_>) -> Result<(), Fault> {
        let fields = match self.portals.get(name).ok_or_else(|| missing(name))?.statement.what.clone() {
            // The fetch itself moves the cursor, so it waits for its Execute.
            What::Fetch(fetch) => self.fetched_fields(&fetch, wire).await?,
            What::Query(_) | What::Catalogue | What::Show(_) => self.run_and_tell(name, wire).await?,
            _ => None,
        };
        let formats = self.portals.get(name).map_or(&[][..], |portal| &portal.formats);
        tell_fields(fields.as_deref(), formats, &mut wire.answers);
        Ok(())
    }

    /// Runs a portal, and returns the columns of its rows.
    pub(super) async fn run_and_tell(&mut self, name: &str, wire: &mut Wire<'_>) -> Result<Option<Vec<Field>>, Fault> {
        let mut portal = self.take(name)?;
        self.run_portal(&mut portal, wire).await?;
        let fields = match &portal.answer {
            Some(Answer::Rows(rows)) => Some(rows.fields.clone()),
            _ => None,
        };
        self.portals.insert(name.to_string(), portal);
        Ok(fields)
    }

    pub(super) async fn execute(
        &mut self,
        name: &str,
        most: u32,
        wire: &mut Wire<'_>,
    ) -> std::io::Result<Result<(), Fault>> {
        let mut portal = match self.take(name) {
            Ok(portal) => portal,
            Err(fault) => return Ok(Err(fault)),
        };
        if let Err(fault) = self.run_portal(&mut portal, wire).await {
            return Ok(Err(fault));
        }
        let Portal { answer, formats, .. } = &mut portal;
        let given = match answer {
            Some(answer) => self.give(answer, most, formats, wire).await?,
            None => Ok(()),
        };
        // The statement may have declared a cursor under the portal's own name, which then replaces it.
        if !self.portals.contains_key(name) {
            self.portals.insert(name.to_string(), portal);
        }
        Ok(given)
    }
}
