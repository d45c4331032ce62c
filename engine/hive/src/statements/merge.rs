//! `MERGE INTO`: changes the rows of a table by those of a source. Both are joined once; the table is rewritten with the changed
//! and the new rows. If rows are only added, the files of the table stay.

use arrow::datatypes::{Field, FieldRef, Schema};
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, Query, SelectItem, TableFactor, TableWithJoins,
};
use datafusion::sql::sqlparser::keywords::Keyword;
use futures::future::BoxFuture;

use super::Statement;
use super::assignments::{check_assigned, column_position};
use super::merge_clauses::{Action, Clause, RowKind, parse_clauses};
use crate::ast::{
    and, boolean, case, is_not_null, item_expression, not, null, parse_expression, parser, relation, select_of,
    subquery, syntax_error, table, table_alias, take_projection, text,
};
use crate::cursor::Cursor;
use crate::defaults::column_value;
use crate::parse_context::ParseContext;
use crate::rewrite::rewrite_query;
use crate::script::Script;
use crate::tables::{Insert, check_distinct, insert};
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_sql::syntax::query_of;
use quarry_types::{Error, ErrorCode, Result};

/// The number of a row of the table and of the source; null where the other one has no row.
const TABLE_ROW: &str = "__row_of_table";
const SOURCE_ROW: &str = "__row_of_source";

/// How often a row of the table is matched, and whether a row is in the table afterwards.
const MATCHES: &str = "__times";
const STAYS: &str = "__stays";

struct Merge {
    table: String,
    /// The names of the table and of the source in the statement.
    table_alias: Ident,
    source_alias: Ident,
    clauses: Vec<Clause>,
    /// Both joined. Its columns: how often a row is matched, then the condition and the values of each clause.
    query: Query,
}

pub(super) fn parse(mut cursor: Cursor<'_>, context: &mut ParseContext) -> Result<Box<dyn Statement>> {
    cursor.take("into");
    let name = cursor.name()?;
    cursor.take("as");
    let mut alias = name.rsplit('.').next().unwrap_or(&name).to_string();
    if !cursor.take("using") {
        alias = cursor.name()?;
        if !cursor.take("using") {
            return Err(cursor.refuse("Write MERGE INTO table USING source ON condition."));
        }
    }
    let table_alias = Ident::with_quote('`', alias);
    let mut parser = parser(cursor.rest());
    let source = parser.parse_table_factor().map_err(syntax_error)?;
    let on = parser.expect_keyword_is(Keyword::ON).and_then(|()| parser.parse_expr()).map_err(syntax_error)?;
    let Some(source_alias) = self::table_alias(&source).cloned() else {
        return Err(cursor.refuse("USING expects a table, or a subquery with an alias."));
    };
    let matches = format!("count({TABLE_ROW}) over (partition by coalesce({TABLE_ROW}, -{SOURCE_ROW}))");
    let mut columns = vec![parse_expression(&matches)?];
    let clauses = parse_clauses(&mut parser, &mut columns)?;
    let on = JoinConstraint::On(on);
    let adds = clauses.iter().any(|clause| clause.rows == RowKind::OnlySource);
    let join_operator = match (changes_rows(&clauses), adds) {
        (true, true) => JoinOperator::FullOuter(on),
        (true, false) => JoinOperator::LeftOuter(on),
        (false, _) => JoinOperator::RightOuter(on),
    };
    let source = numbered(source, SOURCE_ROW, source_alias.clone())?;
    let joins = vec![Join { relation: source, global: false, join_operator }];
    let from = TableWithJoins { relation: numbered(table(&name)?, TABLE_ROW, table_alias.clone())?, joins };
    let mut query = query_of(columns.into_iter().map(SelectItem::UnnamedExpr).collect(), vec![from], None);
    rewrite_query(&mut query, context)?;
    Ok(Box::new(Merge { table: name, table_alias, source_alias, clauses, query }))
}

fn changes_rows(clauses: &[Clause]) -> bool {
    clauses.iter().any(|clause| clause.rows != RowKind::OnlySource)
}

/// A table with the number of each row as another column.
fn numbered(table: TableFactor, column: &str, name: Ident) -> Result<TableFactor> {
    let number = parse_expression("cast(row_number() over () as bigint)")?;
    let number = SelectItem::ExprWithAlias { expr: number, alias: Ident::new(column) };
    let items = vec![SelectItem::Wildcard(Default::default()), number];
    Ok(subquery(query_of(items, vec![relation(table)], None), Some(name)))
}

fn quoted(name: &str) -> Ident {
    Ident::with_quote('"', name)
}

fn has_row(number: &str) -> Expr {
    is_not_null(Expr::Identifier(Ident::new(number)))
}

/// Values with their conditions: the first whose condition is true counts.
type Cases = Vec<(Expr, Expr)>;

fn first_of(cases: Cases, otherwise: Expr) -> Expr {
    cases.into_iter().rev().fold(otherwise, |otherwise, (met, value)| case(met, value, Some(otherwise)))
}

