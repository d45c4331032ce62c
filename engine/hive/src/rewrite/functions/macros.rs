//! Functions that expand to an expression of other functions.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use datafusion::sql::sqlparser::ast::{Expr, Value};

use crate::ast::{cast, number, parse_expression, take};
use crate::parse_context::replace_names;
use quarry_sql::syntax::visitor::visit_expressions_mut;

/// The name, the number of arguments, and the expression; `a`, `b` and `c` are the arguments. Functions in it are those of the
/// planner.
pub(super) const MACROS: &[(&str, usize, &str)] = &[
    ("array_append", 2, "case when a is not null then array_append(a, b) end"),
    // False also for a list or a value that is null.
    ("array_contains", 2, "coalesce(array_contains(a, b), false)"),
    ("array_join", 2, "array_join(cast(a as array<string>), b)"),
    ("array_join", 3, "array_join(cast(a as array<string>), b, c)"),
    ("array_prepend", 2, "case when a is not null then array_prepend(b, a) end"),
    // Null comes last here, and first in sort_array.
    ("array_sort", 1, "array_sort(a, 'ASC', 'NULLS LAST')"),
    ("current_database", 0, "'default'"),
    ("current_timezone", 0, "'UTC'"),
    ("date_from_unix_date", 1, "date_add(cast('1970-01-01' as date), a)"),
    ("date_trunc", 2, "date_trunc(a, cast(b as timestamp))"),
    ("dayname", 1, "date_format(a, 'EEE')"),
    ("dayofyear", 1, "cast(date_format(a, 'D') as int)"),
    ("equal_null", 2, "(a <=> b)"),
    ("from_utc_timestamp", 2, "from_utc_timestamp(cast(a as timestamp), hive_zone(b))"),
    ("get", 2, "hive_index(a, b)"),
    ("isfalse", 1, "a is false"),
    ("isnotfalse", 1, "a is not false"),
    ("isnotnull", 1, "a is not null"),
    ("isnottrue", 1, "a is not true"),
    ("isnull", 1, "a is null"),
    ("istrue", 1, "a is true"),
    ("localtimestamp", 0, "current_timestamp()"),
    ("log1p", 1, "ln(a + 1)"),
    ("map_contains_key", 2, "case when a is not null then array_contains(map_keys(a), b) end"),
    ("mask_hash", 1, "sha2(a, 256)"),
    ("nullifzero", 1, "nullif(a, 0)"),
    ("nvl2", 3, "case when a is not null then b else c end"),
    ("positive", 1, "a"),
    ("rand", 0, "random()"),
    ("rand", 1, "hive_rand(a)"),
    ("random", 0, "random()"),
    ("random", 1, "hive_rand(a)"),
    ("regexp_substr", 2, "case when rlike(a, b) then regexp_extract(a, b, 0) end"),
    ("rint", 1, "rint(cast(a as double))"),
    ("sort_array", 1, "array_sort(a)"),
    // A fraction is a number of seconds, a whole number one of milliseconds.
    ("timestamp_seconds", 1, "cast(cast(a as decimal(38,9)) as timestamp)"),
    ("to_timestamp", 1, "cast(a as timestamp)"),
    // Whole numbers become times as milliseconds.
    ("to_timestamp", 2, "cast((unix_timestamp(a, b) * 1000) as timestamp)"),
    ("to_utc_timestamp", 2, "to_utc_timestamp(cast(a as timestamp), hive_zone(b))"),
    ("try_divide", 2, "(a / b)"),
    // The version of Hive whose answers these are.
    ("version", 0, "'3.1'"),
    // Monday is 0, and Sunday is 1 as the day of the week.
    ("weekday", 1, "pmod(dayofweek(a) + 5, 7)"),
    ("zeroifnull", 1, "coalesce(a, 0)"),
];

/// The expression of a call, if there is one for its name and number of arguments.
pub(super) fn expand(name: &str, arguments: &[Expr]) -> Option<Expr> {
    static BODIES: LazyLock<Vec<Expr>> = LazyLock::new(|| MACROS.iter().map(|(_, _, text)| body(text)).collect());
    let at = MACROS.iter().position(|(known, count, _)| *known == name && *count == arguments.len())?;
    let mut body = BODIES[at].clone();
    replace_names(&mut body, |name| match name {
        "a" => arguments.first().cloned(),
        "b" => arguments.get(1).cloned(),
        "c" => arguments.get(2).cloned(),
        _ => None,
    });
    Some(body)
}

/// An expression of the list with its numbers and casts as the planner has them.
#[expect(clippy::expect_used, reason = "the texts are ours; a test parses all of them")]
fn body(text: &str) -> Expr {
    let mut body = parse_expression(text).expect("an expression");
    let _ = visit_expressions_mut(&mut body, |expr| {
        match expr {
            Expr::Value(value) => {
                if let Value::Number(digits, false) = &value.value {
                    *expr = number(digits);
                }
            }
            Expr::Cast { expr: inner, data_type, .. } => {
                *expr = cast(take(inner), &data_type.to_string()).expect("a known type");
            }
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    });
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_is_parsed() {
        for (name, count, _) in MACROS {
            assert!(expand(name, &vec![number("1"); *count]).is_some(), "{name}");
        }
    }
}
