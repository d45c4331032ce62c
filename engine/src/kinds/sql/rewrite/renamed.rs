//! Functions of BigQuery, Spark and PostgreSQL that are called something else here.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, ExactNumberInfo, Expr, TypedString, UnaryOperator, Value,
};

use super::ast::{binary, call, cast, number, text};

/// A call under our name; `None` leaves it.
pub(super) fn scalar(name: &str, args: &[Expr]) -> Option<Expr> {
    let as_it_is = |ours: &str| Some(call(ours, args.to_vec()));
    match (name, args) {
        // Places in a list, in its brackets: BigQuery counts from 0 or from 1 as asked, lists here from 1.
        ("offset" | "safe_offset", [place]) => Some(binary(place.clone(), BinaryOperator::Plus, number("1"))),
        ("ordinal" | "safe_ordinal", [place]) => Some(place.clone()),
        ("safe_add", [left, right]) => Some(tried(left, BinaryOperator::Plus, right)),
        ("safe_subtract", [left, right]) => Some(tried(left, BinaryOperator::Minus, right)),
        ("safe_multiply", [left, right]) => Some(tried(left, BinaryOperator::Multiply, right)),
        ("safe_negate", [number]) => Some(call("try", vec![call("negative", vec![number.clone()])])),
        ("ieee_divide", [dividend, divisor]) => Some(binary(
            cast(dividend.clone(), DataType::Double(ExactNumberInfo::None)),
            BinaryOperator::Divide,
            divisor.clone(),
        )),
        ("is_inf", [_]) => as_it_is("is_infinite"),
        ("byte_length", [_]) => as_it_is("octet_length"),
        ("parse_json", [_]) => as_it_is("json_parse"),
        ("unhex", [_]) => as_it_is("from_hex"),
        ("hex", [_]) => as_it_is("to_hex"),
        ("zeroifnull", [value]) => Some(call("coalesce", vec![value.clone(), number("0")])),
        ("nullifzero", [value]) => Some(call("nullif", vec![value.clone(), number("0")])),
        ("unix_date", [day]) => Some(call("date_diff", vec![text("day"), first_day(), day.clone()])),
        ("date_from_unix_date", [days]) => Some(call("date_add", vec![text("day"), days.clone(), first_day()])),
        ("unix_micros", [time]) => Some(call("date_diff", vec![text("microsecond"), first_day(), time.clone()])),
        ("unix_timestamp", []) => Some(call("unix_seconds", vec![call("now", Vec::new())])),
        ("unix_timestamp", [_]) => as_it_is("unix_seconds"),
        ("current_datetime", []) => as_it_is("now"),
        ("time_bucket", [_, _] | [_, _, _]) => as_it_is("date_bin"),
        _ => None,
    }
}

/// The name of an aggregate here.
pub(super) fn aggregate(name: &str) -> Option<&'static str> {
    Some(match name {
        "arbitrary" => "any_value",
        "every" | "logical_and" => "bool_and",
        "logical_or" => "bool_or",
        "approx_count_distinct" => "approx_distinct",
        _ => return None,
    })
}

/// Null where the result has no room in its type.
fn tried(left: &Expr, operator: BinaryOperator, right: &Expr) -> Expr {
    call("try", vec![binary(left.clone(), operator, right.clone())])
}

/// The day from which days and seconds are counted.
fn first_day() -> Expr {
    Expr::TypedString(TypedString {
        data_type: DataType::Date,
        value: Value::SingleQuotedString("1970-01-01".to_string()).into(),
        uses_odbc_syntax: false,
    })
}

/// `text rlike pattern`, `text regexp pattern`.
pub(super) fn matches(expr: &Expr, pattern: &Expr, negated: bool) -> Expr {
    let matches = call("regexp_like", vec![expr.clone(), pattern.clone()]);
    match negated {
        true => Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(matches) },
        false => matches,
    }
}
