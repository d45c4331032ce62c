//! Rules on behavior: farms, monthly users of applications, votes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use alloy_primitives::{Address, U256};

use super::view::{Sent, VOTE, address, kind, listed, sent, topic_address, word};
use super::*;

/// A behavior: contract, selector, day.
type Trait = (Address, [u8; 4], u64);

fn behavior(tx: &Sent) -> Option<Trait> {
    Some((tx.to?, tx.input.get(..4)?.try_into().ok()?, tx.day()))
}

#[test]
fn farms_share_behavior_and_others_do_not() {
    let (blocks, truth) = chain(1);
    let sent = sent(&blocks);
    let farms = &truth["sybil_farms"];
    let window = [0, 1].map(|place| farms["window"][place].as_u64().unwrap());
    let recipients: HashSet<Address> = listed(&truth["airdrops"][1]["recipients"]).into_iter().collect();
    let mut shared: BTreeMap<Trait, BTreeSet<Address>> = BTreeMap::new();
    for tx in sent.iter().filter(|tx| (window[0]..window[1]).contains(&tx.time) && recipients.contains(&tx.from)) {
        shared.entry(behavior(tx).unwrap()).or_default().insert(tx.from);
    }
    shared.retain(|_, who| who.len() * 20 <= recipients.len());
    let mut similar: HashMap<(Address, Address), u64> = HashMap::new();
    for who in shared.values() {
        for a in who {
            for b in who.range(*a..).skip(1) {
                *similar.entry((*a, *b)).or_default() += 1;
            }
        }
    }
    let mut farm_of: HashMap<Address, (usize, u64)> = HashMap::new();
    for (number, farm) in farms["farms"].as_array().unwrap().iter().enumerate() {
        for wallet in listed(&farm["wallets"]) {
            farm_of.insert(wallet, (number, farm["similarity"].as_u64().unwrap()));
        }
    }
    let mut pairs = 0;
    for ((a, b), count) in similar.iter().filter(|(_, count)| **count >= 2) {
        let (farm, level) = farm_of[a];
        assert_eq!(farm_of[b].0, farm, "{count} behaviors in common across farms");
        assert_eq!(*count, level, "behaviors in common");
        pairs += 1;
    }
    assert_eq!(pairs, 8 * 30 * 29 / 2, "every two wallets of every farm");
}

#[test]
fn users_arrive_stay_and_leave() {
    let (blocks, truth) = chain(1);
    let sent = sent(&blocks);
    let site: HashMap<Address, &str> = truth["names"]["dapps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|dapp| {
            listed(&dapp["contracts"]).into_iter().map(|contract| (contract, dapp["name"].as_str().unwrap()))
        })
        .collect();
    let kinds: HashSet<_> =
        truth["names"]["dapps"].as_array().unwrap().iter().map(|dapp| dapp["type"].as_str()).collect();
    assert_eq!(kinds.len(), 8);
    // The last day of the chain is 31 October 2026.
    let month = |day: u64| if day + 31 >= clock::END / 86_400 { 10 } else { 9 };
    let mut used: BTreeSet<(Address, &str, u64)> = BTreeSet::new();
    let mut days: BTreeMap<(Address, u64), BTreeSet<u64>> = BTreeMap::new();
    for tx in &sent {
        if let Some(name) = tx.to.and_then(|to| site.get(&to)) {
            used.insert((tx.from, name, month(tx.day())));
        }
        days.entry((tx.from, month(tx.day()))).or_default().insert(tx.day());
    }
    let any = |who: Address, month: u64| {
        used.range((who, "", 0)..).take_while(|use_| use_.0 == who).filter(|use_| use_.2 == month).count()
    };
    let plant = &truth["dapp_users"];
    let months = |who: Address| (any(who, 9) > 0, any(who, 10) > 0);
    assert!(listed(&plant["retained"]).into_iter().all(|who| months(who) == (true, true)), "D3");
    assert!(listed(&plant["lost"]).into_iter().all(|who| months(who) == (true, false)), "D3");
    assert!(listed(&plant["arrived"]).into_iter().all(|who| months(who) == (false, true)), "D3");
    assert!(listed(&plant["several_of_one_type"]["users"]).into_iter().all(|who| any(who, 10) >= 3), "D4");
    for who in listed(&plant["daily"]["users"]) {
        assert!(days[&(who, 9)].len() >= 20 && days[&(who, 10)].len() >= 20, "M1");
    }
}

#[test]
fn votes_add_up() {
    let (blocks, truth) = chain(1);
    let mut counted: HashMap<U256, [U256; 3]> = HashMap::new();
    let mut voters = HashSet::new();
    for log in blocks.iter().flat_map(|block| &block.transactions).flat_map(|sent| &sent.receipt.logs) {
        if kind(log) == VOTE {
            counted.entry(word(log, 0)).or_default()[word(log, 1).to::<usize>()] += word(log, 2);
            voters.insert(topic_address(log, 1));
        }
    }
    let proposals = truth["governance"]["proposals"].as_array().unwrap();
    assert_eq!(counted.len(), proposals.len());
    for proposal in proposals {
        let id: U256 = proposal["id"].as_str().unwrap().parse().unwrap();
        let expected = ["against", "for", "abstain"].map(|side| proposal[side].as_str().unwrap().to_string());
        assert_eq!(counted[&id].map(|votes| votes.to_string()), expected);
    }
    assert_eq!(voters, listed(&truth["governance"]["voters"]).into_iter().collect());
    assert_eq!(address(&truth["governance"]["token"]), address(&truth["airdrops"][2]["token"]));
}
