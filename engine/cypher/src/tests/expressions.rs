//! Values, operators and functions.

use super::assert_value;

#[test]
fn null_is_unknown_in_conditions_and_absent_in_functions() {
    assert_value("null = null", "null");
    assert_value("null AND false", "false");
    assert_value("null OR true", "true");
    assert_value("null XOR true", "null");
    assert_value("NOT null", "null");
    assert_value("1 IN [2, null]", "null");
    assert_value("1 IN []", "false");
    assert_value("[1, null] = [1, 2]", "null");
    assert_value("size(null)", "null");
    assert_value("coalesce(null, 3)", "3");
    assert_value("null IS NULL", "true");
}

#[test]
fn comparisons_form_chains_and_mix_numbers_exactly() {
    assert_value("1 < 2 < 3", "true");
    assert_value("1 < 3 < 2", "false");
    assert_value("1 = 1.0", "true");
    assert_value("9007199254740993 = 9007199254740992.0", "false");
    assert_value("'a' < 1", "null");
    assert_value("[1, 2] < [1, 3]", "true");
    assert_value("0.0 / 0.0 = 0.0 / 0.0", "false");
}

#[test]
fn arithmetic_follows_types() {
    assert_value("7 / 2", "3");
    assert_value("7 / 2.0", "3.5");
    assert_value("-7 % 3", "-1");
    assert_value("2 ^ 3", "8.0");
    assert_value("1 + 2 * 3 - 4", "3");
    assert_value("'a' + 1", "'a1'");
    assert_value("[1] + 2 + [3]", "[1, 2, 3]");
    assert_value("-9223372036854775808", "-9223372036854775808");
    assert_value("0xFF + 0o17", "270");
}

#[test]
fn whole_numbers_beyond_64_bits_are_exact_amounts() {
    assert_value("100000000000000000001 > 100000000000000000000", "true");
    assert_value("100000000000000000001 = 100000000000000000000", "false");
    assert_value("-100000000000000000001 - 1 = -100000000000000000002", "true");
    assert_value("0xFFFFFFFFFFFFFFFFFF = 4722366482869645213695", "true");
    assert_value("toString(toInteger('100000000000000000001') - 100000000000000000000)", "'1'");
    assert_value("100000000000000000001 IN [1, 100000000000000000001]", "true");
    assert_value("toInteger('100000000000000000001') = 100000000000000000001", "true");
    assert_value("toInteger(' -5 ')", "-5");
}

#[test]
fn lists_and_maps_are_read_by_place_and_name() {
    assert_value("[1, 2, 3][-1]", "3");
    assert_value("[1, 2, 3][5]", "null");
    assert_value("[1, 2, 3, 4][1..3]", "[2, 3]");
    assert_value("[1, 2, 3][-2..]", "[2, 3]");
    assert_value("{a: {b: 7}}.a.b", "7");
    assert_value("{a: 1}['a']", "1");
    assert_value("[x IN range(1, 5) WHERE x % 2 = 1 | x * x]", "[1, 9, 25]");
    assert_value("reduce(sum = 0, x IN [1, 2, 3] | sum + x)", "6");
}

#[test]
fn quantifiers_know_when_they_do_not_know() {
    assert_value("all(x IN [1, 2] WHERE x > 0)", "true");
    assert_value("all(x IN [1, null] WHERE x > 0)", "null");
    assert_value("any(x IN [1, null] WHERE x > 0)", "true");
    assert_value("none(x IN [] WHERE x)", "true");
    assert_value("single(x IN [1, 2, 3] WHERE x > 2)", "true");
}

#[test]
fn functions_of_texts_and_numbers() {
    assert_value("substring('hello', 1, 3)", "'ell'");
    assert_value("split('a,b,c', ',')", "['a', 'b', 'c']");
    assert_value("reverse('abc')", "'cba'");
    assert_value("toUpper(trim('  x '))", "'X'");
    assert_value("replace('aXbX', 'X', '-')", "'a-b-'");
    assert_value("'abc' =~ 'a.c'", "true");
    assert_value("'abc' STARTS WITH 'ab' AND 'abc' ENDS WITH 'bc' AND 'abc' CONTAINS 'b'", "true");
    assert_value("round(2.5)", "3.0");
    assert_value("toInteger('12.7')", "12");
    assert_value("toInteger('x')", "null");
    assert_value("toString(1.0)", "'1.0'");
    assert_value("range(5, 1, -2)", "[5, 3, 1]");
    assert_value("abs(-3) + sign(-2.5)", "2");
}

#[test]
fn case_takes_the_first_arm_that_holds() {
    assert_value("CASE WHEN false THEN 1 WHEN true THEN 2 ELSE 3 END", "2");
    assert_value("CASE 3 WHEN 1 THEN 'one' WHEN 3 THEN 'three' END", "'three'");
    assert_value("CASE null WHEN null THEN 1 ELSE 2 END", "2");
}
