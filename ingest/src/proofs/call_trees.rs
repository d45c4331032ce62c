//! Checks the shape of traces. The calls of a transaction are a tree in preorder: `trace_address` is the path of child
//! indices, and `subtraces` counts the children.

use crate::chain::{BlockData, TraceData, TraceKind};

/// A call whose children are being read.
struct Open {
    /// Number of children that it declares.
    subtraces: u64,
    calls: u32,
    /// Number of self-destructs, which not every node counts as children.
    ends: u32,
}

/// Checks that the traces of each transaction are a tree.
///
/// # Errors
/// The first trace with a wrong address or a wrong number of children.
pub(super) fn check(block: &BlockData) -> Result<(), String> {
    let Some(traces) = &block.traces else { return Ok(()) };
    let of_transactions = traces.iter().filter(|trace| trace.transaction_index.is_some());
    let mut tree = Tree::default();
    for trace in of_transactions {
        let place = trace.transaction_index;
        if place != tree.transaction {
            tree.close(0).map_err(|why| tree.named(why))?;
            tree.transaction = place;
        }
        tree.add(trace).map_err(|why| tree.named(why))?;
    }
    tree.close(0).map_err(|why| tree.named(why))
}

#[derive(Default)]
struct Tree<'a> {
    transaction: Option<u64>,
    /// The address of the innermost open call.
    path: &'a [u32],
    /// The open calls, from the top level down: one more than the length of the path.
    open: Vec<Open>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, trace: &'a TraceData) -> Result<(), String> {
        let address = trace.trace_address.as_slice();
        let ends = trace.kind == TraceKind::Suicide;
        if ends && self.open.len() > address.len() && self.path.starts_with(address) {
            // Some nodes give a self-destruct the address of the call that it ends.
            self.open[address.len()].ends += 1;
            return Ok(());
        }
        let misplaced = || format!("the call at {address:?} is not where its address says");
        if let Some((step, parent)) = address.split_last() {
            if !self.path.starts_with(parent) || self.open.len() <= parent.len() {
                return Err(misplaced());
            }
            self.close(parent.len() + 1)?;
            let caller = self.open.last_mut().ok_or_else(misplaced)?;
            if *step != caller.calls + caller.ends {
                return Err(misplaced());
            }
            if ends {
                caller.ends += 1;
                return Ok(());
            }
            caller.calls += 1;
        } else if !self.open.is_empty() || ends {
            return Err(misplaced());
        }
        self.path = address;
        self.open.push(Open { subtraces: trace.subtraces, calls: 0, ends: 0 });
        Ok(())
    }

    /// Closes the innermost calls until `depth` are open.
    fn close(&mut self, depth: usize) -> Result<(), String> {
        while self.open.len() > depth {
            let Some(call) = self.open.pop() else { break };
            let address = &self.path[..self.open.len()];
            let (calls, all) = (u64::from(call.calls), u64::from(call.calls) + u64::from(call.ends));
            if call.subtraces != calls && call.subtraces != all {
                return Err(format!("the call at {address:?} counts {} calls, but has {all}", call.subtraces));
            }
        }
        Ok(())
    }

    fn named(&self, why: String) -> String {
        format!("transaction {}: {why}", self.transaction.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{call, chain};

    type Shape = (TraceKind, &'static [u32], u64);

    fn checked(shapes: &[Shape]) -> Result<(), String> {
        let mut block = chain(5, 1, 0, 1).remove(0);
        let trace = |(kind, path, subtraces): &Shape| {
            let sent = &block.transactions[0];
            TraceData { kind: *kind, trace_address: path.to_vec(), subtraces: *subtraces, ..call(0, sent) }
        };
        let traces = shapes.iter().map(trace).collect();
        block.traces = Some(traces);
        check(&block)
    }

    #[test]
    fn trees_are_in_preorder() {
        use TraceKind::{Call, Create, Suicide};
        let tree: [Shape; 6] = [
            (Call, &[], 2),
            (Call, &[0], 2),
            (Create, &[0, 0], 0),
            (Call, &[0, 1], 0),
            (Call, &[1], 1),
            (Suicide, &[1, 0], 0),
        ];
        assert_eq!(checked(&tree), Ok(()));
        // Not counted, with the address of the call that it ends.
        assert_eq!(checked(&[(Call, &[], 1), (Call, &[0], 0), (Suicide, &[0, 0], 0)]), Ok(()));
        assert_eq!(checked(&[(Call, &[], 0), (Suicide, &[], 0)]), Ok(()));
        assert_eq!(checked(&[(Call, &[], 1), (Suicide, &[], 0)]), Ok(()));
        for index in 0..tree.len() {
            let mut counts = tree;
            counts[index].2 += 3;
            if counts[index].0 != Suicide {
                assert!(checked(&counts).unwrap_err().contains("counts"), "{counts:?}");
            }
            let mut missing = tree.to_vec();
            missing.remove(index);
            // Not every node counts self-destructs.
            assert!(tree[index].0 == Suicide || checked(&missing).is_err(), "{missing:?}");
        }
        for (address, index) in [(&[2][..], 4), (&[0, 3], 3), (&[5, 0], 2), (&[0, 0, 0, 0], 3), (&[], 1)] {
            let mut moved = tree;
            moved[index].1 = address;
            let said = checked(&moved).unwrap_err();
            assert!(said.starts_with("transaction 0: the call at"), "{said}");
        }
        let mut swapped = tree;
        swapped.swap(2, 3);
        assert!(checked(&swapped).is_err());
    }

    #[test]
    fn each_transaction_has_its_own_tree() {
        let mut block = chain(5, 1, 0, 1).remove(0);
        let (first, second) = (&block.transactions[0], &block.transactions[1]);
        let traces = vec![call(0, first), call(1, second)];
        let short = vec![TraceData { subtraces: 1, ..call(0, first) }, call(1, second)];
        block.traces = Some(traces);
        assert_eq!(check(&block), Ok(()));
        block.traces = Some(short);
        assert_eq!(check(&block).unwrap_err(), "transaction 0: the call at [] counts 1 calls, but has 0");
    }
}
