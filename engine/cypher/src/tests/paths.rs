//! Variable-length patterns, and paths.

use super::assert_rows;

/// 1 → 2 → 3 → 4, a short cut 1 → 4, and a circle 4 → 1.
const ROADS: &str = r#"{
    "nodes": [{"id": 1, "labels": ["A"], "props": {"n": 1}}, {"id": 2, "props": {"n": 2}}, {"id": 3, "props": {"n": 3}},
        {"id": 4, "labels": ["Z"], "props": {"n": 4}}],
    "edges": [{"type": "R", "src": 1, "dst": 2, "props": {"w": 1}}, {"type": "R", "src": 2, "dst": 3, "props": {"w": 5}},
        {"type": "R", "src": 3, "dst": 4, "props": {"w": 1}}, {"type": "R", "src": 1, "dst": 4, "props": {"w": 9}},
        {"type": "BACK", "src": 4, "dst": 1}]
}"#;

#[test]
fn variable_length_walks_count_every_way() {
    assert_rows(ROADS, "MATCH (a:A)-[r:R*]->(z:Z) RETURN size(r) AS hops ORDER BY hops", &[&["1"], &["3"]]);
    assert_rows(ROADS, "MATCH (:A)-[:R*2..2]->(x) RETURN x.n", &[&["3"]]);
    assert_rows(ROADS, "MATCH (a:A)-[:R*0..1]->(x) RETURN x.n ORDER BY x.n", &[&["1"], &["2"], &["4"]]);
    assert_rows(
        ROADS,
        "MATCH p = (:Z)-[*1..2]->(x) RETURN length(p), x.n ORDER BY x.n",
        &[&["1", "1"], &["2", "2"], &["2", "4"]],
    );
}

#[test]
fn ends_alone_are_the_same_as_the_ends_of_all_walks() {
    let each = "MATCH (a:A)-[*1..4]->(x) RETURN DISTINCT x.n AS n ORDER BY n";
    let by_list = "MATCH (a:A)-[r*1..4]->(x) WITH x, r RETURN DISTINCT x.n AS n ORDER BY n";
    let expected: &[&[&str]] = &[&["1"], &["2"], &["3"], &["4"]];
    assert_rows(ROADS, each, expected);
    assert_rows(ROADS, by_list, expected);
}

#[test]
fn conditions_hold_on_every_step() {
    assert_rows(
        ROADS,
        "MATCH (:A)-[r:R*]->(x) WHERE all(one IN r WHERE one.w < 9) RETURN x.n ORDER BY x.n",
        &[&["2"], &["3"], &["4"]],
    );
}

#[test]
fn paths_know_their_parts() {
    assert_rows(
        ROADS,
        "MATCH p = (:A)-[:R*3]->(:Z) RETURN [n IN nodes(p) | n.n] AS nodes, [r IN relationships(p) | r.w] AS weights",
        &[&["[1, 2, 3, 4]", "[1, 5, 1]"]],
    );
    assert_rows(ROADS, "MATCH p = (:Z)<-[:R {w: 9}]-(:A) RETURN p", &[&["<(:Z {n: 4})<-[:R {w: 9}]-(:A {n: 1})>"]]);
}

#[test]
fn shortest_paths() {
    assert_rows(ROADS, "MATCH (a:A), (z:Z) MATCH p = shortestPath((a)-[:R*]->(z)) RETURN length(p)", &[&["1"]]);
    assert_rows(
        ROADS,
        "MATCH p = shortestPath((a {n: 2})-[*..3]->(z {n: 1})) RETURN [n IN nodes(p) | n.n] AS way",
        &[&["[2, 3, 4, 1]"]],
    );
    assert_rows(
        ROADS,
        "MATCH p = allShortestPaths((a {n: 2})-[*]-(z {n: 4})) RETURN [n IN nodes(p) | n.n] AS way ORDER BY way",
        &[&["[2, 1, 4]"], &["[2, 1, 4]"], &["[2, 3, 4]"]],
    );
    assert_rows(
        ROADS,
        "MATCH (a {n: 3}), (b {n: 2}) RETURN shortestPath((a)-[:R*]->(b)) IS NULL AS none",
        &[&["true"]],
    );
}
