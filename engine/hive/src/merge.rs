//! `MERGE INTO`: what becomes of a table's rows beside those of another one. Both are joined once; the table is written anew with
//! its rows as they become, and with new ones. Where rows are only added, the others stay in their files.

use arrow::datatypes::{Field, Schema};
use datafusion::sql::sqlparser::ast::{
    AssignmentTarget, BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, Query, SelectItem,
    TableAlias, TableFactor, TableWithJoins, Value,
};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;

use super::build::{choose, expression, not, parsed, table_of, text, typed};
use super::changed::{parser, select};
use super::cursor::Cursor;
use super::defaults;
use super::reader::{Insert, Reader, ready};
use super::script::Script;
use super::write;
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_sql::errors;
use quarry_sql::parameters::as_name;
use quarry_types::{Error, ErrorCode, Position, Result};

/// What tells the rows of the table and those of the source apart.
const ROW: &str = "__row_of_table";
const BESIDE: &str = "__row_of_source";

/// What is told of a row besides its columns.
const TIMES: &str = "__times";
const STAYS: &str = "__stays";

/// What becomes of the rows of a table beside those of another one.
#[derive(Debug)]
pub(super) struct Merge {
    pub table: String,
    /// The names of the table and of the source inside the statement.
    known_as: Ident,
    source: Ident,
    clauses: Vec<Clause>,
    /// Both tables joined. Its columns: how often a row is met, then the condition and the values of each clause.
    query: Box<Query>,
}

#[derive(Debug)]
struct Clause {
    of: Rows,
    deed: Deed,
}

/// The rows that a clause is about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rows {
    Matched,
    /// Those of the source alone.
    New,
    /// Those of the table alone.
    Left,
}

#[derive(Debug)]
enum Deed {
    /// The columns that get values.
    Update(Vec<String>),
    /// All columns get what those of the same names hold in the source: `UPDATE SET *`.
    UpdateAll,
    Delete,
    /// The columns that get values, all where there are none, and the number of values.
    Insert(Vec<String>, usize),
    /// The same of new rows: `INSERT *`.
    InsertAll,
}

/// Reads what stands behind MERGE.
pub(super) fn merge(mut cursor: Cursor<'_>, reader: &Reader<'_>) -> Result<Merge> {
    cursor.take("into");
    let table = cursor.name()?;
    cursor.take("as");
    let known_as = match cursor.take("using") {
        true => table.rsplit('.').next().unwrap_or(&table).to_string(),
        false => {
            let name = cursor.name()?;
            if !cursor.take("using") {
                return Err(cursor.refuse("MERGE INTO names its table, and behind USING the one that it is beside."));
            }
            name
        }
    };
    let known_as = Ident::with_quote('`', known_as);
    let mut parser = parser(cursor.rest());
    let read = |error: ParserError| errors::from_sqlparser(&error);
    let source = parser.parse_table_factor().map_err(read)?;
    let on = parser.expect_keyword_is(Keyword::ON).and_then(|()| parser.parse_expr()).map_err(read)?;
    let source_name = match &source {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(&alias.name)
        }
        TableFactor::Table { name, .. } => name.0.last().and_then(|part| part.as_ident()),
        _ => None,
    };
    let Some(source_name) = source_name.cloned() else {
        return Err(cursor.refuse("Behind USING stands a table, or a query with a name."));
    };
    let met = format!("count({ROW}) over (partition by coalesce({ROW}, -{BESIDE}))");
    let mut columns = vec![expression(&met)?];
    let clauses = clauses(&mut parser, &mut columns)?;
    let adds = clauses.iter().any(|clause| clause.of == Rows::New);
    let changes = clauses.iter().any(|clause| clause.of != Rows::New);
    let on = JoinConstraint::On(on);
    let join_operator = match (changes, adds) {
        (true, true) => JoinOperator::FullOuter(on),
        (true, false) => JoinOperator::LeftOuter(on),
        (false, _) => JoinOperator::RightOuter(on),
    };
    let relation = numbered(table_of(&table)?, ROW, known_as.clone())?;
    let joins = vec![Join { relation: numbered(source, BESIDE, source_name.clone())?, global: false, join_operator }];
    let mut query = parsed("select 1").map_err(read)?;
    let inner = select(&mut query)?;
    inner.from = vec![TableWithJoins { relation, joins }];
    inner.projection = columns.into_iter().map(SelectItem::UnnamedExpr).collect();
    Ok(Merge { table, known_as, source: source_name, clauses, query: ready(query, reader)? })
}

