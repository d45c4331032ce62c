//! What is refused says why, and where.

use super::run_on;
use crate::graph::JsonGraph;
use crate::values::Map;
use quarry_types::ErrorCode;

#[track_caller]
fn assert_error(text: &str, code: ErrorCode, line: u64, column: u64, says: &str) {
    let error = run_on(&JsonGraph::default(), text, &Map::new()).expect_err(text);
    assert_eq!(error.code, code, "{text}: {error}");
    let at = error.position.unwrap_or_else(|| panic!("{text}: {error}"));
    assert_eq!((at.line, at.column), (line, column), "{text}: {error}");
    assert!(error.message.contains(says), "{text}: {error}");
}

#[test]
fn writing_is_refused_where_it_stands() {
    for (text, column) in [
        ("CREATE (n)", 1),
        ("MERGE (n)", 1),
        ("MATCH (n) SET n.x = 1", 11),
        ("MATCH (n) DELETE n", 11),
        ("MATCH (n) REMOVE n.x", 11),
        ("MATCH (n) DETACH DELETE n", 11),
        ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", 11),
        ("LOAD CSV WITH HEADERS FROM 'file:///a.csv' AS row RETURN row", 1),
        ("WITH 1 AS x load csv FROM 'a' AS row RETURN row", 13),
    ] {
        assert_error(text, ErrorCode::NotAllowed, 1, column, "read-only");
    }
}

#[test]
fn names_that_are_not_there_are_told() {
    assert_error("MATCH (person)\nRETURN persn", ErrorCode::UnknownColumn, 2, 8, "Did you mean person?");
    assert_error("RETURN toUper('a')", ErrorCode::UnknownFunction, 1, 8, "Did you mean toUpper?");
    assert_error("CALL db.label()", ErrorCode::UnknownFunction, 1, 6, "Did you mean db.labels?");
    assert_error("RETURN $x", ErrorCode::InvalidQuery, 1, 8, "$x");
}

#[test]
fn types_must_fit() {
    assert_error("RETURN 1 + true", ErrorCode::InvalidQuery, 1, 12, "BOOLEAN");
    assert_error("MATCH p = (a)-->(b) RETURN type(p)", ErrorCode::InvalidQuery, 1, 33, "a path");
    assert_error("MATCH (a)-[a]->(b) RETURN a", ErrorCode::InvalidQuery, 1, 12, "bound twice");
    assert_error("WITH [7] AS l RETURN size(l[0])", ErrorCode::InvalidQuery, 1, 22, "a list or a string");
    assert_error("RETURN 9223372036854775807 + 1", ErrorCode::Arithmetic, 1, 8, "64-bit");
    assert_error(&format!("RETURN 1{}", "0".repeat(78)), ErrorCode::Arithmetic, 1, 8, "256-bit");
    assert_error("RETURN 1 / 0", ErrorCode::Arithmetic, 1, 8, "zero");
}

#[test]
fn clauses_must_make_sense() {
    assert_error("MATCH (n)", ErrorCode::InvalidQuery, 1, 1, "RETURN");
    assert_error("MATCH (n) WITH n.x RETURN 1", ErrorCode::InvalidQuery, 1, 16, "AS name");
    assert_error("RETURN 1 AS x, 2 AS x", ErrorCode::InvalidQuery, 1, 16, "x");
    assert_error("RETURN 1 AS x UNION RETURN 2 AS y", ErrorCode::InvalidQuery, 1, 21, "columns");
    assert_error("MATCH (n) WHERE count(n) > 1 RETURN n", ErrorCode::InvalidQuery, 1, 17, "aggregate function");
    assert_error("RETURN sum(count(*))", ErrorCode::InvalidQuery, 1, 12, "nested");
    assert_error("MATCH (a) RETURN a.x + count(*)", ErrorCode::InvalidQuery, 1, 18, "grouping key");
    assert_error("RETURN 1 LIMIT -1", ErrorCode::InvalidQuery, 1, 16, "LIMIT");
}

#[test]
fn syntax_errors_point_at_the_place() {
    let error = run_on(&JsonGraph::default(), "MATCH (a RETURN a", &Map::new()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Syntax);
    assert!(error.position.is_some());
}

#[test]
fn texts_beyond_the_bounds_are_refused_before_they_are_parsed() {
    let deep = format!("RETURN {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    let error = run_on(&JsonGraph::default(), &deep, &Map::new()).unwrap_err();
    assert_eq!(error.code, ErrorCode::TooComplex);
    let long = format!("RETURN 1{}", " + 1".repeat(50_000));
    let error = run_on(&JsonGraph::default(), &long, &Map::new()).unwrap_err();
    assert_eq!(error.code, ErrorCode::TooComplex);
}

#[test]
fn values_that_double_with_every_step_end_by_the_memory_limit() {
    for text in [
        "RETURN size(reduce(t = 'x', i IN range(1, 60) | t + t))",
        "RETURN size(reduce(l = [1], i IN range(1, 60) | l + l))",
        "RETURN reduce(l = [1], i IN range(1, 60) | [l, l])",
        "RETURN reduce(l = [], i IN range(1, 100000) | [l])",
        "RETURN reduce(m = {}, i IN range(1, 60) | {a: m, b: m})",
    ] {
        let error = run_on(&JsonGraph::default(), text, &Map::new()).expect_err(text);
        assert_eq!(error.code, ErrorCode::MemoryLimit, "{text}: {error}");
    }
}

#[test]
fn a_function_of_any_number_says_how_few_it_takes() {
    assert_error("RETURN coalesce()", ErrorCode::InvalidQuery, 1, 8, "takes 1 or more arguments, got 0.");
}

#[test]
fn parts_of_a_second_do_not_overflow() {
    for part in ["millisecond: 18446744073710", "microsecond: 9223372036854775807", "nanosecond: 9223372036854775807"] {
        let text = format!("RETURN localtime({{hour: 1, {part}}})");
        assert_error(&text, ErrorCode::InvalidQuery, 1, 8, "nanosecond can't be");
    }
}
