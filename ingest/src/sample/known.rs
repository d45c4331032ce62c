//! What everybody on the sample chain knows: which contracts belong to which DApp, and which wallets are an exchange's. On a
//! real chain such facts are public; the rest of the truth is for tests alone.

use alloy_primitives::Address;
use quarry_lake::{Lake, Origin};
use quarry_types::{Error, Result};
use serde::Deserialize;

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
    /// One of the eight types of DApps.
    pub kind: String,
    pub contracts: Vec<[u8; 20]>,
}

#[derive(Deserialize)]
struct Truth {
    names: Names,
    exchanges: Vec<Exchange>,
}

#[derive(Deserialize)]
struct Names {
    dapps: Vec<Dapp>,
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

/// The public facts of the chain in a lake; nothing unless it is a sample chain with its truth beside it.
pub async fn known(lake: &Lake) -> Result<Option<Known>> {
    if lake.info().await?.origin != Some(Origin::Sample) {
        return Ok(None);
    }
    let file = lake.dir().parent().unwrap_or(lake.dir()).join("truth.json");
    let text = match std::fs::read(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::internal(error)),
    };
    let truth: Truth = serde_json::from_slice(&text).map_err(Error::internal)?;
    let dapp = |dapp: Dapp| KnownDapp {
        name: dapp.name,
        kind: dapp.kind,
        contracts: dapp.contracts.into_iter().map(Address::into_array).collect(),
    };
    Ok(Some(Known {
        dapps: truth.names.dapps.into_iter().map(dapp).collect(),
        exchanges: truth.exchanges.into_iter().map(|one| (one.hot_wallet.into_array(), one.name)).collect(),
    }))
}
