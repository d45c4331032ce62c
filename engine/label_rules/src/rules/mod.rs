//! The catalogue: one file per rule.

mod account_kind;
mod activity;
mod airdrop;
mod airdrop_hunter;
mod arbitrage;
mod balance_tier;
mod batch_funded;
mod circular_flow;
mod contract_deployer;
mod dapp_bot;
mod dapp_contract;
mod dapp_loyalty;
mod dapp_power_user;
mod dapp_user;
mod deposit_cluster;
mod dex_trader;
mod exchange_deposit;
mod exchange_user;
mod likely_bot;
mod liquidity_provider;
mod miner;
mod miner_rank;
mod multi_airdrop;
mod multi_dapp_user;
mod network_address;
mod newcomer;
mod nft_role;
mod quick_consolidator;
mod regular_user;
mod sandwich_bot;
mod self_authorized;
mod smart_nft_trader;
mod token_standard;
mod top_gas_spender;
mod top_holder;
mod top_volume;
mod wash_trader;

use crate::rule::Rule;

/// All rules, by category and number.
pub(crate) const ALL: [Rule; 37] = [
    account_kind::RULE,
    contract_deployer::RULE,
    token_standard::RULE,
    miner::RULE,
    balance_tier::RULE,
    activity::RULE,
    top_holder::RULE,
    network_address::RULE,
    exchange_user::RULE,
    regular_user::RULE,
    top_gas_spender::RULE,
    top_volume::RULE,
    newcomer::RULE,
    nft_role::RULE,
    miner_rank::RULE,
    dapp_user::RULE,
    dapp_power_user::RULE,
    dapp_loyalty::RULE,
    multi_dapp_user::RULE,
    dapp_contract::RULE,
    dapp_bot::RULE,
    exchange_deposit::RULE,
    deposit_cluster::RULE,
    airdrop::RULE,
    multi_airdrop::RULE,
    airdrop_hunter::RULE,
    batch_funded::RULE,
    circular_flow::RULE,
    quick_consolidator::RULE,
    dex_trader::RULE,
    sandwich_bot::RULE,
    likely_bot::RULE,
    arbitrage::RULE,
    liquidity_provider::RULE,
    wash_trader::RULE,
    smart_nft_trader::RULE,
    self_authorized::RULE,
];

/// Imports and constructors for the files of rules.
mod prelude {
    pub(super) use crate::rule::{Both, Category, Field, Input, Number, Parameter, ParameterKind, Rows, Rule, Step};

    pub(super) const START: Input = optional(Field::StartDate);
    pub(super) const END: Input = optional(Field::EndDate);
    pub(super) const MONTH: Input = optional(Field::Month);
    pub(super) const CONTRACT: Input = optional(Field::ContractAddress);
    pub(super) const EOA: Input = optional(Field::Eoa);
    pub(super) const DAPP: Input = optional(Field::DappName);
    pub(super) const NFT: Input = optional(Field::Erc721);

    const fn optional(field: Field) -> Input {
        Input { field, required: false }
    }

    pub(super) const fn required(field: Field) -> Input {
        Input { field, required: true }
    }

    pub(super) const fn step(name: &'static str, query: &'static str) -> Step {
        Step { name, query }
    }

    pub(super) const fn whole(
        name: &'static str,
        default: u64,
        min: u64,
        max: u64,
        en: &'static str,
        zh: &'static str,
    ) -> Parameter {
        let [default, min, max] = [Number::Whole(default), Number::Whole(min), Number::Whole(max)];
        Parameter { name, kind: ParameterKind::Whole, default, min, max, text: Both { en, zh } }
    }

    pub(super) const fn fraction(
        name: &'static str,
        default: &'static str,
        min: &'static str,
        max: &'static str,
        en: &'static str,
        zh: &'static str,
    ) -> Parameter {
        let [default, min, max] = [Number::Text(default), Number::Text(min), Number::Text(max)];
        Parameter { name, kind: ParameterKind::Fraction, default, min, max, text: Both { en, zh } }
    }

    pub(super) const fn ether(
        name: &'static str,
        default: &'static str,
        min: &'static str,
        max: &'static str,
        en: &'static str,
        zh: &'static str,
    ) -> Parameter {
        Parameter { kind: ParameterKind::Ether, ..fraction(name, default, min, max, en, zh) }
    }

    /// Limits beyond which an address is a bot.
    pub(super) const BOT_LIMITS: [Parameter; 5] = [
        whole("many", 100, 1, 1_000_000, "Transactions that are many", "视为多的交易数"),
        fraction("fast_per_hour", "25", "0.1", "10000", "Transactions an hour that are fast", "视为快的每小时交易数"),
        fraction("failed_share", "0.9", "0.1", "1", "Share of failures that is nearly all", "视为几乎全部失败的比例"),
        whole("very_many", 2_500, 1, 10_000_000, "Transactions that are very many", "视为极多的交易数"),
        fraction(
            "steady_per_hour",
            "0.5",
            "0.01",
            "10000",
            "Transactions an hour that are steady",
            "视为持续的每小时交易数",
        ),
    ];

    /// Minimum number of callers of a router.
    pub(super) const ROUTER_SENDERS: Parameter =
        whole("router_senders", 10, 2, 1_000_000, "Senders from which a contract is a router", "视为路由的调用人数");
}
