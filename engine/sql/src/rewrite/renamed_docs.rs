//! Documentation of the names that functions have elsewhere and that are something else here.

use super::forms::Form;
use quarry_functions::Doc;

macro_rules! scalar {
    ($name:literal, $signature:literal, $text:literal, $example:literal) => {
        ($name, "scalar", Doc { signature: $signature, text: $text, example: $example })
    };
}
macro_rules! aggregate {
    ($name:literal, $signature:literal, $text:literal, $example:literal) => {
        ($name, "aggregate", Doc { signature: $signature, text: $text, example: $example })
    };
}

/// Every such name.
pub(super) const RENAMED: [Form; 78] = [
    scalar!(
        "array_remove",
        "array_remove(list, item)",
        "A list without all items that are the same as one.",
        "select array_remove([1, 2, 1], 1)"
    ),
    scalar!(
        "equal_null",
        "equal_null(a, b)",
        "Whether two values are the same, where null is the same as null.",
        "select equal_null(null, null)"
    ),
    scalar!("dayname", "dayname(time)", "The day of the week in three letters.", "select dayname(date '2024-03-01')"),
    scalar!("monthname", "monthname(time)", "The month in three letters.", "select monthname(date '2024-03-01')"),
    scalar!(
        "regexp_matches",
        "regexp_matches(text, pattern)",
        "Whether a pattern is found in a text, as in DuckDB; PostgreSQL's function of this name gives what was found, which is regexp_match here.",
        "select regexp_matches('0xab', '^0x')"
    ),
    scalar!(
        "edit_distance",
        "edit_distance(text, text)",
        "How many letters must change, come or go to make one text of another.",
        "select edit_distance('kitten', 'sitting')"
    ),
    scalar!(
        "object_construct",
        "object_construct(name, value, …)",
        "A JSON object of names and values, as Snowflake writes it; what is null is left out.",
        "select object_construct('block', number, 'fee', base_fee_per_gas) from blocks limit 1"
    ),
    scalar!(
        "json_object",
        "json_object(name, value, …)",
        "A JSON object of names and values.",
        "select json_object('block', number, 'hash', hash) from blocks limit 1"
    ),
    scalar!(
        "json_query_array",
        "json_query_array(json, path)",
        "The items of a list in JSON, each as JSON.",
        "select json_query_array('{\"a\":[1,{\"b\":2}]}', '$.a')"
    ),
    scalar!(
        "json_value_array",
        "json_value_array(json, path)",
        "The items of a list in JSON, each as a text.",
        "select json_value_array('{\"a\":[\"x\",\"y\"]}', '$.a')"
    ),
    scalar!(
        "contains_substr",
        "contains_substr(value, part)",
        "Whether a part stands in a text, in any letter case.",
        "select contains_substr('Uniswap', 'SWAP')"
    ),
    scalar!(
        "convert_timezone",
        "convert_timezone(from, to, time)",
        "What the clocks of a zone show when those of another show a time.",
        "select convert_timezone('UTC', 'Asia/Shanghai', timestamp '2024-03-01 00:00:00')"
    ),
    aggregate!(
        "ratio_to_report",
        "ratio_to_report(number)",
        "The share of a number in the sum over a window.",
        "select number, ratio_to_report(gas_used) over () from blocks where number < 5"
    ),
    scalar!("safe_add", "safe_add(a, b)", "A sum, or null where it has no room in its type.", "select safe_add(1, 2)"),
    scalar!(
        "safe_subtract",
        "safe_subtract(a, b)",
        "A difference, or null where it has no room in its type.",
        "select safe_subtract(uint256('1'), uint256('2'))"
    ),
    scalar!(
        "safe_multiply",
        "safe_multiply(a, b)",
        "A product, or null where it has no room in its type.",
        "select safe_multiply(9223372036854775807, 2)"
    ),
    scalar!(
        "safe_negate",
        "safe_negate(number)",
        "A number with the other sign, or null where it has no room in its type.",
        "select safe_negate(5)"
    ),
    scalar!(
        "ieee_divide",
        "ieee_divide(a, b)",
        "A division of doubles, with infinity and NaN where it is by zero.",
        "select ieee_divide(1, 0)"
    ),
    scalar!("is_inf", "is_inf(number)", "The same as is_infinite.", "select is_inf(infinity())"),
    scalar!("byte_length", "byte_length(text or bytes)", "The number of bytes.", "select byte_length('é')"),
    scalar!("parse_json", "parse_json(text)", "The same as json_parse.", "select parse_json('[1, 2]')"),
    scalar!("hex", "hex(value)", "The same as to_hex.", "select hex(hash) from blocks limit 1"),
    scalar!("unhex", "unhex(text)", "The same as from_hex.", "select unhex('ff')"),
    scalar!("zeroifnull", "zeroifnull(number)", "The number, or 0 where it is null.", "select zeroifnull(null)"),
    scalar!("nullifzero", "nullifzero(number)", "The number, or null where it is 0.", "select nullifzero(0)"),
    scalar!("unix_date", "unix_date(day)", "Days from 1970-01-01 to a day.", "select unix_date(date '2024-02-29')"),
    scalar!(
        "date_from_unix_date",
        "date_from_unix_date(days)",
        "The day so many days after 1970-01-01.",
        "select date_from_unix_date(19782)"
    ),
    scalar!(
        "unix_micros",
        "unix_micros(time)",
        "Microseconds from 1970-01-01 00:00:00 to a time.",
        "select unix_micros(timestamp '2024-01-01 00:00:00')"
    ),
    scalar!(
        "unix_timestamp",
        "unix_timestamp(time)",
        "The same as unix_seconds; without a time that of the head block.",
        "select unix_timestamp(timestamp '2024-01-01 00:00:00')"
    ),
    scalar!(
        "current_datetime",
        "current_datetime()",
        "The same as now.",
        "select current_datetime() >= max(block_timestamp) from transactions"
    ),
    scalar!(
        "time_slice",
        "time_slice(time, count, unit)",
        "The start of the interval of so many seconds, minutes, hours or days that a time lies in.",
        "select time_slice(block_timestamp, 4, 'HOUR') from transactions limit 1"
    ),
    scalar!("iff", "iff(condition, value, other)", "The same as if.", "select iff(1 < 2, 'yes', 'no')"),
    scalar!(
        "decode",
        "decode(value, search, result, …, other)",
        "The result behind the first search that is the value, else the other one, or null without it; null is found too. decode(text, 'hex') and decode(text, 'base64') read bytes.",
        "select decode(2, 1, 'one', 2, 'two', 'many')"
    ),
    scalar!(
        "range_bucket",
        "range_bucket(number, bounds)",
        "How many bounds of a list in order a number has reached.",
        "select range_bucket(20, [0, 10, 20, 30])"
    ),
    scalar!(
        "date_sub",
        "date_sub(time, interval)",
        "A time moved back by an interval, as BigQuery writes it.",
        "select date_sub(date '2024-03-01', interval 1 day)"
    ),
    scalar!(
        "datetime_add",
        "datetime_add(time, interval)",
        "The same as timestamp_add.",
        "select datetime_add(timestamp '2024-03-01 00:00:00', interval 1 hour)"
    ),
    scalar!(
        "datetime_sub",
        "datetime_sub(time, interval)",
        "The same as timestamp_sub.",
        "select datetime_sub(timestamp '2024-03-01 00:00:00', interval 1 hour)"
    ),
    scalar!(
        "datetime_diff",
        "datetime_diff(later, earlier, unit)",
        "The same as timestamp_diff.",
        "select datetime_diff(timestamp '2024-03-01 00:00:00', timestamp '2024-02-01 12:00:00', day)"
    ),
    scalar!(
        "datetime_trunc",
        "datetime_trunc(time, unit)",
        "The same as timestamp_trunc.",
        "select datetime_trunc(block_timestamp, day) from transactions limit 1"
    ),
    scalar!(
        "timestampadd",
        "timestampadd(unit, number, time)",
        "The same as date_add.",
        "select timestampadd(hour, 2, timestamp '2024-03-01 00:00:00')"
    ),
    scalar!(
        "timestampdiff",
        "timestampdiff(unit, earlier, later)",
        "The same as date_diff.",
        "select timestampdiff(hour, timestamp '2024-03-01 00:00:00', timestamp '2024-03-02 00:00:00')"
    ),
    aggregate!(
        "logical_and",
        "logical_and(condition)",
        "The same as every.",
        "select logical_and(gas_used <= gas_limit) from blocks"
    ),
    aggregate!(
        "logical_or",
        "logical_or(condition)",
        "Whether the condition is true for a row.",
        "select logical_or(gas_used = 0) from blocks"
    ),
    aggregate!(
        "approx_count_distinct",
        "approx_count_distinct(value)",
        "The same as approx_distinct.",
        "select approx_count_distinct(from_address) from transactions"
    ),
    aggregate!("countif", "countif(condition)", "The same as count_if.", "select countif(gas_used = 0) from blocks"),
    aggregate!(
        "arg_max",
        "arg_max(value, key)",
        "The same as max_by.",
        "select arg_max(hash, value) from transactions"
    ),
    aggregate!(
        "arg_min",
        "arg_min(value, key)",
        "The same as min_by.",
        "select arg_min(hash, block_timestamp) from transactions"
    ),
    aggregate!(
        "mode",
        "mode(value)",
        "The value that a group has most often; mode() within group (order by value) is the same.",
        "select mode(transaction_type) from transactions"
    ),
    aggregate!(
        "approx_top_count",
        "approx_top_count(value, count)",
        "The values that a group has most often, so many at most, as rows of value and count; it is exact here.",
        "select approx_top_count(transaction_type, 2) from transactions"
    ),
    scalar!("len", "len(text)", "The same as length.", "select len('abc')"),
    scalar!(
        "charindex",
        "charindex(part, text)",
        "Where a part stands in a text, from 1; 0 when it does not.",
        "select charindex('b', 'abc')"
    ),
    scalar!(
        "locate",
        "locate(part, text)",
        "Where a part stands in a text, from 1; 0 when it does not.",
        "select locate('b', 'abc')"
    ),
    scalar!("startswith", "startswith(text, start)", "The same as starts_with.", "select startswith('abc', 'a')"),
    scalar!("endswith", "endswith(text, end)", "The same as ends_with.", "select endswith('abc', 'c')"),
    scalar!("array_construct", "array_construct(items…)", "A list of values.", "select array_construct(1, 2)"),
    scalar!(
        "json_build_object",
        "json_build_object(key, value, …)",
        "A JSON object of keys, which are written out, and values.",
        "select json_build_object('a', 1)"
    ),
    scalar!(
        "jsonb_build_object",
        "jsonb_build_object(key, value, …)",
        "A JSON object of keys, which are written out, and values.",
        "select jsonb_build_object('a', 1)"
    ),
    scalar!("div0", "div0(number, by)", "A division, with 0 where it would be by zero.", "select div0(1, 0)"),
    scalar!(
        "to_varchar",
        "to_varchar(value, pattern)",
        "A value as text; a time by a pattern.",
        "select to_varchar(5)"
    ),
    scalar!(
        "strftime",
        "strftime(time, pattern)",
        "The same as to_char.",
        "select strftime(timestamp '2024-02-29 12:34:56', '%Y-%m-%d')"
    ),
    scalar!(
        "strptime",
        "strptime(text, pattern)",
        "The same as to_timestamp.",
        "select strptime('2024-02-29', '%Y-%m-%d')"
    ),
    scalar!("to_number", "to_number(text)", "A text as a whole number of up to 38 digits.", "select to_number('12')"),
    scalar!("to_decimal", "to_decimal(text)", "The same as to_number.", "select to_decimal('12')"),
    scalar!("to_numeric", "to_numeric(text)", "The same as to_number.", "select to_numeric('12')"),
    scalar!(
        "try_to_number",
        "try_to_number(text)",
        "The same as to_number, with null for what is no number.",
        "select try_to_number('x')"
    ),
    scalar!("try_to_decimal", "try_to_decimal(text)", "The same as try_to_number.", "select try_to_decimal('x')"),
    scalar!("try_to_numeric", "try_to_numeric(text)", "The same as try_to_number.", "select try_to_numeric('x')"),
    scalar!(
        "try_to_date",
        "try_to_date(text, pattern)",
        "The same as to_date, with null for what is no day.",
        "select try_to_date('x')"
    ),
    scalar!(
        "try_to_timestamp",
        "try_to_timestamp(text, pattern)",
        "The same as to_timestamp, with null for what is no time.",
        "select try_to_timestamp('x')"
    ),
    aggregate!(
        "booland_agg",
        "booland_agg(condition)",
        "The same as every.",
        "select booland_agg(gas_used <= gas_limit) from blocks"
    ),
    aggregate!(
        "boolor_agg",
        "boolor_agg(condition)",
        "Whether the condition is true for a row.",
        "select boolor_agg(gas_used = 0) from blocks"
    ),
    aggregate!(
        "first",
        "first(value order by key)",
        "The same as first_value.",
        "select first(hash order by number) from blocks"
    ),
    aggregate!(
        "last",
        "last(value order by key)",
        "The same as last_value.",
        "select last(hash order by number) from blocks"
    ),
    aggregate!(
        "json_agg",
        "json_agg(value order by key)",
        "The values of a group as a JSON list.",
        "select json_agg(number order by number) from blocks where number < 5"
    ),
    aggregate!(
        "jsonb_agg",
        "jsonb_agg(value order by key)",
        "The values of a group as a JSON list.",
        "select jsonb_agg(number order by number) from blocks where number < 5"
    ),
    aggregate!(
        "object_agg",
        "object_agg(name, value)",
        "A JSON object of the names and values of a group.",
        "select object_agg(to_hex(miner), gas_used) from blocks"
    ),
    aggregate!(
        "approx_quantile",
        "approx_quantile(number, share)",
        "The same as approx_percentile.",
        "select approx_quantile(gas_used, 0.5) from blocks"
    ),
    aggregate!(
        "percentile_disc",
        "percentile_disc(share) within group (order by value)",
        "The first value in order up to which lies a share of a group.",
        "select percentile_disc(0.5) within group (order by gas_used) from blocks"
    ),
];
