//! Views: tables that other tools have and that follow from the chain's own, under the names people know them by. They
//! hold no data; a query that names one reads the chain's files.

mod activity;
mod approvals;
mod balances;
mod calendar;
mod columns;
mod contracts;
mod decoded;
#[cfg(test)]
mod document;
mod evms;
mod fees;
mod flipside;
mod flipside_worth;
mod moves;
mod planner;
mod prices;
mod rates;
mod tokens;
mod trades;
mod transfers;
mod view;

pub use contracts::fill as fill_contracts;
pub use planner::Planner;
pub use view::View;

/// All views, in the order in which documentation and the editor show them.
pub const ALL: [&View; 45] = [
    &balances::BALANCES,
    &decoded::TRACES,
    &decoded::LOGS,
    &tokens::CREATION_TRACES,
    &tokens::TOKENS,
    &tokens::ERC20,
    &tokens::NFT,
    &moves::TOKENS,
    &moves::NFT,
    &transfers::ERC20,
    &approvals::ERC20,
    &transfers::ERC721,
    &approvals::ERC721,
    &approvals::ERC721_ALL,
    &transfers::ERC1155_SINGLE,
    &transfers::ERC1155_BATCH,
    &approvals::ERC1155_ALL,
    &trades::TRADES,
    &prices::USD,
    &rates::MINUTE,
    &rates::HOUR,
    &rates::DAY,
    &rates::LATEST,
    &fees::FEES,
    &evms::BLOCKS,
    &evms::TRANSACTIONS,
    &evms::LOGS,
    &calendar::MINUTES,
    &calendar::HOURS,
    &calendar::DAYS,
    &calendar::WEEKS,
    &calendar::MONTHS,
    &calendar::QUARTERS,
    &calendar::YEARS,
    &activity::ACTIVE_ADDRESSES,
    &flipside::BLOCKS,
    &flipside::TRANSACTIONS,
    &flipside::LOGS,
    &flipside::TRACES,
    &flipside::CONTRACTS,
    &flipside_worth::TOKENS,
    &flipside_worth::RAW,
    &flipside_worth::ETHER,
    &flipside_worth::PRICES,
    &flipside_worth::SWAPS,
];

/// Names that lead to a view that has another one: a schema, a name, and the view.
pub const ALSO: [(&str, &str, &View); 7] = [
    ("crypto_ethereum", "amended_tokens", &tokens::TOKENS),
    ("tokens_ethereum", "transfers", &moves::TOKENS),
    ("nft_ethereum", "transfers", &moves::NFT),
    ("gas_ethereum", "fees", &fees::FEES),
    ("core", "ez_eth_transfers", &flipside_worth::ETHER),
    ("core", "fact_hourly_token_prices", &flipside_worth::PRICES),
    ("price", "ez_hourly_token_prices", &flipside_worth::PRICES),
];

#[cfg(test)]
mod tests;
