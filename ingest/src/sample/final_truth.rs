//! Ground truth that is only known at the end of the chain.

use serde_json::{Map, Value, json};

use super::config::SampleConfig;
use super::participants::Participants;
use super::simulation::Simulation;
use super::truth::{Truth, addresses};
use super::world::{CHAIN_ID, ETH, World};

impl Simulation {
    /// Adds all entries.
    pub fn truth(&mut self, config: SampleConfig) -> Truth {
        let mut truth = std::mem::take(&mut self.planted);
        let (world, participants) = (&self.world, &self.participants);
        truth.note(
            "chain",
            json!({ "chain_id": CHAIN_ID, "seed": config.seed, "transactions": config.transactions,
                "days": config.days(), "first_time": self.clock.start, "end_time": super::clock::END,
                "blocks": self.blocks.count }),
        );
        let exchanges: Vec<_> = participants
            .exchanges
            .iter()
            .map(|exchange| {
                let deposits: Vec<_> = exchange
                    .deposits
                    .iter()
                    .map(|(deposit, users)| json!({ "address": world.address(*deposit), "users": addresses(world, users) }))
                    .collect();
                json!({ "name": exchange.name, "hot_wallet": world.address(exchange.hot), "deposit_addresses": deposits })
            })
            .collect();
        truth.note("exchanges", json!(exchanges));
        let proposers: Vec<_> = self
            .blocks
            .proposers
            .iter()
            .filter(|proposer| proposer.blocks > 0)
            .map(|proposer| {
                json!({ "address": world.address(proposer.id), "name": proposer.name, "blocks": proposer.blocks,
                    "tips_wei": proposer.tips.to_string(), "pool": proposer.blocks * 100 >= self.blocks.count })
            })
            .collect();
        truth.note("proposers", json!(proposers));
        let mut providers = self.traffic.providers.clone();
        providers.extend(&participants.makers);
        providers.extend(&participants.planted_providers);
        providers.sort_unstable();
        providers.dedup();
        truth.note("liquidity_providers", json!(addresses(world, &providers)));
        let rich: Vec<_> = world
            .accounts
            .iter()
            .filter(|(_, account)| !account.is_contract && account.balance >= 1_000 * ETH)
            .map(|(_, account)| json!({ "address": account.address, "balance_wei": account.balance.to_string() }))
            .collect();
        truth.note("whales", json!(rich));
        truth.note("likely_bots", json!(likely_bots(world)));
        truth.note("top_holders", top_holders(world, participants));
        truth.note("exact", json!(EXACT));
        truth.note("names", names(self));
        truth
    }
}

/// Patterns with complete lists: the rule finds exactly these. For others the rule may find more by chance.
const EXACT: [&str; 13] = [
    "exchanges",
    "proposers",
    "liquidity_providers",
    "whales",
    "likely_bots",
    "airdrops",
    "sybil_farms",
    "sandwiches",
    "arbitrage",
    "vampire_attack",
    "wash_trades",
    "self_authorised",
    "governance",
];

/// Number of holders listed for each token.
const TOP: usize = 10;

/// The largest balances of every initial token, contracts included.
fn top_holders(world: &World, participants: &Participants) -> Value {
    let mut listed = Map::new();
    for token in &participants.coins {
        let mut holders: Vec<_> = world
            .accounts
            .iter()
            .map(|(id, account)| (world.ledger.balance(*token, id), account.address))
            .filter(|(balance, _)| *balance > 0)
            .collect();
        holders.sort_unstable_by(|a, b| b.cmp(a));
        let holders: Vec<_> = holders
            .into_iter()
            .take(TOP)
            .map(|(balance, address)| json!({ "address": address, "balance": balance.to_string() }))
            .collect();
        listed.insert(world.ledger.tokens[*token as usize].symbol.clone(), json!(holders));
    }
    Value::Object(listed)
}

/// All addresses that meet rule A11 on the whole chain: 100 transactions at 25 an hour, 2,500 at one in two hours, or
/// 100 of which nine in ten failed. Hours count from the first to the last transaction.
fn likely_bots(world: &World) -> Vec<Value> {
    world
        .accounts
        .iter()
        .filter(|(_, account)| account.sent >= 100)
        .filter_map(|(_, account)| {
            let (sent, seconds) = (u64::from(account.sent), u64::from(account.last_sent - account.first_sent));
            let fast = sent * 3_600 >= 25 * seconds;
            let tireless = sent >= 2_500 && sent * 7_200 >= seconds;
            let failing = u64::from(account.failed) * 10 > sent * 9;
            (fast || tireless || failing).then(|| {
                json!({ "address": account.address, "transactions": sent, "failed": account.failed,
                    "fast": fast, "tireless": tireless, "failing": failing })
            })
        })
        .collect()
}

/// Names of contracts.
fn names(simulation: &Simulation) -> Value {
    let (world, participants) = (&simulation.world, &simulation.participants);
    let tokens: Vec<_> = world
        .ledger
        .tokens
        .iter()
        .map(|token| {
            json!({ "address": world.address(token.contract), "standard": "erc20", "symbol": token.symbol,
                "decimals": token.decimals, "supply": token.supply.to_string() })
        })
        .collect();
    let collections: Vec<_> = world
        .ledger
        .collections
        .iter()
        .map(|held| {
            json!({ "address": world.address(held.contract), "standard": "erc721", "name": held.name,
                "minted": held.owners.len() })
        })
        .collect();
    let items: Vec<_> = world.ledger.items.iter().map(|items| world.address(items.contract)).collect();
    let pools: Vec<_> = world
        .pools
        .iter()
        .map(|pool| {
            json!({ "address": world.address(pool.contract), "venue": pool.venue,
                "token0": world.token_address(pool.tokens[0]), "token1": world.token_address(pool.tokens[1]),
                "reserves": pool.reserves.map(|reserve| reserve.to_string()) })
        })
        .collect();
    let range_pools: Vec<_> = world
        .range_pools
        .iter()
        .map(|pool| {
            json!({ "address": world.address(pool.contract), "fee": pool.fee,
                "token0": world.token_address(pool.tokens[0]), "token1": world.token_address(pool.tokens[1]) })
        })
        .collect();
    let dapps: Vec<_> = participants
        .dapps
        .iter()
        .map(|dapp| json!({ "name": dapp.name, "type": dapp.kind, "contracts": addresses(world, &dapp.contracts) }))
        .collect();
    let sites = &world.sites;
    json!({
        "erc20": tokens, "erc721": collections, "erc1155": items, "pools_v2": pools, "pools_v3": range_pools,
        "dapps": dapps,
        "weth": world.address(sites.weth),
        "routers_v2": addresses(world, &sites.routers), "factories_v2": addresses(world, &sites.factories),
        "router_v3": world.address(sites.range_router), "factory_v3": world.address(sites.range_factory),
        "seaport": world.address(sites.market), "disperse": world.address(sites.disperse),
        "wallet_code": world.address(sites.delegate_code), "governor": world.address(participants.governor),
        "farm": world.address(participants.farm), "merkle_distributors": addresses(world, &participants.distributors),
        "rollup_inboxes": addresses(world, &participants.inboxes),
    })
}
