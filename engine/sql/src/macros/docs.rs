//! Documentation for the editor of functions that are rewritten before planning or registered for each query.

use quarry_functions::Doc;
use quarry_functions::now::{CLOCK_DOC, NOW_DOC, TODAY_DOC};

/// What the editor says of a function.
pub struct FunctionDoc {
    pub name: &'static str,
    /// `scalar` or `aggregate`.
    pub kind: &'static str,
    pub doc: Doc,
}

/// The documentation of a function, whose name is that of its signature.
const fn function(kind: &'static str, doc: Doc) -> FunctionDoc {
    let mut end = 0;
    while doc.signature.as_bytes()[end] != b'(' {
        end += 1;
    }
    FunctionDoc { name: doc.signature.split_at(end).0, kind, doc }
}

/// Lines of `kind "signature": "text", "example";`.
macro_rules! functions {
    ($($kind:ident $signature:literal: $text:literal, $example:literal;)*) => {
        &[$(function(stringify!($kind), Doc { signature: $signature, text: $text, example: $example })),*]
    };
}

/// The documentation of all such functions.
pub fn function_docs() -> impl Iterator<Item = &'static FunctionDoc> {
    TIMES.iter().chain(FUNCTIONS)
}

const TIMES: &[FunctionDoc] =
    &[function("scalar", NOW_DOC), function("scalar", TODAY_DOC), function("scalar", CLOCK_DOC)];

