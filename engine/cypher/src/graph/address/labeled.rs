//! The address graph of one reader: the labels of addresses that the reader may see are also labels of the nodes.
//! `exchange-deposit` is `:ExchangeDeposit`, and the contracts of the registry are `:Dapp`.

use std::ops::ControlFlow;
use std::sync::Arc;

use alloy_primitives::aliases::I512;
use alloy_primitives::{Address, U256};

use super::edges::EdgeTable;
use super::{CREATED, ChainGraph, EDGE_BITS, EDGE_PROPERTIES, LABELS, NODE_PROPERTIES, SUMS, TYPES};
use crate::graph::{Edges, Flow, LabelId, Names, PropertyGraph, TypeId};
use crate::values::{Map, NodeId, RelId, Value};
use quarry_labels::Index;
use quarry_types::Result;

/// The label of contracts of the registry.
const DAPP: &str = "Dapp";

/// The graph, which all readers share, and the labels of one reader.
pub(crate) struct AddressGraph {
    chain: Arc<ChainGraph>,
    index: Arc<Index>,
    /// Names of the labels that follow those of the chain, each with its words in the index.
    names: Vec<(Arc<str>, Vec<u32>)>,
    /// For each label of the chain the words in the index that mean it too.
    chain_words: Vec<Vec<u32>>,
}

impl AddressGraph {
    pub fn new(chain: Arc<ChainGraph>, index: Arc<Index>) -> AddressGraph {
        let mut names: Vec<(Arc<str>, Vec<u32>)> = vec![(Arc::from(DAPP), Vec::new())];
        let mut chain_words = vec![Vec::new(); LABELS.len()];
        for (word, text) in (0..).zip(index.labels()) {
            let name = label_name(text);
            if let Some(at) = LABELS.iter().position(|label| label.eq_ignore_ascii_case(&name)) {
                chain_words[at].push(word);
            } else if let Some((_, words)) = names.iter_mut().find(|(known, _)| **known == *name) {
                words.push(word);
            } else if !name.is_empty() {
                names.push((Arc::from(name), vec![word]));
            }
        }
        names.sort();
        AddressGraph { chain, index, names, chain_words }
    }

    fn has_name(&self, node: NodeId, (name, words): &(Arc<str>, Vec<u32>)) -> bool {
        self.has_word(node, words) || **name == *DAPP && self.index.is_dapp(self.chain.address_of(node))
    }

    fn has_word(&self, node: NodeId, words: &[u32]) -> bool {
        !words.is_empty() && self.index.label_numbers_of(self.chain.address_of(node)).any(|word| words.contains(&word))
    }
}

/// A label as openCypher writes it: words in upper camel case.
fn label_name(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    words.map(capital).collect()
}

/// `YYYY-MM-DD HH:mm:ss` UTC, which sorts by time.
fn time_text(seconds: u32) -> Value {
    match arrow::temporal_conversions::timestamp_s_to_datetime(i64::from(seconds)) {
        Some(time) => Value::text(time.format("%Y-%m-%d %H:%M:%S").to_string()),
        None => Value::Null,
    }
}

fn wide(value: U256) -> I512 {
    let mut limbs = [0; 8];
    limbs[..4].copy_from_slice(value.as_limbs());
    I512::from_limbs(limbs)
}

/// The properties that are not null.
fn properties(names: &[&str], value: impl Fn(&str) -> Result<Value>) -> Result<Map> {
    let mut map = Map::new();
    for name in names {
        let value = value(name)?;
        if !value.is_null() {
            map.insert(Arc::from(*name), value);
        }
    }
    Ok(map)
}

impl PropertyGraph for AddressGraph {
    fn node_count(&self) -> u32 {
        self.chain.addresses.len() as u32
    }

    fn label(&self, name: &str) -> Option<LabelId> {
        let chain = LABELS.iter().position(|label| *label == name);
        let index = || self.names.iter().position(|(known, _)| **known == *name).map(|at| LABELS.len() + at);
        chain.or_else(index).map(|at| at as LabelId)
    }

    fn has_label(&self, node: NodeId, label: LabelId) -> bool {
        match self.chain_words.get(label as usize) {
            Some(words) => self.chain.has_label(node, label) || self.has_word(node, words),
            None => self.has_name(node, &self.names[label as usize - LABELS.len()]),
        }
    }

    fn labels_of(&self, node: NodeId) -> Vec<Arc<str>> {
        let chain =
            (0..).zip(LABELS).filter(|(label, _)| self.has_label(node, *label)).map(|(_, name)| Arc::from(name));
        let index = self.names.iter().filter(|name| self.has_name(node, name)).map(|(name, _)| Arc::clone(name));
        chain.chain(index).collect()
    }

    fn node_key(&self, node: NodeId) -> Value {
        self.chain.address(node)
    }

    fn node_property(&self, node: NodeId, name: &str) -> Result<Value> {
        let (first, last) = self.chain.seen[node as usize];
        let token = || self.chain.tokens.get(&self.chain.addresses[node as usize]);
        let word = |word: Option<&String>| word.map_or(Value::Null, |word| Value::text(word.as_str()));
        Ok(match name {
            "address" => self.chain.address(node),
            // An address with code and without edges was never seen.
            "firstSeen" if first <= last => time_text(first),
            "lastSeen" if first <= last => time_text(last),
            "degree" => Value::Int(self.chain.degree(node, true, true)),
            "outDegree" => Value::Int(self.chain.degree(node, true, false)),
            "inDegree" => Value::Int(self.chain.degree(node, false, true)),
            "symbol" => word(token().and_then(|token| token.0.as_ref())),
            "name" => word(token().and_then(|token| token.1.as_ref())),
            _ => Value::Null,
        })
    }

