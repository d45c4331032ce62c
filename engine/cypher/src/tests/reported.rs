//! Queries that users of other graph databases reported as answered wrongly.

use super::{notation, rows};

/// Compares the rows of a query in any order. Cells are written as results show them.
#[track_caller]
fn assert_rows(graph: &str, text: &str, expected: &[&[&str]]) {
    let mut expected: Vec<Vec<_>> =
        expected.iter().map(|row| row.iter().map(|cell| notation::of_text(cell)).collect()).collect();
    let mut found = rows(graph, text);
    for rows in [&mut expected, &mut found] {
        rows.sort_by_key(|row| format!("{row:?}"));
    }
    assert_eq!(found, expected, "{text}");
}

/// A cycle of three nodes.
const CIRCLE: &str = r#"{
    "nodes": [{"id": 1, "labels": ["Probe"], "properties": {"id": 1}}, {"id": 2, "labels": ["Probe"], "properties": {"id": 2}},
        {"id": 3, "labels": ["Probe"], "properties": {"id": 3}}],
    "edges": [{"type": "R", "source": 1, "target": 2}, {"type": "R", "source": 2, "target": 3},
        {"type": "R", "source": 3, "target": 1}]
}"#;

/// 1 → 2 → 3.
const LINE: &str = r#"{
    "nodes": [{"id": 1, "labels": ["L"], "properties": {"i": 1}}, {"id": 2, "labels": ["L"], "properties": {"i": 2}},
        {"id": 3, "labels": ["L"], "properties": {"i": 3}}],
    "edges": [{"type": "R", "source": 1, "target": 2}, {"type": "R", "source": 2, "target": 3}]
}"#;

/// Alice knows Bob and Charlie; nobody knows how old Dan is.
const PEOPLE: &str = r#"{
    "nodes": [{"id": 1, "labels": ["Person"], "properties": {"name": "Alice", "age": 30}},
        {"id": 2, "labels": ["Person"], "properties": {"name": "Bob", "age": 25}},
        {"id": 3, "labels": ["Person"], "properties": {"name": "Charlie", "age": 35}},
        {"id": 4, "labels": ["Person"], "properties": {"name": "Dan"}}],
    "edges": [{"type": "KNOWS", "source": 1, "target": 2, "properties": {"since": 7}},
        {"type": "KNOWS", "source": 1, "target": 3, "properties": {"since": 2}}]
}"#;

/// Alice, Bob and Charlie with a cycle and a shortcut.
const FRIENDS: &str = r#"{
    "nodes": [{"id": 1, "labels": ["Person"], "properties": {"name": "Alice"}},
        {"id": 2, "labels": ["Person"], "properties": {"name": "Bob"}},
        {"id": 3, "labels": ["Person"], "properties": {"name": "Charlie"}}],
    "edges": [{"type": "FRIEND_OF", "source": 1, "target": 2}, {"type": "FRIEND_OF", "source": 1, "target": 3},
        {"type": "FRIEND_OF", "source": 2, "target": 3}, {"type": "FRIEND_OF", "source": 3, "target": 1}]
}"#;

/// FalkorDB #2106.
#[test]
fn a_walk_around_a_circle_uses_each_edge_once() {
    assert_rows(CIRCLE, "MATCH (a:Probe {id: 1})-[:R*1..4]->(b) RETURN count(*) AS n", &[&["3"]]);
    assert_rows(CIRCLE, "MATCH (a:Probe {id: 1})-[:R*4..5]->(b) RETURN count(*) AS n", &[&["0"]]);
}

