//! `SHOW …` and `DESCRIBE …`: what there is, as rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringArray};
use arrow::datatypes::Field;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use futures::StreamExt;

use super::calls;
use super::cursor::Cursor;
use super::reader::{Partition, partitions};
use super::script::Script;
use super::write::{Keys, rows};
use quarry_functions::hive::generate::GENERATORS;
use quarry_functions::hive::{cast, types};
use quarry_sql::parameters::Bound;
use quarry_sql::session::Session;
use quarry_types::{Error, ErrorCode, Result};

/// What is shown.
#[derive(Debug)]
pub(super) enum Show {
    /// Tables whose names fit a pattern.
    Tables(Option<String>),
    Databases,
    Functions(Option<String>),
    Columns(String),
    Partitions(String, Partition),
    /// The statement that makes a table.
    Create(String),
    /// The columns of a table.
    Table(String),
    /// One function.
    Function(String),
}

/// What stands behind `SHOW`.
pub(super) fn show(mut cursor: Cursor<'_>, bound: &Bound) -> Result<Show> {
    let show = match () {
        () if cursor.take("tables") || cursor.take("views") => {
            if cursor.take("in") || cursor.take("from") {
                cursor.name()?;
            }
            Show::Tables(pattern(&mut cursor))
        }
        () if cursor.take("databases") || cursor.take("schemas") => Show::Databases,
        () if cursor.take("functions") => Show::Functions(pattern(&mut cursor)),
        () if cursor.take("columns") => {
            if !cursor.take("from") && !cursor.take("in") {
                return Err(cursor.refuse("SHOW COLUMNS names its table: SHOW COLUMNS IN name."));
            }
            Show::Columns(cursor.name()?)
        }
        () if cursor.take("partitions") => {
            let name = cursor.name()?;
            Show::Partitions(name, partitions(&mut cursor, bound)?.pop().unwrap_or_default())
        }
        () if cursor.take_all(&["create", "table"]) => Show::Create(cursor.name()?),
        () => {
            let message = "SHOW runs here with TABLES, DATABASES, FUNCTIONS, COLUMNS, PARTITIONS and CREATE TABLE.";
            return Err(cursor.refuse(message));
        }
    };
    Ok(show)
}

/// What stands behind `DESCRIBE`.
pub(super) fn describe(mut cursor: Cursor<'_>) -> Result<Show> {
    if cursor.take("function") {
        cursor.take("extended");
        let name = cursor.text().ok_or_else(|| cursor.refuse("DESCRIBE FUNCTION names a function."))?;
        return Ok(Show::Function(name.to_lowercase()));
    }
    let _ = ["extended", "formatted", "table"].iter().any(|word| cursor.take(word));
    cursor.take("table");
    Ok(Show::Table(cursor.name()?))
}

/// `LIKE 'a*|b*'`, with or without the word.
fn pattern(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.take("like");
    cursor.text().map(|text| text.to_lowercase())
}

