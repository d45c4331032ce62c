//! Changes to the parsed statement before planning: exact numbers, BigQuery's way of quoting, readable column names.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, DescribeAlias, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentList, FunctionArguments, Ident, ObjectName, ObjectNamePart, Select, SelectItem, SetExpr, Statement,
    Value, VisitMut, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Span;

/// Longest text of an expression that becomes the name of its column.
const MAX_NAME: usize = 60;
/// Digits of the widest decimal.
const MAX_DIGITS: usize = 76;

/// Rewrites a checked statement in place.
pub(super) fn statement(statement: &mut Statement) {
    if let Statement::Query(query) = statement {
        name_columns(&mut query.body);
    }
    // The visitor never breaks off.
    let _ = VisitMut::visit(statement, &mut Rewrite);
}

/// `EXPLAIN` of a statement, in the parser's own form.
pub(super) fn explain(statement: Statement) -> Statement {
    Statement::Explain {
        describe_alias: DescribeAlias::Explain,
        analyze: false,
        verbose: false,
        query_plan: false,
        estimate: false,
        statement: Box::new(statement),
        format: None,
        options: None,
    }
}

/// `SHOW TABLES` and `DESCRIBE` as queries.
pub(super) fn describing(statement: &Statement) -> Option<String> {
    match statement {
        Statement::ShowTables { .. } => {
            Some("select table_schema, table_name from information_schema.tables order by 1, 2".to_string())
        }
        Statement::ExplainTable { table_name, .. } => {
            let name = table_name.0.last().and_then(ObjectNamePart::as_ident)?.value.to_lowercase().replace('\'', "''");
            Some(format!(
                "select column_name, data_type, is_nullable from information_schema.columns \
                 where table_name = '{name}' order by table_schema, ordinal_position"
            ))
        }
        _ => None,
    }
}

/// Names the columns of the result that have no name after their own text: `count(*)`, `sum(value) / 1e18`.
fn name_columns(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => name_items(select),
        SetExpr::SetOperation { left, .. } => name_columns(left),
        SetExpr::Query(query) => name_columns(&mut query.body),
        _ => {}
    }
}

fn name_items(select: &mut Select) {
    let mut taken = HashSet::new();
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            continue;
        }
        let mut name: String = expr.to_string().chars().take(MAX_NAME).collect();
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        let alias = Ident { value: name, quote_style: Some('"'), span: Span::empty() };
        *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
    }
}

struct Rewrite;

impl VisitorMut for Rewrite {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<()> {
        split_quoted_path(relation);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Value(value) = expr
            && let Value::Number(digits, _) = &value.value
            && let Some(exact) = exact_number(&digits.replace('_', ""))
        {
            *expr = exact;
        }
        ControlFlow::Continue(())
    }
}

/// BigQuery quotes a whole path: `` `bigquery-public-data.crypto_ethereum.blocks` `` is three names.
fn split_quoted_path(ObjectName(parts): &mut ObjectName) {
    let quoted_path = match parts.as_slice() {
        [ObjectNamePart::Identifier(ident)] if ident.quote_style == Some('`') && ident.value.contains('.') => {
            ident.clone()
        }
        _ => return,
    };
    let ident = |name: &str| Ident { value: name.to_string(), quote_style: Some('`'), span: quoted_path.span };
    *parts = quoted_path.value.split('.').map(|name| ObjectNamePart::Identifier(ident(name))).collect();
}

/// What the planner would read inexactly: numbers with an exponent, whole numbers beyond 63 bits. `None`: it reads it well.
fn exact_number(digits: &str) -> Option<Expr> {
    let Some(plain) = plain_digits(digits) else { return Some(cast(digits, DataType::Double(ExactNumberInfo::None))) };
    if let Some((whole, fraction)) = plain.split_once('.') {
        if whole.trim_start_matches('0').len() + fraction.len() > MAX_DIGITS {
            return Some(cast(digits, DataType::Double(ExactNumberInfo::None)));
        }
        return (plain != digits).then(|| number(&plain));
    }
    let whole = plain.trim_start_matches('0');
    if whole.len() > MAX_DIGITS {
        return Some(call("uint256", text(whole)));
    }
    if whole.parse::<i64>().is_ok() || whole.is_empty() {
        // 1e9 is a decimal number, so that dividing by it keeps the fraction.
        return digits.contains(['e', 'E']).then(|| decimal(whole));
    }
    Some(decimal(whole))
}

/// A number without its exponent; `None` when that has too many digits to be exact.
fn plain_digits(digits: &str) -> Option<String> {
    let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) else { return Some(digits.to_string()) };
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.unsigned_abs() as usize > MAX_DIGITS {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut all = format!("{whole}{fraction}");
    let point = whole.len() as i32 + exponent;
    if point <= 0 {
        return Some(format!("0.{}{all}", "0".repeat(point.unsigned_abs() as usize)));
    }
    let point = point as usize;
    if all.len() <= point {
        all.push_str(&"0".repeat(point - all.len()));
    } else if all[point..].bytes().any(|digit| digit != b'0') {
        all.insert(point, '.');
    } else {
        all.truncate(point);
    }
    Some(all)
}

fn number(digits: &str) -> Expr {
    Expr::Value(Value::Number(digits.to_string(), false).into())
}

fn text(digits: &str) -> Expr {
    Expr::Value(Value::SingleQuotedString(digits.to_string()).into())
}

/// A whole number as a decimal of exactly its digits.
fn decimal(whole: &str) -> Expr {
    let digits = if whole.is_empty() { "0" } else { whole };
    cast(digits, DataType::Decimal(ExactNumberInfo::PrecisionAndScale(digits.len() as u64, 0)))
}

fn cast(digits: &str, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(text(digits)), data_type, array: false, format: None }
}

fn call(function: &str, argument: Expr) -> Expr {
    let argument = FunctionArg::Unnamed(FunctionArgExpr::Expr(argument));
    let args = FunctionArgumentList { duplicate_treatment: None, args: vec![argument], clauses: Vec::new() };
    Expr::Function(Function {
        name: ObjectName::from(vec![Ident::new(function)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(args),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(digits: &str) -> Option<String> {
        exact_number(digits).map(|expr| expr.to_string())
    }

    #[test]
    fn numbers_keep_every_digit() {
        assert_eq!(exact("42"), None);
        assert_eq!(exact("0.25"), None);
        assert_eq!(exact("1e18").as_deref(), Some("CAST('1000000000000000000' AS DECIMAL(19,0))"));
        assert_eq!(exact("1.5e3").as_deref(), Some("CAST('1500' AS DECIMAL(4,0))"));
        assert_eq!(exact("1.25e1").as_deref(), Some("12.5"));
        assert_eq!(exact("1e-3").as_deref(), Some("0.001"));
        assert_eq!(exact("18446744073709551615").as_deref(), Some("CAST('18446744073709551615' AS DECIMAL(20,0))"));
        assert_eq!(exact("1e300").as_deref(), Some("CAST('1e300' AS DOUBLE)"));
        let big = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(exact(big), Some(format!("uint256('{big}')")));
    }
}
