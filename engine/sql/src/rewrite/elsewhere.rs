//! Functions of Snowflake, BigQuery and Dune that are expressions of ours, each written down as one.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Value};
use datafusion::sql::sqlparser::parser::Parser;

use super::Rewrite;
use crate::ast_visitor::{visit_expressions_mut, visit_mut};
use crate::dialect::AnySql;

/// A name, how many arguments it takes, and what stands for the call; `$1` is the first argument.
type Template = (&'static str, usize, &'static str);

const TEMPLATES: [Template; 85] = [
    // Of the last day of a month it is the last one again, as in Snowflake and Oracle.
    (
        "add_months",
        2,
        "case when date($1) = last_day_of_month($1) then date_add('day', date_diff('day', \
         date(date_add('month', $2, $1)), last_day_of_month(date_add('month', $2, $1))), date_add('month', $2, $1)) \
         else date_add('month', $2, $1) end",
    ),
    ("array_flatten", 1, "flatten($1)"),
    ("array_generate_range", 2, "generate_array($1, $2 - 1)"),
    ("array_generate_range", 3, "generate_array($1, $2 - case when $3 > 0 then 1 else -1 end, $3)"),
    ("base64_decode_binary", 1, "from_base64($1)"),
    ("base64_decode_string", 1, "from_utf8(from_base64($1))"),
    ("base64_encode", 1, "to_base64(to_utf8($1))"),
    ("bitnot", 1, "bitwise_not($1)"),
    ("bitshiftleft", 2, "bitwise_left_shift($1, $2)"),
    ("bitshiftright", 2, "bitwise_arithmetic_shift_right($1, $2)"),
    ("bool", 1, "cast($1 as boolean)"),
    ("booland", 2, "cast($1 as boolean) and cast($2 as boolean)"),
    ("boolnot", 1, "not cast($1 as boolean)"),
    ("boolor", 2, "cast($1 as boolean) or cast($2 as boolean)"),
    ("boolxor", 2, "cast($1 as boolean) <> cast($2 as boolean)"),
    ("bytea2numeric", 1, "bytearray_to_decimal($1)"),
    ("bytearray_to_numeric", 1, "bytearray_to_decimal($1)"),
    ("date", 2, "date(at_timezone($1, $2))"),
    ("date_from_parts", 3, "date_add('day', $3 - 1, date_add('month', $2 - 1, make_date($1, 1, 1)))"),
    ("datefromparts", 3, "date_add('day', $3 - 1, date_add('month', $2 - 1, make_date($1, 1, 1)))"),
    ("datetime", 2, "at_timezone($1, $2)"),
    ("datetime", 6, "date_add('second', ($4) * 3600 + ($5) * 60 + $6, cast(make_date($1, $2, $3) as timestamp))"),
    // From 1 for Sunday, as `extract(dayofweek from …)`, Spark and HiveQL count; in Snowflake and DuckDB Sunday is 0.
    ("dayofweek", 1, "day_of_week($1) % 7 + 1"),
    ("div0null", 2, "case when coalesce($2, 0) = 0 then 0 else divide($1, $2) end"),
    ("epoch_ms", 1, "unix_millis($1)"),
    ("float64", 1, "cast($1 as double)"),
    ("format_datetime", 3, "format_date($1, at_timezone($2, $3))"),
    ("format_timestamp", 3, "format_date($1, at_timezone($2, $3))"),
    ("generate_uuid", 0, "uuid()"),
    ("get_path", 2, "json_extract($1, $2)"),
    ("getdate", 0, "now()"),
    ("hex_decode_binary", 1, "from_hex($1)"),
    ("hex_decode_string", 1, "from_utf8(from_hex($1))"),
    ("hex_encode", 1, "to_hex(to_utf8($1))"),
    ("hex_encode", 2, "case when $2 = 0 then lower(to_hex(to_utf8($1))) else to_hex(to_utf8($1)) end"),
    ("insert", 4, "substr($1, 1, $2 - 1) || $4 || substr($1, $2 + $3)"),
    ("int64", 1, "cast($1 as bigint)"),
    ("is_array", 1, "substr(ltrim($1), 1, 1) = '['"),
    ("is_null_value", 1, "trim($1) = 'null'"),
    ("is_object", 1, "substr(ltrim($1), 1, 1) = '{'"),
    (
        "json_type",
        1,
        "case when $1 is null then null else case substr(ltrim($1), 1, 1) when '{' then 'object' when '[' then 'array' \
         when '\"' then 'string' when 't' then 'boolean' when 'f' then 'boolean' when 'n' then 'null' else 'number' end end",
    ),
    ("lax_bool", 1, "try_cast($1 as boolean)"),
    ("lax_float64", 1, "try_cast($1 as double)"),
    ("lax_int64", 1, "try_cast($1 as bigint)"),
    ("lax_string", 1, "cast($1 as varchar)"),
    (
        "make_timestamp",
        6,
        "date_add('second', ($4) * 3600 + ($5) * 60 + $6, cast(date_add('day', $3 - 1, \
         date_add('month', $2 - 1, make_date($1, 1, 1))) as timestamp))",
    ),
    ("parse_bignumeric", 1, "numeric($1)"),
    ("parse_numeric", 1, "numeric($1)"),
    ("regexp_substr_all", 2, "regexp_extract_all($1, $2)"),
    ("safe_convert_bytes_to_string", 1, "from_utf8($1)"),
    ("sha1_hex", 1, "lower(to_hex(sha1($1)))"),
    ("sha2_binary", 1, "from_hex(sha2($1))"),
    ("sha2_binary", 2, "from_hex(sha2($1, $2))"),
    ("space", 1, "repeat(' ', $1)"),
    ("square", 1, "($1) * ($1)"),
    ("string", 1, "cast($1 as varchar)"),
    ("string", 2, "cast(at_timezone($1, $2) as varchar)"),
    (
        "strtok",
        2,
        "element_at(filter(split(translate($1, $2, repeat(substr($2, 1, 1), length($2))), substr($2, 1, 1)), \
         part -> part <> ''), 1)",
    ),
    (
        "strtok",
        3,
        "element_at(filter(split(translate($1, $2, repeat(substr($2, 1, 1), length($2))), substr($2, 1, 1)), \
         part -> part <> ''), $3)",
    ),
    (
        "strtok_to_array",
        2,
        "filter(split(translate($1, $2, repeat(substr($2, 1, 1), length($2))), substr($2, 1, 1)), part -> part <> '')",
    ),
    ("string_split", 2, "split($1, $2)"),
    ("sysdate", 0, "now()"),
    ("timestamp", 2, "with_timezone(timestamp($1), $2)"),
    (
        "timestamp_from_parts",
        6,
        "date_add('second', ($4) * 3600 + ($5) * 60 + $6, cast(date_add('day', $3 - 1, \
         date_add('month', $2 - 1, make_date($1, 1, 1))) as timestamp))",
    ),
    (
        "timestamp_ntz_from_parts",
        6,
        "date_add('second', ($4) * 3600 + ($5) * 60 + $6, cast(date_add('day', $3 - 1, \
         date_add('month', $2 - 1, make_date($1, 1, 1))) as timestamp))",
    ),
    ("to_boolean", 1, "cast($1 as boolean)"),
    ("to_double", 1, "cast($1 as double)"),
    ("to_timestamp_ltz", 1, "to_timestamp($1)"),
    ("to_timestamp_ltz", 2, "to_timestamp($1, $2)"),
    ("to_timestamp_ntz", 1, "to_timestamp($1)"),
    ("to_timestamp_ntz", 2, "to_timestamp($1, $2)"),
    ("to_timestamp_tz", 1, "to_timestamp($1)"),
    ("to_timestamp_tz", 2, "to_timestamp($1, $2)"),
    ("to_variant", 1, "to_json($1)"),
    ("try_base64_decode_string", 1, "try(from_utf8(from_base64($1)))"),
    ("try_hex_decode_binary", 1, "try(from_hex($1))"),
    ("try_hex_decode_string", 1, "try(from_utf8(from_hex($1)))"),
    ("try_to_boolean", 1, "try_cast($1 as boolean)"),
    ("try_to_double", 1, "try_cast($1 as double)"),
    ("try_to_timestamp_ntz", 1, "try(to_timestamp($1))"),
    ("try_to_timestamp_ntz", 2, "try(to_timestamp($1, $2))"),
    ("unicode", 1, "codepoint($1)"),
    ("uuid_string", 0, "uuid()"),
    ("yearofweek", 1, "year_of_week($1)"),
    ("yearofweekiso", 1, "year_of_week($1)"),
];

