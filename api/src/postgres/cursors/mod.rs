//! Cursors: queries with a name, whose rows are fetched as the client wants them (`DECLARE`, `FETCH`, `MOVE`, `CLOSE`). They
//! are portals with what SQL says of them, so that the protocol's own messages find them too.

mod read;

use super::answer::{Answer, Direction, Rows};
use super::portals::Portal;
use super::session::{OPEN, Session, Wire};
use super::wire::{Fault, Field};
pub use read::{Declare, Fetch, close, declare, fetch};

/// What `DECLARE` says about a portal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Whether it also goes back; left open by most.
    scroll: Option<bool>,
    /// Rows in binary, for a client that fetches by a simple query.
    pub binary: bool,
    pub life: Life,
}

/// How long a portal lives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Life {
    /// To the end of its transaction.
    #[default]
    Transaction,
    /// Beyond it, once that is committed.
    Held,
    /// That was committed.
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
            let message = "A cursor lives in a transaction: BEGIN first, or declare it WITH HOLD.";
            return Err(Fault::new("25P01", message));
        }
        self.has_no_portal(&declare.name)?;
        let life = match (declare.hold, self.transaction == OPEN) {
            (false, _) => Life::Transaction,
            (true, true) => Life::Held,
            (true, false) => Life::Session,
        };
        let cursor = Cursor { scroll: declare.scroll, binary: declare.binary, life };
        let mut portal = Portal::new(declare.query.clone(), values.to_vec(), None, Vec::new());
        portal.cursor = cursor;
        Box::pin(self.run_portal(&mut portal, wire)).await?;
        self.keep(declare.name.clone(), portal)?;
        Ok(Answer::Done("DECLARE CURSOR".to_string()))
    }

    pub(super) async fn fetch(&mut self, fetch: &Fetch, wire: &mut Wire<'_>) -> Result<Answer, Fault> {
        let mut portal = self.take(&fetch.name)?;
        // A portal that was bound and not executed yet.
        let ran = match portal.answer {
            Some(_) => Ok(()),
            None => Box::pin(self.run_portal(&mut portal, wire)).await,
        };
        let fetched = ran.and_then(|()| portal.fetch(fetch.direction));
        self.portals.insert(fetch.name.clone(), portal);
        let rows = fetched?;
        Ok(if fetch.moving { Answer::Done(format!("MOVE {}", rows.left())) } else { Answer::Rows(rows) })
    }

    /// The columns of what a `FETCH` answers; none for a `MOVE`.
    pub(super) async fn fetched_fields(
        &mut self,
        fetch: &Fetch,
        wire: &mut Wire<'_>,
    ) -> Result<Option<Vec<Field>>, Fault> {
        let fields = self.run_and_tell(&fetch.name, wire).await?;
        Ok(fields.filter(|_| !fetch.moving))
    }

    /// Forgets a portal, or all of them.
    pub(super) fn close(&mut self, name: Option<&str>) -> Result<Answer, Fault> {
        let Some(name) = name else {
            self.portals.clear();
            return Ok(Answer::Done("CLOSE CURSOR ALL".to_string()));
        };
        self.take(name)?;
        Ok(Answer::Done("CLOSE CURSOR".to_string()))
    }

    /// Forgets the portals of a transaction that ends.
    pub(super) fn end_portals(&mut self, committed: bool) {
        self.portals.retain(|_, portal| match portal.cursor.life {
            Life::Transaction => false,
            Life::Held => committed,
            Life::Session => true,
        });
        self.portals.values_mut().for_each(|portal| portal.cursor.life = Life::Session);
    }

    /// Refuses a name that is taken.
    pub(super) fn has_no_portal(&self, name: &str) -> Result<(), Fault> {
        if self.portals.contains_key(name) {
            return Err(Fault::new("42P03", format!("There is a cursor {name:?} already.")));
        }
        Ok(())
    }
}

impl Portal {
    /// The rows of a fetch, which moves the portal.
    fn fetch(&mut self, direction: Direction) -> Result<Rows, Fault> {
        let Some(Answer::Rows(rows)) = &mut self.answer else {
            return Err(Fault::new("55000", "This portal has no rows to fetch."));
        };
        if self.cursor.scroll == Some(false) && rows.goes_back(direction) {
            return Err(Fault::new("55000", "This cursor only goes forward; declare it with SCROLL."));
        }
        Ok(rows.fetch(direction))
    }
}

/// There is no such cursor.
pub fn missing(name: &str) -> Fault {
    Fault::new("34000", format!("There is no cursor or portal {name:?}."))
}
