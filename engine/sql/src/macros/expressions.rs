//! Functions of other products as expressions of ours.

macro_rules! explorer {
    () => {
        "case when $1 = 'ethereum' then 'https://etherscan.io' end"
    };
}

/// The parts of a text split at any of the characters of another, without empty parts.
macro_rules! tokens {
    () => {
        r#"array_filter(split(translate($1, $2, repeat("substr"($2, 1, 1), length($2))), "substr"($2, 1, 1)), part -> part <> '')"#
    };
}

/// Names, the number of arguments, and the expression; `$1` is the first argument. `substr` is in quotes because the parser has a
/// form of its own for it.
pub(super) const EXPRESSIONS: &[(&[&str], usize, &str)] = &[
    // The last day of a month stays the last day, as in Snowflake and Oracle.
    (
        &["add_months"],
        2,
        "case when date($1) = last_day_of_month($1) then date_add('day', date_diff('day', \
         date(date_add('month', $2, $1)), last_day_of_month(date_add('month', $2, $1))), date_add('month', $2, $1)) \
         else date_add('month', $2, $1) end",
    ),
    (&["array_generate_range"], 2, "generate_array($1, $2 - 1)"),
    (&["array_generate_range"], 3, "generate_array($1, $2 - case when $3 > 0 then 1 else -1 end, $3)"),
    (&["base64_decode_string"], 1, "from_utf8(from_base64($1))"),
    (&["base64_encode"], 1, "to_base64(to_utf8($1))"),
    (&["bit_count"], 1, "bit_count($1, 64)"),
    (&["to_boolean", "bool"], 1, "cast($1 as boolean)"),
    (&["booland"], 2, "cast($1 as boolean) and cast($2 as boolean)"),
    (&["boolnot"], 1, "not cast($1 as boolean)"),
    (&["boolor"], 2, "cast($1 as boolean) or cast($2 as boolean)"),
    (&["boolxor"], 2, "cast($1 as boolean) <> cast($2 as boolean)"),
    (&["charindex", "locate"], 2, "strpos($2, $1)"),
    (&["charindex", "locate"], 3, "nth_position($2, $1, $3, 1)"),
    (&["contains_substr"], 2, "contains(lower(cast($1 as varchar)), lower(cast($2 as varchar)))"),
    (&["convert_timezone"], 2, "at_timezone($2, $1)"),
    (&["convert_timezone"], 3, "at_timezone(with_timezone($3, $1), $2)"),
    (&["date"], 2, "date(at_timezone($1, $2))"),
    (
        &["date_from_parts", "datefromparts"],
        3,
        "date_add('day', $3 - 1, date_add('month', $2 - 1, make_date($1, 1, 1)))",
    ),
    (&["date_from_unix_date"], 1, "date_add('day', $1, date '1970-01-01')"),
    (&["datetime"], 2, "at_timezone($1, $2)"),
    (&["datetime"], 6, "make_timestamp($1, $2, $3, $4, $5, $6)"),
    (&["dayname"], 1, "format_date('%a', $1)"),
    // From 1 for Sunday, as `extract(dayofweek from …)`, Spark and HiveQL count; in Snowflake and DuckDB Sunday is 0.
    (&["dayofweek"], 1, "day_of_week($1) % 7 + 1"),
    (&["div0"], 2, "case when $2 = 0 then 0 else divide($1, $2) end"),
    (&["div0null"], 2, "case when coalesce($2, 0) = 0 then 0 else divide($1, $2) end"),
    (&["equal_null"], 2, "not_distinct_from($1, $2)"),
    (&["to_double", "float64"], 1, "cast($1 as double)"),
    (&["format_datetime", "format_timestamp"], 3, "format_date($1, at_timezone($2, $3))"),
    (&["generate_timestamp_array"], 3, "generate_array(cast($1 as timestamp(6)), cast($2 as timestamp(6)), $3)"),
    (&["get_chain_explorer"], 1, explorer!()),
    (&["get_chain_explorer_address"], 2, concat!(explorer!(), " || '/address/' || cast($2 as varchar)")),
    (&["get_chain_explorer_tx_hash"], 2, concat!(explorer!(), " || '/tx/' || cast($2 as varchar)")),
    (&["get_href"], 2, "concat('<a href=\"', $1, '\" target=\"_blank\">', $2, '</a>')"),
    (&["hex_decode_string"], 1, "from_utf8(from_hex($1))"),
    (&["hex_encode"], 1, "to_hex(to_utf8($1))"),
    (&["hex_encode"], 2, "case when $2 = 0 then lower(to_hex(to_utf8($1))) else to_hex(to_utf8($1)) end"),
    (&["ieee_divide"], 2, "cast($1 as double) / $2"),
    (&["insert"], 4, r#""substr"($1, 1, $2 - 1) || $4 || "substr"($1, $2 + $3)"#),
    (&["instr"], 3, "nth_position($1, $2, $3, 1)"),
    (&["instr"], 4, "nth_position($1, $2, $3, $4)"),
    (&["int64"], 1, "cast($1 as bigint)"),
    (&["json_query_array", "json_extract_array"], 1, "cast_as($1, 'ARRAY<JSON>')"),
    (&["json_query_array", "json_extract_array"], 2, "cast_as(json_extract($1, $2), 'ARRAY<JSON>')"),
    (&["json_value_array", "json_extract_string_array"], 1, "cast_as($1, 'ARRAY<VARCHAR>')"),
    (&["json_value_array", "json_extract_string_array"], 2, "cast_as(json_extract($1, $2), 'ARRAY<VARCHAR>')"),
    (&["try_to_boolean", "lax_bool"], 1, "try_cast($1 as boolean)"),
    (&["try_to_double", "lax_float64"], 1, "try_cast($1 as double)"),
    (&["lax_int64"], 1, "try_cast($1 as bigint)"),
    (&["monthname"], 1, "format_date('%b', $1)"),
    (&["nullifzero"], 1, "nullif($1, 0)"),
    (&["safe_add"], 2, "try($1 + $2)"),
    (&["safe_divide"], 2, "case when $2 = 0 then null else divide($1, $2) end"),
    (&["safe_multiply"], 2, "try($1 * $2)"),
    (&["safe_negate"], 1, "try(negative($1))"),
    (&["safe_subtract"], 2, "try($1 - $2)"),
    (&["sha1_hex"], 1, "lower(to_hex(sha1($1)))"),
    (&["sha2_binary"], 1, "from_hex(sha2($1))"),
    (&["sha2_binary"], 2, "from_hex(sha2($1, $2))"),
    (&["space"], 1, "repeat(' ', $1)"),
    (&["split"], 1, "split($1, ',')"),
    (&["square"], 1, "$1 * $1"),
    (&["to_varchar", "string", "lax_string"], 1, "cast($1 as varchar)"),
    (&["string"], 2, "cast(at_timezone($1, $2) as varchar)"),
    // A negative count searches from the end.
    (&["strpos"], 3, "nth_position($1, $2, case when $3 < 0 then -1 else 1 end, abs($3))"),
    (&["strtok"], 2, concat!("element_at(", tokens!(), ", 1)")),
    (&["strtok"], 3, concat!("element_at(", tokens!(), ", $3)")),
    (&["strtok_to_array"], 2, tokens!()),
    (&["timestamp"], 2, "with_timezone(timestamp($1), $2)"),
    // Snowflake's default precision and scale.
    (&["to_number", "to_decimal", "to_numeric"], 1, "cast($1 as decimal(38, 0))"),
    (&["to_varchar"], 2, "to_char($1, $2)"),
    (&["try_base64_decode_string"], 1, "try(from_utf8(from_base64($1)))"),
    (&["try_hex_decode_binary"], 1, "try(from_hex($1))"),
    (&["try_hex_decode_string"], 1, "try(from_utf8(from_hex($1)))"),
    (&["to_json_string"], 1, "json_format(to_json($1))"),
    (&["try_parse_json"], 1, "try(json_parse($1))"),
    (&["try_to_date"], 1, "try(to_date($1))"),
    (&["try_to_date"], 2, "try(to_date($1, $2))"),
    (&["try_to_number", "try_to_decimal", "try_to_numeric"], 1, "try(cast($1 as decimal(38, 0)))"),
    (&["try_to_timestamp", "try_to_timestamp_ntz"], 1, "try(to_timestamp($1))"),
    (&["try_to_timestamp", "try_to_timestamp_ntz"], 2, "try(to_timestamp($1, $2))"),
    (&["unix_date"], 1, "date_diff('day', date '1970-01-01', $1)"),
    (&["unix_micros"], 1, "date_diff('microsecond', date '1970-01-01', $1)"),
    (&["zeroifnull"], 1, "coalesce($1, 0)"),
];
