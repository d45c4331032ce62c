//! The metadata of token contracts created since the last block.

use std::collections::BTreeMap;

use alloy_primitives::Address;

use super::world::{Token, World};
use crate::chain::TokenFacts;

/// Number of tokens and collections reported before.
#[derive(Default)]
pub struct TokenMetadata {
    tokens: usize,
    collections: usize,
}

impl TokenMetadata {
    /// The metadata of new ones, by contract.
    pub fn take(&mut self, world: &World) -> BTreeMap<Address, TokenFacts> {
        let (tokens, collections) =
            (&world.ledger.tokens[self.tokens..], &world.ledger.collections[self.collections..]);
        let fungible = tokens.iter().map(|token| (world.address(token.contract), of_token(token)));
        let unique = collections.iter().map(|held| (world.address(held.contract), of_collection(&held.name)));
        let told = fungible.chain(unique).collect();
        (self.tokens, self.collections) = (world.ledger.tokens.len(), world.ledger.collections.len());
        told
    }
}

fn of_token(token: &Token) -> TokenFacts {
    let name = match token.symbol.as_str() {
        "WETH" => "Wrapped Ether".to_string(),
        symbol if symbol.starts_with("USD") => format!("Sample Dollar {}", &symbol[3..]),
        symbol if symbol.starts_with("LP") => format!("Liquidity of pool {}", &symbol[2..]),
        symbol => format!("Sample {}", capitalized(symbol)),
    };
    TokenFacts { symbol: Some(token.symbol.clone()), name: Some(name), decimals: u8::try_from(token.decimals).ok() }
}

/// Collections have no decimals; their symbol consists of the first letters of the name.
fn of_collection(name: &str) -> TokenFacts {
    let symbol: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).take(4).collect();
    TokenFacts { symbol: Some(symbol.to_uppercase()), name: Some(name.to_string()), decimals: None }
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
    format!("{}{}", first.to_uppercase(), rest.to_lowercase())
}
