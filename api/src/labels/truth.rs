//! How well rules find what is planted in a sample chain: which addresses should have which label, by the truth that lies
//! beside the chain. Rules never see it.

use std::collections::BTreeSet;

use chrono::{DateTime, Days};
use serde_json::{Value, json};

/// What one label of a rule should be found for.
#[derive(Debug)]
pub struct Check {
    /// A label, or the beginning of several before `*`.
    pub label: &'static str,
    /// The spec that finds them, without the label.
    pub spec: Value,
    pub planted: BTreeSet<String>,
    /// Whether nobody else has the label: only then precision says something.
    pub complete: bool,
}

/// How well a label was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    pub found: usize,
    pub planted: usize,
    /// Share of the found that is planted; nothing where others may be found too.
    pub precision: Option<f64>,
    /// Share of the planted that is found.
    pub recall: f64,
}

impl Check {
    /// Whether the check is about this label.
    pub fn is_of(&self, label: &str) -> bool {
        match self.label.strip_suffix('*') {
            Some(start) => label.starts_with(start),
            None => label == self.label,
        }
    }

    pub fn score(&self, found: &BTreeSet<String>) -> Score {
        let both = found.intersection(&self.planted).count();
        let share = |of: usize| if of == 0 { 1.0 } else { both as f64 / of as f64 };
        Score {
            found: found.len(),
            planted: self.planted.len(),
            precision: self.complete.then(|| share(found.len())),
            recall: share(self.planted.len()),
        }
    }
}

/// What a rule should find; empty when nothing of it is planted.
pub fn checks(rule: &str, truth: &Value) -> Vec<Check> {
    let at = |pointer: &str| &truth[pointer];
    let month = json!({ "month": at("dapp_users")["month"] });
    let farms = &at("sybil_farms")["farms"];
    let all = json!({});
    let exact = |label, planted| Check { label, spec: json!({}), planted, complete: true };
    let some = |label, spec: &Value, planted| Check { label, spec: spec.clone(), planted, complete: false };
    let names = at("names");
    match rule {
        "account-kind" => vec![
            some("eoa", &all, each(at("likely_bots"), "address")),
            some("contract", &all, union([each(&names["pools_v2"], "address"), flat(&names["dapps"], "contracts")])),
        ],
        "contract-deployer" => {
            vec![some("contract-deployer", &all, union([each(at("sandwiches"), "bot"), each(at("arbitrage"), "bot")]))]
        }
        "token-standard" => vec![
            exact("erc20-token", each(&names["erc20"], "address")),
            exact("erc721-collection", each(&names["erc721"], "address")),
            exact("erc1155-collection", set(&names["erc1155"])),
        ],
        "miner" => {
            let of = |pool: bool| each_that(at("proposers"), "address", |entry| entry["pool"] == pool);
            vec![exact("miner-pool", of(true)), exact("miner", of(false))]
        }
        "balance-tier" => vec![exact("whale", each(at("whales"), "address"))],
        "activity" => {
            let asleep = at("early_leavers")["asleep_days_at_least"].as_u64().unwrap_or_default();
            let spec = json!({ "parameters": { "dormant_days": asleep.saturating_sub(1).max(1) } });
            vec![some("dormant-account", &spec, set(&at("early_leavers")["addresses"]))]
        }
        "top-holder" => top_holders(truth),
        "network-address" => vec![exact("network-address", set(&at("network_addresses")["addresses"]))],
        "exchange-user" => vec![some("exchange-user", &all, flat(at("deposit_clusters"), "users"))],
        "regular-user" => vec![some("daily-user", &month, set(&at("dapp_users")["daily"]["users"]))],
        "newcomer" => vec![some("newcomer", &month, set(&at("dapp_users")["arrived"]))],
        "nft-role" => vec![some("nft-collector", &month, set(&at("nft_collectors")["collectors"]))],
        "miner-rank" => {
            vec![some("miner-rank", &month, each_that(at("proposers"), "address", |entry| entry["pool"] == true))]
        }
        "dapp-user" => {
            let users = &at("dapp_users");
            vec![some("dapp-user", &month, union([set(&users["retained"]), set(&users["arrived"])]))]
        }
        "dapp-power-user" => {
            let daily = &at("dapp_users")["daily"];
            let spec = json!({ "month": month["month"], "dappName": daily["dapp"] });
            vec![some("dapp-power-user-*", &spec, set(&daily["users"]))]
        }
        "dapp-loyalty" => {
            let users = &at("dapp_users");
            vec![
                some("dapp-retained-user", &month, set(&users["retained"])),
                some("dapp-new-user", &month, set(&users["arrived"])),
                some("dapp-lost-user", &month, set(&users["lost"])),
            ]
        }
        "multi-dapp-user" => {
            vec![some("multi-dapp-user", &month, set(&at("dapp_users")["several_of_one_type"]["users"]))]
        }
        "dapp-contract" => vec![exact("dapp-*", flat(&names["dapps"], "contracts"))],
        "dapp-bot" => dapp_bots(truth),
        "exchange-deposit" => vec![exact("exchange-deposit", deposits(truth, 1))],
        "deposit-cluster" => vec![exact("deposit-cluster", customers(truth))],
        "airdrop" => vec![
            exact("airdrop-distributor", each(at("airdrops"), "distributor")),
            exact("airdrop-recipient", flat(at("airdrops"), "recipients")),
        ],
        "multi-airdrop" => vec![
            exact("multi-airdrop-entity", flat(farms, "wallets")),
            exact("airdrop-collector", each(farms, "collector")),
        ],
        "airdrop-hunter" => {
            let level = |level: u64| {
                let of = farms.as_array().into_iter().flatten().filter(|farm| farm["found_at"] == level);
                of.flat_map(|farm| set(&farm["wallets"])).collect()
            };
            vec![
                exact("airdrop-hunter-2", level(2)),
                exact("airdrop-hunter-5", level(5)),
                exact("airdrop-hunter-8", level(8)),
            ]
        }
        "batch-funded" => vec![
            exact("batch-funded", union([flat(at("batch_funded"), "wallets"), flat(farms, "wallets")])),
            exact("batch-funder", union([each(at("batch_funded"), "funder"), each(farms, "source")])),
        ],
        "circular-flow" => vec![some("circular-flow", &all, flat(at("circular_flows"), "ring"))],
        "quick-consolidator" => vec![exact("quick-consolidator", flat(farms, "wallets"))],
        "dex-trader" => vec![some("dex-trader*", &all, flat(at("sandwiches"), "victims"))],
        "sandwich-bot" => vec![
            exact("sandwich-bot", each(at("sandwiches"), "bot")),
            exact("sandwich-contract", each(at("sandwiches"), "contract")),
        ],
        "likely-bot" => vec![exact("likely-bot", each(at("likely_bots"), "address"))],
        "arbitrage" => vec![
            exact("arbitrage-bot", each(at("arbitrage"), "bot")),
            exact("arbitrage-contract", each(at("arbitrage"), "contract")),
        ],
        "liquidity-provider" => vec![
            exact("liquidity-provider", set(at("liquidity_providers"))),
            exact("vampire-migrator", set(&at("vampire_attack")["migrators"])),
        ],
        "wash-trader" => {
            let wash = at("wash_trades");
            let pairs = wash["back_and_forth"].as_array().into_iter().flatten().flat_map(set).collect();
            let alone = set(&wash["buyer_is_seller"]);
            vec![exact("wash-trader", union([pairs, alone, flat(&wash["common_funder"], "wallets")]))]
        }
        "smart-nft-trader" => vec![some("smart-nft-trader", &all, set(&at("smart_nft_traders")["traders"]))],
        "self-authorised" => vec![
            exact("self-authorised-owner", each(at("self_authorised"), "owner")),
            exact("self-authorised-spender", each(at("self_authorised"), "spender")),
        ],
        _ => Vec::new(),
    }
}

