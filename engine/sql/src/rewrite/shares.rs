//! Percentiles of several shares at once, `percentile_cont(array[0.5, 0.9])`: the list of one percentile for each.

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Value,
};

use super::ast::call;
use super::unnest::names_columns;

const NAMES: [&str; 10] = [
    "approx_percentile",
    "approx_quantile",
    "percentile",
    "percentile_approx",
    "percentile_cont",
    "percentile_disc",
    "quantile",
    "quantile_cont",
    "quantile_disc",
    "approx_percentile_cont",
];
/// More are not what somebody asks by hand.
const MOST: usize = 100;

/// A call with a list of shares as the list of calls with one share each; `None` for any other call.
pub(super) fn listed(function: &Function) -> Option<Expr> {
    let name = function.name.to_string().to_ascii_lowercase();
    let FunctionArguments::List(list) = &function.args else { return None };
    if !NAMES.contains(&name.as_str()) {
        return None;
    }
    let (place, shares) = list.args.iter().enumerate().find_map(|(place, arg)| Some((place, items(expr_of(arg)?)?)))?;
    // One of the first two arguments, or the last one of three, behind a weight.
    let fits = if function.within_group.is_empty() { (1..=2).contains(&place) } else { place == 0 };
    if !fits || !(1..=MOST).contains(&shares.len()) {
        return None;
    }
    let one = |share: &Expr| {
        let mut one = function.clone();
        if let FunctionArguments::List(list) = &mut one.args {
            list.args[place] = FunctionArg::Unnamed(FunctionArgExpr::Expr(share.clone()));
        }
        Expr::Function(one)
    };
    Some(call("make_array", shares.iter().map(one).collect()))
}

/// A percentile of one share under the name that it has here: Spark's `percentile(x, 0.5)` and `percentile_approx(x, 0.5,
/// 10000)`, DuckDB's `quantile(x, 0.5)`. `None` for any other call.
pub(super) fn renamed(function: &Function) -> Option<Function> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let ours = match (function.name.to_string().to_ascii_lowercase().as_str(), list.args.len()) {
        ("percentile", 2) => "percentile_cont",
        ("quantile" | "quantile_disc", 2) => "percentile_disc",
        // What is known here is no worse than any accuracy, which stands third.
        ("percentile_approx", 2 | 3) => "approx_percentile",
        ("approx_percentile", 3) if is_accuracy(expr_of(list.args.get(2)?)?) => "approx_percentile",
        _ => return None,
    };
    let mut same = function.clone();
    same.name = ObjectName::from(vec![Ident::new(ours)]);
    if let FunctionArguments::List(list) = &mut same.args {
        list.args.truncate(2);
    }
    Some(same)
}

fn expr_of(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Whether a number is above one, as no share is.
fn is_accuracy(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse::<u32>().is_ok_and(|digits| digits > 1),
            _ => false,
        },
        _ => false,
    }
}

/// The items of a list that is written out.
fn items(expr: &Expr) -> Option<Vec<Expr>> {
    let all: Vec<Expr> = match expr {
        Expr::Array(list) => list.elem.clone(),
        Expr::Nested(inner) => return items(inner),
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. })
            if ["array", "make_array"].iter().any(|make| name.to_string().eq_ignore_ascii_case(make)) =>
        {
            list.args.iter().map(|arg| expr_of(arg).cloned()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    (!all.iter().any(names_columns)).then_some(all)
}
