//! Errors of parser, planner and operators as clear sentences with a code and a position in the text.

mod planner_messages;
mod scan_errors;
mod type_names;
mod unknown_tables;
mod words;

use std::sync::Arc;

use arrow::error::ArrowError;
use datafusion::common::{DataFusionError, SchemaError};
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::sqlparser::parser::ParserError;

use crate::error_location::error_at;
use crate::running::damaged_files;
use quarry_functions::INTERNAL;
use quarry_lake::tables::Table;
use quarry_types::nearest_name::nearest;
use quarry_types::{Error, ErrorCode, Position};

use planner_messages::{missing_window, parser_sentence, planner_sentence};
use scan_errors::ScanError;
use type_names::with_type_names;
use words::{find_word, is_quoted};

/// What an error needs to suggest a name and to find its position: the text of the query and the names of its tables.
#[derive(Debug, Clone)]
pub struct Names {
    text: String,
    tables: Vec<String>,
}

impl Names {
    pub fn new(text: &str, tables: Vec<String>) -> Names {
        Names { text: text.to_string(), tables }
    }

    /// An error of the query engine as a person reads it.
    pub fn explain(&self, error: &DataFusionError) -> Error {
        if let Some(mut own) = own_error(error) {
            own.message = cut(own.message);
            return own;
        }
        let span = error.diagnostic().and_then(|diagnostic| diagnostic.span).filter(|span| span.start.line > 0);
        let mut explained = self.by_kind(error);
        explained.message = cut(explained.message);
        let position =
            explained.position.or(span.map(|span| Position { line: span.start.line, column: span.start.column }));
        error_at(explained, position)
    }

    fn by_kind(&self, error: &DataFusionError) -> Error {
        match error {
            DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => self.by_kind(inner),
            DataFusionError::Shared(inner) => self.by_kind(inner),
            DataFusionError::Collection(all) => match all.first() {
                Some(first) => self.by_kind(first),
                None => Error::internal("an empty collection of errors"),
            },
            DataFusionError::SQL(parser, _) => from_sqlparser(parser),
            DataFusionError::SchemaError(schema, _) => self.schema(schema),
            DataFusionError::Plan(message) => self.plan(message),
            DataFusionError::NotImplemented(message) => {
                invalid(planner_messages::unsupported(message, &sentence(message)))
            }
            DataFusionError::Configuration(message) => invalid(sentence(message)),
            DataFusionError::Execution(message) => execution(message),
            DataFusionError::ResourcesExhausted(message) => exhausted(message),
            DataFusionError::ArrowError(arrow, _) => from_arrow(arrow),
            DataFusionError::ParquetError(_) | DataFusionError::ObjectStore(_) => reading(&error.to_string()),
            other => match planner_messages::incomparable(&other.to_string()) {
                Some(sentence) => invalid(sentence),
                None => Error::internal(other.to_string()),
            },
        }
    }

    fn schema(&self, error: &SchemaError) -> Error {
        match error {
            SchemaError::FieldNotFound { field, valid_fields } => {
                let name = field.name.as_str();
                // The column is there, in another table.
                let there = valid_fields.iter().find(|there| there.name == name && there.relation.is_some());
                if let (Some(asked), Some(there)) = (&field.relation, there) {
                    let (asked, there) = (format!("{}.{name}", asked.table()), there.flat_name());
                    return self.unknown(ErrorCode::UnknownColumn, "column", &asked, Some(&there));
                }
                let mut known: Vec<&str> = valid_fields.iter().map(|field| field.name.as_str()).collect();
                known.extend(other_names(&known));
                match nearest(name, known) {
                    None if is_quoted(&self.text, name) => {
                        let message = format!(
                            "There is no column {name}. Write strings in single quotes and names in double quotes."
                        );
                        self.at_word(Error::new(ErrorCode::UnknownColumn, message), name)
                    }
                    near => self.unknown(ErrorCode::UnknownColumn, "column", name, near),
                }
            }
            SchemaError::AmbiguousReference { field } => {
                let message = format!("The column {} is ambiguous; write table.{} instead.", field.name, field.name);
                self.at_word(invalid(message), &field.name)
            }
            SchemaError::DuplicateQualifiedField { name, .. } | SchemaError::DuplicateUnqualifiedField { name } => {
                let message = format!("The column {name} is specified twice; give one of them an alias with AS.");
                self.at_word(invalid(message), name)
            }
        }
    }

