//! `lead` and `lag` with a default that is no literal, which the planner does not support.

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, NullTreatment,
    UnaryOperator, Value,
};

use crate::syntax::call;

/// Rewrites `lead(x, n, default) over w` as `case when lead(1, n) over w is null then default else lead(x, n) over w end`. The condition has
/// a constant because `x` may be null in a row that exists. With IGNORE NULLS `x` is never null, so `coalesce` is enough. An offset of
/// 0 is the row itself, which always exists. `None` if the call can stay as it is.
pub fn with_default(function: &Function) -> Option<Expr> {
    let name = function.name.to_string();
    if !["lead", "lag"].iter().any(|known| name.eq_ignore_ascii_case(known)) || function.over.is_none() {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    let [value, offset, FunctionArg::Unnamed(FunctionArgExpr::Expr(default))] = list.args.as_slice() else {
        return None;
    };
    if is_literal(default) {
        return None;
    }
    let without_default = |value: FunctionArg| {
        let mut call = function.clone();
        if let FunctionArguments::List(list) = &mut call.args {
            list.args = vec![value, offset.clone()];
        }
        call
    };
    if matches!(offset, FunctionArg::Unnamed(FunctionArgExpr::Expr(offset)) if is_zero(offset)) {
        return Some(Expr::Function(without_default(value.clone())));
    }
    let ignores = |clause: &FunctionArgumentClause| {
        matches!(clause, FunctionArgumentClause::IgnoreOrRespectNulls(NullTreatment::IgnoreNulls))
    };
    if function.null_treatment == Some(NullTreatment::IgnoreNulls) || list.clauses.iter().any(ignores) {
        return Some(call("coalesce", vec![Expr::Function(without_default(value.clone())), default.clone()]));
    }
    let one = Expr::Value(Value::Number("1".to_string(), false).into());
    let mut row = without_default(FunctionArg::Unnamed(FunctionArgExpr::Expr(one)));
    row.null_treatment = None;
    Some(Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition: Expr::IsNull(Box::new(Expr::Function(row))), result: default.clone() }],
        else_result: Some(Box::new(Expr::Function(without_default(value.clone())))),
    })
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(&value.value, Value::Number(digits, _) if digits == "0"))
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Value(_) => true,
        Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, expr } => is_literal(expr),
        // An exact number is a cast of its digits.
        Expr::Cast { expr, .. } => is_literal(expr),
        _ => false,
    }
}