/// What stands for a call; `None` for what is written down nowhere.
pub(super) fn scalar(name: &str, args: &[Expr]) -> Option<Expr> {
    let (.., text) = TEMPLATES.iter().find(|(known, count, _)| *known == name && *count == args.len())?;
    let mut expr = Parser::new(&AnySql).try_with_sql(text).ok()?.parse_expr().ok()?;
    // What is written down here does not grow too much; arguments come later, and are written out already.
    let _ = visit_mut(&mut expr, &mut Rewrite::default());
    // The visitor never breaks off.
    let _ = visit_expressions_mut(&mut expr, |part| {
        if let Expr::Value(value) = &*part
            && let Value::Placeholder(place) = &value.value
            && let Some(arg) = place[1..].parse::<usize>().ok().and_then(|place| args.get(place - 1))
        {
            *part = Expr::Nested(Box::new(arg.clone()));
        }
        ControlFlow::<()>::Continue(())
    });
    Some(expr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_can_be_read() {
        for (name, count, text) in TEMPLATES {
            let args = vec![Expr::Value(Value::Null.into()); count];
            let expr = scalar(name, &args).map(|expr| expr.to_string());
            assert!(expr.as_ref().is_some_and(|expr| !expr.contains('$')), "{name}: {text} {expr:?}");
        }
    }
}