/// The ten largest holders of the first token that the truth tells them of.
fn top_holders(truth: &Value) -> Vec<Check> {
    let tokens = truth["names"]["erc20"].as_array().into_iter().flatten();
    let mut listed = tokens.filter_map(|token| Some((token, truth["top_holders"].get(token["symbol"].as_str()?)?)));
    let Some((token, holders)) = listed.next() else { return Vec::new() };
    let ten = json!({ "ranks": 10, "share": "1" });
    let spec = json!({ "contractAddress": token["address"], "parameters": ten });
    vec![Check { label: "top-holder", spec, planted: each(holders, "address"), complete: true }]
}

/// The fast bot works inside one DApp on a day of one month.
fn dapp_bots(truth: &Value) -> Vec<Check> {
    let bot = &truth["bots"]["inside_dapps"][0];
    let start = truth["chain"]["first_time"].as_i64().and_then(|time| DateTime::from_timestamp(time, 0));
    let Some(day) = start.map(|start| start.date_naive() + Days::new(24)) else { return Vec::new() };
    let spec = json!({ "month": day.format("%Y-%m").to_string(), "contractAddress": bot["contract"] });
    vec![Check { label: "dapp-bot", spec, planted: set(&json!([bot["bot"]])), complete: true }]
}

/// Deposit addresses that at least so many customers use.
fn deposits(truth: &Value, customers: usize) -> BTreeSet<String> {
    let of = |exchange: &Value| {
        each_that(&exchange["deposit_addresses"], "address", |entry| set(&entry["users"]).len() >= customers)
    };
    truth["exchanges"].as_array().into_iter().flatten().flat_map(of).collect()
}

/// Customers who share a deposit address.
fn customers(truth: &Value) -> BTreeSet<String> {
    let shared = deposits(truth, 2);
    let entries = truth["exchanges"].as_array().into_iter().flatten();
    let entries = entries.flat_map(|exchange| exchange["deposit_addresses"].as_array().into_iter().flatten());
    let shared = entries.filter(|entry| entry["address"].as_str().is_some_and(|address| shared.contains(address)));
    shared.flat_map(|entry| set(&entry["users"])).collect()
}

/// Addresses of a list.
fn set(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_lowercase).collect()
}

/// The address at `key` of each entry.
fn each(list: &Value, key: &str) -> BTreeSet<String> {
    each_that(list, key, |_| true)
}

fn each_that(list: &Value, key: &str, wanted: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let entries = list.as_array().into_iter().flatten().filter(|entry| wanted(entry));
    entries.filter_map(|entry| entry[key].as_str()).map(str::to_lowercase).collect()
}

/// The addresses at `key` of each entry.
fn flat(list: &Value, key: &str) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().flat_map(|entry| set(&entry[key])).collect()
}

fn union<const N: usize>(sets: [BTreeSet<String>; N]) -> BTreeSet<String> {
    sets.into_iter().flatten().collect()
}
