//! What a statement is answered with, and rows read page by page.

use serde_json::Value;

use super::types::{self, TEXT};
use super::wire::{Fault, Field};
use crate::app::App;
use crate::jobs::result;

/// Rows that are read at once.
const PAGE: u64 = 1_000;
/// Bytes of values from which on no more rows are read at once: a connection holds them until its client has read them.
const PAGE_BYTES: usize = 4 << 20;

/// The answer to a statement.
#[derive(Debug)]
pub enum Answer {
    Empty,
    /// Done, with the words that say what.
    Done(String),
    Rows(Rows),
}

/// Rows of an answer, some of them sent already.
#[derive(Debug)]
pub struct Rows {
    pub fields: Vec<Field>,
    from: Source,
    total: u64,
    sent: u64,
}

#[derive(Debug)]
enum Source {
    Held(std::vec::IntoIter<Vec<Value>>),
    /// The stored result of a job.
    Job(String),
}

impl Rows {
    pub fn held(fields: Vec<Field>, rows: Vec<Vec<Value>>) -> Rows {
        let total = rows.len() as u64;
        Rows { fields, from: Source::Held(rows.into_iter()), total, sent: 0 }
    }

    pub fn of_job(fields: Vec<Field>, job: String, total: u64) -> Rows {
        Rows { fields, from: Source::Job(job), total, sent: 0 }
    }

    /// One row of one text.
    pub fn text(name: &str, text: String) -> Rows {
        Rows::held(vec![types::field(name, (TEXT, -1, -1))], vec![vec![Value::String(text)]])
    }

    pub fn are_sent(&self) -> bool {
        self.sent >= self.total
    }

    /// The next rows, at most so many; no rows when all are sent.
    pub async fn next(&mut self, app: &App, most: u64) -> Result<Vec<Vec<Value>>, Fault> {
        let count = PAGE.min(most).min(self.total - self.sent.min(self.total));
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = match &mut self.from {
            Source::Held(rows) => rows.take(usize::try_from(count).unwrap_or(usize::MAX)).collect(),
            // Rows go to the owner of the job, whose right to its tables is asked in any case.
            Source::Job(job) => {
                let page = (self.sent, count);
                result::rows(&app.db, &app.engine, None, job, page, PAGE_BYTES).await?.rows
            }
        };
        if rows.is_empty() {
            // Its file was removed meanwhile: fewer rows must not look like all.
            return Err(Fault::new("XX000", "The rest of the result is gone; run the query again."));
        }
        self.sent += rows.len() as u64;
        Ok(rows)
    }
}
