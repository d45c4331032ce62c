//! The address graph with what is said of its addresses as further labels of its nodes: `exchange-deposit` is
//! `:ExchangeDeposit`, and the contracts of the registry are `:Dapp`. The graph itself is shared by everybody; labels
//! are those its reader sees.

use std::sync::Arc;

use super::{ChainGraph, Edges, Flow, LabelId, Names, PropertyGraph, TypeId};
use crate::value::{Map, NodeId, RelId, Value};
use quarry_labels::Index;
use quarry_types::Result;

/// The label of contracts of the registry.
const DAPP: &str = "Dapp";

/// The graph and the labels of one reader.
pub(crate) struct LabelledGraph {
    chain: Arc<ChainGraph>,
    index: Arc<Index>,
    /// Names of the labels behind the chain's own, and the words of the index that mean them.
    names: Vec<(Arc<str>, Vec<u32>)>,
    /// For each of the chain's own labels the words that mean it too.
    own: Vec<Vec<u32>>,
}

impl LabelledGraph {
    pub fn new(chain: Arc<ChainGraph>, index: Arc<Index>) -> LabelledGraph {
        let mut names: Vec<(Arc<str>, Vec<u32>)> = Vec::new();
        let mut own = vec![Vec::new(); ChainGraph::LABELS.len()];
        for (word, text) in index.words().iter().enumerate() {
            let name = label_name(text);
            if name.is_empty() {
                continue;
            }
            let words = if let Some(at) = ChainGraph::LABELS.iter().position(|label| label.eq_ignore_ascii_case(&name))
            {
                &mut own[at]
            } else if let Some(at) = names.iter().position(|(known, _)| **known == *name) {
                &mut names[at].1
            } else {
                names.push((Arc::from(name), Vec::new()));
                let last = names.len() - 1;
                &mut names[last].1
            };
            words.push(word as u32);
        }
        if !names.iter().any(|(name, _)| **name == *DAPP) {
            names.push((Arc::from(DAPP), Vec::new()));
        }
        names.sort();
        LabelledGraph { chain, index, names, own }
    }

    fn is(&self, node: NodeId, (name, words): &(Arc<str>, Vec<u32>)) -> bool {
        self.is_said(node, words) || **name == *DAPP && self.index.is_dapp(self.chain.address_of(node))
    }

    fn is_said(&self, node: NodeId, words: &[u32]) -> bool {
        !words.is_empty() && self.index.words_of(self.chain.address_of(node)).any(|word| words.contains(&word))
    }
}

/// A label as openCypher writes it: words begin with a capital letter and stand together.
fn label_name(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    words.map(capital).collect()
}

impl PropertyGraph for LabelledGraph {
    fn node_count(&self) -> u32 {
        self.chain.node_count()
    }

    fn label(&self, name: &str) -> Option<LabelId> {
        let said = || self.names.iter().position(|(known, _)| **known == *name);
        self.chain.label(name).or_else(|| said().map(|at| (ChainGraph::LABELS.len() + at) as LabelId))
    }

    fn has_label(&self, node: NodeId, label: LabelId) -> bool {
        let at = label as usize;
        match at.checked_sub(ChainGraph::LABELS.len()) {
            None => self.chain.has_label(node, label) || self.is_said(node, &self.own[at]),
            Some(at) => self.is(node, &self.names[at]),
        }
    }

    fn labels_of(&self, node: NodeId) -> Vec<Arc<str>> {
        let own = ChainGraph::LABELS.iter().enumerate();
        let own = own.filter(|(at, _)| self.has_label(node, *at as LabelId)).map(|(_, name)| Arc::from(*name));
        let said = self.names.iter().filter(|name| self.is(node, name)).map(|(name, _)| Arc::clone(name));
        own.chain(said).collect()
    }

    fn node_key(&self, node: NodeId) -> Value {
        self.chain.node_key(node)
    }

    fn node_property(&self, node: NodeId, name: &str) -> Result<Value> {
        self.chain.node_property(node, name)
    }

    fn node_properties(&self, node: NodeId) -> Result<Map> {
        self.chain.node_properties(node)
    }

    fn seek(&self, property: &str, value: &Value) -> Option<Vec<NodeId>> {
        self.chain.seek(property, value)
    }

    fn has_index(&self, property: &str) -> bool {
        self.chain.has_index(property)
    }

    fn type_id(&self, name: &str) -> Option<TypeId> {
        self.chain.type_id(name)
    }

    fn type_name(&self, id: TypeId) -> Arc<str> {
        self.chain.type_name(id)
    }

    fn type_of(&self, relationship: RelId) -> TypeId {
        self.chain.type_of(relationship)
    }

    fn relationship_key(&self, relationship: RelId) -> Value {
        self.chain.relationship_key(relationship)
    }

    fn ends(&self, relationship: RelId) -> (NodeId, NodeId) {
        self.chain.ends(relationship)
    }

    fn relationship_property(&self, relationship: RelId, name: &str) -> Result<Value> {
        self.chain.relationship_property(relationship, name)
    }

    fn relationship_properties(&self, relationship: RelId) -> Result<Map> {
        self.chain.relationship_properties(relationship)
    }

    fn expand(
        &self,
        node: NodeId,
        out: bool,
        edges: &Edges,
        visit: &mut dyn FnMut(RelId, NodeId) -> Result<Flow>,
    ) -> Result<Flow> {
        self.chain.expand(node, out, edges, visit)
    }

    fn names(&self) -> Names {
        let mut names = self.chain.names();
        names.labels.extend(self.names.iter().map(|(name, _)| name.to_string()));
        names
    }

    fn fixed_vocabulary(&self) -> bool {
        true
    }
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
