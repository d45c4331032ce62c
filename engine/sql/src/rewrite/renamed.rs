//! Functions of BigQuery, Spark and PostgreSQL that are called something else here.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, DataType, ExactNumberInfo, Expr, TimezoneInfo, TypedString, UnaryOperator, Value,
};

use super::ast::{binary, call, case, cases, cast, number, text};
use quarry_functions::{
    CAST_AS, DIVIDE, JSON_LIST, JSON_OF_ALL, JSON_OF_ITEMS, JSON_OF_KNOWN, NOT_DISTINCT_FROM, NTH_POSITION,
};

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
        ("time_slice", [time, Expr::Value(count), unit]) => time_slice(time, &count.value, unit),
        ("len", [_]) => as_it_is("length"),
        ("charindex" | "locate", [part, text]) => Some(call("strpos", vec![text.clone(), part.clone()])),
        ("startswith", [_, _]) => as_it_is("starts_with"),
        ("endswith", [_, _]) => as_it_is("ends_with"),
        ("charindex" | "locate", [part, text, from]) => Some(nth_position(text, part, from.clone(), number("1"))),
        // From the end where it is asked for the last but so many.
        ("strpos", [text, part, nth]) => {
            let backwards = binary(nth.clone(), BinaryOperator::Lt, number("0"));
            let from = case(backwards, number("-1"), Some(number("1")));
            Some(nth_position(text, part, from, call("abs", vec![nth.clone()])))
        }
        ("instr", [text, part, from]) => Some(nth_position(text, part, from.clone(), number("1"))),
        ("instr", [text, part, from, nth]) => Some(nth_position(text, part, from.clone(), nth.clone())),
        ("object_construct", []) => Some(call("json_parse", vec![text("{}")])),
        ("object_construct", [_, _, ..]) => Some(call(JSON_OF_KNOWN, with_json(args))),
        ("json_array", _) => {
            Some(call(JSON_OF_ITEMS, args.iter().map(|arg| call("to_json", vec![arg.clone()])).collect()))
        }
        ("json_build_array" | "jsonb_build_array", _) => {
            Some(call(JSON_LIST, args.iter().map(|arg| call("to_json", vec![arg.clone()])).collect()))
        }
        // A count of parts of a second, as Snowflake writes it.
        (
            "to_timestamp" | "to_timestamp_ntz" | "to_timestamp_ltz" | "to_timestamp_tz",
            [count, Expr::Value(digits)],
        ) => {
            let name = match digits.value.to_string().as_str() {
                "0" => "timestamp_seconds",
                "3" => "timestamp_millis",
                "6" => "timestamp_micros",
                _ => return None,
            };
            Some(call(name, vec![count.clone()]))
        }
        ("array_construct", _) => as_it_is("make_array"),
        ("json_build_object" | "jsonb_build_object" | "json_object" | "object_construct_keep_null", [_, ..]) => {
            Some(call(JSON_OF_ALL, with_json(args)))
        }
        ("div0", [dividend, divisor]) => {
            let zero = binary(divisor.clone(), BinaryOperator::Eq, number("0"));
            Some(case(zero, number("0"), Some(quotient(dividend, divisor))))
        }
        ("to_varchar", [value]) => Some(cast(value.clone(), DataType::Varchar(None))),
        ("to_varchar" | "strftime", [_, _]) => as_it_is("to_char"),
        ("strptime", [_, _]) => as_it_is("to_timestamp"),
        ("to_number" | "to_decimal" | "to_numeric", [value]) => Some(cast(value.clone(), whole_number())),
        ("try_to_number" | "try_to_decimal" | "try_to_numeric", [value]) => {
            Some(call("try", vec![cast(value.clone(), whole_number())]))
        }
        ("try_to_date", _) => Some(call("try", vec![call("to_date", args.to_vec())])),
        ("try_to_timestamp", _) => Some(call("try", vec![call("to_timestamp", args.to_vec())])),
        ("generate_timestamp_array", [first, last, step]) => {
            let time = |end: &Expr| cast(end.clone(), DataType::Timestamp(Some(6), TimezoneInfo::None));
            Some(call("generate_array", vec![time(first), time(last), step.clone()]))
        }
        ("equal_null", [_, _]) => as_it_is(NOT_DISTINCT_FROM),
        ("dayname", [time]) => Some(call("format_date", vec![text("%a"), time.clone()])),
        ("monthname", [time]) => Some(call("format_date", vec![text("%b"), time.clone()])),
        ("dayofyear", [_]) => as_it_is("day_of_year"),
        ("dayofmonth", [_]) => as_it_is("day"),
        ("weekofyear" | "weekiso", [_]) => as_it_is("week"),
        ("dayofweekiso" | "dayofweek_iso", [_]) => as_it_is("day_of_week"),
        ("edit_distance" | "editdistance", [_, _]) => as_it_is("levenshtein"),
        ("json_query_array" | "json_extract_array", [..]) => items(args, "JSON"),
        ("json_value_array" | "json_extract_string_array", [..]) => items(args, "VARCHAR"),
        ("try_parse_json", [_]) => Some(call("try", vec![call("json_parse", args.to_vec())])),
        ("contains_substr", [within, part]) => {
            let lower = |expr: &Expr| call("lower", vec![cast(expr.clone(), DataType::Varchar(None))]);
            Some(call("contains", vec![lower(within), lower(part)]))
        }
        ("convert_timezone", [zone, time]) => Some(call("at_timezone", vec![time.clone(), zone.clone()])),
        ("convert_timezone", [from, to, time]) => {
            let moment = call("with_timezone", vec![time.clone(), from.clone()]);
            Some(call("at_timezone", vec![moment, to.clone()]))
        }
        ("hll_count.extract", [_]) => as_it_is("cardinality"),
        ("regexp_matches", [_, _] | [_, _, _]) => as_it_is("regexp_like"),
        ("age", [time]) => Some(call("age", vec![call("current_date", Vec::new()), time.clone()])),
        ("regexp_split_to_array", [_, _]) => as_it_is("regexp_split"),
        ("split_to_array", [_, _]) => as_it_is("split"),
        ("split", [value]) => Some(call("split", vec![value.clone(), text(",")])),
        ("bit_count", [number_of]) => Some(call("bit_count", vec![number_of.clone(), number("64")])),
        ("bitand", [_, _]) => as_it_is("bitwise_and"),
        ("bitor", [_, _]) => as_it_is("bitwise_or"),
        ("bitxor", [_, _]) => as_it_is("bitwise_xor"),
        ("pg_typeof", [_]) => as_it_is("typeof"),
        ("decode", [value, _, _, ..]) => Some(decoded(value, &args[1..])),
        _ => None,
    }
}

