//! Sends responses to the client page by page: each page is sent before the next is read.

use std::io;

use serde_json::Value;

use super::answer::{Answer, Rows};
use super::copy::Copied;
use super::fault::{self, unless_gone};
use super::running::Doing;
use super::session::{Session, Wire};
use super::types;
use super::wire::{Answers, Fault, Field, format_of};

impl Session<'_> {
    /// Sends a response, with at most `most` rows (0 for all). The client can cancel it. A client that does not read blocks
    /// only its own connection.
    pub(super) async fn give(
        &self,
        answer: &mut Answer,
        most: u32,
        formats: &[i16],
        wire: &mut Wire<'_>,
    ) -> io::Result<Result<(), Fault>> {
        match answer {
            Answer::Empty => wire.answers.empty_query(),
            Answer::Done(tag) => wire.answers.done(tag),
            Answer::Rows(rows) => return self.give_rows(rows, most, formats, wire).await,
            Answer::Copied(copied) => return self.give_copied(copied, wire).await,
        }
        Ok(Ok(()))
    }

    async fn give_rows(
        &self,
        rows: &mut Rows,
        most: u32,
        formats: &[i16],
        wire: &mut Wire<'_>,
    ) -> io::Result<Result<(), Fault>> {
        let (most, mut given) = (if most == 0 { u64::MAX } else { u64::from(most) }, 0);
        let doing = self.running.begin(self.key.0);
        while given < most && rows.left() > 0 {
            let page = match self.page(rows, most - given, &doing).await {
                Ok(page) => page,
                Err(fault) => return Ok(Err(fault)),
            };
            given += page.len() as u64;
            for row in page {
                if let Err(fault) = give_row(&row, &rows.fields, formats, &mut wire.answers) {
                    return Ok(Err(fault));
                }
            }
            wire.send_if_large().await?;
        }
        // Like PostgreSQL, a portal counts as suspended when it reaches the row limit, even if no rows are left.
        if given < most {
            rows.end();
            wire.answers.done(&format!("{} {given}", rows.tag));
        } else {
            wire.answers.suspended();
        }
        Ok(Ok(()))
    }

    async fn give_copied(&self, copied: &mut Copied, wire: &mut Wire<'_>) -> io::Result<Result<(), Fault>> {
        let mut given = 0;
        let doing = self.running.begin(self.key.0);
        copied.begin(&mut wire.answers);
        while copied.rows.left() > 0 {
            let page = match self.page(&mut copied.rows, u64::MAX, &doing).await {
                Ok(page) => page,
                Err(fault) => return Ok(Err(fault)),
            };
            given += page.len() as u64;
            for row in page {
                if let Err(fault) = copied.row(&row, &mut wire.answers) {
                    return Ok(Err(fault));
                }
            }
            wire.send_if_large().await?;
        }
        copied.end(&mut wire.answers);
        wire.answers.done(&format!("COPY {given}"));
        Ok(Ok(()))
    }

    /// The next rows, unless the client has canceled the query.
    async fn page(&self, rows: &mut Rows, most: u64, doing: &Doing<'_>) -> Result<Vec<Vec<Value>>, Fault> {
        if doing.stop.is_cancelled() {
            return Err(fault::of_code("killed", "The query was stopped."));
        }
        unless_gone(self.app, rows.next(self.app, most)).await
    }
}

pub fn tell_fields(fields: Option<&[Field]>, formats: &[i16], answers: &mut Answers) {
    match fields {
        Some(fields) => answers.fields(fields, formats),
        None => answers.no_fields(),
    }
}

fn give_row(row: &[Value], fields: &[Field], formats: &[i16], answers: &mut Answers) -> Result<(), Fault> {
    answers.row(fields.len(), |place, body| match (row.get(place), fields.get(place)) {
        (Some(value), Some(field)) => types::write(value, field.oid, format_of(formats, place), body),
        _ => Ok(false),
    })
}
