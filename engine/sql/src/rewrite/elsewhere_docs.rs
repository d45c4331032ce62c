//! Documentation of the functions of other products that are expressions of ours.

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
pub(super) const ELSEWHERE: [Form; 53] = [
    scalar!(
        "add_months",
        "add_months(time, months)",
        "A time so many months later; the last day of a month stays the last one.",
        "select add_months(date '2024-02-29', 1)"
    ),
    scalar!("array_flatten", "array_flatten(list)", "The same as flatten.", "select array_flatten([[1], [2, 3]])"),
    scalar!(
        "array_generate_range",
        "array_generate_range(first, end)",
        "Whole numbers from one up to before another, as Snowflake counts; a third argument is the step.",
        "select array_generate_range(0, 3)"
    ),
    scalar!(
        "base64_decode_binary",
        "base64_decode_binary(text)",
        "The bytes that a text in base 64 stands for.",
        "select base64_decode_binary('aGk=')"
    ),
    scalar!(
        "base64_decode_string",
        "base64_decode_string(text)",
        "The text that a text in base 64 stands for.",
        "select base64_decode_string('aGk=')"
    ),
    scalar!("base64_encode", "base64_encode(text)", "A text in base 64.", "select base64_encode('hi')"),
    scalar!("bitnot", "bitnot(number)", "The same as bitwise_not.", "select bitnot(5)"),
    scalar!(
        "bitshiftleft",
        "bitshiftleft(number, bits)",
        "The same as bitwise_left_shift.",
        "select bitshiftleft(1, 3)"
    ),
    scalar!(
        "bitshiftright",
        "bitshiftright(number, bits)",
        "A number moved right by a number of bits; its sign stays.",
        "select bitshiftright(-8, 1)"
    ),
    scalar!(
        "booland",
        "booland(a, b)",
        "Whether two conditions or numbers are both true; 0 is false.",
        "select booland(1, 0)"
    ),
    scalar!("boolnot", "boolnot(a)", "Whether a condition or a number is not true; 0 is false.", "select boolnot(0)"),
    scalar!(
        "boolor",
        "boolor(a, b)",
        "Whether one of two conditions or numbers is true; 0 is false.",
        "select boolor(1, 0)"
    ),
    scalar!(
        "boolxor",
        "boolxor(a, b)",
        "Whether just one of two conditions or numbers is true; 0 is false.",
        "select boolxor(1, 0)"
    ),
    scalar!(
        "bytearray_to_numeric",
        "bytearray_to_numeric(bytes)",
        "The same as bytearray_to_decimal.",
        "select bytearray_to_numeric(0x0a)"
    ),
    scalar!(
        "date_from_parts",
        "date_from_parts(year, month, day)",
        "The date of a year, a month and a day, which may lie before or behind the month: day 0 is the last one of the month before.",
        "select date_from_parts(2024, 3, 0)"
    ),
    scalar!(
        "dayofweek",
        "dayofweek(time)",
        "The day of the week from 1 for Sunday to 7, as Spark counts; Snowflake's and DuckDB's is one less. day_of_week counts from Monday.",
        "select dayofweek(date '2024-03-01')"
    ),
    scalar!(
        "div0null",
        "div0null(a, b)",
        "The quotient with a fraction, or 0 where it is by zero or by null.",
        "select div0null(1, null)"
    ),
    scalar!("generate_uuid", "generate_uuid()", "The same as uuid.", "select length(generate_uuid())"),
    scalar!(
        "get_path",
        "get_path(json, path)",
        "What stands at a path of JSON, such as a.b[0]; null where there is nothing.",
        "select get_path('{\"a\":{\"b\":[1]}}', 'a.b[0]')"
    ),
    scalar!("getdate", "getdate()", "The same as now.", "select getdate() > timestamp '2020-01-01 00:00:00'"),
    scalar!(
        "hex_decode_binary",
        "hex_decode_binary(text)",
        "The bytes that hex digits stand for.",
        "select hex_decode_binary('6869')"
    ),
    scalar!(
        "hex_decode_string",
        "hex_decode_string(text)",
        "The text that hex digits stand for.",
        "select hex_decode_string('6869')"
    ),
    scalar!("hex_encode", "hex_encode(text)", "The bytes of a text as hex digits.", "select hex_encode('hi')"),
    scalar!(
        "insert",
        "insert(text, place, length, part)",
        "A text with a part in the place of so many letters from a place on.",
        "select insert('abcdef', 2, 3, 'X')"
    ),
    scalar!("is_array", "is_array(json)", "Whether JSON is a list.", "select is_array('[1]')"),
    scalar!(
        "is_null_value",
        "is_null_value(json)",
        "Whether JSON is null, which is something else than having none.",
        "select is_null_value(json_parse('null'))"
    ),
    scalar!("is_object", "is_object(json)", "Whether JSON is an object.", "select is_object('{\"a\":1}')"),
    scalar!(
        "json_array",
        "json_array(value, …)",
        "A JSON list of values; what is null is left out.",
        "select json_array(1, 'a', null)"
    ),
    scalar!(
        "json_type",
        "json_type(json)",
        "What JSON is: object, array, string, number, boolean or null.",
        "select json_type('[1]')"
    ),
    scalar!("parse_numeric", "parse_numeric(text)", "The same as numeric.", "select parse_numeric('12.50')"),
    aggregate!("hll", "hll(value)", "The same as approx_distinct.", "select hll(from_address) from transactions"),
    aggregate!(
        "hll_accumulate",
        "hll_accumulate(value)",
        "The same as approx_set.",
        "select cardinality(hll_accumulate(from_address)) from transactions"
    ),
    aggregate!(
        "hll_combine",
        "hll_combine(sketch)",
        "The same as merge.",
        "select cardinality(hll_combine(empty_approx_set()))"
    ),
    aggregate!(
        "hll_estimate",
        "hll_estimate(sketch)",
        "About how many values differ in all sketches of a group.",
        "select hll_estimate(empty_approx_set())"
    ),
    aggregate!(
        "percentile",
        "percentile(number, share)",
        "The same as percentile_cont, as Spark writes it.",
        "select percentile(gas_used, 0.5) from blocks"
    ),
    aggregate!(
        "percentile_approx",
        "percentile_approx(number, share)",
        "The same as approx_percentile.",
        "select percentile_approx(gas_used, 0.5) from blocks"
    ),
    aggregate!(
        "quantile",
        "quantile(value, share)",
        "The same as percentile_disc, as DuckDB writes it.",
        "select quantile(gas_used, 0.5) from blocks"
    ),
    scalar!(
        "sha1_hex",
        "sha1_hex(text or bytes)",
        "The SHA-1 of a text or of bytes as hex digits.",
        "select sha1_hex('a')"
    ),
    scalar!(
        "sha2_binary",
        "sha2_binary(text or bytes, bits)",
        "The same hash as sha2, as bytes.",
        "select sha2_binary('a', 256)"
    ),
    scalar!("space", "space(count)", "So many blanks.", "select space(3) || 'a'"),
    scalar!("square", "square(number)", "A number times itself.", "select square(12)"),
    scalar!(
        "strtok",
        "strtok(text, signs, nth)",
        "The nth part of a text between any of the signs, without empty ones.",
        "select strtok('a-b.c', '-.', 3)"
    ),
    scalar!(
        "strtok_to_array",
        "strtok_to_array(text, signs)",
        "The parts of a text between any of the signs, without empty ones.",
        "select strtok_to_array('a-b.c', '-.')"
    ),
    scalar!("sysdate", "sysdate()", "The same as now.", "select sysdate() > timestamp '2020-01-01 00:00:00'"),
    scalar!(
        "timestamp_from_parts",
        "timestamp_from_parts(year, month, day, hour, minute, second)",
        "The time of a year, a month, a day, an hour, a minute and a second.",
        "select timestamp_from_parts(2024, 3, 1, 12, 30, 0)"
    ),
    scalar!("to_boolean", "to_boolean(value)", "A value as true or false.", "select to_boolean('yes')"),
    scalar!("to_double", "to_double(value)", "A value as a double.", "select to_double('1.5')"),
    scalar!(
        "to_timestamp_ntz",
        "to_timestamp_ntz(value)",
        "The same as to_timestamp.",
        "select to_timestamp_ntz('2024-03-01 12:00:00')"
    ),
    scalar!("to_variant", "to_variant(value)", "The same as to_json.", "select to_variant([1, 2])"),
    scalar!(
        "try_to_boolean",
        "try_to_boolean(value)",
        "A value as true or false, or null where it is neither.",
        "select try_to_boolean('x')"
    ),
    scalar!(
        "try_to_double",
        "try_to_double(value)",
        "A value as a double, or null where it is none.",
        "select try_to_double('x')"
    ),
    scalar!("unicode", "unicode(text)", "The same as codepoint.", "select unicode('A')"),
    scalar!("uuid_string", "uuid_string()", "The same as uuid.", "select length(uuid_string())"),
];
