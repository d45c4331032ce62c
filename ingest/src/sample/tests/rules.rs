//! Rules on funds, tokens and trades find exactly the planned patterns.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use alloy_primitives::{Address, U256};

use super::view::{
    APPROVAL, BURN, MINT, SALE, SWAP, Sent, address, kind, listed, moved, moved_nft, sent, topic_address, word,
};
use super::*;

type Set = BTreeSet<Address>;

fn set(value: &serde_json::Value) -> Set {
    listed(value).into_iter().collect()
}

/// The value at `key` of each entry of a list.
fn each(list: &serde_json::Value, key: &str) -> Set {
    list.as_array().unwrap().iter().map(|entry| address(&entry[key])).collect()
}

#[test]
fn fund_rules_find_the_patterns() {
    let (blocks, truth) = chain(1);
    money_rules(&blocks, &truth);
}

pub fn money_rules(blocks: &[BlockData], truth: &serde_json::Value) {
    let sent = sent(blocks);
    let hot = each(&truth["exchanges"], "hot_wallet");
    assert_eq!(deposit_addresses(&sent, &hot), planted_deposits(truth), "A1");
    assert_eq!(bots(&sent), each(&truth["likely_bots"], "address"), "A11");
    for form in ["fast", "tireless", "failing"] {
        for bot in listed(&truth["bots"][form]) {
            let entry = truth["likely_bots"].as_array().unwrap().iter().find(|entry| address(&entry["address"]) == bot);
            assert!(entry.is_some_and(|entry| entry[form] == true), "A11: {form}");
        }
    }
    let mut funders: BTreeMap<Address, Set> = BTreeMap::new();
    let mut seen = HashSet::new();
    for tx in sent.iter().filter(|tx| tx.done && tx.input.is_empty() && tx.value > U256::ZERO) {
        let Some(to) = tx.to else { continue };
        if seen.insert(to) {
            funders.entry(tx.from).or_default().insert(to);
        }
    }
    let groups = [&truth["sybil_farms"]["farms"], &truth["batch_funded"], &truth["wash_trades"]["common_funder"]];
    let planted: BTreeMap<Address, Set> = groups
        .iter()
        .flat_map(|group| group.as_array().unwrap())
        .filter(|entry| entry["in_one_transaction"] != true)
        .map(|entry| {
            let funder = entry.get("source").or(entry.get("funder")).unwrap();
            (address(funder), set(&entry["wallets"]))
        })
        .collect();
    for (funder, wallets) in &planted {
        assert!(funders[funder].is_superset(wallets), "A6");
    }
    let many: Set = funders.iter().filter(|(_, funded)| funded.len() >= 10).map(|(funder, _)| *funder).collect();
    let expected: Set =
        planted.iter().filter(|(_, wallets)| wallets.len() >= 10).map(|(funder, _)| *funder).chain(hot).collect();
    assert_eq!(many, expected, "A6");
    for flow in truth["circular_flows"].as_array().unwrap() {
        assert!(rounds(&sent, &listed(&flow["ring"])) >= 5, "A7");
    }
    let share = |proposer: Address| blocks.iter().filter(|block| block.header.beneficiary == proposer).count();
    for entry in truth["proposers"].as_array().unwrap() {
        let counted = share(address(&entry["address"]));
        assert_eq!(
            (entry["blocks"].as_u64(), entry["pool"].as_bool()),
            (Some(counted as u64), Some(counted * 100 >= blocks.len()))
        );
    }
    let pools = truth["proposers"].as_array().unwrap().iter().filter(|entry| entry["pool"] == true).count();
    assert!((8..=20).contains(&pools), "{pools} pools");
}

/// A1: forwarded to an exchange within 10,000 blocks, less at most 0.01 ETH.
fn deposit_addresses(sent: &[Sent], hot: &Set) -> Set {
    let limit = U256::from(10_000_000_000_000_000_u64);
    let mut last: HashMap<Address, (U256, u64)> = HashMap::new();
    let mut found: HashMap<Address, Set> = HashMap::new();
    for tx in sent.iter().filter(|tx| tx.done && tx.input.is_empty()) {
        let Some(to) = tx.to else { continue };
        if hot.contains(&to) && !hot.contains(&tx.from) {
            let (paid, block) = last[&tx.from];
            assert!(tx.block - block <= 10_000 && paid >= tx.value && paid - tx.value <= limit);
            found.entry(tx.from).or_default().insert(to);
        }
        last.insert(to, (tx.value, tx.block));
    }
    found.into_iter().filter(|(_, exchanges)| exchanges.len() == 1).map(|(address, _)| address).collect()
}

fn planted_deposits(truth: &serde_json::Value) -> Set {
    truth["exchanges"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|exchange| each(&exchange["deposit_addresses"], "address"))
        .collect()
}

