//! What filters ask of indexed columns.

use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

use super::super::tables::Table;
use super::KEYED;

/// Values of a list beyond which an index is not asked.
const MAX_VALUES: usize = 2_000;

/// A condition on indexed columns that every row must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Values { column: String, values: Vec<Vec<u8>> },
    Any(Vec<Wanted>),
    All(Vec<Wanted>),
}

/// What rows that pass all filters have in indexed columns; `None`: anything.
pub(crate) fn wanted(table: Table, filters: &[Expr]) -> Option<Wanted> {
    let parts: Vec<Wanted> = filters.iter().filter_map(|filter| of_filter(table, filter)).collect();
    (!parts.is_empty()).then_some(Wanted::All(parts))
}

fn of_filter(table: Table, filter: &Expr) -> Option<Wanted> {
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
            let (column, value) = match (indexed(table, left), indexed(table, right)) {
                (Some(column), None) => (column, literal(right)?),
                (None, Some(column)) => (column, literal(left)?),
                _ => return None,
            };
            Some(Wanted::Values { column, values: vec![value] })
        }
        Expr::InList(InList { expr, list, negated: false }) if list.len() <= MAX_VALUES => {
            let column = indexed(table, expr)?;
            // A null in the list matches nothing.
            let values = list.iter().filter(|item| !is_null(item)).map(literal).collect::<Option<_>>()?;
            Some(Wanted::Values { column, values })
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            Some(Wanted::Any(vec![of_filter(table, left)?, of_filter(table, right)?]))
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            let parts: Vec<Wanted> = [left, right].into_iter().filter_map(|part| of_filter(table, part)).collect();
            (!parts.is_empty()).then_some(Wanted::All(parts))
        }
        _ => None,
    }
}

/// The indexed column that an expression is, or whose last bytes it is.
fn indexed(table: Table, expr: &Expr) -> Option<String> {
    let column = match expr {
        Expr::Column(column) => column,
        Expr::ScalarFunction(call) => address_in(call)?,
        _ => return None,
    };
    let known = table.def().columns.iter().any(|known| known.indexed && known.name == column.name);
    known.then(|| column.name.clone())
}

/// The column of a call that takes the address out of a word of 32 bytes, as people do with topics. Keys are made of the
/// last bytes of a value, so those of the address and of the word are the same.
fn address_in(call: &ScalarFunction) -> Option<&Column> {
    let number =
        |expr: &Expr, wanted: i64| matches!(expr, Expr::Literal(ScalarValue::Int64(Some(is)), _) if *is == wanted);
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
        Expr::Literal(ScalarValue::FixedSizeBinary(_, Some(bytes)), _) if bytes.len() >= KEYED => Some(bytes.clone()),
        _ => None,
    }
}
