//! Public facts of the sample chain: contracts of DApps and wallets of exchanges. The rest of the ground truth is for
//! tests only.

use alloy_primitives::Address;
use quarry_lake::{DollarToken, KnownContracts, Lake, Origin, PoolFactory};
use quarry_types::{Error, Result};
use serde::Deserialize;

use super::Truth;
use super::setup::{DEPOSIT_CONTRACT, DOLLARS};

/// Public facts of a sample chain.
#[derive(Debug, Default)]
pub struct Known {
    pub dapps: Vec<KnownDapp>,
    /// Hot wallets with the name of their exchange.
    pub exchanges: Vec<([u8; 20], String)>,
}

/// A DApp of the sample chain.
#[derive(Debug)]
pub struct KnownDapp {
    pub name: String,
    /// The type, one of eight.
    pub kind: String,
    pub contracts: Vec<[u8; 20]>,
}

#[derive(Deserialize)]
struct Facts {
    names: Names,
    exchanges: Vec<Exchange>,
}

#[derive(Deserialize)]
struct Names {
    dapps: Vec<Dapp>,
    weth: Address,
    erc20: Vec<Token>,
    factories_v2: Vec<Address>,
    factory_v3: Address,
}

#[derive(Deserialize)]
struct Token {
    symbol: String,
    address: Address,
    decimals: u32,
}

#[derive(Deserialize)]
struct Dapp {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    contracts: Vec<Address>,
}

#[derive(Deserialize)]
struct Exchange {
    name: String,
    hot_wallet: Address,
}

/// Reads the facts beside a lake, as [`write`](super::write) leaves them.
fn read(lake: &Lake) -> Result<Option<Facts>> {
    let file = lake.dir().parent().unwrap_or(lake.dir()).join("truth.json");
    let text = match std::fs::read(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::internal(error)),
    };
    serde_json::from_slice(&text).map(Some).map_err(Error::internal)
}

impl Truth {
    /// The known contracts for prices and metrics of this chain. All of its pools count as Uniswap's.
    ///
    /// # Errors
    /// Incomplete ground truth.
    pub fn known_contracts(&self) -> Result<KnownContracts> {
        Names::deserialize(self.get("names")).map(contracts).map_err(Error::internal)
    }
}

fn contracts(names: Names) -> KnownContracts {
    let dollar = |token: &Token| DOLLARS.contains(&token.symbol.as_str());
    let dollars = names.erc20.into_iter().filter(dollar).map(|token| DollarToken {
        symbol: token.symbol,
        address: token.address,
        decimals: token.decimals,
    });
    let factory = |version: u8, address: Address| PoolFactory { project: "uniswap".to_string(), version, address };
    let pairs = names.factories_v2.into_iter().map(|address| factory(2, address));
    KnownContracts {
        wrapped_ether: Some(names.weth),
        dollar_tokens: dollars.collect(),
        pool_factories: pairs.chain([factory(3, names.factory_v3)]).collect(),
        deposit_contract: Some(DEPOSIT_CONTRACT),
    }
}

/// Records the known contracts in a sample chain of an older version.
///
/// # Errors
/// The lake can't be written.
pub async fn record_contracts(lake: &Lake) -> Result<()> {
    let info = lake.info().await?;
    if info.origin != Some(Origin::Sample) || *info.contracts != KnownContracts::default() {
        return Ok(());
    }
    let Some(facts) = read(lake)? else { return Ok(()) };
    lake.writer().await?.record_contracts(Some(&contracts(facts.names))).await
}

/// The public facts of the chain in a lake; `None` unless it is a sample chain with ground truth beside it.
pub async fn known(lake: &Lake) -> Result<Option<Known>> {
    if lake.info().await?.origin != Some(Origin::Sample) {
        return Ok(None);
    }
    let Some(facts) = read(lake)? else { return Ok(None) };
    let dapp = |dapp: Dapp| KnownDapp {
        name: dapp.name,
        kind: dapp.kind,
        contracts: dapp.contracts.into_iter().map(Address::into_array).collect(),
    };
    Ok(Some(Known {
        dapps: facts.names.dapps.into_iter().map(dapp).collect(),
        exchanges: facts.exchanges.into_iter().map(|one| (one.hot_wallet.into_array(), one.name)).collect(),
    }))
}
