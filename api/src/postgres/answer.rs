//! What a statement is answered with, and rows read page by page.

use std::sync::Arc;

use serde_json::Value;

use super::copy::Copied;
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
    /// Rows as the bytes of a file.
    Copied(Box<Copied>),
}

/// Where a fetch goes. Rows count from 1; a cursor stands before the first, on one of them, or behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// So many rows on.
    Forward(u64),
    /// So many rows back, the last one first.
    Backward(u64),
    /// The row of this number; from the end for a negative one.
    Absolute(i64),
    /// The row so far from this one.
    Relative(i64),
}

/// Rows of an answer, with a place among them.
#[derive(Debug)]
pub struct Rows {
    pub fields: Vec<Field>,
    /// What the answer is called when it is complete.
    pub tag: &'static str,
    from: Source,
    /// Rows of the source before these.
    first: u64,
    total: u64,
    /// Whether the last one comes first.
    reversed: bool,
    /// The row that was given last; 0 before the first, one more than there are behind the last.
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
        Rows::of(fields, Source::Held(Arc::new(rows)), total)
    }

    pub fn of_job(fields: Vec<Field>, job: String, total: u64) -> Rows {
        Rows::of(fields, Source::Job(job), total)
    }

    fn of(fields: Vec<Field>, from: Source, total: u64) -> Rows {
        Rows { fields, tag: "SELECT", from, first: 0, total, reversed: false, at: 0 }
    }

    /// One row of one text.
    pub fn text(name: &str, text: String) -> Rows {
        Rows::held(vec![types::field(name, (TEXT, -1, -1))], vec![vec![Value::String(text)]])
    }

    /// Rows that are still to come.
    pub fn left(&self) -> u64 {
        self.total.saturating_sub(self.at)
    }

    /// Bytes of memory that they hold while they wait to be read, about.
    pub fn bytes(&self) -> usize {
        match &self.from {
            Source::Held(rows) => rows.iter().flatten().map(size).sum(),
            Source::Job(job) => job.len(),
        }
    }

    /// Moves, and returns the rows that were passed.
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
            from: self.from.clone(),
            first: self.first + first,
            total: count,
            reversed: self.reversed != back,
            at: 0,
        }
    }

    /// Whether a fetch reads a row that was passed already.
    pub fn goes_back(&self, direction: Direction) -> bool {
        match direction {
            Direction::Forward(_) => false,
            Direction::Backward(_) => true,
            Direction::Absolute(_) | Direction::Relative(_) => self.at > 0 && self.target(direction) <= self.at,
        }
    }

    /// The place after a fetch.
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

    /// The next rows, at most so many; no rows when all are given.
    pub async fn next(&mut self, app: &App, most: u64) -> Result<Vec<Vec<Value>>, Fault> {
        let count = PAGE.min(most).min(self.left());
        if count == 0 {
            return Ok(Vec::new());
        }
        let rows = match &self.from {
            Source::Held(rows) => {
                let from = usize::try_from(self.start(count)).unwrap_or(usize::MAX).min(rows.len());
                let to = from.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)).min(rows.len());
                let mut rows = rows[from..to].to_vec();
                if self.reversed {
                    rows.reverse();
                }
                rows
            }
            // Rows go to the owner of the job, whose right to its tables is asked in any case.
            Source::Job(job) => {
                // A page that is cut short lacks its last rows, which would come first here.
                let count = if self.reversed { 1 } else { count };
                let page = (self.start(count), count);
                result::rows(&app.db, &app.engine, None, job, page, PAGE_BYTES).await?.rows
            }
        };
        if rows.is_empty() {
            // Its file was removed meanwhile: fewer rows must not look like all.
            return Err(Fault::new("XX000", "The rest of the result is gone; run the query again."));
        }
        self.at += rows.len() as u64;
        Ok(rows)
    }

    /// Nothing more came: the place is behind the last row.
    pub fn end(&mut self) {
        self.at = self.total.saturating_add(1);
    }

    /// Rows of the source before the next `count` of these.
    fn start(&self, count: u64) -> u64 {
        self.first + if self.reversed { self.total - self.at - count } else { self.at }
    }
}

/// Bytes of memory of a value, about.
fn size(value: &Value) -> usize {
    let text = if let Value::String(text) = value { text.len() } else { 0 };
    size_of::<Value>() + text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The rows that a fetch from 5 rows gives, and where it ends.
    fn fetched(rows: &mut Rows, direction: Direction) -> (Vec<u64>, u64) {
        let part = rows.fetch(direction);
        let Source::Held(all) = &part.from else { panic!() };
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
