//! Conditions on indexed columns, from the filters of a scan.

use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

use super::super::tables::Table;
use super::KEY_BYTES;

/// Longest list that is looked up in an index.
const MAX_VALUES: usize = 2_000;

/// A condition on indexed columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IndexPredicate {
    Values { column: String, values: Vec<Vec<u8>> },
    Any(Vec<IndexPredicate>),
    All(Vec<IndexPredicate>),
}

/// The condition on indexed columns that all filters imply; `None` if there is none.
pub(crate) fn predicate(table: Table, filters: &[Expr]) -> Option<IndexPredicate> {
    all(filters.iter().filter_map(|filter| from_filter(table, filter)))
}

fn all(conditions: impl Iterator<Item = IndexPredicate>) -> Option<IndexPredicate> {
    let conditions: Vec<IndexPredicate> = conditions.collect();
    (!conditions.is_empty()).then_some(IndexPredicate::All(conditions))
}

fn from_filter(table: Table, filter: &Expr) -> Option<IndexPredicate> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
            let (column, value) = match (indexed(table, left), indexed(table, right)) {
                (Some(column), None) => (column, literal(right)?),
                (None, Some(column)) => (column, literal(left)?),
                _ => return None,
            };
            Some(IndexPredicate::Values { column, values: vec![value] })
        }
        Expr::InList(InList { expr, list, negated: false }) if list.len() <= MAX_VALUES => {
            let column = indexed(table, expr)?;
            // A null in the list matches nothing.
            let values = list.iter().filter(|item| !is_null(item)).map(literal).collect::<Option<_>>()?;
            Some(IndexPredicate::Values { column, values })
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some(IndexPredicate::Any(vec![from_filter(table, left)?, from_filter(table, right)?]))
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            all([left, right].into_iter().filter_map(|side| from_filter(table, side)))
        }
        _ => None,
    }
}

/// The indexed column of an expression: the column itself, or its last bytes.
fn indexed(table: Table, expr: &Expr) -> Option<String> {
    let column = match expr {
        Expr::Column(column) => column,
        Expr::ScalarFunction(call) => address_in(call)?,
        _ => return None,
    };
    let known = table.def().columns.iter().any(|known| known.indexed && known.name == column.name);
    known.then(|| column.name.clone())
}

/// The column of a call that extracts the address of a 32-byte word, such as a topic. Keys are hashes of the last bytes, so the
/// address and the word have the same key.
fn address_in(call: &ScalarFunction) -> Option<&Column> {
    let number = |expr: &Expr, expected: i64| matches!(expr, Expr::Literal(ScalarValue::Int64(Some(number)), _) if *number == expected);
    match (call.name(), call.args.as_slice()) {
        ("abi_address", [Expr::Column(column)]) => Some(column),
        ("bytearray_substring", [Expr::Column(column), start, length]) if number(start, 13) && number(length, 20) => {
            Some(column)
        }
        _ => None,
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(value, _) if value.is_null())
}

fn literal(expr: &Expr) -> Option<Vec<u8>> {
    match expr {
        Expr::Literal(ScalarValue::FixedSizeBinary(_, Some(bytes)), _) if bytes.len() >= KEY_BYTES => {
            Some(bytes.clone())
        }
        _ => None,
    }
}
