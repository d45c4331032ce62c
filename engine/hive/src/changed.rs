//! `UPDATE` and `DELETE`: the table is written anew with its rows as they become.

use datafusion::sql::sqlparser::ast::{AssignmentTarget, Expr, Ident, Query, Select, SelectItem, SetExpr, Value};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::build::{choose, everything, typed};
use super::cursor::Cursor;
use super::defaults;
use super::dialect::HiveQl;
use super::reader::{Insert, PARSER_RECURSION, Reader, ready};
use super::script::Script;
use super::write;
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_sql::errors;
use quarry_sql::parameters::as_name;
use quarry_types::{Error, ErrorCode, Result};

/// What becomes of the columns of some rows.
#[derive(Debug)]
pub(super) struct Update {
    pub table: String,
    columns: Vec<String>,
    /// Its columns: whether a row is meant, and what the columns become.
    query: Box<Query>,
}

pub(super) fn parser(tokens: &[TokenWithSpan]) -> Parser<'static> {
    Parser::new(&HiveQl).with_recursion_limit(PARSER_RECURSION).with_tokens_with_locations(tokens.to_vec())
}

/// What stands behind WHERE, up to the end.
fn condition(parser: &mut Parser<'_>) -> Result<Expr> {
    let condition = match parser.parse_keyword(Keyword::WHERE) {
        true => parser.parse_expr().map_err(|error| errors::from_sqlparser(&error))?,
        false => Expr::Value(Value::Boolean(true).into()),
    };
    parser.expect_token(&Token::EOF).map_err(|error| errors::from_sqlparser(&error))?;
    Ok(condition)
}

pub(super) fn select(query: &mut Query) -> Result<&mut Select> {
    match query.body.as_mut() {
        SetExpr::Select(select) => Ok(select),
        _ => Err(Error::internal("the query is a SELECT")),
    }
}

/// `DELETE FROM t WHERE …`: the rows stay for which that is not true; without a condition no query tells what stays.
pub(super) fn delete(mut cursor: Cursor<'_>, reader: &Reader<'_>) -> Result<(String, Option<Box<Query>>)> {
    let name = cursor.name()?;
    if cursor.is_done() {
        return Ok((name, None));
    }
    let gone = condition(&mut parser(cursor.rest()))?;
    let mut kept = everything(&name)?;
    select(&mut kept)?.selection = Some(Expr::IsNotTrue(Box::new(Expr::Nested(Box::new(gone)))));
    Ok((name, Some(ready(Box::new(kept), reader)?)))
}

/// `UPDATE t SET a = 1, b = b + 1 WHERE …`.
pub(super) fn update(mut cursor: Cursor<'_>, reader: &Reader<'_>) -> Result<Update> {
    let table = cursor.name()?;
    if !cursor.take("set") {
        return Err(cursor.refuse("UPDATE names its table, SET and what its columns become."));
    }
    let mut parser = parser(cursor.rest());
    let written = parser.parse_comma_separated(Parser::parse_assignment);
    let written = written.map_err(|error| errors::from_sqlparser(&error))?;
    let mut values = vec![SelectItem::UnnamedExpr(Expr::Nested(Box::new(condition(&mut parser)?)))];
    let mut columns = Vec::new();
    for set in written {
        let AssignmentTarget::ColumnName(name) = &set.target else {
            return Err(cursor.refuse("SET names one column before each =."));
        };
        let column = name.0.last().and_then(|part| part.as_ident()).map(|column| as_name(column.value.to_lowercase()));
        columns.extend(column.transpose()?);
        values.push(SelectItem::UnnamedExpr(Expr::Nested(Box::new(set.value))));
    }
    let mut query = everything(&table)?;
    select(&mut query)?.projection = values;
    Ok(Update { table, columns, query: ready(Box::new(query), reader)? })
}

/// Writes a table anew with the rows that a query leaves of it.
pub(super) async fn run_delete(script: &mut Script, name: &str, kept: Query, context: &JobContext) -> Result<i64> {
    script.existing(name)?;
    write::insert(script, Insert::overwrite(name, kept), context).await?;
    Ok(0)
}

/// Writes a table anew with other values where a condition is true. They have the types of their columns.
pub(super) async fn run_update(script: &mut Script, update: Update, context: &JobContext) -> Result<i64> {
    let Update { table, columns, mut query } = update;
    let target = script.existing(&table)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let select = select(&mut query)?;
    let mut parts = std::mem::take(&mut select.projection).into_iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, .. } | SelectItem::UnnamedExpr(expr) => Some(expr),
        _ => None,
    });
    let met = parts.next().ok_or_else(|| Error::internal("an update has a condition"))?;
    let mut values: Vec<(String, Expr)> = columns.into_iter().zip(parts).collect();
    for field in schema.fields() {
        let name = Ident::with_quote('"', field.name());
        let own = Expr::Identifier(name.clone());
        let at = values.iter().position(|(column, _)| *column == field.name().to_lowercase());
        let expr = match at.map(|at| values.remove(at).1) {
            Some(_) if types::is_partition(field) => {
                let message = format!("UPDATE leaves the columns of partitions as they are, and so {}.", field.name());
                return Err(Error::new(ErrorCode::InvalidQuery, message));
            }
            Some(value) if defaults::is_default(&value) => choose(met.clone(), defaults::value(field)?, Some(own)),
            Some(value) => {
                let data_type = types::written(field);
                let known = types::field("value", &data_type).is_some();
                let value = if known { typed(value, &data_type).map_err(|error| *error)? } else { value };
                choose(met.clone(), value, Some(own))
            }
            None => own,
        };
        select.projection.push(SelectItem::ExprWithAlias { expr, alias: name });
    }
    if let Some((column, _)) = values.first() {
        if schema.fields().iter().any(|field| field.name().to_lowercase() == *column) {
            return Err(Error::new(ErrorCode::InvalidQuery, format!("UPDATE sets the column {column} twice.")));
        }
        let message = format!("The table {table} has no column {column}.");
        return Err(Error::new(ErrorCode::UnknownColumn, message));
    }
    write::insert(script, Insert::overwrite(&table, *query), context).await?;
    Ok(0)
}
