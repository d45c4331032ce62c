//! The text format of a table, for `LOAD DATA`: `ROW FORMAT DELIMITED …`, `STORED AS …` and `TBLPROPERTIES`, as Hive's
//! LazySimpleSerDe has them. It is part of the metadata of the table, whose rows are stored as Parquet.

use arrow::datatypes::{Field, Schema};
use datafusion::sql::sqlparser::tokenizer::Token;
use serde::{Deserialize, Serialize};

use crate::cursor::Cursor;
use quarry_functions::hive::types;
use quarry_types::Result;

/// The format of files that are lines of text.
const TEXT_FILE: &str = "textfile";
/// The serializer that splits lines by separators.
const DELIMITED: &str = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe";

/// The format of the files that a table is loaded from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TextFormat {
    /// Between fields, between items of a list, and between the key and the value of a map.
    separators: [char; 3],
    /// Escapes the next letter.
    pub escape: Option<char>,
    /// The text of null.
    pub null: String,
    /// Lines at the start of a file that are not rows.
    #[serde(rename = "skip")]
    pub skip_lines: usize,
    /// The format or serializer of the table, when it is not delimited text.
    pub other: Option<String>,
}

impl Default for TextFormat {
    fn default() -> TextFormat {
        let separators = ['\u{1}', '\u{2}', '\u{3}'];
        TextFormat { separators, escape: None, null: "\\N".to_string(), skip_lines: 0, other: None }
    }
}

impl TextFormat {
    /// The format in the metadata of a table.
    pub fn of_table(columns: &Schema) -> TextFormat {
        let note = columns.fields().first().and_then(|field| types::text_format(field));
        note.and_then(|note| serde_json::from_str(&note).ok()).unwrap_or_default()
    }

    /// Adds it to the metadata of a new table.
    pub fn store(&self, columns: &mut [Field]) {
        let Some(first) = columns.first_mut().filter(|_| *self != TextFormat::default()) else { return };
        // Serializing characters, texts and a number does not fail.
        let note = serde_json::to_string(self).unwrap_or_default();
        *first = types::with_text_format(first.clone(), note);
    }

    /// The separator at a level of nesting, from 0 for fields.
    pub fn separator(&self, level: usize) -> char {
        let next = || u32::try_from(level + 1).ok().and_then(char::from_u32);
        self.separators.get(level).copied().or_else(next).unwrap_or('\u{1}')
    }

    /// Parses a clause of CREATE TABLE about its files; returns whether there was one.
    pub fn parse_clause(&mut self, cursor: &mut Cursor<'_>) -> Result<bool> {
        if cursor.take("row format delimited") {
            self.parse_delimited(cursor);
        } else if cursor.take("row format serde") {
            let name = cursor.text().unwrap_or_default();
            if name != DELIMITED {
                self.other = Some(name);
            }
        } else if cursor.take_any(&["with serdeproperties", "tblproperties"]) {
            self.parse_properties(cursor)?;
        } else if cursor.take("stored as") {
            let name = cursor.text().unwrap_or_default();
            if !name.eq_ignore_ascii_case(TEXT_FILE) {
                self.other = Some(name);
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn parse_delimited(&mut self, cursor: &mut Cursor<'_>) {
        let clauses = ["fields terminated by", "collection items terminated by", "map keys terminated by"];
        loop {
            if let Some(level) = clauses.iter().position(|clause| cursor.take(clause)) {
                if let Some(separator) = cursor.text().as_deref().and_then(separator) {
                    self.separators[level] = separator;
                }
            } else if cursor.take("escaped by") {
                self.escape = cursor.text().as_deref().and_then(separator);
            } else if cursor.take("null defined as") {
                self.null = cursor.text().unwrap_or_default();
            } else if cursor.take("lines terminated by") {
                // Rows always end with their line.
                cursor.skip();
            } else {
                return;
            }
        }
    }

    /// `('name' = 'value', …)`.
    fn parse_properties(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        for mut property in cursor.items()? {
            let name = property.text().unwrap_or_default();
            if property.at(&Token::Eq) {
                property.skip();
            }
            let value = property.text().unwrap_or_default();
            match name.to_lowercase().as_str() {
                "field.delim" => self.separators[0] = separator(&value).unwrap_or(self.separators[0]),
                // Hive has had this typo from the beginning.
                "colelction.delim" | "collection.delim" => {
                    self.separators[1] = separator(&value).unwrap_or(self.separators[1]);
                }
                "mapkey.delim" => self.separators[2] = separator(&value).unwrap_or(self.separators[2]),
                "escape.delim" => self.escape = separator(&value),
                "serialization.null.format" => self.null = value,
                "skip.header.line.count" => self.skip_lines = value.trim().parse().unwrap_or(0),
                _ => {}
            }
        }
        Ok(())
    }
}

/// A separator: a number is its code, any other text begins with it.
fn separator(text: &str) -> Option<char> {
    match text.parse::<i8>() {
        Ok(code) => u8::try_from(code).ok().map(char::from),
        Err(_) => text.chars().next(),
    }
}