impl Statement for Merge {
    fn describe(&self) -> String {
        format!("merge into {}", self.table)
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let Merge { table, table_alias, source_alias, clauses, mut query } = *self;
            let schema = script.existing_table(&table)?.columns()?;
            let mut parsed = take_projection(&mut query).into_iter().filter_map(item_expression);
            let matches = parsed.next().ok_or_else(|| Error::internal("a merge counts its matches"))?;
            let columns = vec![Vec::new(); schema.fields().len()];
            let mut merged = Merged { table: &table, source_alias, schema: &schema, columns, stays: Vec::new() };
            for clause in &clauses {
                merged.add(clause, &mut parsed)?;
            }
            let named = |expr: Expr, name: &str| SelectItem::ExprWithAlias { expr, alias: quoted(name) };
            let item = |(field, cases): (&FieldRef, Cases)| {
                let own = Expr::CompoundIdentifier(vec![table_alias.clone(), quoted(field.name())]);
                named(first_of(cases, own), field.name())
            };
            let mut items: Vec<SelectItem> = schema.fields().iter().zip(merged.columns).map(item).collect();
            // Without a clause a row of the table stays, and one of the source is not added.
            items.push(named(first_of(merged.stays, has_row(TABLE_ROW)), STAYS));
            items.push(named(matches, MATCHES));
            let changes_rows = changes_rows(&clauses);
            let condition = match changes_rows {
                true => format!("hive_met_once({MATCHES}) and {STAYS}"),
                false => STAYS.to_string(),
            };
            if let Some(select) = select_of(&mut query) {
                select.projection = items;
                // Without changes the rows of the table stay in their files.
                select.selection = (!changes_rows).then(|| not(has_row(TABLE_ROW)));
            }
            let columns = schema.fields().iter();
            let columns = columns.map(|field| SelectItem::UnnamedExpr(Expr::Identifier(quoted(field.name()))));
            let merged = vec![relation(subquery(query, Some(Ident::new("__merged"))))];
            let rows = query_of(columns.collect(), merged, Some(parse_expression(&condition)?));
            let rows = if changes_rows { Insert::replace_all(&table, rows) } else { Insert::append(&table, rows) };
            insert(script, rows, context).await?;
            Ok(0)
        })
    }
}

/// The columns of the merged rows, and whether a row is in the table afterwards.
struct Merged<'a> {
    table: &'a str,
    source_alias: Ident,
    schema: &'a Schema,
    columns: Vec<Cases>,
    stays: Cases,
}

impl Merged<'_> {
    /// Adds a clause; its condition and its values are the next ones that were parsed.
    fn add(&mut self, clause: &Clause, parsed: &mut impl Iterator<Item = Expr>) -> Result<()> {
        let condition = parsed.next().ok_or_else(|| Error::internal("a clause has a condition"))?;
        let rows = match clause.rows {
            RowKind::Matched => and(has_row(TABLE_ROW), has_row(SOURCE_ROW)),
            RowKind::OnlySource => not(has_row(TABLE_ROW)),
            RowKind::OnlyTable => not(has_row(SOURCE_ROW)),
        };
        let condition = and(rows, condition);
        self.stays.push((condition.clone(), boolean(!matches!(clause.action, Action::Delete))));
        let fields = self.schema.fields();
        let position = |name: &String| column_position(self.table, self.schema, name);
        let values: Vec<(usize, Expr)> = match &clause.action {
            Action::Delete => Vec::new(),
            Action::UpdateAll | Action::InsertAll => {
                let source = |name: &str| vec![self.source_alias.clone(), quoted(&name.to_lowercase())];
                let values = fields.iter().map(|field| Expr::CompoundIdentifier(source(field.name())));
                values.enumerate().collect()
            }
            Action::Update(names) => {
                let positions = names.iter().map(position).collect::<Result<Vec<_>>>()?;
                positions.into_iter().zip(parsed).collect()
            }
            Action::Insert(names, count) => {
                check_distinct(names)?;
                let all = (0..fields.len()).collect();
                let positions = names.iter().map(position).collect::<Result<Vec<usize>>>()?;
                let positions: Vec<usize> = if names.is_empty() { all } else { positions };
                if positions.len() != *count {
                    let (table, wanted) = (self.table, positions.len());
                    let message = format!("The table {table} expects {wanted} columns here, but INSERT has {count}.");
                    return Err(Error::new(ErrorCode::InvalidQuery, message));
                }
                let default = |field: &Field| types::default(field).map_or_else(null, |value| text(&value));
                let mut values: Vec<Expr> = fields.iter().map(|field| default(field)).collect();
                positions.into_iter().zip(parsed).for_each(|(at, value)| values[at] = value);
                values.into_iter().enumerate().collect()
            }
        };
        if matches!(clause.action, Action::UpdateAll | Action::Update(_)) {
            check_assigned(values.iter().map(|(at, _)| self.schema.field(*at)))?;
        }
        for (at, value) in values {
            self.columns[at].push((condition.clone(), column_value(self.schema.field(at), value)?));
        }
        Ok(())
    }
}
