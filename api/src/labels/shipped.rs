//! What ships with a sample chain: its DApps, and the wallets of its exchanges.

use quarry_engine::Engine;
use quarry_ingest::sample::{Known, known};
use quarry_labels as labels;
use quarry_labels::{DappContract, KnownLabel, Source};
use quarry_types::Result;

use crate::time::now_ms;

/// The set of labels that ship.
const SET: &str = "shipped";

/// Gives the engine what ships, once.
pub async fn load(engine: &Engine) -> Result<()> {
    if engine.labels().has(None, SET)? && engine.labels().has(None, labels::DAPPS)? {
        return Ok(());
    }
    let Some(known) = known(engine.lake()).await? else { return Ok(()) };
    if !engine.labels().has(None, SET)? {
        engine.labels().put(None, SET, &exchanges(&known))?;
    }
    if !engine.labels().has(None, labels::DAPPS)? {
        engine.labels().put_dapps(&dapps(&known))?;
    }
    Ok(())
}

fn exchanges(known: &Known) -> Vec<KnownLabel> {
    let label = |(address, name): &([u8; 20], String)| KnownLabel {
        address: *address,
        label: "exchange".to_string(),
        label_type: "EOA".to_string(),
        entity: name.clone(),
        note: "Hot wallet of an exchange of the sample chain.".to_string(),
        source: Source::Shipped,
        author: String::new(),
        created: now_ms(),
    };
    known.exchanges.iter().map(label).collect()
}

fn dapps(known: &Known) -> Vec<DappContract> {
    let contracts = known.dapps.iter().flat_map(|dapp| {
        dapp.contracts.iter().map(|address| DappContract {
            name: dapp.name.clone(),
            dapp_type: dapp.kind.clone(),
            address: *address,
        })
    });
    contracts.collect()
}
