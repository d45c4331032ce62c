//! What the server answers.

use bytes::{BufMut, BytesMut};

use super::SCRAM;

/// Bytes after which answers are sent on, so that a large result never is in memory as a whole.
const SEND_AT: usize = 64 << 10;

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// Number of its type in `pg_type`.
    pub oid: u32,
    /// Bytes of a value; -1 where they differ.
    pub size: i16,
    /// Precision and scale of a decimal; -1 without.
    pub modifier: i32,
}

/// A failure as the client reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Ends the connection.
    pub fatal: bool,
    /// SQLSTATE.
    pub state: &'static str,
    pub message: String,
    /// Quarry's own name of the failure.
    pub detail: String,
    /// The character of the query it is at, from 1.
    pub position: Option<usize>,
}

impl Fault {
    pub fn new(state: &'static str, message: impl Into<String>) -> Fault {
        Fault { fatal: false, state, message: message.into(), detail: String::new(), position: None }
    }

    pub fn fatal(state: &'static str, message: impl Into<String>) -> Fault {
        Fault { fatal: true, ..Fault::new(state, message) }
    }
}

/// Messages that wait to be sent.
#[derive(Debug, Default)]
pub struct Answers {
    bytes: BytesMut,
}

impl Answers {
    /// Everything so far, to be sent.
    pub fn take(&mut self) -> BytesMut {
        self.bytes.split()
    }

    pub fn is_large(&self) -> bool {
        self.bytes.len() >= SEND_AT
    }

    pub fn ask_password(&mut self) {
        self.message(b'R', |body| body.put_u32(3));
    }

    /// Asks for a proof of the password.
    pub fn ask_proof(&mut self) {
        self.message(b'R', |body| {
            body.put_u32(10);
            text(body, SCRAM);
            body.put_u8(0);
        });
    }

    /// The server's first message of a proof.
    pub fn go_on(&mut self, message: &str) {
        self.message(b'R', |body| {
            body.put_u32(11);
            body.put_slice(message.as_bytes());
        });
    }

    /// The server's own proof.
    pub fn proven(&mut self, message: &str) {
        self.message(b'R', |body| {
            body.put_u32(12);
            body.put_slice(message.as_bytes());
        });
    }

    pub fn logged_in(&mut self) {
        self.message(b'R', |body| body.put_u32(0));
    }

    pub fn status(&mut self, name: &str, value: &str) {
        self.message(b'S', |body| {
            text(body, name);
            text(body, value);
        });
    }

    /// What a client shows to stop a query from another connection.
    pub fn key(&mut self, process: u32, secret: u32) {
        self.message(b'K', |body| {
            body.put_u32(process);
            body.put_u32(secret);
        });
    }

    /// `I` idle, `T` in a transaction, `E` in a failed one.
    pub fn ready(&mut self, state: u8) {
        self.message(b'Z', |body| body.put_u8(state));
    }

    pub fn fields(&mut self, fields: &[Field], formats: &[i16]) {
        self.message(b'T', |body| {
            body.put_i16(count(fields.len()));
            for (place, field) in fields.iter().enumerate() {
                text(body, &field.name);
                // No table and no column of one: results are computed.
                body.put_u32(0);
                body.put_i16(0);
                body.put_u32(field.oid);
                body.put_i16(field.size);
                body.put_i32(field.modifier);
                body.put_i16(format_of(formats, place));
            }
        });
    }

    pub fn no_fields(&mut self) {
        self.message(b'n', |_| ());
    }

    pub fn parameters(&mut self, types: &[u32]) {
        self.message(b't', |body| {
            body.put_i16(count(types.len()));
            types.iter().for_each(|oid| body.put_u32(*oid));
        });
    }

    /// One row; `cell` writes the bytes of a cell, or returns false for a null.
    pub fn row(
        &mut self,
        cells: usize,
        mut cell: impl FnMut(usize, &mut BytesMut) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        self.whole_message(b'D', |body| {
            body.put_i16(count(cells));
            for place in 0..cells {
                with_length(body, |body| cell(place, body))?;
            }
            Ok(())
        })
    }

    /// Begins a `COPY` to the client, in text (0) or binary (1).
    pub fn copy_out(&mut self, format: i16, columns: usize) {
        self.message(b'H', |body| {
            body.put_u8(u8::from(format == 1));
            body.put_i16(count(columns));
            (0..columns).for_each(|_| body.put_i16(format));
        });
    }