/// A table with the number of each row in a column of its own.
fn numbered(table: TableFactor, number: &str, name: Ident) -> Result<TableFactor> {
    let written = format!("select *, cast(row_number() over () as bigint) as {number}");
    let mut subquery = parsed(&written).map_err(|error| errors::from_sqlparser(&error))?;
    select(&mut subquery)?.from = vec![TableWithJoins { relation: table, joins: Vec::new() }];
    let alias = TableAlias { explicit: true, name, columns: Vec::new(), at: None };
    Ok(TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None })
}

/// The clauses; their conditions and values go to the columns.
fn clauses(parser: &mut Parser<'_>, columns: &mut Vec<Expr>) -> Result<Vec<Clause>> {
    let mut clauses: Vec<Clause> = Vec::new();
    // Those of which nothing is left for another clause.
    let mut taken: Vec<Rows> = Vec::new();
    loop {
        let next = parser.peek_token_ref().clone();
        if next.token == Token::EOF && !clauses.is_empty() {
            return Ok(clauses);
        }
        let place = |error: Error| match next.span.start {
            at if at.line > 0 => error.at(Position { line: at.line, column: at.column }),
            _ => error,
        };
        let refuse = |message: &str| place(Error::new(ErrorCode::InvalidQuery, message));
        if !parser.parse_keyword(Keyword::WHEN) {
            let message = "Behind the condition of MERGE stand WHEN MATCHED THEN … and WHEN NOT MATCHED THEN ….";
            return Err(place(Error::new(ErrorCode::Syntax, message)));
        }
        let (of, met) = rows(parser).map_err(|error| errors::from_sqlparser(&error))?;
        if taken.contains(&of) {
            return Err(refuse("Of several clauses for the same rows all but the last need AND and a condition."));
        }
        if met.is_none() {
            taken.push(of);
        }
        columns.push(met.map_or(Expr::Value(Value::Boolean(true).into()), |met| Expr::Nested(Box::new(met))));
        let word = parser.parse_one_of_keywords(&[Keyword::UPDATE, Keyword::DELETE, Keyword::INSERT]);
        let deed = match (word, of) {
            (Some(Keyword::DELETE), Rows::Matched | Rows::Left) => Deed::Delete,
            (Some(Keyword::UPDATE), Rows::Matched | Rows::Left) => update(parser, columns)?,
            (Some(Keyword::INSERT), Rows::New) => insert(parser, columns)?,
            (_, Rows::New) => return Err(refuse("WHEN NOT MATCHED THEN is followed by INSERT.")),
            _ => return Err(refuse("WHEN MATCHED THEN is followed by UPDATE SET or DELETE.")),
        };
        if of == Rows::Left && matches!(deed, Deed::UpdateAll) {
            return Err(refuse(
                "WHEN NOT MATCHED BY SOURCE names the columns that it sets: the source has no row there.",
            ));
        }
        clauses.push(Clause { of, deed });
    }
}

/// `MATCHED AND condition THEN`.
fn rows(parser: &mut Parser<'_>) -> std::result::Result<(Rows, Option<Expr>), ParserError> {
    let not = parser.parse_keyword(Keyword::NOT);
    parser.expect_keyword_is(Keyword::MATCHED)?;
    let of = match not {
        false => Rows::Matched,
        true if parser.parse_keywords(&[Keyword::BY, Keyword::SOURCE]) => Rows::Left,
        true => {
            let _ = parser.parse_keywords(&[Keyword::BY, Keyword::TARGET]);
            Rows::New
        }
    };
    let met = if parser.parse_keyword(Keyword::AND) { Some(parser.parse_expr()?) } else { None };
    parser.expect_keyword_is(Keyword::THEN)?;
    Ok((of, met))
}

/// `SET a = 1, b = s.b`.
fn update(parser: &mut Parser<'_>, columns: &mut Vec<Expr>) -> Result<Deed> {
    let written = parser.expect_keyword_is(Keyword::SET);
    if written.is_ok() && parser.consume_token(&Token::Mul) {
        return Ok(Deed::UpdateAll);
    }
    let written = written.and_then(|()| parser.parse_comma_separated(Parser::parse_assignment));
    let mut names = Vec::new();
    for set in written.map_err(|error| errors::from_sqlparser(&error))? {
        let AssignmentTarget::ColumnName(name) = &set.target else {
            return Err(Error::new(ErrorCode::NotAllowed, "SET names one column before each =."));
        };
        names.extend(last_name(name)?);
        columns.push(Expr::Nested(Box::new(set.value)));
    }
    Ok(Deed::Update(names))
}

