//! `x = ANY (ARRAY[a, b])` is `x IN (a, b)`, whose items are read as what they stand beside: texts as times, addresses or
//! hashes, and numbers exactly.

use datafusion::sql::sqlparser::ast::{
    Array, ArrayElemTypeDef, BinaryOperator, CastKind, DataType, Expr, Value, ValueWithSpan,
};

/// The comparison with a list that is written out; `None` leaves it.
pub(super) fn written_out(expr: &Expr) -> Option<Expr> {
    let (sought, list, negated) = match expr {
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => (left, right, false),
        Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => (left, right, true),
        _ => return None,
    };
    let list = items(list)?;
    // Nothing is in an empty list; SQL has no word for one.
    if list.is_empty() {
        return Some(Expr::Value(Value::Boolean(negated).into()));
    }
    Some(Expr::Nested(Box::new(Expr::InList { expr: sought.clone(), list, negated })))
}

/// The items of a list that is written out, each with the type that a cast gives the list. A null in its place is one item.
fn items(list: &Expr) -> Option<Vec<Expr>> {
    match list {
        Expr::Nested(inner) => items(inner),
        Expr::Value(ValueWithSpan { value: Value::Null, .. }) => Some(vec![list.clone()]),
        // The items of lists in a list are lists.
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
