//! Queries that openCypher refuses are refused before they run; similar valid ones are not.

use crate::graph::JsonGraph;
use crate::logical_plan::Query;
use crate::parser;
use crate::query_text::QueryText;
use crate::semantic_analysis::analyze;
use crate::values::Map;
use quarry_types::{Error, ErrorCode};

fn planned(text: &str) -> Result<Query, Error> {
    let graph = JsonGraph::default();
    parser::parse(text, 1 << 20).and_then(|parsed| analyze(QueryText(text), &parsed, &graph, &Map::new()))
}

/// The text marks the expected position of the error with `@`.
#[track_caller]
fn assert_refused_as(code: ErrorCode, marked: &str, says: &str) {
    let (before, _) = marked.split_once('@').unwrap_or_else(|| panic!("{marked} has no mark"));
    let text = marked.replacen('@', "", 1);
    let error = planned(&text).expect_err(&text);
    assert_eq!(error.code, code, "{text}: {error}");
    let at = error.position.unwrap_or_else(|| panic!("{text}: {error}"));
    assert_eq!((at.line, at.column), (1, before.chars().count() as u64 + 1), "{text}: {error}");
    assert!(error.message.contains(says), "{text}: {error}");
}

#[track_caller]
fn assert_refused(marked: &str, says: &str) {
    assert_refused_as(ErrorCode::InvalidQuery, marked, says);
}

