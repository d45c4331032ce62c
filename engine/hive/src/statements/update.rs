//! `UPDATE t SET a = 1, b = b + 1 WHERE …`: the table is rewritten.

use datafusion::sql::sqlparser::ast::{Expr, Ident, Query, SelectItem};
use futures::future::BoxFuture;

use super::Statement;
use super::assignments::{check_assigned, column_position, parse_assignments};
use super::delete::parse_where;
use crate::ast::{case, item_expression, nested, parser, relation, select_of, table, take_projection};
use crate::cursor::Cursor;
use crate::defaults::column_value;
use crate::parse_context::ParseContext;
use crate::rewrite::rewrite_query;
use crate::script::Script;
use crate::tables::{Insert, insert};
use quarry_runtime::job::JobContext;
use quarry_sql::syntax::query_of;
use quarry_types::{Error, Result};

struct Update {
    table: String,
    columns: Vec<String>,
    /// Its columns: whether a row is updated, and the new values.
    query: Query,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    let name = cursor.name()?;
    if !cursor.take("set") {
        return Err(cursor.refuse("Write UPDATE table SET column = value [WHERE condition]."));
    }
    let mut parser = parser(cursor.rest());
    let (columns, mut values): (Vec<String>, Vec<Expr>) = parse_assignments(&mut parser)?.into_iter().unzip();
    values.insert(0, nested(parse_where(&mut parser)?));
    let items = values.into_iter().map(SelectItem::UnnamedExpr).collect();
    let mut query = query_of(items, vec![relation(table(&name)?)], None);
    rewrite_query(&mut query, context)?;
    Ok(Box::new(Update { table: name, columns, query }))
}

impl Statement for Update {
    fn describe(&self) -> String {
        format!("update {}", self.table)
    }

    /// The new values have the types of their columns.
    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let Update { table, columns, mut query } = *self;
            let schema = script.existing_table(&table)?.columns()?;
            let mut values = take_projection(&mut query).into_iter().filter_map(item_expression);
            let condition = values.next().ok_or_else(|| Error::internal("an update has a condition"))?;
            let positions = columns.iter().map(|name| column_position(&table, &schema, name));
            let positions = positions.collect::<Result<Vec<_>>>()?;
            check_assigned(positions.iter().map(|at| schema.field(*at)))?;
            let mut values: Vec<(usize, Expr)> = positions.into_iter().zip(values).collect();
            let mut items = Vec::new();
            for (at, field) in schema.fields().iter().enumerate() {
                let alias = Ident::with_quote('"', field.name());
                let own = Expr::Identifier(alias.clone());
                let value =
                    values.iter().position(|(column, _)| *column == at).map(|index| values.swap_remove(index).1);
                let expr = match value {
                    Some(value) => case(condition.clone(), column_value(field, value)?, Some(own)),
                    None => own,
                };
                items.push(SelectItem::ExprWithAlias { expr, alias });
            }
            if let Some(select) = select_of(&mut query) {
                select.projection = items;
            }
            insert(script, Insert::replace_all(&table, query), context).await?;
            Ok(0)
        })
    }
}