/// Whether a name fits a pattern in which `*` is any text and `|` stands between several.
fn fits(name: &str, pattern: Option<&String>) -> bool {
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

/// The functions that can be called.
fn functions(session: &Session) -> BTreeSet<String> {
    let state = &session.state;
    let held = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
    let held = held.chain(state.window_functions().keys()).filter(|name| !name.starts_with("hive_"));
    held.cloned().chain(calls::written().chain(GENERATORS).map(str::to_string)).collect()
}

fn texts(values: Vec<String>) -> ArrayRef {
    Arc::new(StringArray::from(values))
}

pub(super) async fn run(script: &Script, show: Show) -> Result<i64> {
    match show {
        Show::Tables(pattern) => {
            let names = script.table_names().await?.into_iter();
            let names = names.filter(|name| fits(&name.to_lowercase(), pattern.as_ref()));
            script.show(vec![("tab_name", texts(names.collect()))])
        }
        Show::Databases => script.show(vec![("database_name", texts(vec!["default".to_string()]))]),
        Show::Functions(pattern) => {
            let all = functions(&script.session().await?);
            let found = all.into_iter().filter(|name| fits(name, pattern.as_ref()));
            script.show(vec![("tab_name", texts(found.collect()))])
        }
        Show::Function(name) => {
            let known = functions(&script.session().await?).contains(&name);
            let told = match known {
                true => format!("There is a function {name}; the language manual of Hive tells what it does."),
                false => format!("There is no function {name}."),
            };
            script.show(vec![("tab_name", texts(vec![told]))])
        }
        Show::Columns(name) => {
            let schema = script.schema_of(&name).await?;
            let names = schema.fields().iter().map(|field| field.name().clone());
            script.show(vec![("field", texts(names.collect()))])
        }
        Show::Table(name) => table(script, &name).await,
        Show::Create(name) => {
            let schema = script.schema_of(&name).await?;
            let column = |field: &Arc<Field>| format!("  `{}` {}", field.name(), types::written(field));
            let group = |partition: bool| {
                let fields = schema.fields().iter().filter(|field| types::is_partition(field) == partition);
                fields.map(column).collect::<Vec<_>>().join(",\n")
            };
            let mut text = format!("CREATE TABLE `{name}`(\n{})", group(false));
            if schema.fields().iter().any(|field| types::is_partition(field)) {
                text.push_str(&format!("\nPARTITIONED BY (\n{})", group(true)));
            }
            text.push_str("\nSTORED AS PARQUET");
            script.show(vec![("createtab_stmt", texts(text.lines().map(str::to_string).collect()))])
        }
        Show::Partitions(name, wanted) => partitions_of(script, &name, &wanted).await,
    }
}

/// The columns with their types, and once more those of the partitions.
async fn table(script: &Script, name: &str) -> Result<i64> {
    let schema = script.schema_of(name).await?;
    let row = |field: &Arc<Field>| (field.name().clone(), types::written(field));
    let mut rows: Vec<(String, String)> = schema.fields().iter().map(row).collect();
    if schema.fields().iter().any(|field| types::is_partition(field)) {
        let title = |name: &str, data_type: &str| (name.to_string(), data_type.to_string());
        rows.extend([title("", ""), title("# Partition Information", ""), title("# col_name", "data_type")]);
        rows.extend(schema.fields().iter().filter(|field| types::is_partition(field)).map(row));
    }
    let (names, of_type) = rows.into_iter().unzip();
    script.show(vec![("col_name", texts(names)), ("data_type", texts(of_type))])
}

/// `ds=2024-01-01/hr=1` for each partition that has rows.
async fn partitions_of(script: &Script, name: &str, wanted: &Partition) -> Result<i64> {
    let target = script.existing(name)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let fields = schema.fields().iter().enumerate();
    let columns: Vec<usize> = fields.filter(|(_, field)| types::is_partition(field)).map(|(at, _)| at).collect();
    if columns.is_empty() {
        let message = format!("The table {name} is not partitioned.");
        return Err(Error::new(ErrorCode::InvalidQuery, message));
    }
    let keys = if wanted.is_empty() { None } else { Some(Keys::of_partition(name, wanted, &schema)?) };
    let mut stream = rows(script, &target).await?;
    let mut found = BTreeSet::new();
    while let Some(batch) = stream.next().await {
        let mut batch = batch.map_err(Error::internal)?;
        if let Some(keys) = &keys {
            batch = keys.only(batch)?;
        }
        let parts = columns.iter().map(|at| {
            let values = cast::to_text(batch.column(*at)).map_err(Error::internal)?;
            Ok((schema.field(*at).name(), values))
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        let options = FormatOptions::default().with_null("__HIVE_DEFAULT_PARTITION__");
        let parts = parts
            .iter()
            .map(|(name, values)| Ok((name, ArrayFormatter::try_new(values, &options).map_err(Error::internal)?)));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            let words = parts.iter().map(|(name, values)| format!("{name}={}", values.value(row)));
            found.insert(words.collect::<Vec<_>>().join("/"));
        }
    }
    script.show(vec![("partition", texts(found.into_iter().collect()))])
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn names_fit_patterns() {
        let fits = |name: &str, pattern: &str| fits(name, Some(&pattern.to_string()));
        assert!(fits("abc", "a*") && fits("abc", "*b*") && fits("abc", "abc") && fits("abc", "x|a*c"));
        assert!(!fits("abc", "b*") && !fits("abc", "ab") && !fits("abc", "a*b"));
    }
}