#[track_caller]
fn assert_valid(texts: &[&str]) {
    for text in texts {
        planned(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn a_variable_is_a_node_or_a_relationship_or_another_value() {
    for literal in ["true", "123", "123.4", "'foo'", "[]", "[10]", "{x: 1}", "date()", "count(*)", "1 + 2", "size('a')"]
    {
        assert_refused(&format!("WITH {literal} AS n MATCH (@n) RETURN n"), "can't be a node");
        assert_refused(&format!("WITH {literal} AS r MATCH ()-[@r]->() RETURN r"), "can't be a relationship");
    }
    assert_refused("MATCH p = ()-->() MATCH (@p) RETURN p", "p is a path and can't be a node");
    assert_refused("MATCH p = ()-->() MATCH ()-[@p]->() RETURN p", "can't be a relationship");
    assert_refused("MATCH (n) MATCH ()-[@n]->() RETURN n", "n is a node and can't be a relationship");
    assert_refused("MATCH (n) MATCH ()-[@n*]->() RETURN n", "can't be a list of relationships");
    assert_refused("MATCH ()-[r]->() MATCH (@r) RETURN r", "r is a relationship and can't be a node");
    assert_refused("MATCH ()-[r]->(@r) RETURN r", "can't be a node");
    assert_refused("MATCH (r)-[@r]->() RETURN r", "bound twice");
    assert_refused("MATCH ()-[r]->()-[@r]->() RETURN r", "bound twice");
    assert_refused("MATCH ()-[r*]->() MATCH (@r) RETURN r", "can't be a node");
    assert_refused("MATCH ()-[r*]->() MATCH ()-[@r]->() RETURN r", "can't be a relationship");
    assert_refused("MATCH ()-[r]->() MATCH ()-[@r*]->() RETURN r", "can't be a list of relationships");
    assert_refused("UNWIND [1, 2] AS n MATCH (@n) RETURN n", "an integer");
    assert_refused("WITH 1 AS n WITH n AS m MATCH (@m) RETURN m", "can't be a node");
    assert_refused("WITH 1 AS n MATCH (m) WHERE (@n)-->(m) RETURN m", "can't be a node");
    assert_refused("WITH 1 AS n RETURN EXISTS { (@n)-->() } AS e", "can't be a node");
    assert_refused("WITH 1 AS n RETURN [(@n)-->(m) | m] AS e", "can't be a node");
    assert_refused("MATCH p = (a)-->(@p) RETURN p", "p is a path");
    assert_refused("MATCH (a) UNWIND [1] AS @a RETURN a", "already exists");
    assert_refused("MATCH (p) MATCH @p = (p)-->() RETURN p", "already exists");
    assert_refused("WITH 1 AS label CALL db.labels() YIELD @label RETURN label", "already exists");
    assert_valid(&[
        "WITH null AS n MATCH (n) RETURN n",
        "MATCH (a) WITH a AS b MATCH (b)-->(c) RETURN c",
        "OPTIONAL MATCH (a) WITH a MATCH (a)-->(b) RETURN b",
        "MATCH (a) WITH collect(a) AS l UNWIND l AS n MATCH (n) RETURN n",
        "MATCH (a) WITH head(collect(a)) AS n MATCH (n) RETURN n",
        "MATCH (a) WITH collect(a)[0] AS n MATCH (n) RETURN n",
        "MATCH (a) UNWIND [a] AS n MATCH (n) RETURN n",
        "MATCH (a), (b) WITH coalesce(a, b) AS n MATCH (n) RETURN n",
        "MATCH (a), (b) WITH CASE WHEN a.x = 1 THEN a ELSE b END AS n MATCH (n) RETURN n",
        "MATCH (a) WITH CASE WHEN a.x = 1 THEN a END AS n MATCH (n) RETURN n",
        "MATCH ()-[r]->() WITH startNode(r) AS n, r MATCH (n)-[r]->() RETURN n",
        "MATCH ()-[r1]->()-[r2]->() WITH [r1, r2] AS rs MATCH (a)-[rs*]->(b) RETURN b",
        "MATCH ()-[r]->() WITH collect(r) AS rs MATCH (a)-[rs*]->(b) RETURN b",
        "MATCH ()-[rs*]->() UNWIND rs AS r MATCH (a)-[r]->(b) RETURN b",
        "MATCH p = ()-->() UNWIND relationships(p) AS r MATCH ()-[r]->() RETURN r",
        "MATCH (n) WITH {node: n} AS m WITH m.node AS n MATCH (n) RETURN n",
        "MATCH (a)-[r]->(b) MATCH (a)-[r]->(b) RETURN r",
    ]);
}

#[test]
fn aggregates_are_combined_only_with_grouping_keys_and_constants() {
    assert_refused("MATCH (a) RETURN @a.x + count(*)", "grouping key");
    assert_refused("MATCH (a) RETURN count(*) + @a.x", "grouping key");
    assert_refused("MATCH (a) WITH @a.x + count(*) AS c RETURN c", "grouping key");
    assert_refused("MATCH (a) RETURN a.y, @a.x + count(*)", "grouping key");
    assert_refused("MATCH (a) RETURN count(*) AS c ORDER BY @a.x + count(*)", "grouping key");
    assert_refused("MATCH (a) RETURN count(*) AS c ORDER BY @a.x", "grouping key");
    assert_refused("MATCH (a) RETURN a.x + a.y, @a.x + a.y + count(*)", "grouping key");
    assert_refused("MATCH (a) RETURN a.x + a.y AS s, count(*) ORDER BY @a.x + a.y + count(*)", "grouping key");
    assert_refused("MATCH (a) RETURN {n: count(*), x: @a.x} AS m", "grouping key");
    assert_refused("MATCH (a) RETURN CASE WHEN count(*) > 1 THEN @a.x END AS m", "grouping key");
    assert_refused("MATCH (a) RETURN sum(@count(*))", "nested");
    assert_refused("MATCH (a) RETURN sum(@1 + count(*))", "nested");
    assert_refused("MATCH (a) WHERE @count(a) > 1 RETURN a", "not allowed here");
    assert_refused("MATCH (a) WITH a, count(*) AS c WHERE @count(*) > 1 RETURN a", "not allowed here");
    assert_refused("MATCH (a) RETURN a.x ORDER BY @max(a.y)", "not allowed here");
    assert_refused("MATCH (a) RETURN [x IN [1, 2] | @count(x)]", "not allowed here");
    assert_refused("MATCH (a) RETURN [x IN [1, 2] WHERE x < @count(*)]", "not allowed here");
    assert_refused("MATCH (a) RETURN any(x IN [1, 2] WHERE x < @count(*))", "not allowed here");
    assert_refused("MATCH (a) RETURN reduce(s = 0, x IN [1, 2] | s + @count(*))", "not allowed here");
    assert_refused("MATCH (a) UNWIND @collect(a) AS b RETURN b", "not allowed here");
    assert_refused("MATCH (a {x: @count(*)}) RETURN a", "not allowed here");
    assert_refused("MATCH (a) RETURN a LIMIT @count(*)", "not allowed here");
    assert_valid(&[
        "MATCH (a) RETURN a.x, a.x + count(*)",
        "MATCH (a) RETURN a.x + count(*), a.x",
        "MATCH (a) RETURN a, a.x + count(*)",
        "MATCH (a)-->(b) RETURN a.x, b.x, a.x + b.x + count(*)",
        "MATCH (a) RETURN 1 + count(*), 'n' + count(*)",
        "MATCH (a) RETURN a.m.n, a.m['k'], a.l[0], a.m.n + a.m['k'] + a.l[0] + count(*)",
        "MATCH (a) WITH a.x AS x RETURN x, x + count(*)",
        "MATCH (a) WITH count(*) AS c RETURN c + 1",
        "MATCH (a) RETURN a.x AS x, count(*) AS c ORDER BY x + count(*), a.x + c",
        "MATCH (a) RETURN a.x + a.y AS s, count(*) AS c ORDER BY a.x + a.y, s + count(*)",
        "MATCH (a) RETURN a.x, [v IN collect(a.y) WHERE v > 1 | v + a.x] AS l",
        "MATCH (a) RETURN a.x IS NULL AS n, count(*)",
        "MATCH (a) RETURN count(*) AS c ORDER BY avg(a.x)",
        "MATCH (a) RETURN {n: count(*), l: collect(a.x)} AS m",
        "MATCH (a) RETURN reduce(s = 0, x IN collect(a.x) | s + x) AS s",
        "MATCH (a) RETURN all(x IN collect(a.x) WHERE x > 0) AS s",
        "MATCH (a) RETURN a, size([(a)-->(b) | b]) + count(*) AS n",
        "RETURN count(null), sum(null), collect(null)",
    ]);
}

#[test]
fn volatile_functions_are_not_aggregated() {
    assert_refused("RETURN count(@rand())", "rand returns a different value each time");
    assert_refused("MATCH (a) RETURN sum(a.x * @rand())", "sum can't aggregate it");
    assert_refused("MATCH (a) RETURN collect(DISTINCT [@rand()])", "different value each time");
    assert_refused("MATCH (a) RETURN a.x, percentileCont(a.x, @rand())", "different value each time");
    assert_valid(&[
        "RETURN rand() AS r",
        "MATCH (a) WITH a, rand() AS r RETURN count(r), sum(r)",
        "MATCH (a) RETURN count(*) + rand() AS n",
        "MATCH (a) RETURN a ORDER BY rand() LIMIT 1",
        "MATCH (a) RETURN a SKIP toInteger(rand() * 9)",
    ]);
}

#[test]
fn patterns_are_conditions_not_values() {
    for query in [
        "MATCH (a) RETURN @(a)-->()",
        "MATCH (a) RETURN @(a)-->() AS p",
        "MATCH (a) WITH @(a)-->() AS p RETURN p",
        "MATCH (a) RETURN collect(@(a)-->())",
        "MATCH (a) RETURN count(@(a)-->())",
        "MATCH (a) RETURN head(@(a)-->())",
        "MATCH (a) RETURN [@(a)-->()] AS p",
        "MATCH (a) RETURN {p: @(a)-->()} AS p",
        "MATCH (a) UNWIND @(a)-->() AS p RETURN p",
        "MATCH (a) RETURN a ORDER BY @(a)-->()",
        "MATCH (a) RETURN CASE WHEN true THEN @(a)-->() END AS p",
        "MATCH (a) WHERE coalesce(@(a)-->(), true) RETURN a",
        "MATCH (a) RETURN [x IN [1] | @(a)-->()] AS p",
    ] {
        assert_refused(query, "A pattern can't be used as a value");
    }
    assert_refused("MATCH (a) RETURN @size((a)-->())", "COUNT { … }");
    assert_refused_as(ErrorCode::UnknownColumn, "MATCH (a) WHERE @(a)-[r]->() RETURN a", "can't introduce");
    assert_refused_as(ErrorCode::UnknownColumn, "MATCH (a) WHERE @(a)-->(b) RETURN a", "can't introduce");
    assert_valid(&[
        "MATCH (a), (b) WHERE (a)-->(b) RETURN a",
        "MATCH (a) WHERE ((a)-->()) RETURN a",
        "MATCH (a), (b) WHERE NOT (a)-->(b) AND ((b)-->(a) OR (a)<--()) XOR (b)<--() RETURN a",
        "MATCH (a) WITH a WHERE (a)-->() RETURN a",
        "MATCH (a) WHERE exists((a)-->()) RETURN exists((a)-->()) AS e",
        "MATCH (a) RETURN exists((a)-->()) AS e, NOT (a)-->() AS n",
        "MATCH (a) RETURN CASE WHEN (a)-->() THEN 1 ELSE 0 END AS n",
        "MATCH (a) RETURN [(a)-->(b) | b] AS l, size([(a)-->(b) | b]) AS n",
        "MATCH (a) RETURN [(a)-->(b) WHERE (b)-->() | b.x] AS l",
        "MATCH (a) WITH collect(a) AS l RETURN [x IN l WHERE (x)-->()] AS m, all(x IN l WHERE (x)-->()) AS all",
        "MATCH (a) RETURN COUNT { (a)-->() } AS n, EXISTS { (a)-->() } AS e",
        "MATCH (a), (b) RETURN shortestPath((a)-[*]->(b)) AS p",
        "MATCH (a WHERE (a)-->()) RETURN a",
    ]);
}

#[test]
fn a_condition_is_true_or_false() {
    for value in ["123", "123.4", "'foo'", "[]", "[true]", "{}", "1 + 1", "size('a')", "date()"] {
        assert_refused(&format!("RETURN true AND @{value}"), "boolean");
        assert_refused(&format!("RETURN @{value} OR true"), "boolean");
        assert_refused(&format!("RETURN null XOR @{value}"), "boolean");
        assert_refused(&format!("RETURN NOT @{value}"), "boolean");
        assert_refused(&format!("MATCH (n) WHERE @{value} RETURN n"), "boolean");
        assert_refused(&format!("MATCH (n) WITH n WHERE @{value} RETURN n"), "boolean");
        assert_refused(&format!("RETURN CASE WHEN @{value} THEN 1 END"), "boolean");
        assert_refused(&format!("RETURN [x IN [1] WHERE @{value}]"), "boolean");
        assert_refused(&format!("RETURN any(x IN [1] WHERE @{value})"), "boolean");
    }
    assert_refused("MATCH (n) WHERE (@n) RETURN n", "NODE");
    assert_refused("MATCH (n)-[r]->() WHERE n.x = 1 AND @r RETURN n", "RELATIONSHIP");
    assert_valid(&[
        "RETURN null AND true, NOT null, null XOR null, null OR false",
        "MATCH (n) WHERE n.flag RETURN n",
        "MATCH (n) WHERE null RETURN n",
        "MATCH (n) WHERE n:A AND n.x = 1 AND 'a' < 1 RETURN n",
        "MATCH (n) WHERE coalesce(n.flag, false) RETURN n",
        "WITH [true, 1] AS l RETURN NOT l[0]",
        "RETURN CASE 1 WHEN 1 THEN true ELSE null END AND true",
        "RETURN any(x IN [true, false] WHERE x)",
    ]);
}

#[test]
fn operators_and_functions_take_values_of_their_types() {
    for (query, says) in [
        ("RETURN 1 + @true", "BOOLEAN"),
        ("MATCH (n) RETURN @n + 1", "NODE"),
        ("MATCH (n) RETURN 'a' + @n", "NODE"),
        ("RETURN @{a: 1} + 1", "MAP"),
        ("RETURN @'a' - 1", "STRING"),
        ("RETURN 2 * @[1]", "LIST"),
        ("RETURN 2 ^ @'a'", "STRING"),
        ("RETURN -@'a'", "sign"),
        ("MATCH (n) RETURN -@n", "NODE"),
        ("RETURN 1 IN @2", "INTEGER"),
        ("RETURN 'a' IN @'abc'", "STRING"),
        ("RETURN @123.num", "INTEGER"),
        ("WITH 123 AS n RETURN @n.num", "no property num"),
        ("WITH 'a' AS n RETURN @n.num", "no property num"),
        ("WITH [1] AS n RETURN @n.num", "no property num"),
        ("MATCH p = ()-->() RETURN @p.x", "PATH"),
        ("MATCH p = (n)-[*]->() WHERE @p.x = 'a' RETURN n", "PATH"),
        ("MATCH ()-[r*]->() RETURN @r.x", "LIST"),
        ("RETURN @1 {.x}", "no properties"),
        ("WITH 1 AS n RETURN @n[0]", "be indexed"),
        ("RETURN [1][@'a']", "integer"),
        ("RETURN [1][@1.0]", "integer"),
        ("RETURN {a: 1}[@0]", "string"),
        ("RETURN @'abc'[0..1]", "Only lists"),
        ("RETURN [1, 2][@'a'..]", "[..]"),
        ("WITH 1 AS n RETURN @n:A", "no labels"),
        ("RETURN [x IN @1 | x]", "Expected a list"),
        ("RETURN all(x IN @'a' WHERE true)", "Expected a list"),
        ("RETURN reduce(s = 0, x IN @1 | s)", "Expected a list"),
        ("RETURN none(x IN ['Clara'] WHERE @x % 2 = 0)", "STRING"),
        ("RETURN any(x IN [false, true] WHERE @x % 2 = 0)", "BOOLEAN"),
        ("RETURN [x IN [1, 2] | @x.y]", "no property"),
        ("RETURN size(@123)", "size does not accept an integer"),
        ("MATCH p = ()-->() RETURN size(@p)", "a path"),
        ("MATCH (n) RETURN type(@n)", "type does not accept a node"),
        ("MATCH ()-[r]->() RETURN labels(@r)", "a relationship"),
        ("MATCH p = ()-->() RETURN labels(@p)", "a path"),
        ("MATCH (n) RETURN length(@n)", "a node"),
        ("MATCH ()-[r]->() RETURN length(@r)", "a relationship"),
        ("MATCH (n) RETURN nodes(@n)", "a node"),
        ("RETURN properties(@1)", "an integer"),
        ("RETURN keys(@'a')", "a string"),
        ("RETURN toUpper(@1)", "an integer"),
        ("RETURN substring('abc', @'a')", "a string"),
        ("RETURN abs(@'a')", "a string"),
        ("RETURN head(@1)", "an integer"),
        ("RETURN toInteger(@[1])", "a list"),
        ("MATCH (n) RETURN toString(@n)", "a node"),
        ("RETURN range(1, @true)", "a boolean"),
    ] {
        assert_refused(query, says);
    }
    assert_valid(&[
        "MATCH (n) RETURN n.x + 1, n.x + 'a', n.x + true, [n] + n, [1] + true, 'a' + true, 'a' + 1.5",
        "MATCH (n) RETURN n.x - n.y, n.x * 2, -n.x, n.x ^ 2, n.x % 2",
        "RETURN null + true, size(null), null.x, null[0], [1][null], labels(null), -null, 1 IN null, [1][null..2]",
        "RETURN date() + duration('P1D'), date() - duration('P1D'), duration('P1D') * 2, date().year, 2 * duration('P1D')",
        "MATCH (n) RETURN n['x'], {a: 1}['a'], {a: 1}.a, n.list[0], n.list[1..2], properties(n).x, n {.x, y: 1}",
        "RETURN [1, 'a', true] AS l, [x IN [1, 'a'] | x + 1] AS m, {a: null}.a.b",
        "RETURN 1 < 'a', 1 = 'a', 'a' STARTS WITH 1, null =~ 'a', [1] < ['a'], 1 < true",
        "MATCH p = ()-[r*]->() RETURN size(r), length(p), nodes(p), relationships(p), size(nodes(p)), [x IN r | type(x)]",
        "RETURN size('abc'), reverse('abc'), reverse([1]), isEmpty({}), toInteger(true), toString(date()), toFloat(1)",
        "MATCH (n) RETURN size(n.x), toUpper(n.x), labels(head(collect(n)))",
        "MATCH ()-[r]->() RETURN labels(startNode(r)), r:R, startNode(r).x",
        "RETURN CASE WHEN true THEN 1 ELSE 'a' END + 1",
    ]);
}

#[test]
fn integers_have_64_bits() {
    for marked in [
        "@9223372036854775808",
        "@-9223372036854775809",
        "-@(9223372036854775808)",
        "@0x8000000000000000",
        "@-0x8000000000000001",
        "@0o1000000000000000000000",
        "@100000000000000000000 + 1",
        "1 - @100000000000000000000",
    ] {
        let refused = |text: String| assert_refused_as(ErrorCode::Arithmetic, &text, "64-bit");
        refused(format!("RETURN {marked} AS literal"));
        refused(format!("WITH {marked} AS n RETURN n"));
        refused(format!("UNWIND {marked} AS n RETURN n"));
        refused(format!("RETURN [{marked}] AS list"));
        refused(format!("RETURN {{n: {marked}}} AS map"));
        refused(format!("RETURN toString({marked})"));
        refused(format!("RETURN sum({marked})"));
        refused(format!("RETURN 1 LIMIT {marked}"));
    }
    assert_refused_as(ErrorCode::Arithmetic, "RETURN @1e400", "floating-point");
    assert_refused_as(ErrorCode::Arithmetic, "RETURN -@1.5E999", "floating-point");
    assert_refused("RETURN @0777", "0o");
    assert_refused("RETURN -@09", "leading zero");
    for literal in ["9223372h54775808", "0x1A2b3j4D5E6f7", "0xZ", "0o8", "1a", "0x"] {
        planned(&format!("RETURN {literal} AS n")).expect_err(literal);
    }
    assert_valid(&[
        "RETURN 9223372036854775807, -9223372036854775808, - 9223372036854775808",
        "RETURN 0x7FFFFFFFFFFFFFFF, -0x8000000000000000, 0o777777777777777777777, -0o1000000000000000000000",
        "RETURN 1e308, -1.5e-300, 1e-400, 0, -0, 0.5, .5, 0e0",
        // Amounts of the chain exceed 64 bits.
        "MATCH ()-[t]->() RETURN CASE t.value WHEN 100000000000000000000 THEN 1 END AS n",
        "MATCH ()-[t]->() WHERE t.value > 100000000000000000000 RETURN t",
        "MATCH ()-[t]->() WHERE 100000000000000000000 <= t.value < 2 * 100000000000000000000 RETURN t",
        "MATCH ()-[t]->() WHERE t.value IN [100000000000000000000, 1] RETURN t",
        "MATCH ()-[t {value: 100000000000000000000}]->() RETURN t.value - 100000000000000000000",
        "MATCH (a) CALL quarry.khop(a, 1, {minValue: 100000000000000000000}) YIELD node RETURN node",
    ]);
}

#[test]
fn skip_and_limit_are_one_whole_number() {
    assert_refused("RETURN 1 LIMIT @-1", "LIMIT");
    assert_refused("RETURN 1 SKIP @-1", "SKIP");
    assert_refused("RETURN 1 LIMIT @1.5", "integer");
    assert_refused("RETURN 1 SKIP @'a'", "integer");
    assert_refused("MATCH (n) RETURN n LIMIT @n.x", "can't use variables");
    assert_refused("MATCH (n) RETURN n SKIP @n.x", "can't use variables");
    assert_refused("MATCH (n) WITH n LIMIT @1 + n.x RETURN n", "can't use variables");
    assert_valid(&["RETURN 1 LIMIT 0", "RETURN 1 LIMIT toInteger(ceil(1.7))", "RETURN 1 SKIP 1 + 1 LIMIT size([1])"]);
}

#[test]
fn clauses_name_what_they_use() {
    use ErrorCode::{UnknownColumn, UnknownFunction};
    assert_refused_as(UnknownColumn, "MATCH (a) RETURN @b", "b");
    assert_refused_as(UnknownColumn, "MATCH (a) WITH a.x AS x RETURN @a", "a");
    assert_refused_as(UnknownColumn, "RETURN [x IN [1] | x] AS l, @x", "x");
    assert_refused_as(UnknownFunction, "RETURN @foo.bar(1)", "foo.bar");
    assert_refused("MATCH (a) RETURN DISTINCT a.x ORDER BY @a.y", "a");
    assert_refused("RETURN 1 AS a, @2 AS a", "Two columns");
    assert_refused("RETURN 1 AS a UNION @RETURN 2 AS b", "same columns");
    assert_refused("RETURN 1 AS a UNION RETURN 2 AS a @UNION ALL RETURN 3 AS a", "mixed");
    assert_refused("MATCH () RETURN @*", "no variable");
    assert_refused("MATCH (n @$p) RETURN n", "map literal");
    assert_refused("MATCH ()-[r @$p]->() RETURN r", "map literal");
    // Inside a query, CALL needs parentheses and a YIELD that names columns.
    assert_refused_as(ErrorCode::Syntax, "MATCH (a) CALL quarry.khop @YIELD node RETURN node", "expected");
    assert_refused_as(ErrorCode::Syntax, "MATCH (a) CALL db.labels() YIELD @* RETURN label", "expected");
    assert_valid(&[
        "CALL db.labels",
        "CALL db.labels YIELD label",
        "CALL db.labels() YIELD label RETURN label",
        "MATCH (a) RETURN DISTINCT a.x AS x ORDER BY x, a.x",
    ]);
}
