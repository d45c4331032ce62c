//! Connected components: groups of addresses that are connected through common others (union-find).

use std::collections::{BTreeMap, HashMap};

/// An address.
pub(crate) type Address = [u8; 20];

/// A member of a group.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub address: Address,
    /// The smallest address of the group.
    pub group: Address,
    /// Size of the group.
    pub size: u64,
    /// The smallest address through which the member is connected.
    pub over: Address,
}

/// Builds groups from pairs.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Nodes of the members, by address.
    members: HashMap<Address, usize>,
    /// Address, parent (itself for a root) and `over` of each node.
    nodes: Vec<(Address, usize, Address)>,
    /// A member for each address through which members are connected.
    over: HashMap<Address, usize>,
}

impl Groups {
    /// Maximum bytes of a pair.
    pub const PAIR_BYTES: usize = 160;

    /// Connects `a` with all others that were added with `b`.
    pub fn add(&mut self, a: Address, b: Address) {
        let next = self.nodes.len();
        let node = *self.members.entry(a).or_insert(next);
        if node == next {
            self.nodes.push((a, node, b));
        }
        self.nodes[node].2 = self.nodes[node].2.min(b);
        let other = *self.over.entry(b).or_insert(node);
        let (one, two) = (self.root(node), self.root(other));
        self.nodes[one.max(two)].1 = one.min(two);
    }

    /// The members of groups of at least two, by address.
    pub fn finish(mut self) -> Vec<Member> {
        let mut groups: BTreeMap<usize, (u64, Address)> = BTreeMap::new();
        let roots: Vec<usize> = (0..self.nodes.len()).map(|node| self.root(node)).collect();
        for (root, (address, ..)) in roots.iter().zip(&self.nodes) {
            let group = groups.entry(*root).or_insert((0, *address));
            *group = (group.0 + 1, group.1.min(*address));
        }
        let member = |(root, (address, _, over)): (&usize, &(Address, usize, Address))| {
            let (size, group) = groups.get(root).copied().unwrap_or_default();
            Member { address: *address, group, size, over: *over }
        };
        let mut members: Vec<Member> = roots.iter().zip(&self.nodes).map(member).collect();
        members.retain(|member| member.size > 1);
        members.sort_unstable_by_key(|member| member.address);
        members
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.nodes[node].1 != node {
            // Path halving.
            let above = self.nodes[node].1;
            self.nodes[node].1 = self.nodes[above].1;
            node = self.nodes[node].1;
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_common_others_are_a_group() {
        let at = |number: u8| [number; 20];
        let mut groups = Groups::default();
        for (a, b) in [(5, 50), (3, 50), (9, 90), (3, 60), (7, 60), (9, 91), (1, 10), (2, 10)] {
            groups.add(at(a), at(b));
        }
        let found = groups.finish();
        let shown: Vec<_> = found.iter().map(|one| (one.address[0], one.group[0], one.size, one.over[0])).collect();
        assert_eq!(shown, [(1, 1, 2, 10), (2, 1, 2, 10), (3, 3, 3, 50), (5, 3, 3, 50), (7, 3, 3, 60)]);
    }
}
