//! Rewrites `x = ANY (ARRAY[a, b])` to `x IN (a, b)`, which coerces the items to the type of `x`: text to times, addresses or
//! hashes, and numbers exactly.

use datafusion::sql::sqlparser::ast::{
    Array, ArrayElemTypeDef, BinaryOperator, CastKind, DataType, Expr, Value, ValueWithSpan,
};

/// The `IN` for a comparison with an array literal; `None` for any other expression.
pub(super) fn written_out(expr: &Expr) -> Option<Expr> {
    let (sought, list, negated) = match expr {
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => (left, right, false),
        Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => (left, right, true),
        _ => return None,
    };
    let list = items(list)?;
    // SQL has no `IN ()`. Nothing is in an empty list.
    if list.is_empty() {
        return Some(Expr::Value(Value::Boolean(negated).into()));
    }
    Some(Expr::Nested(Box::new(Expr::InList { expr: sought.clone(), list, negated })))
}

/// The items of an array literal, each cast to the type that the array is cast to. A null array counts as one null item.
fn items(list: &Expr) -> Option<Vec<Expr>> {
    match list {
        Expr::Nested(inner) => items(inner),
        Expr::Value(ValueWithSpan { value: Value::Null, .. }) => Some(vec![list.clone()]),
        // The items of a nested array are arrays, which `IN` can't compare.
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
            let typed = |item_expr: Expr| Expr::Cast {
                kind: kind.clone(),
                expr: Box::new(item_expr),
                data_type: (**item).clone(),
                array: false,
                format: None,
            };
            Some(items(expr)?.into_iter().map(typed).collect())
        }
        _ => None,
    }
}
