//! `SHOW SCHEMAS`, `SHOW TABLES`, `SHOW COLUMNS` and `DESCRIBE` as queries over `information_schema`.

use datafusion::sql::sqlparser::ast::{
    Ident, ObjectName, ObjectNamePart, ShowStatementFilter, ShowStatementFilterPosition, ShowStatementOptions,
    Statement,
};

use crate::session::tables::{BIGQUERY_CHAINS, CHAIN, MAIN};

/// The query for such a statement; `None` for other statements.
pub(crate) fn show_as_query(statement: &Statement) -> Option<String> {
    let (table, condition) = match statement {
        Statement::ShowSchemas { show_options, .. } | Statement::ShowDatabases { show_options, .. } => {
            let condition = like_condition(show_options, "table_schema");
            return Some(format!(
                "select distinct table_schema from information_schema.tables where true{condition} order by 1"
            ));
        }
        Statement::ShowTables { show_options, .. } => {
            let schema = parent(show_options).and_then(last_word);
            let schema = schema.map(|schema| format!(" and table_schema = '{schema}'")).unwrap_or_default();
            let condition = like_condition(show_options, "table_name");
            return Some(format!(
                "select table_schema, table_name from information_schema.tables where true{schema}{condition} order by 1, 2"
            ));
        }
        Statement::ShowColumns { show_options, .. } => {
            (parent(show_options)?, like_condition(show_options, "column_name"))
        }
        Statement::ExplainTable { table_name, .. } => (table_name, String::new()),
        _ => return None,
    };
    let name = last_word(table)?;
    let schema = match table.0.iter().rev().nth(1).and_then(ObjectNamePart::as_ident).map(word) {
        Some(schema) if BIGQUERY_CHAINS.contains(&schema.as_str()) => format!("'{CHAIN}'"),
        Some(schema) => format!("'{schema}'"),
        // A name alone is looked up in `main` before the chain's schema, which comes before it in the alphabet.
        None => format!(
            "(select max(table_schema) from information_schema.tables \
             where table_name = '{name}' and table_schema in ('{CHAIN}', '{MAIN}'))"
        ),
    };
    // Reading no rows of the table gives the usual error if there is no such table.
    Some(format!(
        "select column_name, data_type, is_nullable from information_schema.columns \
         where table_name = '{name}' and table_schema = {schema}{condition} and not exists (select 1 from {table} limit 0) \
         order by ordinal_position"
    ))
}

/// The schema or table after IN or FROM.
fn parent(options: &ShowStatementOptions) -> Option<&ObjectName> {
    options.show_in.as_ref()?.parent_name.as_ref()
}

/// A name in lower case, escaped for a text in quotes.
fn word(name: &Ident) -> String {
    name.value.to_lowercase().replace('\'', "''")
}

fn last_word(name: &ObjectName) -> Option<String> {
    name.0.last().and_then(ObjectNamePart::as_ident).map(word)
}

/// The condition for the LIKE of a statement.
fn like_condition(options: &ShowStatementOptions, column: &str) -> String {
    use ShowStatementFilterPosition::{Infix, Suffix};
    match &options.filter_position {
        Some(Infix(ShowStatementFilter::Like(like)) | Suffix(ShowStatementFilter::Like(like))) => {
            format!(" and {column} like '{}'", like.to_lowercase().replace('\'', "''"))
        }
        _ => String::new(),
    }
}
