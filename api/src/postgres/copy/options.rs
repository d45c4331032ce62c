//! The options of a `COPY`, in the current syntax with parentheses and in the older one without.

use sqlparser::tokenizer::Token;

use super::super::wire::Fault;
use super::super::words::Words;
use super::unexpected;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Csv,
    Binary,
}

/// The columns of a CSV file whose values are always quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Force {
    All,
    Columns(Vec<String>),
}

/// The format of the rows, with all its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub format: Format,
    /// Whether the first line holds the column names.
    pub header: bool,
    pub delimiter: u8,
    /// The text for a null.
    pub null: String,
    pub quote: u8,
    /// Precedes a quote or itself inside a quoted value.
    pub escape: u8,
    pub force: Force,
}

/// The options as written; `None` if not given.
#[derive(Default)]
struct Said {
    format: Option<Format>,
    header: Option<bool>,
    delimiter: Option<String>,
    null: Option<String>,
    quote: Option<String>,
    escape: Option<String>,
    force: Option<Force>,
    encoding: Option<String>,
}

/// Parses the options after `STDOUT`. `binary` is set for `COPY BINARY`.
pub fn read(words: &mut Words<'_>, binary: bool) -> Result<Form, Fault> {
    let mut said = Said { format: binary.then_some(Format::Binary), ..Said::default() };
    words.take("with");
    match words.within_brackets() {
        Some(inside) => said.in_brackets(&mut Words::new(inside))?,
        None => said.older(words)?,
    }
    said.form()
}

impl Said {
    fn in_brackets(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        loop {
            let name = words.name().ok_or_else(|| unexpected(words, "an option"))?;
            match name.as_str() {
                "format" => once(&mut self.format, format(&value(words, "format")?)?)?,
                "header" => once(&mut self.header, truth(words)?)?,
                "delimiter" => once(&mut self.delimiter, value(words, "delimiter")?)?,
                "null" => once(&mut self.null, value(words, "null")?)?,
                "quote" => once(&mut self.quote, value(words, "quote")?)?,
                "escape" => once(&mut self.escape, value(words, "escape")?)?,
                "encoding" => once(&mut self.encoding, value(words, "encoding")?)?,
                "force_quote" => {
                    let force = match words.within_brackets() {
                        Some(inside) => columns(&mut Words::new(inside))?,
                        None if words.take_sign(&Token::Mul) => Force::All,
                        None => return Err(unexpected(words, "columns in parentheses, or *")),
                    };
                    once(&mut self.force, force)?;
                }
                "freeze" | "force_not_null" | "force_null" | "default" | "on_error" | "log_verbosity" => {
                    let message = format!("The option {name} is one of COPY … FROM.");
                    return Err(Fault::new("0A000", message));
                }
                _ => return Err(Fault::new("42601", format!("COPY has no option {name}."))),
            }
            if !words.take_sign(&Token::Comma) {
                break;
            }
        }
        if words.are_read() { Ok(()) } else { Err(unexpected(words, "a comma")) }
    }

    /// The older syntax: `CSV HEADER DELIMITER AS ';'`.
    fn older(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        const KNOWN: [&str; 9] =
            ["binary", "csv", "header", "delimiter", "null", "quote", "escape", "force", "encoding"];
        words.take("using");
        words.take("delimiters");
        while let Some(option) = words.take_one(&KNOWN) {
            let mut text = || {
                words.take("as");
                words.text().ok_or_else(|| unexpected(words, "a string in quotes"))
            };
            match option {
                "binary" => once(&mut self.format, Format::Binary)?,
                "csv" => once(&mut self.format, Format::Csv)?,
                "header" => once(&mut self.header, true)?,
                "delimiter" => once(&mut self.delimiter, text()?)?,
                "null" => once(&mut self.null, text()?)?,
                "quote" => once(&mut self.quote, text()?)?,
                "escape" => once(&mut self.escape, text()?)?,
                "encoding" => once(&mut self.encoding, text()?)?,
                _ => {
                    if !words.take("quote") {
                        return Err(unexpected(words, "QUOTE"));
                    }
                    let force = if words.take_sign(&Token::Mul) { Force::All } else { columns(words)? };
                    once(&mut self.force, force)?;
                }
            }
        }
        Ok(())
    }

    /// Checks that the options can be combined, and fills in defaults.
    fn form(self) -> Result<Form, Fault> {
        let format = self.format.unwrap_or(Format::Text);
        let (csv, binary) = (format == Format::Csv, format == Format::Binary);
        if binary && (self.delimiter.is_some() || self.null.is_some() || self.header.is_some()) {
            return Err(Fault::new("42601", "The binary format has no DELIMITER, NULL or HEADER."));
        }
        if !csv && (self.quote.is_some() || self.escape.is_some() || self.force.is_some()) {
            return Err(Fault::new("0A000", "QUOTE, ESCAPE and FORCE_QUOTE are only for CSV."));
        }
        if let Some(encoding) = self.encoding.filter(|name| !["utf8", "utf-8"].contains(&name.to_lowercase().as_str()))
        {
            return Err(Fault::new("0A000", format!("Text is only sent in UTF8, not in {encoding}.")));
        }
        let delimiter = byte(self.delimiter, if csv { b',' } else { b'\t' }, "delimiter")?;
        let quote = byte(self.quote, b'"', "quote")?;
        let escape = byte(self.escape, quote, "escape")?;
        let null = self.null.unwrap_or_else(|| if csv { "" } else { "\\N" }.to_string());
        let wrong = |message: &str| Err(Fault::new("22023", message));
        if matches!(delimiter, b'\n' | b'\r') || null.contains(['\n', '\r', '\0']) {
            return wrong("DELIMITER and NULL can't contain a line break.");
        }
        if !csv && (delimiter.is_ascii_lowercase() || delimiter.is_ascii_digit() || b"\\.".contains(&delimiter)) {
            return wrong(
                "The delimiter of the text format can't be a lowercase letter, a digit, a period or a backslash.",
            );
        }
        if csv && quote == delimiter {
            return wrong("DELIMITER and QUOTE must differ.");
        }
        if null.as_bytes().contains(&delimiter) || (csv && null.as_bytes().contains(&quote)) {
            return wrong("NULL can't contain the delimiter or the quote.");
        }
        let force = self.force.unwrap_or(Force::Columns(Vec::new()));
        Ok(Form { format, header: self.header.unwrap_or(false), delimiter, null, quote, escape, force })
    }
}

