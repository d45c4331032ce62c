//! The edges of one type as sorted columns, with an index from each node to its edges in both directions (CSR).

use alloy_primitives::U256;

use crate::values::NodeId;

/// No token.
pub(super) const NONE: u32 = u32::MAX;

/// One movement, as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Movement {
    pub source: NodeId,
    pub target: NodeId,
    /// The token contract, or [`NONE`].
    pub token: NodeId,
    /// Seconds since 1970 UTC.
    pub time: u32,
    /// Number of the transaction in the graph.
    pub transaction: u32,
    pub value: U256,
}

/// All edges of one type, in the order of source, target, token, time.
#[derive(Default)]
pub(super) struct EdgeTable {
    out_starts: Vec<u32>,
    into_starts: Vec<u32>,
    /// Edges by target, then source.
    into: Vec<u32>,
    pub source: Vec<NodeId>,
    pub target: Vec<NodeId>,
    /// Empty when no edge has a token.
    pub token: Vec<NodeId>,
    pub time: Vec<u32>,
    pub transaction: Vec<u32>,
    /// Values of at most 128 bits; larger ones are the greatest of these here, and exact in `large`.
    value: Vec<u128>,
    large: Vec<(u32, U256)>,
}

impl EdgeTable {
    /// Sorts the movements between `nodes` nodes into a table.
    pub fn new(mut movements: Vec<Movement>, nodes: usize) -> EdgeTable {
        movements.sort_unstable();
        let mut table = EdgeTable {
            out_starts: starts(movements.iter().map(|one| one.source), nodes),
            into_starts: starts(movements.iter().map(|one| one.target), nodes),
            ..EdgeTable::default()
        };
        let mut next = table.into_starts.clone();
        table.into = vec![0; movements.len()];
        let has_tokens = movements.iter().any(|one| one.token != NONE);
        for (edge, one) in (0_u32..).zip(&movements) {
            let place = &mut next[one.target as usize];
            table.into[*place as usize] = edge;
            *place += 1;
            table.source.push(one.source);
            table.target.push(one.target);
            table.time.push(one.time);
            table.transaction.push(one.transaction);
            if has_tokens {
                table.token.push(one.token);
            }
            table.value.push(u128::try_from(one.value).unwrap_or_else(|_| {
                table.large.push((edge, one.value));
                u128::MAX
            }));
        }
        table
    }

    /// The movements again, to add others to them.
    pub fn into_movements(self) -> Vec<Movement> {
        let movement = |edge: u32| {
            let at = edge as usize;
            Movement {
                source: self.source[at],
                target: self.target[at],
                token: self.token_of(edge).unwrap_or(NONE),
                time: self.time[at],
                transaction: self.transaction[at],
                value: self.value(edge),
            }
        };
        (0..self.len() as u32).map(movement).collect()
    }

    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Edges that leave a node.
    pub fn leaving(&self, node: NodeId) -> std::ops::Range<u32> {
        bounds(&self.out_starts, node)
    }

    /// Edges that reach a node.
    pub fn reaching(&self, node: NodeId) -> &[u32] {
        let bounds = bounds(&self.into_starts, node);
        &self.into[bounds.start as usize..bounds.end as usize]
    }

    pub fn token_of(&self, edge: u32) -> Option<NodeId> {
        self.token.get(edge as usize).copied().filter(|token| *token != NONE)
    }

    /// The value, cut at 128 bits: enough to compare with a bound.
    pub fn value_up_to_128_bits(&self, edge: u32) -> u128 {
        self.value[edge as usize]
    }

    pub fn value(&self, edge: u32) -> U256 {
        match self.value[edge as usize] {
            u128::MAX => match self.large.binary_search_by_key(&edge, |large| large.0) {
                Ok(index) => self.large[index].1,
                Err(_) => U256::from(u128::MAX),
            },
            value => U256::from(value),
        }
    }

    /// Whether an edge is the first between its nodes (of its token): it represents all of them in a sum.
    pub fn is_first(&self, edge: u32) -> bool {
        edge == 0 || !self.same_pair(edge - 1, edge)
    }

    /// The edges that a first one represents.
    pub fn run(&self, first: u32) -> std::ops::Range<u32> {
        let end = (first + 1..self.len() as u32).find(|edge| !self.same_pair(first, *edge));
        first..end.unwrap_or(self.len() as u32)
    }

    fn same_pair(&self, a: u32, b: u32) -> bool {
        let (x, y) = (a as usize, b as usize);
        self.source[x] == self.source[y] && self.target[x] == self.target[y] && self.token_of(a) == self.token_of(b)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let starts = (self.out_starts.len() + self.into_starts.len()) * 4;
        starts + self.len() * (4 * 5 + 16) + self.token.len() * 4 + self.large.len() * 40
    }
}

fn bounds(starts: &[u32], node: NodeId) -> std::ops::Range<u32> {
    starts[node as usize]..starts[node as usize + 1]
}

/// Where the edges of each node start when they are sorted by it.
fn starts(nodes_of_edges: impl Iterator<Item = NodeId>, nodes: usize) -> Vec<u32> {
    let mut starts = vec![0_u32; nodes + 1];
    nodes_of_edges.for_each(|node| starts[node as usize + 1] += 1);
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn movement(source: u32, target: u32, time: u32, value: U256) -> Movement {
        Movement { source, target, token: NONE, time, transaction: 0, value }
    }

    #[test]
    fn edges_are_found_from_both_ends_and_keep_their_value() {
        let large = U256::MAX - U256::from(1);
        let table = EdgeTable::new(
            vec![
                movement(2, 0, 5, large),
                movement(0, 1, 9, U256::from(7)),
                movement(0, 1, 3, U256::from(5)),
                movement(1, 0, 4, U256::from(u128::MAX)),
            ],
            3,
        );
        assert_eq!(table.leaving(0).map(|edge| table.time[edge as usize]).collect::<Vec<_>>(), [3, 9]);
        assert_eq!(table.reaching(0).iter().map(|edge| table.source[*edge as usize]).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(table.value(table.reaching(0)[1]), large);
        assert_eq!(table.value(table.reaching(0)[0]), U256::from(u128::MAX));
        let first = table.leaving(0).start;
        assert!(table.is_first(first) && !table.is_first(first + 1));
        assert_eq!(table.run(first).len(), 2);
    }
}
