//! Groups of addresses that are connected over others.

use std::collections::{BTreeMap, HashMap};

/// An address.
pub(crate) type Address = [u8; 20];

/// One who is in a group.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub address: Address,
    /// The smallest address of the group.
    pub group: Address,
    /// Members of the group.
    pub size: u64,
    /// The smallest of those over which this one is connected.
    pub over: Address,
}

/// Pairs that are added one by one, and the groups that come of them.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Places of the members, by address.
    members: HashMap<Address, usize>,
    /// Of each place: its address, another place of its group (its own at the root), and over whom it is connected.
    places: Vec<(Address, usize, Address)>,
    /// One member for everybody over whom members are connected.
    over: HashMap<Address, usize>,
}

impl Groups {
    /// Bytes that a pair may take at most.
    pub const PAIR: usize = 160;

    /// `a` is connected with all others that came with `b`.
    pub fn add(&mut self, a: Address, b: Address) {
        let next = self.places.len();
        let place = *self.members.entry(a).or_insert(next);
        if place == next {
            self.places.push((a, place, b));
        }
        self.places[place].2 = self.places[place].2.min(b);
        let other = *self.over.entry(b).or_insert(place);
        let (one, two) = (self.root(place), self.root(other));
        self.places[one.max(two)].1 = one.min(two);
    }

    /// The members of groups of at least two, by address.
    pub fn finish(mut self) -> Vec<Member> {
        let mut groups: BTreeMap<usize, (u64, Address)> = BTreeMap::new();
        let roots: Vec<usize> = (0..self.places.len()).map(|place| self.root(place)).collect();
        for (root, (address, ..)) in roots.iter().zip(&self.places) {
            let group = groups.entry(*root).or_insert((0, *address));
            *group = (group.0 + 1, group.1.min(*address));
        }
        let member = |(root, (address, _, over)): (&usize, &(Address, usize, Address))| {
            let (size, group) = groups.get(root).copied().unwrap_or_default();
            Member { address: *address, group, size, over: *over }
        };
        let mut members: Vec<Member> = roots.iter().zip(&self.places).map(member).collect();
        members.retain(|member| member.size > 1);
        members.sort_unstable_by_key(|member| member.address);
        members
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.places[place].1 != place {
            // Half of the way is forgotten at each look, so that ways stay short.
            let above = self.places[place].1;
            self.places[place].1 = self.places[above].1;
            place = self.places[place].1;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_over_somebody_is_one_group() {
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