    fn node_properties(&self, node: NodeId) -> Result<Map> {
        properties(&NODE_PROPERTIES, |name| self.node_property(node, name))
    }

    fn seek(&self, property: &str, value: &Value) -> Option<Vec<NodeId>> {
        if property != "address" {
            return None;
        }
        let Value::Text(text) = value else { return Some(Vec::new()) };
        // The property is lower case: an address written otherwise equals none.
        let address = text.parse::<Address>().ok().filter(|_| !text.bytes().any(|byte| byte.is_ascii_uppercase()));
        Some(address.and_then(|address| self.chain.numbers.get(&address)).copied().into_iter().collect())
    }

    fn has_index(&self, property: &str) -> bool {
        property == "address"
    }

    fn type_id(&self, name: &str) -> Option<TypeId> {
        let sums = SUMS.iter().map(|sum| &sum.0);
        TYPES.iter().chain(sums).position(|known| *known == name).map(|at| at as TypeId)
    }

    fn type_name(&self, id: TypeId) -> Arc<str> {
        let id = id as usize;
        Arc::from(if id < TYPES.len() { TYPES[id] } else { SUMS[id - TYPES.len()].0 })
    }

    fn type_of(&self, relationship: RelId) -> TypeId {
        (relationship >> EDGE_BITS) as TypeId
    }

    fn relationship_key(&self, relationship: RelId) -> Value {
        Value::Int(relationship as i64)
    }

    fn ends(&self, relationship: RelId) -> (NodeId, NodeId) {
        let (table, edge, _) = self.chain.table(relationship);
        (table.source[edge as usize], table.target[edge as usize])
    }

    fn relationship_property(&self, relationship: RelId, name: &str) -> Result<Value> {
        let (table, edge, sum) = self.chain.table(relationship);
        let at = edge as usize;
        let type_id = self.type_of(relationship) as usize;
        let times = || table.run(edge).map(|edge| table.time[edge as usize]);
        Ok(match (name, sum) {
            ("token", _) => table.token_of(edge).map_or(Value::Null, |token| self.chain.address(token)),
            ("value", _) if type_id == CREATED => Value::Null,
            ("value", false) => Value::amount(wide(table.value(edge))),
            ("time", false) => time_text(table.time[at]),
            ("timestamp", false) => Value::Int(i64::from(table.time[at])),
            ("hash", false) => {
                let hash = self.chain.hashes.get(table.transaction[at] as usize);
                hash.map_or(Value::Null, |hash| Value::text(format!("0x{}", hex::encode(hash))))
            }
            // Fewer than 2^32 values of 256 bits: their sum fits 512.
            ("value", true) => Value::amount(
                table.run(edge).map(|edge| wide(table.value(edge))).fold(I512::ZERO, |sum, value| sum + value),
            ),
            ("count", true) => Value::Int(table.run(edge).len() as i64),
            ("first", true) => times().min().map_or(Value::Null, time_text),
            ("last", true) => times().max().map_or(Value::Null, time_text),
            _ => Value::Null,
        })
    }

    fn relationship_properties(&self, relationship: RelId) -> Result<Map> {
        properties(&EDGE_PROPERTIES, |name| self.relationship_property(relationship, name))
    }

    fn expand(
        &self,
        node: NodeId,
        out: bool,
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        // Sums repeat the single edges: a pattern without types matches single ones only.
        let types = if edges.types == u64::MAX { (1 << TYPES.len()) - 1 } else { edges.types };
        for type_id in 0..TYPES.len() + SUMS.len() {
            if types >> type_id & 1 == 0 {
                continue;
            }
            let sum = type_id >= TYPES.len();
            let table = &self.chain.tables[if sum { SUMS[type_id - TYPES.len()].1 } else { type_id }];
            let bounded = !edges.only_types();
            let mut one = |edge: u32| {
                if sum && !table.is_first(edge) || bounded && !sum && !fits(table, edge, edges) {
                    return Ok(ControlFlow::Continue(()));
                }
                let other = if out { table.target[edge as usize] } else { table.source[edge as usize] };
                visit((type_id as u64) << EDGE_BITS | u64::from(edge), other)
            };
            if out {
                for edge in table.leaving(node) {
                    if one(edge)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            } else {
                for edge in table.reaching(node) {
                    if one(*edge)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn names(&self) -> Names {
        let texts = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let index = self.names.iter().map(|(name, _)| name.to_string());
        Names {
            labels: texts(&LABELS).into_iter().chain(index).collect(),
            types: texts(&TYPES).into_iter().chain(SUMS.iter().map(|sum| sum.0.to_string())).collect(),
            properties: [texts(&NODE_PROPERTIES), texts(&EDGE_PROPERTIES)].concat(),
        }
    }

    fn fixed_vocabulary(&self) -> bool {
        true
    }
}

/// Whether a single edge is within the bounds of a filter.
fn fits(table: &EdgeTable, edge: u32, edges: &Edges) -> bool {
    let time = i64::from(table.time[edge as usize]) * 1_000_000;
    (edges.from..=edges.to).contains(&time) && table.value_up_to_128_bits(edge) >= edges.least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_names() {
        assert_eq!(label_name("exchange-deposit"), "ExchangeDeposit");
        assert_eq!(label_name("nft_whale 2"), "NftWhale2");
        assert_eq!(label_name("--"), "");
    }
}
