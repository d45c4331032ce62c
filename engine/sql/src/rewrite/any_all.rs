//! Whether a list contains a value: `x = ANY (list)`, `x <> ALL (list)` and `x IN UNNEST(list)`.

use datafusion::sql::sqlparser::ast::{
    Array, ArrayElemTypeDef, BinaryOperator, CastKind, DataType, Expr, Value, ValueWithSpan,
};

use super::ast::{boolean, call_with, is_query, negated_if, nested};

/// The value, the list, and whether the list must not contain the value.
fn parts(expr: &Expr) -> Option<(&Expr, &Expr, bool)> {
    match expr {
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => Some((left, right, false)),
        Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => Some((left, right, true)),
        _ => None,
    }
}

/// `x = ANY (ARRAY[a, b])` as `x IN (a, b)`, which coerces the items to the type of `x`: text to times, addresses or hashes, and
/// numbers exactly.
pub(super) fn array_to_in_list(expr: &Expr) -> Option<Expr> {
    let (value, list, negated) = parts(expr)?;
    let list = items(list)?;
    // SQL has no `IN ()`, and no value is in an empty list.
    if list.is_empty() {
        return Some(boolean(negated));
    }
    Some(nested(Expr::InList { expr: Box::new(value.clone()), list, negated }))
}

/// Any other list as `contains(list, x)`: the stock function loses that a null in the list makes the result unknown.
pub(super) fn list_to_contains(expr: &Expr) -> Option<Expr> {
    let (value, list, negated) = match expr {
        Expr::InUnnest { expr, array_expr, negated } => (expr.as_ref(), array_expr.as_ref(), *negated),
        _ => parts(expr).filter(|(_, list, _)| !is_query(list))?,
    };
    Some(negated_if(negated, call_with("contains", [list, value])))
}

/// The items of an array literal, each cast to the item type of the array's own cast. A null array counts as one null item.
fn items(list: &Expr) -> Option<Vec<Expr>> {
    match list {
        Expr::Nested(inner) => items(inner),
        Expr::Value(ValueWithSpan { value: Value::Null, .. }) => Some(vec![list.clone()]),
        // `IN` can't compare the items of a nested array, which are arrays.
        Expr::Array(Array { elem, .. }) if !elem.iter().any(|item| matches!(item, Expr::Array(_))) => {
            Some(elem.clone())
        }
        Expr::Cast {
            kind: kind @ (CastKind::Cast | CastKind::DoubleColon),
            expr,
            data_type:
                DataType::Array(
                    ArrayElemTypeDef::SquareBracket(item, _)
                    | ArrayElemTypeDef::AngleBracket(item)
                    | ArrayElemTypeDef::Parenthesis(item),
                ),
            array: false,
            format: None,
        } if !matches!(**item, DataType::Array(_)) => {
            let typed = |value: Expr| Expr::Cast {
                kind: kind.clone(),
                expr: Box::new(value),
                data_type: (**item).clone(),
                array: false,
                format: None,
            };
            Some(items(expr)?.into_iter().map(typed).collect())
        }
        _ => None,
    }
}