    /// A chunk of the data of a `COPY`.
    pub fn copied(&mut self, fill: impl FnOnce(&mut BytesMut)) {
        self.message(b'd', fill);
    }

    /// One row of a `COPY`.
    pub fn copied_row(&mut self, fill: impl FnOnce(&mut BytesMut) -> Result<(), Fault>) -> Result<(), Fault> {
        self.whole_message(b'd', fill)
    }

    pub fn copy_done(&mut self) {
        self.message(b'c', |_| ());
    }

    pub fn done(&mut self, tag: &str) {
        self.message(b'C', |body| text(body, tag));
    }

    pub fn suspended(&mut self) {
        self.message(b's', |_| ());
    }

    pub fn empty_query(&mut self) {
        self.message(b'I', |_| ());
    }

    pub fn parsed(&mut self) {
        self.message(b'1', |_| ());
    }

    pub fn bound(&mut self) {
        self.message(b'2', |_| ());
    }

    pub fn closed(&mut self) {
        self.message(b'3', |_| ());
    }

    pub fn fault(&mut self, fault: &Fault) {
        let severity = if fault.fatal { "FATAL" } else { "ERROR" };
        self.message(b'E', |body| {
            for (code, part) in
                [(b'S', severity), (b'V', severity), (b'C', fault.state), (b'M', fault.message.as_str())]
            {
                body.put_u8(code);
                text(body, part);
            }
            if !fault.detail.is_empty() {
                body.put_u8(b'D');
                text(body, &fault.detail);
            }
            if let Some(position) = fault.position {
                body.put_u8(b'P');
                text(body, &position.to_string());
            }
            body.put_u8(0);
        });
    }

    /// A message that is dropped if it can't be written to its end: clients can't read half a row.
    fn whole_message(&mut self, kind: u8, fill: impl FnOnce(&mut BytesMut) -> Result<(), Fault>) -> Result<(), Fault> {
        let start = self.bytes.len();
        let mut outcome = Ok(());
        self.message(kind, |body| outcome = fill(body));
        if outcome.is_err() {
            self.bytes.truncate(start);
        }
        outcome
    }

    fn message(&mut self, kind: u8, fill: impl FnOnce(&mut BytesMut)) {
        self.bytes.put_u8(kind);
        let at = self.bytes.len();
        self.bytes.put_u32(0);
        fill(&mut self.bytes);
        let length = u32::try_from(self.bytes.len() - at).unwrap_or(u32::MAX);
        self.bytes[at..at + 4].copy_from_slice(&length.to_be_bytes());
    }
}

/// The format of a column or value: each has its own, all have one, or text.
pub fn format_of(formats: &[i16], place: usize) -> i16 {
    match formats {
        [] => 0,
        [all] => *all,
        each => each.get(place).copied().unwrap_or(0),
    }
}

/// Writes a value behind its length in bytes. `write` returns false for a null, whose length is -1.
pub fn with_length(body: &mut BytesMut, write: impl FnOnce(&mut BytesMut) -> Result<bool, Fault>) -> Result<(), Fault> {
    let at = body.len();
    body.put_i32(-1);
    if write(body)? {
        let length = u32::try_from(body.len() - at - 4).unwrap_or(u32::MAX);
        body[at..at + 4].copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}

fn count(items: usize) -> i16 {
    i16::try_from(items).unwrap_or(i16::MAX)
}

/// A text never holds a zero: that would end it.
fn text(body: &mut BytesMut, text: &str) {
    body.extend(text.bytes().filter(|byte| *byte != 0));
    body.put_u8(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_themselves_and_nulls_have_none() {
        let mut answers = Answers::default();
        let cell = |place: usize, body: &mut BytesMut| {
            if place == 0 {
                body.put_slice(b"abc");
            }
            Ok(place == 0)
        };
        answers.row(2, cell).unwrap();
        assert_eq!(&answers.take()[..], b"D\0\0\0\x11\0\x02\0\0\0\x03abc\xff\xff\xff\xff");
        answers.done("SELECT\0 1");
        assert_eq!(&answers.take()[..], b"C\0\0\0\x0dSELECT 1\0");
    }

    #[test]
    fn a_row_that_fails_is_not_sent_in_part() {
        let mut answers = Answers::default();
        answers.empty_query();
        let cell = |place: usize, _: &mut BytesMut| match place {
            0 => Ok(false),
            _ => Err(Fault::new("0A000", "no")),
        };
        assert!(answers.row(2, cell).is_err());
        assert_eq!(&answers.take()[..], b"I\0\0\0\x04");
    }
}