/// `(a, b) VALUES (s.a, 1)`.
fn insert(parser: &mut Parser<'_>, columns: &mut Vec<Expr>) -> Result<Deed> {
    let read = |error: ParserError| errors::from_sqlparser(&error);
    if parser.consume_token(&Token::Mul) {
        return Ok(Deed::InsertAll);
    }
    let mut names = Vec::new();
    if parser.consume_token(&Token::LParen) {
        let written = parser.parse_comma_separated(|parser| parser.parse_object_name(false)).map_err(read)?;
        parser.expect_token(&Token::RParen).map_err(read)?;
        for name in &written {
            names.extend(last_name(name)?);
        }
    }
    parser.expect_keyword_is(Keyword::VALUES).map_err(read)?;
    parser.expect_token(&Token::LParen).map_err(read)?;
    let values = parser.parse_comma_separated(Parser::parse_expr).map_err(read)?;
    parser.expect_token(&Token::RParen).map_err(read)?;
    let given = values.len();
    columns.extend(values.into_iter().map(|value| Expr::Nested(Box::new(value))));
    Ok(Deed::Insert(names, given))
}

fn last_name(name: &ObjectName) -> Result<Option<String>> {
    name.0.last().and_then(|part| part.as_ident()).map(|column| as_name(column.value.to_lowercase())).transpose()
}

/// Writes the table with its rows as they become, or adds the new ones.
pub(super) async fn run(script: &mut Script, merge: Merge, context: &JobContext) -> Result<i64> {
    let Merge { table, known_as, source, clauses, mut query } = merge;
    let target = script.existing(&table)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let inner = select(&mut query)?;
    let mut written = std::mem::take(&mut inner.projection).into_iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, .. } | SelectItem::UnnamedExpr(expr) => Some(expr),
        _ => None,
    });
    let times = written.next().ok_or_else(|| Error::internal("a merge counts its rows"))?;
    let mut becomes = Becomes { table: &table, source, schema: &schema, columns: Vec::new(), stays: Vec::new() };
    becomes.columns.resize_with(schema.fields().len(), Vec::new);
    for clause in &clauses {
        becomes.add(clause, &mut written)?;
    }
    let changes = clauses.iter().any(|clause| clause.of != Rows::New);
    let own = |field: &Field| Expr::CompoundIdentifier(vec![known_as.clone(), quoted(field.name())]);
    let named = |expr: Expr, name: &str| SelectItem::ExprWithAlias { expr, alias: quoted(name) };
    for (field, cases) in schema.fields().iter().zip(becomes.columns) {
        inner.projection.push(named(chosen(cases, own(field)), field.name()));
    }
    // A row of the table that no clause is about stays as it is; one of the source goes nowhere.
    inner.projection.push(named(chosen(becomes.stays, is_there(ROW)), STAYS));
    inner.projection.push(named(times, TIMES));
    let check = if changes { format!("hive_met_once({TIMES}) and ") } else { String::new() };
    let mut outer = parsed(&format!("select 1 from (select 1) as __merged where {check}{STAYS}"))
        .map_err(|error| errors::from_sqlparser(&error))?;
    let shown = select(&mut outer)?;
    shown.projection =
        schema.fields().iter().map(|field| SelectItem::UnnamedExpr(Expr::Identifier(quoted(field.name())))).collect();
    if !changes {
        // Every row that stays where it is would be added once more.
        inner.selection = Some(not(is_there(ROW)));
    }
    if let Some(TableFactor::Derived { subquery, .. }) = shown.from.first_mut().map(|from| &mut from.relation) {
        *subquery = query;
    }
    let insert = Insert { overwrite: changes, whole: changes, ..Insert::overwrite(&table, *outer) };
    write::insert(script, insert, context).await?;
    Ok(0)
}

fn quoted(name: &str) -> Ident {
    Ident::with_quote('"', name)
}

fn is_there(row: &str) -> Expr {
    Expr::IsNotNull(Box::new(Expr::Identifier(Ident::new(row))))
}