/// A11 as in spellbook: hours between the first and the last transaction.
fn bots(sent: &[Sent]) -> Set {
    let mut facts: BTreeMap<Address, (u64, u64, u64, u64)> = BTreeMap::new();
    for tx in sent {
        let fact = facts.entry(tx.from).or_insert((0, 0, tx.time, tx.time));
        fact.0 += 1;
        fact.1 += u64::from(!tx.done);
        fact.3 = tx.time;
    }
    let rate = |count: u64, first: u64, last: u64| count as f64 / ((last - first) as f64 / 3_600.0);
    facts
        .into_iter()
        .filter(|(_, (count, failed, first, last))| {
            let rate = rate(*count, *first, *last);
            *count >= 100 && (rate >= 25.0 || *failed as f64 > 0.9 * *count as f64) || *count >= 2_500 && rate >= 0.5
        })
        .map(|(who, _)| who)
        .collect()
}

/// How many times funds went around the ring with at least four fifths left.
fn rounds(sent: &[Sent], ring: &[Address]) -> usize {
    let (mut hop, mut first, mut rounds) = (0, U256::ZERO, 0);
    for tx in sent {
        if tx.from == ring[hop] && tx.to == Some(ring[(hop + 1) % ring.len()]) {
            first = if hop == 0 { tx.value } else { first };
            hop = (hop + 1) % ring.len();
            rounds += usize::from(hop == 0 && tx.value * U256::from(5) >= first * U256::from(4));
        }
    }
    rounds
}

#[test]
fn trade_rules_find_the_patterns() {
    let (blocks, truth) = chain(1);
    trade_rules(&blocks, &truth);
}

pub fn trade_rules(blocks: &[BlockData], truth: &serde_json::Value) {
    let sent = sent(blocks);
    let routers = set(&truth["names"]["routers_v2"]);
    let (mut sandwichers, mut pieces) = (Set::new(), 0);
    for (place, front) in sent.iter().enumerate() {
        for back in
            sent[place + 1..].iter().take_while(|back| back.block == front.block && back.index < front.index + 8)
        {
            let same =
                back.from == front.from && back.to == front.to && !routers.contains(&front.to.unwrap_or_default());
            if same && back.index >= front.index + 2 && opposite(front, back) {
                sandwichers.insert(front.from);
                pieces += 1;
            }
        }
    }
    assert_eq!((sandwichers, pieces), (each(&truth["sandwiches"], "bot"), 40), "A10");

    let closed: Set = sent.iter().filter(|tx| closes(tx, truth)).map(|tx| tx.from).collect();
    assert_eq!(closed, each(&truth["arbitrage"], "bot"), "A12");

    let attack = &truth["vampire_attack"];
    let (victim, attacker) = (address(&attack["victim_pool"]), address(&attack["attacker_pool"]));
    let mut left: HashMap<Address, u64> = HashMap::new();
    let mut moved = Set::new();
    for tx in &sent {
        for log in tx.logs {
            if kind(log) == BURN && log.address == victim {
                left.insert(tx.from, tx.time);
            } else if kind(log) == MINT && log.address == attacker {
                moved.extend(left.get(&tx.from).filter(|time| tx.time - *time <= 7 * 86_400).map(|_| tx.from));
            }
        }
    }
    assert_eq!(moved, set(&attack["migrators"]), "A13");

    let mut served: BTreeMap<Address, Set> = BTreeMap::new();
    let contracts: HashSet<Address> = blocks
        .iter()
        .flat_map(|block| block.traces.iter().flatten())
        .filter(|trace| trace.kind == crate::chain::TraceKind::Create)
        .filter_map(|trace| trace.to)
        .collect();
    for log in sent.iter().flat_map(|tx| tx.logs).filter(|log| kind(log) == APPROVAL) {
        if !contracts.contains(&topic_address(log, 2)) {
            served.entry(topic_address(log, 2)).or_default().insert(topic_address(log, 1));
        }
    }
    assert_eq!(served.keys().copied().collect::<Set>(), each(&truth["self_authorised"], "spender"), "A16");
    assert!(served.values().all(|owners| owners.len() <= 10), "A16");
}

/// The later trade sells on the same pool exactly what the earlier one bought.
fn opposite(front: &Sent, back: &Sent) -> bool {
    let swap = |tx: &Sent| tx.logs.iter().find(|log| kind(log) == SWAP).cloned();
    let (Some(first), Some(second)) = (swap(front), swap(back)) else { return false };
    let bought = word(&first, 2).max(word(&first, 3));
    first.address == second.address
        && bought == word(&second, 0).max(word(&second, 1))
        && (word(&first, 0) > U256::ZERO) != (word(&second, 0) > U256::ZERO)
}

