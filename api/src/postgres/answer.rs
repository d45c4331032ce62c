//! The response to a statement, and its rows, which are read page by page.

use std::sync::Arc;

use serde_json::Value;

use super::copy::Copied;
use super::types::{self, TEXT};
use super::wire::{Fault, Field};
use crate::app::App;
use crate::jobs::result;

/// Maximum rows per page.
const PAGE: u64 = 1_000;
/// A page stops growing at this many bytes of values. A connection holds a page until its client has read it.
const PAGE_BYTES: usize = 4 << 20;

/// The response to a statement.
#[derive(Debug)]
pub enum Answer {
    Empty,
    /// Completed without rows, with the command tag.
    Done(String),
    Rows(Rows),
    /// The rows of a `COPY`.
    Copied(Box<Copied>),
}

/// Where a `FETCH` moves to. Rows count from 1. A cursor is before the first row, on a row, or after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// This many rows forward.
    Forward(u64),
    /// This many rows backward, in reverse order.
    Backward(u64),
    /// The row with this number, counted from the end if negative.
    Absolute(i64),
    /// The row at this offset from the current one.
    Relative(i64),
}

/// The rows of a response, with a current position.
#[derive(Debug)]
pub struct Rows {
    pub fields: Vec<Field>,
    /// The command tag, sent with the count once all rows are read.
    pub tag: &'static str,
    source: Source,
    /// How many rows of the source come before these.
    first: u64,
    total: u64,
    /// Whether the rows are read in reverse.
    reversed: bool,
    /// The row read last: 0 before the first row, `total + 1` after the last.
    at: u64,
}

#[derive(Debug, Clone)]
enum Source {
    Held(Arc<Vec<Vec<Value>>>),
    /// The stored result of a job.
    Job(String),
}

impl Rows {
    pub fn held(fields: Vec<Field>, rows: Vec<Vec<Value>>) -> Rows {
        let total = rows.len() as u64;
        Rows::new(fields, Source::Held(Arc::new(rows)), total)
    }

    pub fn of_job(fields: Vec<Field>, job: String, total: u64) -> Rows {
        Rows::new(fields, Source::Job(job), total)
    }

    fn new(fields: Vec<Field>, source: Source, total: u64) -> Rows {
        Rows { fields, tag: "SELECT", source, first: 0, total, reversed: false, at: 0 }
    }

    /// A single row with a single text.
    pub fn text(name: &str, text: String) -> Rows {
        Rows::held(vec![types::field(name, (TEXT, -1, -1))], vec![vec![Value::String(text)]])
    }

    /// How many rows are still unread.
    pub fn left(&self) -> u64 {
        self.total.saturating_sub(self.at)
    }

    /// The approximate memory of the rows, in bytes. Rows of a job are on disk.
    pub fn bytes(&self) -> usize {
        match &self.source {
            Source::Held(rows) => rows.iter().flatten().map(size).sum(),
            Source::Job(job) => job.len(),
        }
    }

    /// Moves the position, and returns the rows that it passed.
    pub fn fetch(&mut self, direction: Direction) -> Rows {
        let at = self.at;
        self.at = self.target(direction);
        let on_row = (1..=self.total).contains(&self.at);
        let (before, count, back) = match direction {
            Direction::Forward(count) => (at.min(self.total), count.min(self.total.saturating_sub(at)), false),
            Direction::Backward(count) => {
                let above = at.saturating_sub(1);
                (above - count.min(above), count.min(above), true)
            }
            Direction::Absolute(_) | Direction::Relative(_) => (self.at.saturating_sub(1), u64::from(on_row), false),
        };
        let first = if self.reversed { self.total - before.min(self.total) - count } else { before };
        Rows {
            fields: self.fields.clone(),
            tag: "FETCH",
            source: self.source.clone(),
            first: self.first + first,
            total: count,
            reversed: self.reversed != back,
            at: 0,
        }
    }

    /// Whether a fetch returns a row that was already passed.
    pub fn goes_back(&self, direction: Direction) -> bool {
        match direction {
            Direction::Forward(_) => false,
            Direction::Backward(_) => true,
            Direction::Absolute(_) | Direction::Relative(_) => self.at > 0 && self.target(direction) <= self.at,
        }
    }

