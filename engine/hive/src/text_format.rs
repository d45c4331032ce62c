//! How a text file is cut into rows and values: `ROW FORMAT DELIMITED …`, `STORED AS …` and `TBLPROPERTIES` of a table, as
//! Hive's LazySimpleSerDe understands them. It is kept with the table, for `LOAD DATA`; the rows themselves are Parquet.

use arrow::datatypes::{Field, Schema};
use datafusion::sql::sqlparser::tokenizer::Token;
use serde::{Deserialize, Serialize};

use super::cursor::Cursor;
use quarry_functions::hive::types;
use quarry_types::Result;

/// Formats of files that are lines of text.
const LINES: [&str; 1] = ["textfile"];
/// Serializers that cut lines by separators.
const DELIMITED: [&str; 1] = ["org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe"];
/// The property of a table that says how many lines at the start of a file are no rows.
const SKIPPED: &str = "skip.header.line.count";

/// What files a table can be loaded from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TextFormat {
    /// What stands between fields, between items of a list, and between the key and the value of a map.
    separators: [char; 3],
    /// Takes the meaning from the letter behind it.
    pub escape: Option<char>,
    /// What stands for null.
    pub null: String,
    /// Lines at the start of a file that are no rows.
    pub skip: usize,
    /// The format that the table asked for, when it is no text of lines.
    pub other: Option<String>,
}

impl Default for TextFormat {
    fn default() -> TextFormat {
        let separators = ['\u{1}', '\u{2}', '\u{3}'];
        TextFormat { separators, escape: None, null: "\\N".to_string(), skip: 0, other: None }
    }
}

impl TextFormat {
    /// The format of a table's files.
    pub fn of(schema: &Schema) -> TextFormat {
        let note = schema.fields().first().and_then(|field| types::text_format(field));
        note.and_then(|note| serde_json::from_str(&note).ok()).unwrap_or_default()
    }

    /// Remembers it with the columns of a new table.
    pub fn note(&self, columns: &mut [Field]) {
        let Some(first) = columns.first_mut().filter(|_| *self != TextFormat::default()) else { return };
        // Characters, texts and a number are always written.
        let note = serde_json::to_string(self).unwrap_or_default();
        *first = types::with_text_format(first.clone(), note);
    }

    /// The separator of a level: of fields it is the first.
    pub fn separator(&self, level: usize) -> char {
        let next = || u32::try_from(level + 1).ok().and_then(char::from_u32);
        self.separators.get(level).copied().or_else(next).unwrap_or('\u{1}')
    }

    /// Goes past a clause of CREATE TABLE that says something about the files; whether there was one.
    pub fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<bool> {
        if cursor.take_all(&["row", "format", "delimited"]) {
            self.delimited(cursor);
        } else if cursor.take_all(&["row", "format", "serde"]) {
            let name = cursor.text().unwrap_or_default();
            if !DELIMITED.contains(&name.as_str()) {
                self.other = Some(name);
            }
        } else if cursor.take_all(&["with", "serdeproperties"]) {
            self.properties(cursor)?;
        } else if cursor.take_all(&["stored", "as"]) {
            let name = cursor.text().unwrap_or_default();
            if !LINES.contains(&name.to_lowercase().as_str()) {
                self.other = Some(name);
            }
        } else if cursor.take("tblproperties") {
            self.properties(cursor)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn delimited(&mut self, cursor: &mut Cursor<'_>) {
        loop {
            let level = match () {
                () if cursor.take_all(&["fields", "terminated", "by"]) => 0,
                () if cursor.take_all(&["collection", "items", "terminated", "by"]) => 1,
                () if cursor.take_all(&["map", "keys", "terminated", "by"]) => 2,
                () if cursor.take_all(&["escaped", "by"]) => {
                    self.escape = cursor.text().as_deref().and_then(separator);
                    continue;
                }
                () if cursor.take_all(&["null", "defined", "as"]) => {
                    self.null = cursor.text().unwrap_or_default();
                    continue;
                }
                // Rows always end with their line.
                () if cursor.take_all(&["lines", "terminated", "by"]) => {
                    cursor.skip();
                    continue;
                }
                () => return,
            };
            if let Some(between) = cursor.text().as_deref().and_then(separator) {
                self.separators[level] = between;
            }
        }
    }

    /// `('name' = 'value', …)`.
    fn properties(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        for part in cursor.parts()? {
            let mut part = Cursor::new(part);
            let name = part.text().unwrap_or_default();
            if part.at(&Token::Eq) {
                part.skip();
            }
            let value = part.text().unwrap_or_default();
            match name.to_lowercase().as_str() {
                "field.delim" => self.separators[0] = separator(&value).unwrap_or(self.separators[0]),
                // Hive has written it so from the beginning.
                "colelction.delim" | "collection.delim" => {
                    self.separators[1] = separator(&value).unwrap_or(self.separators[1]);
                }
                "mapkey.delim" => self.separators[2] = separator(&value).unwrap_or(self.separators[2]),
                "escape.delim" => self.escape = separator(&value),
                "serialization.null.format" => self.null = value,
                SKIPPED => self.skip = value.trim().parse().unwrap_or(0),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The separator that a text names: a number is the code of one, of any other text it is the first letter.
fn separator(text: &str) -> Option<char> {
    match text.parse::<i8>() {
        Ok(code) => u8::try_from(code).ok().map(char::from),
        Err(_) => text.chars().next(),
    }
}
