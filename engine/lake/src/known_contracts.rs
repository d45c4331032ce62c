//! Contracts from which prices, trades and some metrics are computed. Anybody may name a token USDC or emit the event of a pool,
//! so the contracts are listed by address for each chain.

use std::sync::{Arc, LazyLock};

use alloy_primitives::Address;
use quarry_types::{Error, ErrorCode, Result};
use serde::{Deserialize, Serialize};

/// Lists that ship with the product, by chain id. A lake may record its own, as every sample chain does.
const SHIPPED: [(u64, &str); 1] = [(1, include_str!("../../../data/chains/1.json"))];

const MAX_DECIMALS: u32 = 18;

/// The known contracts of one chain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnownContracts {
    /// The token of wrapped ether, which has 18 decimals.
    pub wrapped_ether: Option<Address>,
    /// Tokens that are worth a dollar.
    pub dollar_tokens: Vec<DollarToken>,
    /// Factories of Uniswap-like pools. Prices come from pools of version 2.
    pub pool_factories: Vec<PoolFactory>,
    /// The deposit contract of the beacon chain, whose ether does not circulate.
    pub deposit_contract: Option<Address>,
}

/// A token that is worth a dollar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DollarToken {
    pub symbol: String,
    pub address: Address,
    /// At most 18.
    pub decimals: u32,
}

/// A contract that creates pools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolFactory {
    /// In lower case, as `dex.trades` shows it: `uniswap`.
    pub project: String,
    /// 2 or 3.
    pub version: u8,
    pub address: Address,
}

#[allow(clippy::expect_used, reason = "files of the product, read by a test too")]
static BY_CHAIN: LazyLock<Vec<(u64, Arc<KnownContracts>)>> = LazyLock::new(|| {
    let parsed = |(chain, text): (u64, &str)| {
        (chain, Arc::new(KnownContracts::parse(text).expect("the contracts that ship are valid")))
    };
    SHIPPED.map(parsed).into()
});

impl KnownContracts {
    /// The list that ships for a chain; empty for other chains.
    pub fn shipped(chain_id: Option<u64>) -> Arc<KnownContracts> {
        let found = BY_CHAIN.iter().find(|(chain, _)| Some(*chain) == chain_id);
        found.map(|(_, contracts)| Arc::clone(contracts)).unwrap_or_default()
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// `invalid_input` for another form, more than 18 decimals, or a version that is not 2 or 3.
    pub fn parse(text: &str) -> Result<KnownContracts> {
        let invalid = |message: String| Error::new(ErrorCode::InvalidInput, message);
        let contracts: KnownContracts = serde_json::from_str(text)
            .map_err(|error| invalid(format!("The known contracts are not valid JSON of their form: {error}.")))?;
        if let Some(token) = contracts.dollar_tokens.iter().find(|token| token.decimals > MAX_DECIMALS) {
            return Err(invalid(format!("The dollar token {} has more than {MAX_DECIMALS} decimals.", token.symbol)));
        }
        if let Some(factory) = contracts.pool_factories.iter().find(|factory| ![2, 3].contains(&factory.version)) {
            return Err(invalid(format!("The version of a pool factory is 2 or 3, not {}.", factory.version)));
        }
        let is_valid =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if let Some(factory) = contracts.pool_factories.iter().find(|factory| !is_valid(&factory.project)) {
            let project = &factory.project;
            return Err(invalid(format!(
                "The project of a pool factory has lower-case letters only, not {project:?}."
            )));
        }
        Ok(contracts)
    }

    /// Whether pools of ether and dollars can be recognized, from which all prices are computed.
    pub fn price_ether(&self) -> bool {
        self.wrapped_ether.is_some()
            && !self.dollar_tokens.is_empty()
            && self.pool_factories.iter().any(|factory| factory.version == 2)
    }

    /// Whether a factory of Uniswap is known.
    pub fn names_uniswap(&self) -> bool {
        self.pool_factories.iter().any(|factory| factory.project == "uniswap")
    }

    /// The factory at an address.
    pub fn factory(&self, address: Address) -> Option<&PoolFactory> {
        self.pool_factories.iter().find(|factory| factory.address == address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_lists_are_valid() {
        let mainnet = KnownContracts::shipped(Some(1));
        assert!(mainnet.price_ether());
        assert!(mainnet.deposit_contract.is_some());
        assert_eq!(
            mainnet.factory(mainnet.pool_factories[0].address).map(|found| found.project.as_str()),
            Some("uniswap")
        );
        for unknown in [None, Some(5)] {
            assert_eq!(*KnownContracts::shipped(unknown), KnownContracts::default());
        }
        assert!(!KnownContracts::default().price_ether());
    }

    #[test]
    fn invalid_lists_are_refused() {
        let address = Address::ZERO;
        for wrong in [
            "7".to_string(),
            r#"{"wrapped_ethre": null}"#.to_string(),
            r#"{"wrapped_ether": "0x12"}"#.to_string(),
            format!(r#"{{"dollar_tokens": [{{"symbol": "USDX", "address": "{address}", "decimals": 19}}]}}"#),
            format!(r#"{{"pool_factories": [{{"project": "uniswap", "version": 4, "address": "{address}"}}]}}"#),
            format!(r#"{{"pool_factories": [{{"project": "it's", "version": 2, "address": "{address}"}}]}}"#),
        ] {
            assert_eq!(KnownContracts::parse(&wrong).unwrap_err().code, ErrorCode::InvalidInput, "{wrong}");
        }
        assert_eq!(KnownContracts::parse("{}").unwrap(), KnownContracts::default());
    }
}
