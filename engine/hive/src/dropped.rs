//! `ALTER TABLE … DROP PARTITION (day < '2024-03-01', hour = 3)`: partitions go by conditions on their columns.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, RecordBatch, Scalar, StringArray};
use arrow::compute::kernels::cmp::{eq, gt, gt_eq, lt, lt_eq, neq};
use arrow::compute::{and, filter_record_batch, is_null, prep_null_mask_filter};
use arrow::datatypes::SchemaRef;
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr};
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::dialect::HiveQl;
use super::literals::{is_value, literal};
use super::script::Script;
use super::write::copy;
use quarry_functions::hive::{cast, types};
use quarry_runtime::user_tables::WriteMode;
use quarry_sql::errors;
use quarry_sql::parameters::Bound;
use quarry_types::{Error, ErrorCode, Result};

/// `day < '2024-03-01'`.
#[derive(Debug)]
pub(super) struct Condition {
    column: String,
    operator: BinaryOperator,
    value: Expr,
}

/// `PARTITION (day < '2024-03-01', hour = 3), PARTITION (…)`.
pub(super) fn read(cursor: &mut Cursor<'_>, bound: &Bound) -> Result<Vec<Vec<Condition>>> {
    let mut partitions = Vec::new();
    while cursor.take("partition") {
        let mut parser = Parser::new(&HiveQl).with_tokens_with_locations(cursor.group()?.to_vec());
        let written = parser.parse_comma_separated(Parser::parse_expr);
        let written = written.map_err(|error| errors::from_sqlparser(&error))?;
        let known = written.into_iter().map(|expr| condition(expr, bound)).collect::<Result<Option<Vec<_>>>>()?;
        match known.filter(|_| parser.peek_token_ref().token == Token::EOF) {
            Some(known) => partitions.push(known),
            None => return Err(cursor.refuse("Partitions are told by =, <>, <, <=, > and >= of a column and a value.")),
        }
        if cursor.at(&Token::Comma) {
            cursor.skip();
        }
    }
    Ok(partitions)
}

fn condition(expr: Expr, bound: &Bound) -> Result<Option<Condition>> {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    let Expr::BinaryOp { left, op: operator @ (Eq | NotEq | Lt | LtEq | Gt | GtEq), right } = expr else {
        return Ok(None);
    };
    let Expr::Identifier(name) = *left else { return Ok(None) };
    let mut value = *right;
    bound.fill(&mut value)?;
    Ok(is_value(&value).then(|| Condition { column: name.value.to_lowercase(), operator, value }))
}

/// Takes the rows of partitions out of a table.
pub(super) async fn drop(script: &Script, name: &str, partitions: Vec<Vec<Condition>>) -> Result<i64> {
    let target = script.existing(name)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let partitions = partitions.iter().map(|conditions| {
        conditions.iter().map(|condition| Test::new(name, condition, &schema)).collect::<Result<Vec<Test>>>()
    });
    let partitions = partitions.collect::<Result<Vec<_>>>()?;
    let mut writer = target.tables.writer(&target.schema, &target.table, &schema, WriteMode::Replace)?;
    copy(script, &target, &mut writer, |mut batch| {
        for tests in &partitions {
            batch = without(batch, tests)?;
        }
        Ok(batch)
    })
    .await?;
    writer.finish()?;
    Ok(0)
}

/// The rows for which not all of the conditions are true.
fn without(batch: RecordBatch, tests: &[Test]) -> Result<RecordBatch> {
    let mut all = BooleanArray::from(vec![true; batch.num_rows()]);
    for test in tests {
        let met = test.met(batch.column(test.column))?;
        all = and(&all, &met).map_err(Error::internal)?;
    }
    let kept = arrow::compute::not(&all).map_err(Error::internal)?;
    filter_record_batch(&batch, &kept).map_err(Error::internal)
}

/// A condition on a column of a table.
struct Test {
    column: usize,
    operator: BinaryOperator,
    /// The value as the column has it; null also where the column can't have it.
    value: ArrayRef,
    /// Whether null is asked for.
    of_null: bool,
}

impl Test {
    fn new(table: &str, condition: &Condition, schema: &SchemaRef) -> Result<Test> {
        let parted = schema.fields().iter().any(|field| types::is_partition(field));
        let column = schema
            .fields()
            .iter()
            .position(|field| field.name().to_lowercase() == condition.column)
            .filter(|column| !parted || types::is_partition(schema.field(*column)));
        let Some(column) = column else {
            let message = format!("A partition of the table {table} is told by values of its columns.");
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        };
        let text = literal(&condition.value);
        let texts: ArrayRef = Arc::new(StringArray::from(vec![text.as_deref()]));
        let value = cast::to_field(&texts, schema.field(column)).map_err(Error::internal)?;
        Ok(Test { column, operator: condition.operator.clone(), value, of_null: text.is_none() })
    }

    /// The rows for which the condition is true.
    fn met(&self, column: &ArrayRef) -> Result<BooleanArray> {
        if self.of_null && self.operator == BinaryOperator::Eq {
            return is_null(column).map_err(Error::internal);
        }
        let value = Scalar::new(&self.value);
        let compared = match self.operator {
            BinaryOperator::Eq => eq(column, &value),
            BinaryOperator::NotEq => neq(column, &value),
            BinaryOperator::Lt => lt(column, &value),
            BinaryOperator::LtEq => lt_eq(column, &value),
            BinaryOperator::Gt => gt(column, &value),
            _ => gt_eq(column, &value),
        };
        let compared = compared.map_err(Error::internal)?;
        Ok(if compared.null_count() > 0 { prep_null_mask_filter(&compared) } else { compared })
    }
}
