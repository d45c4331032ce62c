//! Views over the chain's tables, with the names of the tables of other products. They hold no data: a query that names one reads the
//! chain's files.

mod activity;
mod balances;
mod calendar;
mod columns;
mod decoded;
#[cfg(test)]
mod document;
mod evms;
mod fees;
mod flipside;
mod flipside_transfers;
mod known_contracts;
mod planner;
mod prices;
mod token_events;
mod tokens;
mod trades;
mod transfers;
mod view;

pub use known_contracts::fill as fill_contracts;
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
    &transfers::TOKENS,
    &transfers::NFT,
    &token_events::ERC20_TRANSFER,
    &token_events::ERC20_APPROVAL,
    &token_events::ERC721_TRANSFER,
    &token_events::ERC721_APPROVAL,
    &token_events::ERC721_APPROVAL_FOR_ALL,
    &token_events::ERC1155_TRANSFER_SINGLE,
    &token_events::ERC1155_TRANSFER_BATCH,
    &token_events::ERC1155_APPROVAL_FOR_ALL,
    &trades::TRADES,
    &prices::USD,
    &prices::MINUTE,
    &prices::HOUR,
    &prices::DAY,
    &prices::LATEST,
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
    &flipside_transfers::TOKENS,
    &flipside_transfers::RAW,
    &flipside_transfers::ETHER,
    &flipside_transfers::PRICES,
    &flipside_transfers::SWAPS,
];

/// Other names of views: a schema, a name, and the view.
pub const OTHER_NAMES: [(&str, &str, &View); 7] = [
    ("crypto_ethereum", "amended_tokens", &tokens::TOKENS),
    ("tokens_ethereum", "transfers", &transfers::TOKENS),
    ("nft_ethereum", "transfers", &transfers::NFT),
    ("gas_ethereum", "fees", &fees::FEES),
    ("core", "ez_eth_transfers", &flipside_transfers::ETHER),
    ("core", "fact_hourly_token_prices", &flipside_transfers::PRICES),
    ("price", "ez_hourly_token_prices", &flipside_transfers::PRICES),
];

#[cfg(test)]
mod tests;