/// The value of the first case whose condition is met.
fn chosen(cases: Vec<(Expr, Expr)>, otherwise: Expr) -> Expr {
    cases.into_iter().rev().fold(otherwise, |otherwise, (met, value)| choose(met, value, Some(otherwise)))
}

/// What becomes of each column, and whether a row stays: conditions with values, the first that is met counts.
struct Becomes<'a> {
    table: &'a str,
    /// The name of the source.
    source: Ident,
    schema: &'a Schema,
    columns: Vec<Vec<(Expr, Expr)>>,
    stays: Vec<(Expr, Expr)>,
}

impl Becomes<'_> {
    fn add(&mut self, clause: &Clause, written: &mut impl Iterator<Item = Expr>) -> Result<()> {
        let met = written.next().ok_or_else(|| Error::internal("a clause has a condition"))?;
        let rows = match clause.of {
            Rows::Matched => and(is_there(ROW), is_there(BESIDE)),
            Rows::New => not(is_there(ROW)),
            Rows::Left => not(is_there(BESIDE)),
        };
        let met = and(rows, met);
        let stays = !matches!(clause.deed, Deed::Delete);
        self.stays.push((met.clone(), Expr::Value(Value::Boolean(stays).into())));
        match &clause.deed {
            Deed::Delete => {}
            Deed::UpdateAll | Deed::InsertAll => {
                for field in self.schema.fields() {
                    let name = field.name().to_lowercase();
                    if matches!(clause.deed, Deed::UpdateAll) {
                        self.may_change(&name)?;
                    }
                    let value = Expr::CompoundIdentifier(vec![self.source.clone(), quoted(&name)]);
                    self.set(&name, &met, value)?;
                }
            }
            Deed::Update(names) => {
                for (place, (name, value)) in names.iter().zip(written).enumerate() {
                    self.may_change(name)?;
                    if names[..place].contains(name) {
                        let message = format!("UPDATE sets the column {name} twice.");
                        return Err(Error::new(ErrorCode::InvalidQuery, message));
                    }
                    self.set(name, &met, value)?;
                }
            }
            Deed::Insert(names, given) => {
                let fields = self.schema.fields();
                let mut values: Vec<Expr> = written.take(*given).collect();
                let all = || fields.iter().map(|field| field.name().to_lowercase()).collect();
                let names: Vec<String> = if names.is_empty() { all() } else { names.clone() };
                if names.len() != values.len() {
                    let (table, wanted) = (self.table, names.len());
                    let message = format!("The table {table} takes {wanted} columns here and INSERT gives {given}.");
                    return Err(Error::new(ErrorCode::InvalidQuery, message));
                }
                for name in &names {
                    self.field(name)?;
                }
                for field in fields {
                    let name = field.name().to_lowercase();
                    let given = names.iter().position(|one| *one == name);
                    let value = match given {
                        Some(place) => std::mem::replace(&mut values[place], Expr::Value(Value::Null.into())),
                        None => types::default(field).map_or(Expr::Value(Value::Null.into()), |value| text(&value)),
                    };
                    self.set(&name, &met, value)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses a column that tells partitions apart.
    fn may_change(&self, name: &str) -> Result<()> {
        let field = self.field(name)?;
        if types::is_partition(field) {
            let message = format!("UPDATE leaves the columns of partitions as they are, and so {}.", field.name());
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        Ok(())
    }

    fn field(&self, name: &str) -> Result<&Field> {
        let known = self.schema.fields().iter().find(|field| field.name().to_lowercase() == *name);
        known.map(|field| field.as_ref()).ok_or_else(|| {
            Error::new(ErrorCode::UnknownColumn, format!("The table {} has no column {name}.", self.table))
        })
    }

    /// A column becomes a value, which has its type.
    fn set(&mut self, name: &str, met: &Expr, value: Expr) -> Result<()> {
        let field = self.field(name)?;
        let value = if defaults::is_default(&value) { defaults::value(field)? } else { value };
        let data_type = types::written(field);
        let known = types::field("value", &data_type).is_some();
        let value = if known { typed(value, &data_type).map_err(|error| *error)? } else { value };
        let place = self.schema.fields().iter().position(|field| field.name().to_lowercase() == *name);
        if let Some(place) = place {
            self.columns[place].push((met.clone(), value));
        }
        Ok(())
    }
}

fn and(left: Expr, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::And, right: Box::new(right) }
}
