//! Cursors: `DECLARE`, `FETCH`, `MOVE` and `CLOSE`. As in PostgreSQL a cursor is a portal, so messages of the protocol can
//! name a cursor and SQL can name a portal.

mod read;

use super::answer::{Answer, Direction, Rows};
use super::portals::Portal;
use super::session::{OPEN, Session, Wire};
use super::statement::What;
use super::wire::{Fault, Field};
pub use read::{Declare, Fetch, close, declare, fetch};

/// The options of a portal that `DECLARE` sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Whether it can move backward. `None` if not specified, which allows it.
    scroll: Option<bool>,
    /// Whether a `FETCH` in a simple query returns binary values.
    pub binary: bool,
    pub life: Life,
}

/// How long a portal lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Life {
    /// Until its transaction ends.
    #[default]
    Transaction,
    /// `WITH HOLD`: beyond its transaction, if that commits.
    Held,
    /// `WITH HOLD`, with its transaction committed: until the session ends.
    Session,
}

impl Session<'_> {
    pub(super) async fn declare(
        &mut self,
        declare: &Declare,
        values: &[serde_json::Value],
        wire: &mut Wire<'_>,
    ) -> Result<Answer, Fault> {
        if !declare.hold && self.transaction != OPEN && !self.several {
            let message = "A cursor needs a transaction. Send BEGIN first, or declare the cursor WITH HOLD.";
            return Err(Fault::new("25P01", message));
        }
        self.has_no_portal(&declare.name)?;
        let life = match (declare.hold, self.transaction == OPEN) {
            (false, _) => Life::Transaction,
            (true, true) => Life::Held,
            (true, false) => Life::Session,
        };
        let cursor = Cursor { scroll: declare.scroll, binary: declare.binary, life };
        let mut portal = Portal::new(declare.query.clone(), values.to_vec(), Vec::new(), Vec::new());
        portal.cursor = cursor;
        Box::pin(self.run_portal(&mut portal, wire)).await?;
        self.keep(declare.name.clone(), portal)?;
        Ok(Answer::Done("DECLARE CURSOR".to_string()))
    }

    pub(super) async fn fetch(&mut self, fetch: &Fetch, wire: &mut Wire<'_>) -> Result<Answer, Fault> {
        let mut portal = self.take(&fetch.name)?;
        let ran = if portal.answer.is_none() && matches!(portal.statement.what, What::Fetch(_)) {
            // A chain of portals that fetch from each other would recurse as deep as it is long.
            Err(Fault::new("55000", "This portal is itself a FETCH or MOVE, and has not run yet."))
        } else {
            // Runs a portal that was bound and not executed yet.
            Box::pin(self.run_portal(&mut portal, wire)).await
        };
        let fetched = ran.and_then(|()| portal.fetch(fetch.direction));
        self.portals.insert(fetch.name.clone(), portal);
        let rows = fetched?;
        Ok(if fetch.moving { Answer::Done(format!("MOVE {}", rows.left())) } else { Answer::Rows(rows) })
    }

    /// The columns that a `FETCH` returns; `None` for a `MOVE`.
    pub(super) async fn fetched_fields(
        &mut self,
        fetch: &Fetch,
        wire: &mut Wire<'_>,
    ) -> Result<Option<Vec<Field>>, Fault> {
        let fields = self.run_and_tell(&fetch.name, wire).await?;
        Ok(fields.filter(|_| !fetch.moving))
    }

    /// Closes a portal, or all of them.
    pub(super) fn close(&mut self, name: Option<&str>) -> Result<Answer, Fault> {
        let Some(name) = name else {
            self.portals.clear();
            return Ok(Answer::Done("CLOSE CURSOR ALL".to_string()));
        };
        self.take(name)?;
        Ok(Answer::Done("CLOSE CURSOR".to_string()))
    }

    /// Closes the portals of a transaction that ends.
    pub(super) fn end_portals(&mut self, committed: bool) {
        self.portals.retain(|_, portal| match portal.cursor.life {
            Life::Transaction => false,
            Life::Held => committed,
            Life::Session => true,
        });
        self.portals.values_mut().for_each(|portal| portal.cursor.life = Life::Session);
    }

    /// Refuses a name that is already in use.
    pub(super) fn has_no_portal(&self, name: &str) -> Result<(), Fault> {
        if self.portals.contains_key(name) {
            return Err(Fault::new("42P03", format!("The cursor {name:?} already exists.")));
        }
        Ok(())
    }
}

impl Portal {
    /// Moves the portal, and returns the rows.
    fn fetch(&mut self, direction: Direction) -> Result<Rows, Fault> {
        let Some(Answer::Rows(rows)) = &mut self.answer else {
            return Err(Fault::new("55000", "This portal has no rows to fetch."));
        };
        if self.cursor.scroll == Some(false) && rows.goes_back(direction) {
            return Err(Fault::new("55000", "This cursor only moves forward. Declare it with SCROLL."));
        }
        Ok(rows.fetch(direction))
    }
}

/// The error for an unknown cursor.
pub fn missing(name: &str) -> Fault {
    Fault::new("34000", format!("There is no cursor or portal {name:?}."))
}
