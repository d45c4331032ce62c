//! Partitions of a table: the PARTITION clause, and the rows that belong to a partition.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, RecordBatch, Scalar, StringArray, new_null_array};
use arrow::compute::kernels::cmp::{eq, gt, gt_eq, lt, lt_eq, neq};
use arrow::compute::{and, filter_record_batch, is_null, not, prep_null_mask_filter};
use arrow::datatypes::{Field, SchemaRef};
use arrow::row::{OwnedRow, RowConverter, SortField};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr};
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

use crate::ast::{is_literal, literal_text, parser, syntax_error};
use crate::cursor::Cursor;
use quarry_functions::hive::{cast, types};
use quarry_sql::parameters::Bound;
use quarry_types::{Error, ErrorCode, Result};

/// Columns of a partition with their value; `None`: the query gives it.
pub(crate) type Partition = Vec<(String, Option<Expr>)>;

/// `PARTITION (ds = '2024-01-01', hr), PARTITION (…)`.
pub(crate) fn parse_partitions(cursor: &mut Cursor<'_>, parameters: &Bound) -> Result<Vec<Partition>> {
    let mut partitions = Vec::new();
    while cursor.take("partition") {
        let items = cursor.items()?.into_iter().map(|item| parse_value(item, parameters));
        partitions.push(items.collect::<Result<Partition>>()?);
        cursor.take_comma();
    }
    Ok(partitions)
}

/// `ds = '2024-01-01'` or `ds`.
fn parse_value(mut cursor: Cursor<'_>, parameters: &Bound) -> Result<(String, Option<Expr>)> {
    let name = cursor.name()?;
    if cursor.is_done() {
        return Ok((name, None));
    }
    if !cursor.at(&Token::Eq) {
        return Err(cursor.refuse("Write a partition as column = value."));
    }
    let mut value = parser(&cursor.rest()[1..]).parse_expr().map_err(syntax_error)?;
    parameters.fill(&mut value)?;
    if !is_literal(&value) {
        return Err(cursor.refuse("The value of a partition must be a string, a number or a date."));
    }
    Ok((name, Some(value)))
}

/// The position of a column by its name in lower case.
fn position(columns: &SchemaRef, name: &str) -> Option<usize> {
    columns.fields().iter().position(|field| field.name().to_lowercase() == name)
}

fn unknown_partition(table: &str) -> Error {
    let message = format!("A partition of the table {table} must be specified by values of its partition columns.");
    Error::new(ErrorCode::InvalidQuery, message)
}

/// A literal as the values of a column.
pub(crate) fn column_of(literal: &Expr, rows: usize, field: &Field) -> datafusion::common::Result<ArrayRef> {
    let text = literal_text(literal);
    let texts: ArrayRef = Arc::new(StringArray::from(vec![text.as_deref(); rows]));
    cast::to_field(&texts, field)
}

/// Keys of partitions: the values of some columns.
pub(crate) struct PartitionKeys {
    pub columns: Vec<usize>,
    converter: RowConverter,
    keys: HashSet<OwnedRow>,
}

impl PartitionKeys {
    /// No keys yet of these columns.
    pub fn new(partition: &Partition, columns: &SchemaRef) -> Result<PartitionKeys> {
        let positions: Vec<usize> = partition.iter().filter_map(|(name, _)| position(columns, name)).collect();
        let fields = positions.iter().map(|at| SortField::new(columns.field(*at).data_type().clone())).collect();
        let converter = RowConverter::new(fields).map_err(Error::internal)?;
        Ok(PartitionKeys { columns: positions, converter, keys: HashSet::new() })
    }

    /// The key of one partition, whose values are all given.
    pub fn of_partition(table: &str, partition: &Partition, columns: &SchemaRef) -> Result<PartitionKeys> {
        let mut keys = PartitionKeys::new(partition, columns)?;
        if keys.columns.len() != partition.len() || partition.iter().any(|(_, value)| value.is_none()) {
            return Err(unknown_partition(table));
        }
        keys.add_partition(partition, columns)?;
        Ok(keys)
    }

    fn rows(&self, batch: &RecordBatch) -> Result<Vec<OwnedRow>> {
        let columns: Vec<ArrayRef> = self.columns.iter().map(|column| Arc::clone(batch.column(*column))).collect();
        let rows = self.converter.convert_columns(&columns).map_err(Error::internal)?;
        Ok(rows.iter().map(|row| row.owned()).collect())
    }

    /// Adds the keys of the rows of a batch.
    pub fn add_rows(&mut self, batch: &RecordBatch) -> Result<()> {
        let rows = self.rows(batch)?;
        self.keys.extend(rows);
        Ok(())
    }

