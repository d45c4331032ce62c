//! The queries of the 3D models. Node rows have the columns `node`, `kind`, `size`, `at` and perhaps `name` and `total`, link
//! rows `source`, `target`, `size`, `at` and `total`; further columns are facts of the node. Values are validated
//! before they get here, so they are safe to put into the text.

mod airdrops;
mod dapps;
mod flows;
mod graph;
mod head;
mod pools;
mod proposers;
mod token;
mod votes;

use quarry_lake::Head;

use super::values::{ModelId, ModelValues};
use super::{ModelQueries, ModelQueryKind};
use crate::http::ApiError;

/// Most that is drawn.
const MOST_NODES: usize = 3_000;
const MOST_LINKS: usize = 6_000;
/// The address that tokens are made from and burned to.
const ZERO: &str = "0x0000000000000000000000000000000000000000";
/// What an address is, as the table of contracts says; `c` is joined to it.
const KIND_OF_ADDRESS: &str = "CASE WHEN c.address IS NULL THEN 'account' WHEN c.is_erc20 THEN 'token' \
    WHEN c.is_erc721 OR c.is_erc1155 THEN 'nft' ELSE 'contract' END";

/// The queries of a model at these values, over a lake that ends at `head`.
///
/// # Errors
/// A value that the model does not take.
pub fn queries(values: &ModelValues, head: Head) -> Result<ModelQueries, ApiError> {
    match values.model {
        ModelId::Overview => flows::overview(values),
        ModelId::Token => token::holders(values),
        ModelId::NetworkCurve => flows::curve(values),
        ModelId::NetworkCurve3d => flows::of_day(values),
        ModelId::DappRelation => dapps::relation(values),
        ModelId::DappUser => dapps::users(values),
        ModelId::Realtime | ModelId::Realtime3d => head::blocks(values, head),
        ModelId::Dao => Ok(votes::all()),
        ModelId::Miner => Ok(proposers::all()),
        ModelId::Vampire => Ok(pools::migrated()),
        ModelId::AirDrop => Ok(airdrops::given()),
        ModelId::Airdrop => airdrops::alike(values),
        ModelId::Uniswap => head::swaps(values, head),
        ModelId::ThreeHop => graph::hops(values),
        ModelId::Graph => Ok(graph::largest()),
    }
}

fn sql(nodes: String, links: Option<String>) -> ModelQueries {
    ModelQueries { kind: ModelQueryKind::Sql, nodes, links }
}

/// The condition that a time lies on a day (`YYYY-MM-DD`).
fn on_day(column: &str, day: &str) -> String {
    let start = format!("TIMESTAMP '{day} 00:00:00'");
    format!("{column} >= {start} AND {column} < {start} + INTERVAL '1' DAY")
}

#[cfg(test)]
mod tests;
