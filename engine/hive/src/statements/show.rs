//! `SHOW …` and `DESCRIBE …`.

use std::collections::BTreeSet;

use arrow::array::ArrayRef;
use arrow::datatypes::{FieldRef, SchemaRef};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use futures::StreamExt;
use futures::future::BoxFuture;

use super::Statement;
use crate::cursor::Cursor;
use crate::parse_context::ParseContext;
use crate::rewrite::rewritten_functions;
use crate::script::Script;
use crate::tables::{Partition, PartitionKeys, parse_partitions, scan};
use quarry_functions::hive::generators::GENERATORS;
use quarry_functions::hive::{cast, types};
use quarry_runtime::job::JobContext;
use quarry_types::{Error, ErrorCode, Result};

enum Show {
    /// Tables whose names match a pattern.
    Tables(Option<String>),
    Databases,
    Functions(Option<String>),
    Columns(String),
    Partitions(String, Partition),
    /// The statement that creates a table.
    CreateTable(String),
    DescribeTable(String),
    DescribeFunction(String),
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let show = if cursor.take_any(&["tables", "views"]) {
        if cursor.take_any(&["in", "from"]) {
            cursor.name()?;
        }
        Show::Tables(parse_pattern(&mut cursor))
    } else if cursor.take_any(&["databases", "schemas"]) {
        Show::Databases
    } else if cursor.take("functions") {
        Show::Functions(parse_pattern(&mut cursor))
    } else if cursor.take("columns") {
        if !cursor.take_any(&["from", "in"]) {
            return Err(cursor.refuse("SHOW COLUMNS needs a table: SHOW COLUMNS IN name."));
        }
        Show::Columns(cursor.name()?)
    } else if cursor.take("partitions") {
        let name = cursor.name()?;
        Show::Partitions(name, parse_partitions(&mut cursor, &context.parameters)?.pop().unwrap_or_default())
    } else if cursor.take("create table") {
        Show::CreateTable(cursor.name()?)
    } else {
        let message = "SHOW supports only TABLES, DATABASES, FUNCTIONS, COLUMNS, PARTITIONS and CREATE TABLE.";
        return Err(cursor.refuse(message));
    };
    Ok(Box::new(show))
}

pub(super) fn parse_describe(mut cursor: Cursor<'_>, _: &mut ParseContext) -> Result<Box<dyn Statement>> {
    if cursor.take("function") {
        cursor.take("extended");
        let name = cursor.text().ok_or_else(|| cursor.refuse("DESCRIBE FUNCTION expects the name of a function."))?;
        return Ok(Box::new(Show::DescribeFunction(name.to_lowercase())));
    }
    cursor.take_any(&["extended", "formatted", "table"]);
    cursor.take("table");
    Ok(Box::new(Show::DescribeTable(cursor.name()?)))
}

/// `LIKE 'a*|b*'`, with or without the keyword.
fn parse_pattern(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.take("like");
    cursor.text().map(|text| text.to_lowercase())
}

/// Whether a name matches a pattern in which `*` is any text and `|` is between alternatives.
fn matches(name: &str, pattern: Option<&str>) -> bool {
    let Some(pattern) = pattern else { return true };
    pattern.split('|').any(|one| {
        let mut parts = one.trim().split('*');
        let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
        let parts: Vec<&str> = parts.collect();
        let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
        for part in middle {
            let Some((_, after)) = rest.split_once(part) else { return false };
            rest = after;
        }
        rest.ends_with(last)
    })
}

impl Statement for Show {
    fn describe(&self) -> String {
        "show".to_string()
    }

    fn has_rows(&self) -> bool {
        true
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let (column, rows) = match *self {
                Show::Tables(pattern) => {
                    let names = script.table_names().await?.into_iter();
                    ("tab_name", names.filter(|name| matches(&name.to_lowercase(), pattern.as_deref())).collect())
                }
                Show::Databases => ("database_name", vec!["default".to_string()]),
                Show::Functions(pattern) => {
                    let names = functions(script).await?.into_iter();
                    ("tab_name", names.filter(|name| matches(name, pattern.as_deref())).collect())
                }
                Show::DescribeFunction(name) => {
                    let text = match functions(script).await?.contains(&name) {
                        true => format!("There is a function {name}; the language manual of Hive describes it."),
                        false => format!("There is no function {name}."),
                    };
                    ("tab_name", vec![text])
                }
                Show::Columns(name) => {
                    let columns = script.columns_of(&name).await?;
                    ("field", columns.fields().iter().map(|field| field.name().clone()).collect())
                }
                Show::CreateTable(name) => ("createtab_stmt", create_table(&name, &script.columns_of(&name).await?)),
                Show::Partitions(name, partition) => ("partition", partitions(script, &name, &partition).await?),
                Show::DescribeTable(name) => {
                    let (names, data_types) = describe_table(&script.columns_of(&name).await?).into_iter().unzip();
                    return script.write_texts(vec![("col_name", names), ("data_type", data_types)]);
                }
            };
            script.write_texts(vec![(column, rows)])
        })
    }
}