    fn plan(&self, message: &str) -> Error {
        if let Some(name) = between(message, "table '", "' not found") {
            return self.at_word(unknown_tables::error(name, &self.tables), name.rsplit('.').next().unwrap_or(name));
        }
        if let Some(name) = between(message, "Invalid function '", "'") {
            if let Some(message) = missing_window(name) {
                return self.at_word(invalid(message), name);
            }
            let near = between(message, "Did you mean '", "'").filter(|near| !INTERNAL.contains(near));
            let near = near.filter(|near| !near.starts_with("hive_"));
            return self.unknown(ErrorCode::UnknownFunction, "function", name, near);
        }
        if message.contains("must appear in the GROUP BY clause")
            && let Some(column) = between(message, "column \"", "\"")
        {
            let name = column.rsplit('.').next().unwrap_or(column);
            let text = format!("The column {name} must be in GROUP BY, or inside an aggregate such as max({name}).");
            return self.at_word(invalid(text), name);
        }
        invalid(planner_sentence(message).unwrap_or_else(|| sentence(message)))
    }

    fn unknown(&self, code: ErrorCode, what: &str, name: &str, near: Option<&str>) -> Error {
        let message = match near {
            Some(near) => format!("There is no {what} {name}. Did you mean {near}?"),
            None => format!("There is no {what} {name}."),
        };
        self.at_word(Error::new(code, message), name.rsplit('.').next().unwrap_or(name))
    }

    /// The error at the first occurrence of a name in the text.
    fn at_word(&self, error: Error, name: &str) -> Error {
        error_at(error, find_word(&self.text, name))
    }
}

/// A sentence that repeats a long text of the query, without most of it.
fn cut(message: String) -> String {
    const LONGEST: usize = 600;
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

/// Other names of columns of the chain's tables that are all among the known columns.
fn other_names(known: &[&str]) -> Vec<&'static str> {
    let whole = |table: &Table| table.def().columns.iter().all(|column| known.contains(&column.name));
    let tables: Vec<Table> = Table::ALL.into_iter().filter(whole).collect();
    tables.into_iter().flat_map(|table| table.def().synonyms).map(|synonym| synonym.name).collect()
}

/// An error of our own that passed through the query engine, or one of a regular expression that somebody wrote.
fn own_error(error: &DataFusionError) -> Option<Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(now) = cause {
        if let Some(own) = now.downcast_ref::<Error>() {
            let mut copy = Error::new(own.code, own.message.clone());
            copy.param = own.param;
            return Some(error_at(copy, own.position));
        }
        // The planner reads patterns with a library of its own, whose type has no name here.
        let text = now.to_string();
        if now.is::<regex::Error>()
            || text.starts_with("regex parse error")
            || text.contains("Regular expression did not compile")
        {
            return Some(invalid(format!("Invalid regular expression: {}", sentence(reason_of_pattern(&text)))));
        }
        cause = now.source();
    }
    None
}

/// What is wrong with a regular expression: its library shows the pattern, and the reason in a line of its own.
fn reason_of_pattern(text: &str) -> &str {
    match text.lines().find_map(|line| line.trim().strip_prefix("error: ")) {
        Some(reason) => reason,
        None if text.contains("CompiledTooBig") => "it is too large",
        None if text.contains("did not compile") => "it is not valid",
        None => text.lines().next_back().unwrap_or_default(),
    }
}

/// An error of the parser with its position.
pub fn from_parser(error: &DataFusionError) -> Error {
    match error {
        DataFusionError::SQL(parser, _) => from_sqlparser(parser),
        DataFusionError::Diagnostic(_, inner) | DataFusionError::Context(_, inner) => from_parser(inner),
        other => syntax(&other.strip_backtrace()),
    }
}

pub fn from_sqlparser(error: &ParserError) -> Error {
    match error {
        ParserError::ParserError(message) | ParserError::TokenizerError(message) => syntax(message),
        ParserError::RecursionLimitExceeded => Error::new(ErrorCode::TooComplex, "The query is nested too deeply."),
    }
}

/// A syntax error; the parser ends its message with ` at Line: 1, Column: 8`.
pub fn syntax(message: &str) -> Error {
    let (text, place) = match message.rsplit_once(" at Line: ") {
        Some((text, place)) => (text, Some(place)),
        None => (message, None),
    };
    let position = place.and_then(|place| {
        let (line, column) = place.split_once(", Column: ")?;
        let column = column.chars().take_while(char::is_ascii_digit).collect::<String>();
        Some(Position { line: line.parse().ok()?, column: column.parse().ok()? })
    });
    let text = text.replace("found: EOF", "found end of input");
    // A word that stands where only an operator could: `5 div 2`.
    let text = match between(&text, "No infix parser for token Word(Word { value: \"", "\"") {
        Some(word) => format!("Expected: an operator, found: {word}"),
        None => text,
    };
    let message = parser_sentence(&text).map_or_else(|| format!("Syntax error. {}", sentence(&text)), str::to_string);
    error_at(Error::new(ErrorCode::Syntax, message), position.filter(|position| position.line > 0))
}