fn once<T>(option: &mut Option<T>, value: T) -> Result<(), Fault> {
    if option.is_some() {
        return Err(Fault::new("42601", "An option of COPY is given twice."));
    }
    *option = Some(value);
    Ok(())
}

fn format(name: &str) -> Result<Format, Fault> {
    match name.to_lowercase().as_str() {
        "text" => Ok(Format::Text),
        "csv" => Ok(Format::Csv),
        "binary" => Ok(Format::Binary),
        _ => Err(Fault::new("22023", format!("COPY has no format {name}. The formats are text, csv and binary."))),
    }
}

/// The value of an option: a string literal or a word.
fn value(words: &mut Words<'_>, option: &str) -> Result<String, Fault> {
    words.text().or_else(|| words.name()).ok_or_else(|| unexpected(words, &format!("a value of {option}")))
}

/// A boolean; true if it is left out.
fn truth(words: &mut Words<'_>) -> Result<bool, Fault> {
    if words.peek().is_none_or(|next| next.token == Token::Comma) {
        return Ok(true);
    }
    if let Some(number @ 0..=1) = words.whole_number() {
        return Ok(number == 1);
    }
    match value(words, "header")?.to_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        "match" => Err(Fault::new("0A000", "HEADER MATCH is an option of COPY … FROM.")),
        other => Err(Fault::new("42601", format!("HEADER must be true or false, not {other}."))),
    }
}

fn columns(words: &mut Words<'_>) -> Result<Force, Fault> {
    let mut columns = Vec::new();
    loop {
        columns.push(words.name().ok_or_else(|| unexpected(words, "the name of a column"))?);
        if !words.take_sign(&Token::Comma) {
            return Ok(Force::Columns(columns));
        }
    }
}

/// A delimiter, quote or escape character, which must be a single byte.
fn byte(said: Option<String>, otherwise: u8, option: &str) -> Result<u8, Fault> {
    match said.as_deref().map(str::as_bytes) {
        None => Ok(otherwise),
        Some([one]) if *one != 0 => Ok(*one),
        Some(_) => Err(Fault::new("0A000", format!("The {option} of COPY must be a single one-byte character."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::statement::{What, split};

    fn form(options: &str) -> Result<Form, &'static str> {
        match split(&format!("copy blocks to stdout {options}")).map_err(|fault| fault.state)?.remove(0).what {
            What::Copy(copy) => Ok(copy.form),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_syntaxes_are_parsed() {
        let text = form("").unwrap();
        assert_eq!((text.format, text.delimiter, text.null.as_str(), text.header), (Format::Text, b'\t', "\\N", false));
        let csv = form(
            "with (format csv, header, delimiter ';', null 'NULL', quote '''', escape '\\', force_quote (a, \"B\"), encoding 'UTF8')",
        );
        assert_eq!(
            form(
                "with csv header delimiter as ';' null 'NULL' quote as '''' escape '\\' force quote a, \"B\" encoding 'utf-8'"
            ),
            csv
        );
        let csv = csv.unwrap();
        assert_eq!((csv.delimiter, csv.quote, csv.escape, csv.header), (b';', b'\'', b'\\', true));
        assert_eq!(csv.force, Force::Columns(vec!["a".to_string(), "B".to_string()]));
        assert_eq!(form("(format 'csv', header off, force_quote *)").unwrap().force, Force::All);
        for binary in ["(format binary)", "with binary", "binary", "with (format \"binary\")"] {
            assert_eq!(form(binary).unwrap().format, Format::Binary, "{binary}");
        }
        assert!(form("(header true)").unwrap().header && !form("(header 0)").unwrap().header);
        assert_eq!(form("(delimiter e'\\t')").unwrap().delimiter, b'\t');
    }

    #[test]
    fn options_that_cannot_be_combined_are_refused() {
        for (options, state) in [
            ("(format xml)", "22023"),
            ("(format csv, format csv)", "42601"),
            ("(compress)", "42601"),
            ("()", "42601"),
            ("(format csv header)", "42601"),
            ("(format binary, header)", "42601"),
            ("(format binary, delimiter ',')", "42601"),
            ("(quote '\"')", "0A000"),
            ("(force_quote *)", "0A000"),
            ("(freeze)", "0A000"),
            ("(header match)", "0A000"),
            ("(encoding 'latin1')", "0A000"),
            ("(delimiter 'ab')", "0A000"),
            ("(delimiter '')", "0A000"),
            ("(delimiter 'é')", "0A000"),
            ("(delimiter 'a')", "22023"),
            ("(delimiter '\\')", "22023"),
            ("(delimiter e'\\n')", "22023"),
            ("(null e'a\\nb')", "22023"),
            ("(format csv, delimiter '\"')", "22023"),
            ("(format csv, null 'a,b')", "22023"),
            ("(format csv, null '\"')", "22023"),
            ("csv delimiter", "42601"),
            ("csv force a", "42601"),
        ] {
            assert_eq!(form(options).unwrap_err(), state, "{options}");
        }
    }
}