    /// The position after a fetch.
    fn target(&self, direction: Direction) -> u64 {
        let end = self.total.saturating_add(1);
        let moved = |by: i64| match by {
            0.. => self.at.saturating_add(by.unsigned_abs()),
            _ => self.at.saturating_sub(by.unsigned_abs()),
        };
        let target = match direction {
            Direction::Forward(count) => self.at.saturating_add(count),
            Direction::Backward(count) => self.at.saturating_sub(count),
            Direction::Absolute(row @ 0..) => row.unsigned_abs(),
            Direction::Absolute(row) => end.saturating_sub(row.unsigned_abs()),
            Direction::Relative(by) => moved(by),
        };
        target.min(end)
    }

    /// The next rows, at most `most`. Empty once all are read.
    pub async fn next(&mut self, app: &App, most: u64) -> Result<Vec<Vec<Value>>, Fault> {
        let count = PAGE.min(most).min(self.left());
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = match &self.source {
            Source::Held(rows) => {
                let from = usize::try_from(self.start(count)).unwrap_or(usize::MAX).min(rows.len());
                let to = from.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)).min(rows.len());
                let mut rows = rows[from..to].to_vec();
                if self.reversed {
                    rows.reverse();
                }
                rows
            }
            Source::Job(job) => self.page(app, job, count).await?,
        };
        if rows.is_empty() {
            // The stored result was deleted in the meantime. A partial result must not look complete.
            return Err(Fault::new("XX000", "The rest of the result is gone; run the query again."));
        }
        self.at += rows.len() as u64;
        Ok(rows)
    }

    /// A page of a stored result. The reader owns the job, so only the tables shared with them are checked again.
    async fn page(&self, app: &App, job: &str, mut count: u64) -> Result<Vec<Vec<Value>>, Fault> {
        loop {
            let page = (self.start(count), count);
            let mut rows = result::rows(&app.db, &app.engine, None, job, page, PAGE_BYTES).await?.rows;
            if !self.reversed {
                return Ok(rows);
            }
            // A page that PAGE_BYTES cut short lacks its last rows, which come first in reverse: read fewer.
            let found = rows.len() as u64;
            if found > 0 && found < count {
                count = found;
                continue;
            }
            rows.reverse();
            return Ok(rows);
        }
    }

    /// Moves the position after the last row.
    pub fn end(&mut self) {
        self.at = self.total.saturating_add(1);
    }

    /// The offset in the source of the next `count` rows.
    fn start(&self, count: u64) -> u64 {
        self.first + if self.reversed { self.total - self.at - count } else { self.at }
    }
}

/// The approximate memory of a value, in bytes.
fn size(value: &Value) -> usize {
    let text = if let Value::String(text) = value { text.len() } else { 0 };
    size_of::<Value>() + text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The rows that a fetch returns, and the position after it.
    fn fetched(rows: &mut Rows, direction: Direction) -> (Vec<u64>, u64) {
        let part = rows.fetch(direction);
        let Source::Held(all) = &part.source else { panic!() };
        let range = part.first as usize..(part.first + part.total) as usize;
        let mut found: Vec<u64> = all[range].iter().map(|row| row[0].as_u64().unwrap()).collect();
        if part.reversed {
            found.reverse();
        }
        (found, rows.at)
    }

    #[test]
    fn a_fetch_moves_as_in_postgresql() {
        use Direction::{Absolute, Backward, Forward, Relative};
        let mut rows = Rows::held(Vec::new(), (1..=5).map(|row| vec![json!(row)]).collect());
        for (direction, found, at) in [
            (Backward(1), vec![], 0),
            (Forward(2), vec![1, 2], 2),
            (Relative(0), vec![2], 2),
            (Forward(3), vec![3, 4, 5], 5),
            (Forward(1), vec![], 6),
            (Forward(u64::MAX), vec![], 6),
            (Backward(2), vec![5, 4], 4),
            (Absolute(-1), vec![5], 5),
            (Absolute(2), vec![2], 2),
            (Relative(2), vec![4], 4),
            (Relative(-9), vec![], 0),
            (Absolute(9), vec![], 6),
            (Backward(u64::MAX), vec![5, 4, 3, 2, 1], 0),
            (Absolute(0), vec![], 0),
            (Absolute(i64::MIN), vec![], 0),
            (Relative(i64::MAX), vec![], 6),
            (Backward(3), vec![5, 4, 3], 3),
        ] {
            assert_eq!(fetched(&mut rows, direction), (found, at), "{direction:?}");
        }
        assert!(rows.goes_back(Relative(0)) && rows.goes_back(Absolute(3)) && !rows.goes_back(Absolute(4)));
    }
}
