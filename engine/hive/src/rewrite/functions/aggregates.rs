//! Aggregates and window functions that take other arguments in the planner.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, NullTreatment, OrderByExpr, OrderByOptions, Value,
};

use crate::ast::{argument, arguments, binary, call, case, equals, is_not_null, null, number, operation, renamed};
use quarry_sql::lead_lag_defaults;

/// An aggregate as an expression of others; `None` when it stays a call.
pub(super) fn expand(name: &str, function: &mut Function) -> Option<Expr> {
    match name {
        "mode" => mode(function),
        "regr_r2" => Some(regr_r2(function)),
        "first_value" | "last_value" | "lead" | "lag" => {
            set_null_treatment(function);
            lead_lag_defaults::with_default(function)
        }
        _ => None,
    }
}

/// An aggregate as another one with other arguments.
pub(super) fn rewrite(name: &str, function: &mut Function) {
    let is_distinct = matches!(&function.args, FunctionArguments::List(list)
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct));
    let values = arguments(function).unwrap_or_default();
    let FunctionArguments::List(list) = &mut function.args else { return };
    match (name, values.as_slice()) {
        // Counts the rows in which none is null.
        ("count", [first, others @ ..]) if is_distinct && !others.is_empty() => {
            let is_null = |value: &Expr| Expr::IsNull(Box::new(value.clone()));
            let or = |left, right| operation(left, BinaryOperator::Or, right);
            let any_null = others.iter().map(is_null).fold(is_null(first), or);
            list.args = vec![argument(case(any_null, null(), Some(call("struct", values))))];
        }
        ("count_if", [condition]) => {
            list.args = vec![argument(case(condition.clone(), number("1"), None))];
            *function = renamed(function, "count");
        }
        ("max_by" | "min_by", [value, key]) if list.clauses.is_empty() && function.over.is_none() => {
            let options = OrderByOptions { asc: Some(name == "min_by"), nulls_first: Some(false) };
            let order = OrderByExpr { expr: key.clone(), options, with_fill: None };
            list.args = vec![argument(value.clone())];
            list.clauses = vec![FunctionArgumentClause::OrderBy(vec![order])];
            function.filter = Some(Box::new(is_not_null(key.clone())));
            *function = renamed(function, "first_value");
        }
        _ => {}
    }
}

/// `mode(value)`: the most frequent value of a group that is not null.
fn mode(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(value))] = list.args.as_slice() else { return None };
    if list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
        return None;
    }
    let filter = match &function.filter {
        Some(filter) => binary(filter.as_ref().clone(), BinaryOperator::And, is_not_null(value.clone())),
        None => is_not_null(value.clone()),
    };
    let values = Function { filter: Some(Box::new(filter)), ..renamed(function, "array_agg") };
    let most_frequent = call("most_frequent", vec![Expr::Function(values), number("1")]);
    Some(call("hive_index", vec![call("map_keys", vec![most_frequent]), number("0")]))
}

/// `regr_r2(y, x)`: 1 where all y are the same and x are not, as in the standard.
fn regr_r2(function: &Function) -> Expr {
    let aggregate = |name| Expr::Function(renamed(function, name));
    let is_zero = |sum| equals(sum, number("0"));
    let with_same_y = case(is_zero(aggregate("regr_syy")), number("1.0"), Some(aggregate("regr_r2")));
    case(is_zero(aggregate("regr_sxx")), null(), Some(with_same_y))
}

/// `first_value(x, true)` ignores nulls.
fn set_null_treatment(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    if let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))) = list.args.get(1)
        && let Value::Boolean(ignore_nulls) = value.value
    {
        list.args.truncate(1);
        if ignore_nulls {
            function.null_treatment = Some(NullTreatment::IgnoreNulls);
        }
    }
}