/// FalkorDB #2085.
#[test]
fn parallel_edges_are_walks_of_their_own() {
    let edges = (0..9).map(|edge| {
        let from = ["A", "B", "C"][edge % 3];
        let to = ["B", "C", "A"][edge % 3];
        format!(r#"{{"type": "TX", "source": "{from}", "target": "{to}", "properties": {{"k": {}}}}}"#, edge / 3)
    });
    let nodes = ["A", "B", "C"]
        .map(|id| format!(r#"{{"id": "{id}", "labels": ["Account"], "properties": {{"id": "{id}"}}}}"#))
        .join(", ");
    let graph = format!(r#"{{"nodes": [{nodes}], "edges": [{}]}}"#, edges.collect::<Vec<_>>().join(", "));
    let query = "MATCH (s:Account {id:'A'})-[:TX*3..3]->(e:Account {id:'A'}) RETURN count(e) AS n";
    assert_rows(&graph, query, &[&["27"]]);
}

/// FalkorDB #2105.
#[test]
fn a_loop_is_one_step_in_either_direction() {
    let graph = r#"{
        "nodes": [{"id": 1, "labels": ["N"], "properties": {"id": 1}}, {"id": 2, "labels": ["N"], "properties": {"id": 2}}],
        "edges": [{"type": "R", "source": 1, "target": 2}, {"type": "R", "source": 2, "target": 1},
            {"type": "R", "source": 1, "target": 1}]
    }"#;
    assert_rows(graph, "MATCH p=(a:N {id:1})-[*2..2]-(b:N {id:1}) RETURN count(*) AS n", &[&["2"]]);
    assert_rows(graph, "MATCH (a:N {id:1})-[r]-(m)-[s]-(b:N {id:1}) RETURN count(*) AS n", &[&["2"]]);
}

/// FalkorDB #1450.
#[test]
fn two_ways_to_one_node_are_two_rows() {
    let graph = r#"{
        "nodes": [{"id": 0, "labels": ["A"], "properties": {"n": "0"}}, {"id": 1, "labels": ["B"], "properties": {"n": "1"}},
            {"id": 2, "labels": ["B"], "properties": {"n": "2"}}, {"id": 3, "labels": ["C"], "properties": {"n": "3"}}],
        "edges": [{"type": "R", "source": 0, "target": 1}, {"type": "R", "source": 0, "target": 2},
            {"type": "R", "source": 1, "target": 3}, {"type": "R", "source": 2, "target": 3}]
    }"#;
    assert_rows(graph, "MATCH (a:A {n:'0'}) MATCH (a)-[:R*2]->(c) RETURN c.n AS n", &[&["'3'"], &["'3'"]]);
}

/// FalkorDB #1957 and neo4j #13630.
#[test]
fn walks_without_a_bound_or_a_direction_are_all_counted() {
    assert_rows(
        FRIENDS,
        "MATCH p = (:Person {name:'Charlie'})-[:FRIEND_OF*]-(other:Person) RETURN count(p) AS n, count(DISTINCT other) AS d",
        &[&["20", "3"]],
    );
    let walks = "MATCH (a:Person {name:'Alice'})-[:FRIEND_OF*..3]->(b) RETURN count(*) AS n";
    assert_rows(FRIENDS, walks, &[&["6"]]);
    let each = ["1", "2", "3"]
        .map(|hops| format!("MATCH (a:Person {{name:'Alice'}})-[:FRIEND_OF*{hops}]->(b) RETURN count(*) AS n"));
    assert_rows(FRIENDS, &each.join(" UNION ALL "), &[&["2"], &["2"], &["2"]]);
}

/// FalkorDB #1959.
#[test]
fn a_loop_is_a_step_of_a_walk() {
    let graph = r#"{
        "nodes": [{"id": 1, "labels": ["Person"], "properties": {"name": "Diana"}},
            {"id": 2, "labels": ["Person"], "properties": {"name": "Bob"}}],
        "edges": [{"type": "KNOWS", "source": 1, "target": 2}, {"type": "KNOWS", "source": 1, "target": 1}]
    }"#;
    let query = "MATCH path = (:Person {name:'Diana'})-[:KNOWS*1..2]->(:Person {name:'Bob'}) RETURN count(path) AS n";
    assert_rows(graph, query, &[&["2"]]);
}

/// FalkorDB #2607.
#[test]
fn bounds_of_no_hops_or_of_none_that_fit() {
    assert_rows(LINE, "MATCH (a:L)-[r*..0]->(b:L) RETURN a.i AS k, b.i AS v", &[]);
    assert_rows(
        LINE,
        "MATCH (a:L)-[r*0..0]->(b:L) RETURN a.i AS k, b.i AS v ORDER BY k",
        &[&["1", "1"], &["2", "2"], &["3", "3"]],
    );
    assert_rows(LINE, "MATCH (a:L)-[r*2..1]->(b:L) RETURN a.i AS k, b.i AS v", &[]);
}

/// memgraph #4424, #4163 and #4069.
#[test]
fn comprehensions_leave_out_what_is_unknown() {
    assert_rows(
        LINE,
        "RETURN [x IN [1,2] WHERE null | x] AS v, size([x IN [1,2] WHERE null | x]) AS s",
        &[&["[]", "0"]],
    );
    let collected =
        "MATCH (p:Person) WITH p ORDER BY p.name WITH collect(p) AS ps RETURN [x IN ps WHERE x.age > 26 | x.name] AS v";
    assert_rows(PEOPLE, collected, &[&["['Alice', 'Charlie']"]]);
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) OPTIONAL MATCH (p)-[r:KNOWS]->() RETURN p.name AS n, [x IN [r.since, r.strength] WHERE x > 5] AS v",
        &[&["'Alice'", "[]"], &["'Alice'", "[7]"], &["'Bob'", "[]"], &["'Charlie'", "[]"], &["'Dan'", "[]"]],
    );
}

