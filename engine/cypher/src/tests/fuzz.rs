//! Queries cut, mixed and damaged at random: each is answered or refused, and nothing panics.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::run_on;
use crate::graph::JsonGraph;
use crate::values::Map;

/// Texts to damage.
const SEEDS: [&str; 8] = [
    "MATCH (a:A {x: 1})-[r:R|S*1..3]->(b)<--(c) WHERE a.x > 1 AND NOT (a)-->(c) RETURN a, count(*) AS n ORDER BY n DESC",
    "OPTIONAL MATCH p = shortestPath((a)-[*..5]-(b)) WITH p, nodes(p) AS ns UNWIND ns AS n RETURN DISTINCT n.x SKIP 1 LIMIT 2",
    "RETURN [x IN range(1, 9) WHERE x % 2 = 0 | x ^ 2][1..-1] AS l, {a: 1, b: 'x\\n'}.a AS m, reduce(s = 0, y IN [1] | s + y)",
    "MATCH (n) WITH n, COLLECT { MATCH (n)-->(m) RETURN m {.*, y: 1} } AS ms RETURN ms UNION ALL RETURN 1 AS ms",
    "RETURN CASE WHEN 1 < 2 <= 3 THEN 0x1F ELSE -1.5e3 END, all(x IN [true] WHERE x), EXISTS { (a)-->() }",
    "CALL db.labels() YIELD label AS l WHERE l STARTS WITH 'A' RETURN l, percentileCont(1, 0.5), [(a)-->(b) | b.x]",
    "WITH 1 AS x, $p AS y WHERE x IN [1, null] OR y IS NOT NULL RETURN toString(x) + substring('abc', 1), `odd name`",
    "MATCH (a) SET a.x = 1 CREATE (b) DELETE a MERGE (c) REMOVE a.x // comment\n/* more */ RETURN \"é\u{1F600}\"",
];

const GRAPH: &str = r#"{"nodes":[{"id":1,"labels":["A"],"props":{"x":1}},{"id":2,"props":{"x":[1,"b"]}}],
    "edges":[{"type":"R","src":1,"dst":2},{"type":"S","src":2,"dst":1,"props":{"w":2}}]}"#;

#[test]
fn damaged_queries_are_refused_and_never_panic() {
    let graph = JsonGraph::parse(GRAPH).unwrap();
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..4_000 {
        let text = damaged(&mut random);
        // An answer or an error: both are fine, a panic fails the test by itself.
        let _ = run_on(&graph, &text, &Map::new());
    }
}

fn damaged(random: &mut StdRng) -> String {
    let pick = |random: &mut StdRng| SEEDS[random.random_range(0..SEEDS.len())];
    let mut letters: Vec<char> = pick(random).chars().collect();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..letters.len().max(1)).min(letters.len());
        match random.random_range(0..4) {
            0 => letters.truncate(at),
            1 => {
                let end = (at + random.random_range(1..6)).min(letters.len());
                letters.drain(at..end);
            }
            2 => {
                let marks: Vec<char> = "()[]{}<>-*.:|,'\"`$\\0 é\u{0}".chars().collect();
                letters.insert(at, marks[random.random_range(0..marks.len())]);
            }
            _ => {
                let other: Vec<char> = pick(random).chars().collect();
                let from = random.random_range(0..other.len());
                letters.splice(at..at, other[from..].iter().copied().take(20));
            }
        }
    }
    letters.into_iter().collect()
}
