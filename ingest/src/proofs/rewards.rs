//! Verifies rewards. No root covers them, but the header has the beneficiary and shows whether there are uncles.

use alloy::consensus::EMPTY_OMMER_ROOT_HASH;

use crate::chain::{BlockData, TraceKind};

/// Checks that the block reward goes to the beneficiary of the header, and that only a block with uncles has uncle
/// rewards.
///
/// # Errors
/// The first wrong reward.
pub(super) fn check(block: &BlockData) -> Result<(), String> {
    let rewards = block.traces.iter().flatten().filter(|trace| trace.kind == TraceKind::Reward);
    for reward in rewards {
        if reward.reward_type == Some("uncle") {
            if block.header.ommers_hash == EMPTY_OMMER_ROOT_HASH {
                return Err("there is a reward for an uncle, but the block has none".to_string());
            }
        } else if reward.to != Some(block.header.beneficiary) {
            let to = reward.to.map_or_else(|| "nobody".to_string(), |to| to.to_string());
            return Err(format!("the block's reward goes to {}, not {to}", block.header.beneficiary));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{Address, B256};

    use super::*;
    use crate::chain::TraceData;
    use crate::testing::{call, chain};

    #[test]
    fn rewards_go_to_the_beneficiary() {
        let mut block = chain(5, 1, 0, 1).remove(0);
        let reward = |of: &'static str, to: u8| TraceData {
            transaction_index: None,
            kind: TraceKind::Reward,
            reward_type: Some(of),
            to: Some(Address::with_last_byte(to)),
            ..call(0, &block.transactions[0])
        };
        let (own, uncle, other) = (reward("block", 0), reward("uncle", 7), reward("block", 4));
        block.traces = Some(vec![own, other]);
        assert!(check(&block).unwrap_err().starts_with("the block's reward goes to 0x00"));
        block.traces.as_mut().unwrap()[1] = uncle;
        assert_eq!(check(&block).unwrap_err(), "there is a reward for an uncle, but the block has none");
        block.header.ommers_hash = B256::with_last_byte(1);
        assert_eq!(check(&block), Ok(()));
    }
}
