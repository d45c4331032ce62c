//! Encodes the rows of a `COPY`.

use bytes::{BufMut, BytesMut};
use serde_json::Value;

use super::super::answer::Rows;
use super::super::types;
use super::super::wire::{Answers, Fault, Field, with_length};
use super::{Force, Form, Format};

/// The header of the binary format: the signature, no flags, and no header extension.
const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// The rows of a `COPY`, and how they are written.
#[derive(Debug)]
pub struct Copied {
    pub rows: Rows,
    form: Form,
    /// For each column, whether its values are always quoted.
    forced: Vec<bool>,
    /// Buffer for a value before it is escaped.
    value: BytesMut,
    /// Whether the signature has yet to be sent. It goes with the first row, where clients look for it.
    unsigned: bool,
}

impl Copied {
    pub fn new(rows: Rows, form: Form) -> Result<Copied, Fault> {
        let forced = match &form.force {
            Force::All => vec![true; rows.fields.len()],
            Force::Columns(names) => {
                if let Some(unknown) = names.iter().find(|name| !rows.fields.iter().any(|field| field.name == **name)) {
                    return Err(Fault::new("42703", format!("There is no column {unknown} to put in quotes.")));
                }
                rows.fields.iter().map(|field| names.contains(&field.name)).collect()
            }
        };
        let unsigned = form.format == Format::Binary;
        Ok(Copied { rows, form, forced, value: BytesMut::new(), unsigned })
    }

    fn is_binary(&self) -> bool {
        self.form.format == Format::Binary
    }

    /// Begins the `COPY`, and writes the header line.
    pub fn begin(&self, answers: &mut Answers) {
        answers.copy_out(i16::from(self.is_binary()), self.rows.fields.len());
        if self.form.header {
            let fields = &self.rows.fields;
            answers.copied(|body| {
                for (place, field) in fields.iter().enumerate() {
                    self.form.separate(place, body);
                    self.form.value(field.name.as_bytes(), false, fields.len() == 1, body);
                }
                body.put_u8(b'\n');
            });
        }
    }

    pub fn row(&mut self, row: &[Value], answers: &mut Answers) -> Result<(), Fault> {
        let Copied { rows, form, forced, value, unsigned } = self;
        answers.copied_row(|body| {
            if std::mem::take(unsigned) {
                body.put_slice(SIGNATURE);
            }
            match form.format {
                Format::Binary => binary(row, &rows.fields, body),
                Format::Text | Format::Csv => form.row(row, &rows.fields, forced, value, body),
            }
        })
    }

    /// Writes the trailer, and ends the `COPY`.
    pub fn end(&mut self, answers: &mut Answers) {
        if self.is_binary() {
            let unsigned = std::mem::take(&mut self.unsigned);
            answers.copied(|body| {
                if unsigned {
                    body.put_slice(SIGNATURE);
                }
                body.put_i16(-1);
            });
        }
        answers.copy_done();
    }
}

fn binary(row: &[Value], fields: &[Field], body: &mut BytesMut) -> Result<(), Fault> {
    body.put_i16(i16::try_from(fields.len()).unwrap_or(i16::MAX));
    for (value, field) in row.iter().zip(fields) {
        with_length(body, |body| types::write(value, field.oid, 1, body))?;
    }
    Ok(())
}

impl Form {
    fn row(
        &self,
        row: &[Value],
        fields: &[Field],
        forced: &[bool],
        value: &mut BytesMut,
        body: &mut BytesMut,
    ) -> Result<(), Fault> {
        for (place, (cell, field)) in row.iter().zip(fields).enumerate() {
            self.separate(place, body);
            value.clear();
            if types::write(cell, field.oid, 0, value)? {
                self.value(value, forced.get(place).copied().unwrap_or(false), fields.len() == 1, body);
            } else {
                body.put_slice(self.null.as_bytes());
            }
        }
        body.put_u8(b'\n');
        Ok(())
    }

    fn separate(&self, place: usize, body: &mut BytesMut) {
        if place > 0 {
            body.put_u8(self.delimiter);
        }
    }

    /// A value that is not null. `alone` if it is the only column of the row.
    fn value(&self, value: &[u8], forced: bool, alone: bool, body: &mut BytesMut) {
        if self.format == Format::Text {
            return self.escaped(value, body);
        }
        let special = |byte: &u8| [self.delimiter, self.quote, b'\n', b'\r'].contains(byte);
        // psql takes a line with only `\.` for the end of the data.
        let needs = value == self.null.as_bytes() || value.iter().any(special) || (alone && value == b"\\.");
        if !forced && !needs {
            return body.put_slice(value);
        }
        body.put_u8(self.quote);
        for byte in value {
            if *byte == self.quote || *byte == self.escape {
                body.put_u8(self.escape);
            }
            body.put_u8(*byte);
        }
        body.put_u8(self.quote);
    }

