//! Clauses: matching, projecting, grouping, ordering.

use super::{assert_rows, rows};

/// Ann knows Bo and Cy; Bo knows Cy; Cy owns a cat.
const PEOPLE: &str = r#"{
    "nodes": [
        {"id": 1, "labels": ["Person"], "properties": {"name": "Ann", "age": 40}},
        {"id": 2, "labels": ["Person"], "properties": {"name": "Bo", "age": 30}},
        {"id": 3, "labels": ["Person"], "properties": {"name": "Cy", "age": 30}},
        {"id": 4, "labels": ["Cat"], "properties": {"name": "Mia"}}
    ],
    "edges": [
        {"id": 1, "type": "KNOWS", "source": 1, "target": 2, "properties": {"since": 2001}},
        {"id": 2, "type": "KNOWS", "source": 1, "target": 3, "properties": {"since": 2005}},
        {"id": 3, "type": "KNOWS", "source": 2, "target": 3, "properties": {"since": 2010}},
        {"id": 4, "type": "OWNS", "source": 3, "target": 4}
    ]
}"#;

#[test]
fn patterns_match_labels_types_properties_and_directions() {
    assert_rows(PEOPLE, "MATCH (a:Person)-[k:KNOWS {since: 2005}]->(b) RETURN a.name, b.name", &[&["'Ann'", "'Cy'"]]);
    assert_rows(PEOPLE, "MATCH (c:Cat)<-[:OWNS]-(p) RETURN p.name", &[&["'Cy'"]]);
    assert_rows(PEOPLE, "MATCH (:Cat)-[r]-(p) RETURN type(r), p.age", &[&["'OWNS'", "30"]]);
    assert_rows(PEOPLE, "MATCH (n:Dog) RETURN n", &[]);
    assert_rows(
        PEOPLE,
        "MATCH (n) WHERE n:Cat OR n.name = 'Bo' RETURN n.name ORDER BY n.name",
        &[&["'Bo'"], &["'Mia'"]],
    );
}

#[test]
fn a_relationship_is_used_once_in_a_match() {
    assert_rows(
        PEOPLE,
        "MATCH (a {name: 'Ann'})-[:KNOWS]-(b)-[:KNOWS]-(c) RETURN b.name, c.name ORDER BY b.name",
        &[&["'Bo'", "'Cy'"], &["'Cy'", "'Bo'"]],
    );
}

#[test]
fn optional_match_keeps_the_row() {
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:OWNS]->(c) RETURN p.name, c.name ORDER BY p.name",
        &[&["'Ann'", "null"], &["'Bo'", "null"], &["'Cy'", "'Mia'"]],
    );
}

#[test]
fn patterns_are_predicates_too() {
    assert_rows(PEOPLE, "MATCH (p:Person) WHERE (p)-[:OWNS]->() RETURN p.name", &[&["'Cy'"]]);
    assert_rows(PEOPLE, "MATCH (p:Person) WHERE NOT exists((p)-[:KNOWS]->()) RETURN p.name", &[&["'Cy'"]]);
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(q) WHERE q.age < p.age } RETURN p.name",
        &[&["'Ann'"]],
    );
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) RETURN p.name AS name, COUNT { (p)-[:KNOWS]->() } AS friends ORDER BY name",
        &[&["'Ann'", "2"], &["'Bo'", "1"], &["'Cy'", "0"]],
    );
    assert_rows(
        PEOPLE,
        "MATCH (p {name: 'Ann'}) RETURN [(p)-[k:KNOWS]->(q) WHERE k.since > 2001 | q.name] AS names",
        &[&["['Cy']"]],
    );
}

#[test]
fn columns_without_aggregates_group_the_others() {
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) RETURN p.age, count(*), collect(p.name) ORDER BY p.age",
        &[&["30", "2", "['Bo', 'Cy']"], &["40", "1", "['Ann']"]],
    );
    assert_rows(PEOPLE, "MATCH (p:Person) RETURN sum(p.age) + count(p) AS both", &[&["103"]]);
    assert_rows(PEOPLE, "MATCH (p:Dog) RETURN count(p), sum(p.age), min(p.age)", &[&["0", "0", "null"]]);
    assert_rows(PEOPLE, "MATCH (p:Person) RETURN count(DISTINCT p.age)", &[&["2"]]);
    assert_rows(
        PEOPLE,
        "MATCH (p:Person)-[:KNOWS]->(q) WITH p, count(q) AS friends WHERE friends > 1 RETURN p.name, friends",
        &[&["'Ann'", "2"]],
    );
}

#[test]
fn order_sees_old_and_new_names() {
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) RETURN p.name AS who ORDER BY p.age DESC, who DESC SKIP 1 LIMIT 1",
        &[&["'Cy'"]],
    );
    assert_rows(PEOPLE, "MATCH (p:Person) RETURN DISTINCT p.age AS age ORDER BY age", &[&["30"], &["40"]]);
    assert_rows(
        PEOPLE,
        "MATCH (p:Person) RETURN p.age AS age, count(*) AS n ORDER BY count(*) DESC",
        &[&["30", "2"], &["40", "1"]],
    );
}

#[test]
fn unwind_and_union_make_rows() {
    assert_rows("{}", "UNWIND [3, 1, 2] AS x RETURN x ORDER BY x", &[&["1"], &["2"], &["3"]]);
    assert_rows("{}", "UNWIND [] AS x RETURN x", &[]);
    assert_rows("{}", "RETURN 1 AS x UNION RETURN 1 AS x UNION RETURN 2 AS x", &[&["1"], &["2"]]);
    assert_rows("{}", "RETURN 1 AS x UNION ALL RETURN 1 AS x", &[&["1"], &["1"]]);
}

#[test]
fn map_projections_pick_and_add() {
    assert_rows(
        PEOPLE,
        "MATCH (p {name: 'Bo'}) RETURN p {.name, older: p.age + 1} AS p",
        &[&["{name: 'Bo', older: 31}"]],
    );
}

#[test]
fn procedures_tell_the_names_of_a_graph() {
    assert_rows(PEOPLE, "CALL db.labels()", &[&["'Person'"], &["'Cat'"]]);
    assert_eq!(rows(PEOPLE, "CALL db.propertyKeys() YIELD propertyKey AS key RETURN key").len(), 3);
}