const FUNCTIONS: &[FunctionDoc] = functions! {
    aggregate "approx_count_distinct(value)": "The same as approx_distinct.",
        "select approx_count_distinct(from_address) from transactions";
    aggregate "approx_most_frequent(count, value, capacity)":
        "The most frequent values of a group, at most count, as a map to their counts. Exact here.",
        "select approx_most_frequent(3, transaction_type, 100) from transactions";
    aggregate "approx_quantile(number, share)": "The same as approx_percentile.",
        "select approx_quantile(gas_used, 0.5) from blocks";
    aggregate "approx_quantiles(number, parts)":
        "The values that divide a group into equal parts, including the minimum and the maximum, as in BigQuery.",
        "select approx_quantiles(gas_used, 4) from blocks";
    aggregate "approx_top_count(value, count)":
        "The most frequent values of a group, at most count, as rows of value and count. Exact here.",
        "select approx_top_count(transaction_type, 2) from transactions";
    aggregate "arbitrary(value)": "Any value that is not null.", "select arbitrary(miner) from blocks";
    aggregate "arg_max(value, key)": "The same as max_by.", "select arg_max(hash, value) from transactions";
    aggregate "arg_min(value, key)": "The same as min_by.", "select arg_min(hash, block_timestamp) from transactions";
    aggregate "booland_agg(condition)": "The same as every.", "select booland_agg(gas_used <= gas_limit) from blocks";
    aggregate "boolor_agg(condition)": "Whether the condition is true for at least one row.",
        "select boolor_agg(gas_used = 0) from blocks";
    aggregate "count_if(condition)": "The number of rows for which the condition is true.",
        "select count_if(receipt_status = 1) from transactions";
    aggregate "countif(condition)": "The same as count_if.", "select countif(gas_used = 0) from blocks";
    aggregate "every(condition)": "Whether the condition is true for all rows.",
        "select every(gas_used <= gas_limit) from blocks";
    aggregate "first(value order by key)": "The same as first_value.", "select first(hash order by number) from blocks";
    aggregate "geometric_mean(number)": "The geometric mean of positive numbers.",
        "select geometric_mean(gas_used) from blocks where gas_used > 0";
    aggregate "group_concat(text order by key separator ',')":
        "The strings of a group, joined by a comma or another separator.",
        "select group_concat(standard) from token_transfers";
    aggregate "histogram(value)": "A map of the values of a group to their counts.",
        "select histogram(transaction_type) from transactions";
    aggregate "hll(value)": "The same as approx_distinct.", "select hll(from_address) from transactions";
    aggregate "hll_accumulate(value)": "The same as approx_set.",
        "select cardinality(hll_accumulate(from_address)) from transactions";
    aggregate "hll_combine(sketch)": "The same as merge.", "select cardinality(hll_combine(empty_approx_set()))";
    aggregate "hll_estimate(sketch)": "The approximate number of distinct values in all sketches of a group.",
        "select hll_estimate(empty_approx_set())";
    aggregate "json_agg(value order by key)": "The values of a group as a JSON array.",
        "select json_agg(number order by number) from blocks where number < 5";
    aggregate "jsonb_agg(value order by key)": "The values of a group as a JSON array.",
        "select jsonb_agg(number order by number) from blocks where number < 5";
    aggregate "last(value order by key)": "The same as last_value.", "select last(hash order by number) from blocks";
    aggregate "listagg(text, separator) within group (order by key)":
        "The strings of a group, joined in order by a separator.",
        "select listagg(standard, ', ') within group (order by log_index) from token_transfers";
    aggregate "logical_and(condition)": "The same as every.", "select logical_and(gas_used <= gas_limit) from blocks";
    aggregate "logical_or(condition)": "Whether the condition is true for at least one row.",
        "select logical_or(gas_used = 0) from blocks";
    aggregate "map_agg(key, value)": "A map of the keys of a group to their values.",
        "select map_agg(number, gas_used) from blocks where number < 5";
    aggregate "map_union(map)":
        "The union of the maps of a group; if a key is in more than one, any of its values is kept.",
        "select map_union(map([miner], [number])) from blocks";
    aggregate "max_by(value, key)": "The value of the row with the largest key; rows with a null key are ignored.",
        "select max_by(hash, value) from transactions";
    aggregate "min_by(value, key)": "The value of the row with the smallest key; rows with a null key are ignored.",
        "select min_by(hash, block_timestamp) from transactions";
    aggregate "mode(value)": "The most frequent value of a group; mode() within group (order by value) is the same.",
        "select mode(transaction_type) from transactions";
    aggregate "multimap_agg(key, value)": "A map of the keys of a group to the lists of their values.",
        "select multimap_agg(miner, number) from blocks where number < 5";
    aggregate "object_agg(name, value)": "A JSON object of the names and values of a group.",
        "select object_agg(to_hex(miner), gas_used) from blocks";
    aggregate "percentile(number, share)": "The same as percentile_cont, as in Spark.",
        "select percentile(gas_used, 0.5) from blocks";
    aggregate "percentile_approx(number, share)": "The same as approx_percentile.",
        "select percentile_approx(gas_used, 0.5) from blocks";
    aggregate "percentile_disc(share) within group (order by value)":
        "The first value, in sort order, at which a given fraction of the group is reached.",
        "select percentile_disc(0.5) within group (order by gas_used) from blocks";
    aggregate "quantile(value, share)": "The same as percentile_disc, as in DuckDB.",
        "select quantile(gas_used, 0.5) from blocks";
    aggregate "ratio_to_report(number)": "The ratio of a number to the sum over a window.",
        "select number, ratio_to_report(gas_used) over () from blocks where number < 5";
    aggregate "reduce_agg(value, first, (state, value) -> state, (state, state) -> state)":
        "One value for a group: the first lambda combines the state with each value in turn; the second combines states.",
        "select reduce_agg(number, 0, (s, x) -> s + x, (a, b) -> a + b) from blocks";
    scalar "add_months(time, months)": "A date or timestamp plus a number of months; the last day of a month remains the last day.",
        "select add_months(date '2024-02-29', 1)";
    scalar "all_match(list, item -> condition)": "Whether the condition is true for every element of a list.",
        "select all_match([1, 2, 3], x -> x > 0)";
    scalar "any_match(list, item -> condition)": "Whether the condition is true for at least one element of a list.",
        "select any_match([1, 2, 3], x -> x > 2)";
    scalar "array_generate_range(first, end)":
        "Integers from the first number up to, but not including, the second, as in Snowflake; a third argument is the step.",
        "select array_generate_range(0, 3)";
    scalar "array_remove(list, item)": "A list without the elements that are equal to a value.",
        "select array_remove([1, 2, 1], 1)";
    scalar "base64_decode_string(text)": "A string decoded from base64.", "select base64_decode_string('aGk=')";
    scalar "base64_encode(text)": "A string encoded as base64.", "select base64_encode('hi')";
    scalar "booland(a, b)": "Whether two conditions or numbers are both true; 0 is false.", "select booland(1, 0)";
    scalar "boolnot(a)": "Whether a condition or a number is not true; 0 is false.", "select boolnot(0)";
    scalar "boolor(a, b)": "Whether at least one of two conditions or numbers is true; 0 is false.", "select boolor(1, 0)";
    scalar "boolxor(a, b)": "Whether exactly one of two conditions or numbers is true; 0 is false.",
        "select boolxor(1, 0)";
    scalar "charindex(part, text)": "The position of a substring in a string, starting at 1; 0 if it is not found.",
        "select charindex('b', 'abc')";
    scalar "contains_substr(value, part)": "Whether a string contains a substring, ignoring case.",
        "select contains_substr('Uniswap', 'SWAP')";
    scalar "convert_timezone(from, to, time)": "A local time in one time zone converted to another time zone.",
        "select convert_timezone('UTC', 'Asia/Shanghai', timestamp '2024-03-01 00:00:00')";
    scalar "current_datetime()": "The same as now.",
        "select current_datetime() >= max(block_timestamp) from transactions";
    scalar "date_from_parts(year, month, day)":
        "The date of a year, a month and a day, which may lie outside the month: day 0 is the last day of the previous month.",
        "select date_from_parts(2024, 3, 0)";
    scalar "date_from_unix_date(days)": "The date a number of days after 1970-01-01.",
        "select date_from_unix_date(19782)";
    scalar "date_sub(time, interval)": "A date or timestamp minus an interval, as in BigQuery.",
        "select date_sub(date '2024-03-01', interval 1 day)";
    scalar "dateadd(unit, number, time)": "A date or timestamp plus a number of units; the same as date_add.",
        "select dateadd(day, -7, timestamp '2024-03-01 00:00:00')";
    scalar "datetime_add(time, interval)": "The same as timestamp_add.",
        "select datetime_add(timestamp '2024-03-01 00:00:00', interval 1 hour)";
    scalar "datetime_diff(later, earlier, unit)": "The same as timestamp_diff.",
        "select datetime_diff(timestamp '2024-03-01 00:00:00', timestamp '2024-02-01 12:00:00', day)";
    scalar "datetime_sub(time, interval)": "The same as timestamp_sub.",
        "select datetime_sub(timestamp '2024-03-01 00:00:00', interval 1 hour)";
    scalar "datetime_trunc(time, unit)": "The same as timestamp_trunc.",
        "select datetime_trunc(block_timestamp, day) from transactions limit 1";
    scalar "dayname(time)": "The name of the day of the week, abbreviated to three letters.", "select dayname(date '2024-03-01')";
    scalar "dayofweek(time)":
        "The day of the week, from 1 for Sunday to 7, as in Spark; one less in Snowflake and DuckDB. day_of_week counts from Monday.",
        "select dayofweek(date '2024-03-01')";
    scalar "decode(value, search, result, …, other)":
        "The result after the first search value that equals the value (null equals null), otherwise the default, or null if there is none. decode(text, 'hex') and decode(text, 'base64') return bytes.",
        "select decode(2, 1, 'one', 2, 'two', 'many')";
    scalar "div0(number, by)": "The quotient of two numbers, or 0 for a division by zero.", "select div0(1, 0)";
    scalar "div0null(a, b)": "The quotient of two numbers, including its fraction, or 0 if the divisor is zero or null.",
        "select div0null(1, null)";
    scalar "equal_null(a, b)": "Whether two values are equal, where null equals null.", "select equal_null(null, null)";
    scalar "filter(list, item -> condition)": "The elements of a list for which the condition is true.",
        "select filter([1, 2, 3], x -> x > 1)";
    scalar "format(pattern, values…)": "The pattern with values in place of %s, %d, %x, %.2f …, formatted as in Java.",
        "select format('%s: %d', 'blocks', 5)";
    scalar "format_string(pattern, values…)":
        "The pattern with values in place of %s, %d, %x, %.2f …, formatted as in Java.",
        "select format_string('%.2f', 1.5e0)";
    scalar "get_chain_explorer(chain)": "The URL of a chain's block explorer; null for unknown chains.",
        "select get_chain_explorer('ethereum')";
    scalar "get_chain_explorer_address(chain, address)": "The URL of an address on the chain's block explorer.",
        "select get_chain_explorer_address('ethereum', to_address) from transactions limit 1";
    scalar "get_chain_explorer_tx_hash(chain, hash)": "The URL of a transaction on the chain's block explorer.",
        "select get_chain_explorer_tx_hash('ethereum', hash) from transactions limit 1";
    scalar "get_href(link, text)": "An HTML link, as in Dune.", "select get_href('https://ethereum.org', 'Ethereum')";
    scalar "get_path(json, path)": "The JSON value at a path such as a.b[0]; null if there is none.",
        "select get_path('{\"a\":{\"b\":[1]}}', 'a.b[0]')";
    scalar "getdate()": "The same as now.", "select getdate() > timestamp '2020-01-01 00:00:00'";
    scalar "hex_decode_string(text)": "A string decoded from hex digits.", "select hex_decode_string('6869')";
    scalar "hex_encode(text)": "The bytes of a string as hex digits.", "select hex_encode('hi')";
    scalar "ieee_divide(a, b)": "The quotient of two doubles; infinity or NaN for a division by zero.",
        "select ieee_divide(1, 0)";
    scalar "if(condition, value, other)":
        "The value if the condition is true, otherwise the other value, or null if there is none.",
        "select if(receipt_status = 1, 'ok', 'failed') from transactions limit 1";
    scalar "iff(condition, value, other)": "The same as if.", "select iff(1 < 2, 'yes', 'no')";
    scalar "insert(text, place, length, part)":
        "A string in which a number of characters from a position on are replaced by another string.",
        "select insert('abcdef', 2, 3, 'X')";
    scalar "json_array(value, …)": "A JSON array of values, without nulls.", "select json_array(1, 'a', null)";
    scalar "json_build_object(key, value, …)": "A JSON object of constant keys and their values.",
        "select json_build_object('a', 1)";
    scalar "json_object(name, value, …)": "A JSON object of names and values.",
        "select json_object('block', number, 'hash', hash) from blocks limit 1";
    scalar "json_query_array(json, path)": "The elements of a JSON array, each as JSON.",
        "select json_query_array('{\"a\":[1,{\"b\":2}]}', '$.a')";
    scalar "json_value_array(json, path)": "The elements of a JSON array, each as a string.",
        "select json_value_array('{\"a\":[\"x\",\"y\"]}', '$.a')";
    scalar "jsonb_build_object(key, value, …)": "A JSON object of constant keys and their values.",
        "select jsonb_build_object('a', 1)";
    scalar "locate(part, text)": "The position of a substring in a string, starting at 1; 0 if it is not found.",
        "select locate('b', 'abc')";
    scalar "monthname(time)": "The name of the month, abbreviated to three letters.", "select monthname(date '2024-03-01')";
    scalar "none_match(list, item -> condition)": "Whether the condition is true for no element of a list.",
        "select none_match([1, 2, 3], x -> x > 3)";
    scalar "nullifzero(number)": "The number, or null if it is 0.", "select nullifzero(0)";
    scalar "object_construct(name, value, …)": "A JSON object of names and values, without nulls, as in Snowflake.",
        "select object_construct('block', number, 'fee', base_fee_per_gas) from blocks limit 1";
    scalar "printf(pattern, values…)": "The pattern with values in place of %s, %d, %x, %.2f …, formatted as in Java.",
        "select printf('%05d', 42)";
    scalar "range_bucket(number, bounds)": "The number of bounds in a sorted list that are less than or equal to a number.",
        "select range_bucket(20, [0, 10, 20, 30])";
    scalar "regexp_matches(text, pattern)":
        "Whether a string matches a pattern, as in DuckDB. PostgreSQL's function of this name returns the match, as regexp_match does here.",
        "select regexp_matches('0xab', '^0x')";
    scalar "safe_add(a, b)": "The sum of two numbers, or null if it overflows.", "select safe_add(1, 2)";
    scalar "safe_divide(number, by)": "The quotient of two numbers, or null for a division by zero.", "select safe_divide(1, 0)";
    scalar "safe_multiply(a, b)": "The product of two numbers, or null if it overflows.", "select safe_multiply(9223372036854775807, 2)";
    scalar "safe_negate(number)": "A number with the opposite sign, or null if it overflows.", "select safe_negate(5)";
    scalar "safe_subtract(a, b)": "The difference of two numbers, or null if it overflows.",
        "select safe_subtract(uint256('1'), uint256('2'))";
    scalar "sha1_hex(text or bytes)": "The SHA-1 hash of a string or bytes as hex digits.", "select sha1_hex('a')";
    scalar "sha2_binary(text or bytes, bits)": "The same hash as sha2, as bytes.", "select sha2_binary('a', 256)";
    scalar "shuffle(list)": "The elements of a list in random order.", "select shuffle([1, 2, 3])";
    scalar "soundex(text)": "The Soundex code: a letter and three digits, equal for strings that sound alike in English.",
        "select soundex('Robert'), soundex('Rupert')";
    scalar "space(count)": "A string of the given number of spaces.", "select space(3) || 'a'";
    scalar "square(number)": "The square of a number.", "select square(12)";
    scalar "strtok(text, signs, nth)": "The nth part of a string split at any of the delimiter characters, ignoring empty parts.",
        "select strtok('a-b.c', '-.', 3)";
    scalar "strtok_to_array(text, signs)": "The parts of a string split at any of the delimiter characters, ignoring empty parts.",
        "select strtok_to_array('a-b.c', '-.')";
    scalar "sysdate()": "The same as now.", "select sysdate() > timestamp '2020-01-01 00:00:00'";
    scalar "time_slice(time, count, unit)":
        "The start of the interval of the given number of seconds, minutes, hours or days that contains a timestamp.",
        "select time_slice(block_timestamp, 4, 'HOUR') from transactions limit 1";
    scalar "timestamp_add(time, interval)": "A date or timestamp plus an interval, as in BigQuery.",
        "select timestamp_add(timestamp '2024-03-01 00:00:00', interval 1 hour)";
    scalar "timestamp_diff(later, earlier, unit)": "The number of whole units between two timestamps, as in BigQuery.",
        "select timestamp_diff(timestamp '2024-03-01 00:00:00', timestamp '2024-02-01 12:00:00', day)";
    scalar "timestamp_sub(time, interval)": "A date or timestamp minus an interval, as in BigQuery.",
        "select timestamp_sub(timestamp '2024-03-01 00:00:00', interval 1 day)";
    scalar "timestamp_trunc(time, unit)": "A timestamp truncated to the start of a unit, as in BigQuery.",
        "select timestamp_trunc(block_timestamp, day) from transactions limit 1";
    scalar "timestampadd(unit, number, time)": "The same as date_add.",
        "select timestampadd(hour, 2, timestamp '2024-03-01 00:00:00')";
    scalar "timestampdiff(unit, earlier, later)": "The same as date_diff.",
        "select timestampdiff(hour, timestamp '2024-03-01 00:00:00', timestamp '2024-03-02 00:00:00')";
    scalar "to_boolean(value)": "A value converted to a boolean.", "select to_boolean('yes')";
    scalar "to_decimal(text)": "The same as to_number.", "select to_decimal('12')";
    scalar "to_double(value)": "A value converted to a double.", "select to_double('1.5')";
    scalar "to_json_string(value)": "The JSON of any value, as a string.", "select to_json_string([1, 2])";
    scalar "to_number(text)": "A string converted to an integer of up to 38 digits.", "select to_number('12')";
    scalar "to_numeric(text)": "The same as to_number.", "select to_numeric('12')";
    scalar "to_varchar(value, pattern)": "A value as a string; a timestamp is formatted with a pattern.", "select to_varchar(5)";
    scalar "transform(list, item -> value)": "The results of the lambda for the elements of a list.",
        "select transform([1, 2, 3], x -> x * 2)";
    scalar "try_to_boolean(value)": "A value converted to a boolean, or null if it can't be converted.", "select try_to_boolean('x')";
    scalar "try_to_date(text, pattern)": "The same as to_date, but null if the string is not a date.",
        "select try_to_date('x')";
    scalar "try_to_decimal(text)": "The same as try_to_number.", "select try_to_decimal('x')";
    scalar "try_to_double(value)": "A value converted to a double, or null if it can't be converted.", "select try_to_double('x')";
    scalar "try_to_number(text)": "The same as to_number, but null if the string is not a number.",
        "select try_to_number('x')";
    scalar "try_to_numeric(text)": "The same as try_to_number.", "select try_to_numeric('x')";
    scalar "try_to_timestamp(text, pattern)": "The same as to_timestamp, but null if the string is not a timestamp.",
        "select try_to_timestamp('x')";
    scalar "unix_date(day)": "The number of days from 1970-01-01 to a date.", "select unix_date(date '2024-02-29')";
    scalar "unix_micros(time)": "The number of microseconds from 1970-01-01 00:00:00 to a timestamp.",
        "select unix_micros(timestamp '2024-01-01 00:00:00')";
    scalar "unix_timestamp(time)": "The same as unix_seconds; without an argument, for the timestamp of the head block.",
        "select unix_timestamp(timestamp '2024-01-01 00:00:00')";
    scalar "url_decode(text)": "The decoded form of a URL-encoded string.", "select url_decode('a%20b%26c')";
    scalar "url_encode(text)": "The string with the characters that are special in a URL percent-encoded.",
        "select url_encode('a b&c')";
    scalar "width_bucket(number, low, high, count)":
        "The bucket of a number among count equal-width buckets between two bounds, starting at 1; 0 below the bounds and count + 1 above.",
        "select width_bucket(gas_used, 0, 30000000, 10) from blocks limit 1";
    scalar "zeroifnull(number)": "The number, or 0 if it is null.", "select zeroifnull(null)";
    scalar "zip(list, list, …)":
        "The elements at the same position of several lists, as a list of rows; shorter lists are padded with nulls.",
        "select zip([1, 2], ['a', 'b'])";
};
