//! Values in the notation that conformance suites print: `(:A {n: 1})`, `[:T]`, `<(:A)-[:T]->(:B)>`.

use serde_json::{Map as JsonMap, Value as Json, json};

use crate::graph::PropertyGraph;
use crate::values::{Map, NodeId, RelId, Value};

/// A value as a tree that compares whatever the order of labels and keys.
pub(super) fn of_value(value: &Value, graph: &dyn PropertyGraph) -> Json {
    match value {
        Value::Null => json!("null"),
        Value::Bool(truth) => json!(truth.to_string()),
        Value::Int(number) => json!(number.to_string()),
        Value::Amount(number) => json!(number.to_string()),
        Value::Float(number) => json!(float(*number)),
        Value::Text(text) => json!(format!("'{text}'")),
        Value::Temporal(one) => json!(format!("'{one}'")),
        Value::List(items) => Json::Array(items.iter().map(|item| of_value(item, graph)).collect()),
        Value::Map(map) => of_map(map, graph),
        Value::Node(node) => of_node(*node, graph),
        Value::Relationship(one) => of_relationship(*one, graph),
        Value::Path(path) => {
            let mut parts = vec![of_node(path.nodes[0], graph)];
            for (one, pair) in path.relationships.iter().zip(path.nodes.windows(2)) {
                let forward = graph.ends(*one) == (pair[0], pair[1]);
                parts.push(json!({ "forward": forward, "edge": of_relationship(*one, graph) }));
                parts.push(of_node(pair[1], graph));
            }
            json!({ "path": parts })
        }
    }
}

fn of_map(map: &Map, graph: &dyn PropertyGraph) -> Json {
    let members: JsonMap<String, Json> =
        map.iter().map(|(key, value)| (key.to_string(), of_value(value, graph))).collect();
    json!({ "map": members })
}

fn of_node(node: NodeId, graph: &dyn PropertyGraph) -> Json {
    let mut labels: Vec<String> = graph.labels_of(node).iter().map(|label| label.to_string()).collect();
    labels.sort();
    json!({ "labels": labels, "properties": of_map(&graph.node_properties(node).unwrap(), graph) })
}

fn of_relationship(one: RelId, graph: &dyn PropertyGraph) -> Json {
    let properties = of_map(&graph.relationship_properties(one).unwrap(), graph);
    json!({ "type": &*graph.type_name(graph.type_of(one)), "properties": properties })
}

fn float(number: f64) -> String {
    if number.is_nan() { "NaN".to_string() } else { format!("{:?}", number + 0.0) }
}

/// The same tree, read from the notation.
pub(super) fn of_text(text: &str) -> Json {
    let mut reader = Reader { rest: text };
    let value = reader.value();
    assert!(reader.rest.trim().is_empty(), "{text} goes on with {}", reader.rest);
    value
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn eat(&mut self, mark: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(mark) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, more: &str) -> &'t str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && !more.contains(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        word
    }

    fn value(&mut self) -> Json {
        if self.eat("<") {
            let mut parts = vec![self.value()];
            while !self.eat(">") {
                let backward = self.eat("<-");
                assert!(backward || self.eat("-"));
                let edge = self.value();
                assert!(if backward { self.eat("-") } else { self.eat("->") });
                parts.push(json!({ "forward": !backward, "edge": edge }));
                parts.push(self.value());
            }
            return json!({ "path": parts });
        }
        if self.eat("(") {
            let mut labels = Vec::new();
            while self.eat(":") {
                labels.push(self.word("_").to_string());
            }
            labels.sort();
            let properties = if self.eat("{") { self.map() } else { json!({ "map": {} }) };
            assert!(self.eat(")"));
            return json!({ "labels": labels, "properties": properties });
        }
        if self.eat("[:") {
            let name = self.word("_");
            let properties = if self.eat("{") { self.map() } else { json!({ "map": {} }) };
            assert!(self.eat("]"));
            return json!({ "type": name, "properties": properties });
        }
        if self.eat("[") {
            let mut items = Vec::new();
            while !self.eat("]") {
                items.push(self.value());
                self.eat(",");
            }
            return Json::Array(items);
        }
        if self.eat("{") {
            return self.map();
        }
        if self.eat("'") {
            let mut text = String::new();
            let mut letters = self.rest.char_indices();
            while let Some((at, letter)) = letters.next() {
                match letter {
                    '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
                    '\'' => {
                        self.rest = &self.rest[at + 1..];
                        break;
                    }
                    letter => text.push(letter),
                }
            }
            return json!(format!("'{text}'"));
        }
        let word = self.word("+-._");
        match word.parse::<f64>() {
            Ok(number) if word.parse::<i64>().is_err() => json!(float(number)),
            _ => json!(word),
        }
    }

    fn map(&mut self) -> Json {
        let mut members = JsonMap::new();
        while !self.eat("}") {
            let key = self.word("_").to_string();
            assert!(self.eat(":"));
            members.insert(key, self.value());
            self.eat(",");
        }
        json!({ "map": members })
    }
}