/// FalkorDB #2003 and #398.
#[test]
fn comprehensions_see_the_variables_around_them() {
    assert_rows(
        PEOPLE,
        "MATCH (v:Person {name:'Alice'})--(n:Person) RETURN n.age AS age, [x IN collect(v.age) WHERE x > 20 | x + n.age] AS v",
        &[&["25", "[55]"], &["35", "[65]"]],
    );
    assert_rows(
        PEOPLE,
        "MATCH (d:Person) WHERE d.age > 26 WITH [i IN collect(d.name) | i + '.x'] AS ids MATCH (n:Person) \
         WITH *, any(i IN ids WHERE i = n.name + '.x') AS e WHERE e RETURN n.name AS n",
        &[&["'Alice'"], &["'Charlie'"]],
    );
}

/// memgraph #343 and #1474.
#[test]
fn no_rows_are_one_group_only_without_keys() {
    assert_rows(PEOPLE, "MATCH (n1) WHERE (0 = 1) MATCH (n1) RETURN sum(0) AS a0", &[&["0"]]);
    assert_rows(PEOPLE, "MATCH (s:Person) WHERE false WITH s, collect(s.name) AS ips RETURN s.name AS n", &[]);
}

/// neo4j #401 and memgraph #4180.
#[test]
fn order_may_need_what_is_not_returned() {
    let query = "MATCH (n:Person) RETURN n.age > 26 AS g, count(*) AS c ORDER BY c DESC, avg(size(n.name)) DESC";
    // 'Dan' and 'Bob' have names of the same length: which of their groups comes first is open.
    assert_rows(PEOPLE, query, &[&["true", "2"], &["null", "1"], &["false", "1"]]);
    assert_eq!(rows(PEOPLE, query)[0], [notation::of_text("true"), notation::of_text("2")]);
    super::assert_rows(
        PEOPLE,
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(f) WITH p, collect(f.name) AS fs \
         RETURN p.name AS n, size(fs) AS s ORDER BY size([(p)-[:KNOWS]->(x) | x.name]) DESC, n",
        &[&["'Alice'", "2"], &["'Bob'", "0"], &["'Charlie'", "0"], &["'Dan'", "0"]],
    );
}

/// AgensGraph #806.
#[test]
fn an_optional_match_after_a_walk_keeps_its_rows() {
    let graph = r#"{
        "nodes": [{"id": 0, "labels": ["L0"], "properties": {"id": 0}}, {"id": 1, "labels": ["L5"], "properties": {"id": 1}},
            {"id": 5, "labels": ["L1"], "properties": {"id": 5}}, {"id": 7, "labels": ["L5"], "properties": {"id": 7}},
            {"id": 14, "labels": ["L4"], "properties": {"id": 14}}, {"id": 15, "labels": ["L3"], "properties": {"id": 15}},
            {"id": 16, "labels": ["L2"], "properties": {"id": 16}}],
        "edges": [{"type": "T0", "source": 0, "target": 0}, {"type": "T3", "source": 7, "target": 14},
            {"type": "T1", "source": 14, "target": 5}, {"type": "T4", "source": 1, "target": 16, "properties": {"rb0": false}}]
    }"#;
    super::assert_rows(
        graph,
        "MATCH (a)-[*1..1]->(b) OPTIONAL MATCH (b)-[r]->(c:L2) RETURN a.id AS x, b.id AS y, count(c) AS n ORDER BY x LIMIT 10",
        &[&["0", "0", "0"], &["1", "16", "0"], &["7", "14", "0"], &["14", "5", "0"]],
    );
}

/// neo4j #6918 and #10717, FalkorDB #749.
#[test]
fn null_is_not_collected_and_has_no_items() {
    assert_rows(
        PEOPLE,
        "MATCH (n:Person {name:'Dan'}) OPTIONAL MATCH (n)-[:KNOWS]->(m) RETURN collect(DISTINCT m) AS c, count(DISTINCT m) AS k",
        &[&["[]", "0"]],
    );
    assert_rows(
        PEOPLE,
        "MATCH (a:Person {name:'Alice'}) OPTIONAL MATCH (a)-[:NOPE]->(b) OPTIONAL MATCH (a)-[:KNOWS]->(c) \
         RETURN b.name AS b, c.name AS c",
        &[&["null", "'Bob'"], &["null", "'Charlie'"]],
    );
    assert_rows(PEOPLE, "UNWIND null AS n0 WITH * RETURN 0 AS z", &[]);
}