/// An error about an unfinished text, at the end of the text.
pub fn at_the_end(error: Error, text: &str) -> Error {
    if error.position.is_some() || error.code != ErrorCode::Syntax || !error.message.contains("found end of input") {
        return error;
    }
    let line = text.lines().count().max(1) as u64;
    let column = text.lines().next_back().map_or(0, |last| last.chars().count()) as u64 + 1;
    error.at(Position { line, column })
}

fn execution(message: &str) -> Error {
    let lower = message.to_lowercase();
    if lower.contains("overflow") || lower.contains("divide by zero") {
        return arithmetic(&lower);
    }
    // Some calls are found to be wrong only when they run.
    invalid(planner_sentence(message).unwrap_or_else(|| sentence(message)))
}

fn from_arrow(error: &ArrowError) -> Error {
    match error {
        ArrowError::DivideByZero => arithmetic("divide by zero"),
        ArrowError::ArithmeticOverflow(_) => arithmetic("overflow"),
        ArrowError::ExternalError(_) | ArrowError::ParquetError(_) => reading(&error.to_string()),
        ArrowError::CastError(message)
        | ArrowError::ParseError(message)
        | ArrowError::ComputeError(message)
        | ArrowError::InvalidArgumentError(message) => {
            let lower = message.to_lowercase();
            let range =
                lower.contains("overflow") || lower.contains("too large to store") || lower.contains("too small");
            if range {
                return arithmetic("overflow");
            }
            match between(message, "Error parsing timestamp from '", "': error parsing ") {
                Some(text) => invalid(format!(
                    "'{text}' is not a valid timestamp in the years 1 to 9999; write it as 2024-03-01 12:30:00."
                )),
                None => invalid(sentence(message)),
            }
        }
        ArrowError::NotYetImplemented(message) => invalid(planner_messages::unsupported(message, &sentence(message))),
        other => Error::internal(other.to_string()),
    }
}

/// An error from inside a scan: of a condition there, or of the file.
fn reading(text: &str) -> Error {
    match scan_errors::scan_error(text) {
        Some(ScanError::Own(error)) => error,
        Some(ScanError::Arrow(error)) => from_arrow(&error),
        Some(ScanError::Execution(message)) => execution(&message),
        Some(ScanError::Exhausted(message)) => exhausted(&message),
        None => Error::new(ErrorCode::DamagedFile, "A file of the lake can't be read.").because(text.to_string()),
    }
}

fn arithmetic(text: &str) -> Error {
    let message = if text.contains("zero") {
        "A number was divided by zero."
    } else {
        "A number is too large for its type; cast to decimal(38,0), double or uint256 before calculating."
    };
    Error::new(ErrorCode::Arithmetic, message)
}

fn exhausted(message: &str) -> Error {
    if message.contains("disk space") || message.contains("max_temp_directory_size") {
        return Error::new(
            ErrorCode::MemoryLimit,
            "The query needs more disk space for its intermediate results than is available.",
        );
    }
    let text = "The query exceeded its memory limit; read fewer rows or columns, or aggregate earlier.";
    Error::new(ErrorCode::MemoryLimit, text).because(message.to_string())
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}

/// The text between two markers.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(after)?])
}

/// A message of the engine as one sentence without the names of its insides.
fn sentence(message: &str) -> String {
    let first = message.split("\n\nbacktrace").next().unwrap_or(message).lines().next().unwrap_or_default();
    // Some messages go on with the parser's or the planner's own form of what they speak of.
    let first = first.split(" { ").next().unwrap_or(first).trim();
    let mut text = with_type_names(first);
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}

/// A reading error gets the name of the file that can't be read.
pub async fn name_damaged_file(error: Error, plan: &Arc<dyn ExecutionPlan>, runtime: &RuntimeEnv) -> Error {
    if error.code != ErrorCode::DamagedFile {
        return error;
    }
    match damaged_files::find_damaged_file(plan, runtime).await {
        Some(file) => {
            let message = format!("The file {file} of the lake is damaged or missing; other tables are not affected.");
            Error::new(ErrorCode::DamagedFile, message).because(error)
        }
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_sentences() {
        let error = syntax("Expected: an expression, found: FROM at Line: 2, Column: 8");
        assert_eq!(error.position, Some(Position { line: 2, column: 8 }));
        assert_eq!(error.message, "Syntax error. Expected: an expression, found: FROM.");
        assert_eq!(find_word("select\n  foo, bar_x, bar", "BAR"), Some(Position { line: 2, column: 15 }));
    }
}