    /// A value of the text format: the delimiter, control characters and the backslash are escaped with a backslash.
    fn escaped(&self, value: &[u8], body: &mut BytesMut) {
        for byte in value {
            let letter = match byte {
                8 => b'b',
                b'\t' => b't',
                b'\n' => b'n',
                11 => b'v',
                12 => b'f',
                b'\r' => b'r',
                b'\\' => b'\\',
                other if *other == self.delimiter => *other,
                plain => {
                    body.put_u8(*plain);
                    continue;
                }
            };
            body.put_slice(&[b'\\', letter]);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::postgres::statement::{What, split};
    use crate::postgres::types::{INT8, TEXT, field};

    /// The data that a `COPY` of these rows sends, without message headers.
    fn sent(options: &str, columns: &[(&str, u32)], rows: &[Vec<Value>]) -> Vec<u8> {
        let What::Copy(copy) = split(&format!("copy t to stdout {options}")).unwrap().remove(0).what else { panic!() };
        let fields = columns.iter().map(|(name, oid)| field(name, (*oid, -1, -1))).collect();
        let mut copied = Copied::new(Rows::held(fields, Vec::new()), copy.form).unwrap();
        let mut answers = Answers::default();
        copied.begin(&mut answers);
        rows.iter().for_each(|row| copied.row(row, &mut answers).unwrap());
        copied.end(&mut answers);
        let mut bytes = answers.take();
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let length = u32::from_be_bytes([bytes[1], bytes[2], bytes[3], bytes[4]]) as usize;
            let message = bytes.split_to(length + 1);
            if message[0] == b'd' {
                found.extend_from_slice(&message[5..]);
            }
        }
        found
    }

    fn lines(options: &str, rows: &[Vec<Value>]) -> String {
        String::from_utf8(sent(options, &[("n", INT8), ("a \"t\"", TEXT)], rows)).unwrap()
    }

    #[test]
    fn text_is_escaped_as_postgresql_writes_it() {
        let rows = [vec![json!("1"), json!("a\tb\\c\nd\re\u{8}\u{b}\u{c}é|\\.")], vec![json!(null), json!("\\N")]];
        assert_eq!(lines("", &rows), "1\ta\\tb\\\\c\\nd\\re\\b\\v\\fé|\\\\.\n\\N\t\\\\N\n");
        let piped = lines("(delimiter '|', null 'x', header)", &rows);
        assert_eq!(piped, "n|a \"t\"\n1|a\\tb\\\\c\\nd\\re\\b\\v\\fé\\|\\\\.\nx|\\\\N\n");
    }

    #[test]
    fn csv_is_quoted_where_needed() {
        let rows = [
            vec![json!("1"), json!("a,b")],
            vec![json!(null), json!("")],
            vec![json!("2"), json!("say \"x\"")],
            vec![json!("3"), json!("two\nlines\r")],
            vec![json!("4"), json!("plain; text \\.")],
        ];
        let expected =
            "n,\"a \"\"t\"\"\"\n1,\"a,b\"\n,\"\"\n2,\"say \"\"x\"\"\"\n3,\"two\nlines\r\"\n4,plain; text \\.\n";
        assert_eq!(lines("(format csv, header)", &rows), expected);
        assert_eq!(lines("(format csv, force_quote (n))", &rows[..2]), "\"1\",\"a,b\"\n,\"\"\n");
        assert_eq!(
            lines("(format csv, quote '''', escape '\\')", &[vec![json!("1"), json!("it's \\")]]),
            "1,'it\\'s \\\\'\n"
        );
        assert_eq!(lines("(format csv, null 'NULL')", &[vec![json!(null), json!("NULL")]]), "NULL,\"NULL\"\n");
        assert_eq!(sent("csv", &[("t", TEXT)], &[vec![json!("\\.")], vec![json!("x")]]), b"\"\\.\"\nx\n");
    }

    #[test]
    fn the_binary_format_has_a_header_and_a_trailer() {
        let found = sent("(format binary)", &[("n", INT8), ("t", TEXT)], &[vec![json!("7"), json!(null)]]);
        let row = b"\0\x02\0\0\0\x08\0\0\0\0\0\0\0\x07\xff\xff\xff\xff";
        assert_eq!(found, [SIGNATURE, row, b"\xff\xff"].concat());
        assert_eq!(sent("(format binary)", &[("n", INT8)], &[]), [SIGNATURE, b"\xff\xff"].concat());
    }

    #[test]
    fn an_unknown_column_in_force_quote_is_refused() {
        let What::Copy(copy) = split("copy t to stdout (format csv, force_quote (x))").unwrap().remove(0).what else {
            panic!()
        };
        assert_eq!(Copied::new(Rows::text("n", String::new()), copy.form).unwrap_err().state, "42703");
    }
}