/// At least two pools, with the same first and last token.
fn closes(tx: &Sent, truth: &serde_json::Value) -> bool {
    let tokens: HashMap<Address, [Address; 2]> = truth["names"]["pools_v2"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pool| (address(&pool["address"]), [address(&pool["token0"]), address(&pool["token1"])]))
        .collect();
    let swaps: Vec<_> = tx.logs.iter().filter(|log| kind(log) == SWAP).collect();
    let (Some(first), Some(last)) = (swaps.first(), swaps.last()) else { return false };
    let paid = tokens[&first.address][usize::from(word(first, 0).is_zero())];
    let got = tokens[&last.address][usize::from(word(last, 2).is_zero())];
    swaps.len() >= 2 && first.address != last.address && paid == got
}

#[test]
fn nft_rules_find_the_patterns() {
    let (blocks, truth) = chain(1);
    nft_rules(&blocks, &truth);
}

pub fn nft_rules(blocks: &[BlockData], truth: &serde_json::Value) {
    let sent = sent(blocks);
    let mut history: BTreeMap<(Address, U256), Vec<(Address, Address)>> = BTreeMap::new();
    let mut traded: BTreeMap<Address, (i128, BTreeSet<Address>, u32)> = BTreeMap::new();
    let mut held: BTreeMap<Address, BTreeMap<Address, i64>> = BTreeMap::new();
    for tx in &sent {
        let sale = tx.logs.iter().any(|log| kind(log) == SALE);
        for (collection, id, from, to) in tx.logs.iter().filter_map(moved_nft) {
            *held.entry(from).or_default().entry(collection).or_default() -= 1;
            *held.entry(to).or_default().entry(collection).or_default() += 1;
            if sale {
                history.entry((collection, id)).or_default().push((from, to));
                let wei = tx.value.to::<u128>() as i128;
                let seller = traded.entry(from).or_default();
                *seller = (seller.0 + wei, seller.1.iter().copied().chain([collection]).collect(), seller.2 + 1);
                traded.entry(to).or_default().0 -= wei;
            }
        }
    }
    let wash = &truth["wash_trades"];
    let mut found = Set::new();
    for sales in history.values() {
        for (place, (seller, buyer)) in sales.iter().enumerate() {
            let returned = sales[place + 1..].iter().any(|later| later == &(*buyer, *seller));
            let often = sales.iter().filter(|sale| sale.1 == *buyer).count() >= 3;
            if seller == buyer || returned || often {
                found.extend([*seller, *buyer]);
            }
        }
    }
    let mut expected: Set = wash["back_and_forth"].as_array().unwrap().iter().flat_map(listed).collect();
    expected.extend(set(&wash["buyer_is_seller"]));
    assert_eq!(found, expected, "A14");
    for trader in listed(&truth["smart_nft_traders"]["traders"]) {
        let (gain, collections, sold) = &traded[&trader];
        assert!(*gain > 0 && collections.len() >= 3 && *sold >= 10, "A15");
    }
    for collector in listed(&truth["nft_collectors"]["collectors"]) {
        assert!(held[&collector].values().filter(|count| **count > 0).count() >= 10, "M5");
    }
}

#[test]
fn airdrops_have_a_thousand_recipients_and_farms_forward() {
    let (blocks, truth) = chain(1);
    airdrop_rules(&blocks, &truth);
}

pub fn airdrop_rules(blocks: &[BlockData], truth: &serde_json::Value) {
    let sent = sent(blocks);
    let mut drops: BTreeMap<(Address, Address, U256), (Set, Vec<u64>)> = BTreeMap::new();
    let mut handed: BTreeMap<(Address, Address, U256), Set> = BTreeMap::new();
    for tx in &sent {
        for moved in tx.logs.iter().filter_map(moved) {
            let drop = drops.entry((moved.token, moved.from, moved.value)).or_default();
            drop.0.insert(moved.to);
            drop.1.push(tx.block);
            handed.entry((moved.token, moved.to, moved.value)).or_default().insert(moved.from);
        }
    }
    drops.retain(|_, drop| drop.0.len() >= 1_000);
    let planted = truth["airdrops"].as_array().unwrap();
    assert_eq!(drops.len(), planted.len(), "A3");
    for airdrop in planted {
        let key = (
            address(&airdrop["token"]),
            address(&airdrop["distributor"]),
            airdrop["amount"].as_str().unwrap().parse().unwrap(),
        );
        let (recipients, at) = &drops[&key];
        assert_eq!(recipients, &set(&airdrop["recipients"]), "A3");
        let mut gaps: Vec<_> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable();
        assert!(gaps[gaps.len() / 2] <= 2, "A3");
    }
    let token = address(&truth["sybil_farms"]["token"]);
    for farm in truth["sybil_farms"]["farms"].as_array().unwrap() {
        let amount = U256::from(farm["handed_on_percent"].as_u64().unwrap() * 4) * U256::from(10).pow(U256::from(18));
        assert_eq!(handed[&(token, address(&farm["collector"]), amount)], set(&farm["wallets"]), "A4, A8");
    }
}