/// The functions that can be called.
async fn functions(script: &Script) -> Result<BTreeSet<String>> {
    let state = script.session().await?.state;
    let registered = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
    let registered = registered.chain(state.window_functions().keys()).filter(|name| !name.starts_with("hive_"));
    Ok(registered.cloned().chain(rewritten_functions().chain(GENERATORS).map(str::to_string)).collect())
}

/// The lines of the statement that creates a table.
fn create_table(name: &str, columns: &SchemaRef) -> Vec<String> {
    let list = |of_partition: bool| {
        let fields = columns.fields().iter().filter(|field| types::is_partition(field) == of_partition);
        let fields = fields.map(|field| format!("  `{}` {}", field.name(), types::written(field)));
        fields.collect::<Vec<_>>().join(",\n")
    };
    let mut text = format!("CREATE TABLE `{name}`(\n{})", list(false));
    let partitions = list(true);
    if !partitions.is_empty() {
        text.push_str(&format!("\nPARTITIONED BY (\n{partitions})"));
    }
    text.push_str("\nSTORED AS PARQUET");
    text.lines().map(str::to_string).collect()
}

/// The columns with their types, and those of the partitions again.
fn describe_table(columns: &SchemaRef) -> Vec<(String, String)> {
    let row = |field: &FieldRef| (field.name().clone(), types::written(field));
    let mut rows: Vec<(String, String)> = columns.fields().iter().map(row).collect();
    let partitions = columns.fields().iter().filter(|field| types::is_partition(field)).map(row);
    let title = [("", ""), ("# Partition Information", ""), ("# col_name", "data_type")];
    let title = title.map(|(name, data_type)| (name.to_string(), data_type.to_string()));
    let mut partitions = partitions.peekable();
    if partitions.peek().is_some() {
        rows.extend(title.into_iter().chain(partitions));
    }
    rows
}

/// `ds=2024-01-01/hr=1` for each partition that has rows.
async fn partitions(script: &Script, name: &str, partition: &Partition) -> Result<Vec<String>> {
    let table = script.existing_table(name)?;
    let schema = table.columns()?;
    let fields = schema.fields().iter().enumerate();
    let columns: Vec<usize> = fields.filter(|(_, field)| types::is_partition(field)).map(|(at, _)| at).collect();
    if columns.is_empty() {
        return Err(Error::new(ErrorCode::InvalidQuery, format!("The table {name} is not partitioned.")));
    }
    let keys = match partition.is_empty() {
        true => None,
        false => Some(PartitionKeys::of_partition(name, partition, &schema)?),
    };
    let options = FormatOptions::default().with_null("__HIVE_DEFAULT_PARTITION__");
    let mut rows = scan(script, &table).await?;
    let mut partitions = BTreeSet::new();
    while let Some(batch) = rows.next().await {
        let mut batch = batch.map_err(Error::internal)?;
        if let Some(keys) = &keys {
            batch = keys.select(&batch)?;
        }
        let texts = columns.iter().map(|at| cast::to_text(batch.column(*at))).collect::<Result<Vec<ArrayRef>, _>>();
        let texts = texts.map_err(Error::internal)?;
        let values = texts.iter().map(|texts| ArrayFormatter::try_new(texts, &options)).collect::<Result<Vec<_>, _>>();
        let values = values.map_err(Error::internal)?;
        for row in 0..batch.num_rows() {
            let parts = columns.iter().zip(&values);
            let parts = parts.map(|(at, values)| format!("{}={}", schema.field(*at).name(), values.value(row)));
            partitions.insert(parts.collect::<Vec<_>>().join("/"));
        }
    }
    Ok(partitions.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match_patterns() {
        let matches = |name: &str, pattern: &str| matches(name, Some(pattern));
        assert!(matches("abc", "a*") && matches("abc", "*b*") && matches("abc", "abc") && matches("abc", "x|a*c"));
        assert!(!matches("abc", "b*") && !matches("abc", "ab") && !matches("abc", "a*b"));
    }
}