/// The fraction that BigQuery and Snowflake make of whole numbers too, those of 256 bits among them.
pub(super) fn quotient(dividend: &Expr, divisor: &Expr) -> Expr {
    call(DIVIDE, vec![dividend.clone(), divisor.clone()])
}

/// Names and values in turn, the values as JSON.
fn with_json(args: &[Expr]) -> Vec<Expr> {
    let json = |(place, arg): (usize, &Expr)| match place % 2 {
        0 => arg.clone(),
        _ => call("to_json", vec![arg.clone()]),
    };
    args.iter().enumerate().map(json).collect()
}

/// A place in a text, from a letter on, to the left below zero.
fn nth_position(within: &Expr, part: &Expr, from: Expr, nth: Expr) -> Expr {
    call(NTH_POSITION, vec![within.clone(), part.clone(), from, nth])
}

/// The items of JSON, each as a type.
fn items(args: &[Expr], item: &str) -> Option<Expr> {
    let list = match args {
        [json] => json.clone(),
        [_, _] => call("json_extract", args.to_vec()),
        _ => return None,
    };
    Some(call(CAST_AS, vec![list, text(&format!("ARRAY<{item}>"))]))
}

/// The name of an aggregate here.
pub(super) fn aggregate(name: &str) -> Option<&'static str> {
    Some(match name {
        "arbitrary" => "any_value",
        "every" | "logical_and" => "bool_and",
        "logical_or" => "bool_or",
        "approx_count_distinct" | "hll" => "approx_distinct",
        "hll_accumulate" | "hll_count.init" => "approx_set",
        "hll_combine" | "hll_count.merge_partial" => "merge",
        "bitand_agg" => "bit_and",
        "bitor_agg" => "bit_or",
        "bitxor_agg" => "bit_xor",
        "booland_agg" => "bool_and",
        "boolor_agg" => "bool_or",
        "first" => "first_value",
        "last" => "last_value",
        "list" => "array_agg",
        "skew" => "skewness",
        _ => return None,
    })
}

/// Snowflake's slices of minutes, hours or days; those of weeks and longer begin elsewhere than ours.
fn time_slice(time: &Expr, count: &Value, unit: &Expr) -> Option<Expr> {
    let (Value::Number(count, _), Expr::Value(unit)) = (count, unit) else { return None };
    let Value::SingleQuotedString(unit) = &unit.value else { return None };
    let unit = super::dates::unit(unit).filter(|unit| ["second", "minute", "hour", "day"].contains(unit))?;
    let width = cast(text(&format!("{count} {unit}")), DataType::Interval { fields: None, precision: None });
    Some(call("date_bin", vec![width, time.clone()]))
}

/// What Snowflake reads a number as that is told no digits.
fn whole_number() -> DataType {
    DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 0))
}

/// `decode(value, search, result, …, other)` of Snowflake and Oracle, to which null is the same as null.
fn decoded(value: &Expr, rest: &[Expr]) -> Expr {
    let pairs = rest.chunks_exact(2);
    let last = pairs.remainder().first().cloned();
    let whens = pairs.map(|pair| CaseWhen {
        condition: call(NOT_DISTINCT_FROM, vec![value.clone(), pair[0].clone()]),
        result: pair[1].clone(),
    });
    cases(whens.collect(), last)
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