    /// Adds the key of a partition if all of its values are given: it is written even when there is no row.
    pub fn add_partition(&mut self, partition: &Partition, columns: &SchemaRef) -> Result<()> {
        let values: Option<Vec<&Expr>> = partition.iter().map(|(_, value)| value.as_ref()).collect();
        let Some(values) = values else { return Ok(()) };
        let mut arrays: Vec<ArrayRef> =
            columns.fields().iter().map(|field| new_null_array(field.data_type(), 1)).collect();
        for (at, value) in self.columns.iter().zip(values) {
            arrays[*at] = column_of(value, 1, columns.field(*at)).map_err(Error::internal)?;
        }
        let batch = RecordBatch::try_new(Arc::clone(columns), arrays).map_err(Error::internal)?;
        self.add_rows(&batch)
    }

    /// The rows outside of these partitions.
    pub fn exclude(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        self.filter(batch, false)
    }

    /// The rows of these partitions.
    pub fn select(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        self.filter(batch, true)
    }

    fn filter(&self, batch: &RecordBatch, inside: bool) -> Result<RecordBatch> {
        let keep: BooleanArray = self.rows(batch)?.iter().map(|row| Some(self.keys.contains(row) == inside)).collect();
        filter_record_batch(batch, &keep).map_err(Error::internal)
    }
}

/// A condition on a column of a partition: `day < '2024-03-01'`.
#[derive(Debug)]
pub(crate) struct PartitionCondition {
    column: String,
    operator: BinaryOperator,
    value: Expr,
}

/// `PARTITION (day < '2024-03-01', hour = 3), PARTITION (…)`.
pub(crate) fn parse_conditions(cursor: &mut Cursor<'_>, parameters: &Bound) -> Result<Vec<Vec<PartitionCondition>>> {
    let mut partitions = Vec::new();
    while cursor.take("partition") {
        let mut parser = parser(cursor.group()?);
        let expressions = parser.parse_comma_separated(Parser::parse_expr).map_err(syntax_error)?;
        let conditions = expressions.into_iter().map(|expr| condition(expr, parameters));
        let conditions = conditions.collect::<Result<Option<Vec<_>>>>()?;
        match conditions.filter(|_| parser.peek_token_ref().token == Token::EOF) {
            Some(conditions) => partitions.push(conditions),
            None => {
                return Err(
                    cursor.refuse("Select partitions by comparing a column with a value: =, <>, <, <=, > or >=.")
                );
            }
        }
        cursor.take_comma();
    }
    Ok(partitions)
}

fn condition(expr: Expr, parameters: &Bound) -> Result<Option<PartitionCondition>> {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    let Expr::BinaryOp { left, op: operator @ (Eq | NotEq | Lt | LtEq | Gt | GtEq), right } = expr else {
        return Ok(None);
    };
    let Expr::Identifier(name) = *left else { return Ok(None) };
    let mut value = *right;
    parameters.fill(&mut value)?;
    Ok(is_literal(&value).then(|| PartitionCondition { column: name.value.to_lowercase(), operator, value }))
}

impl PartitionCondition {
    /// The condition on the columns of a table.
    pub fn bind(&self, table: &str, columns: &SchemaRef) -> Result<BoundCondition> {
        let is_partitioned = columns.fields().iter().any(|field| types::is_partition(field));
        let column = position(columns, &self.column)
            .filter(|column| !is_partitioned || types::is_partition(columns.field(*column)))
            .ok_or_else(|| unknown_partition(table))?;
        let value = column_of(&self.value, 1, columns.field(column)).map_err(Error::internal)?;
        let is_null = self.operator == BinaryOperator::Eq && literal_text(&self.value).is_none();
        Ok(BoundCondition { column, operator: self.operator.clone(), value, is_null })
    }
}

pub(crate) struct BoundCondition {
    column: usize,
    operator: BinaryOperator,
    /// The value with the type of the column; null also where the column can't hold it.
    value: ArrayRef,
    /// Whether it is `column = NULL`.
    is_null: bool,
}

impl BoundCondition {
    /// The rows for which the condition is true.
    fn matches(&self, batch: &RecordBatch) -> arrow::error::Result<BooleanArray> {
        let column = batch.column(self.column);
        if self.is_null {
            return is_null(column);
        }
        let compare = match self.operator {
            BinaryOperator::Eq => eq,
            BinaryOperator::NotEq => neq,
            BinaryOperator::Lt => lt,
            BinaryOperator::LtEq => lt_eq,
            BinaryOperator::Gt => gt,
            _ => gt_eq,
        };
        let matches = compare(column, &Scalar::new(&self.value))?;
        Ok(if matches.null_count() > 0 { prep_null_mask_filter(&matches) } else { matches })
    }
}

/// The rows for which not all of the conditions are true.
pub(crate) fn exclude_matching(batch: &RecordBatch, conditions: &[BoundCondition]) -> Result<RecordBatch> {
    let all = BooleanArray::from(vec![true; batch.num_rows()]);
    let all = conditions.iter().try_fold(all, |all, condition| and(&all, &condition.matches(batch)?));
    all.and_then(|all| filter_record_batch(batch, &not(&all)?)).map_err(Error::internal)
}
