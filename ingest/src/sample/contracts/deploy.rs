//! Creation of contracts, by accounts or by factories.

use alloy::sol_types::{SolCall, SolEvent};
use alloy_primitives::{Address, Bytes, U256, keccak256};

use super::abi::{ConcentratedPool, RangeFactory, RangeRouter, Router, Seaport, Votes, Wallet, Weth};
use super::abi::{Dapp, Disperse, Erc20, Erc721, Erc1155, Governor, MasterChef, MerkleDistributor, Pair, PairFactory};
use super::code;
use crate::sample::world::{Ask, Collection, Id, Items, Kind, Token, TokenId, World};

/// Maximum gas of a creation.
const CREATE_GAS: u64 = 1_500_000;

macro_rules! selectors {
    ($($call:path),* $(,)?) => { &[$(<$call as SolCall>::SELECTOR),*] };
}

pub const ERC20: &[[u8; 4]] = selectors![
    Erc20::transferCall,
    Erc20::transferFromCall,
    Erc20::approveCall,
    Erc20::balanceOfCall,
    Erc20::allowanceCall,
    Erc20::totalSupplyCall,
    Erc20::decimalsCall,
    Erc20::symbolCall,
    Erc20::nameCall
];
pub const VOTES: &[[u8; 4]] = selectors![
    Erc20::transferCall,
    Erc20::transferFromCall,
    Erc20::approveCall,
    Erc20::balanceOfCall,
    Erc20::allowanceCall,
    Erc20::totalSupplyCall,
    Erc20::decimalsCall,
    Erc20::symbolCall,
    Erc20::nameCall,
    Votes::delegateCall
];
pub const WETH: &[[u8; 4]] = selectors![
    Erc20::transferCall,
    Erc20::transferFromCall,
    Erc20::approveCall,
    Erc20::balanceOfCall,
    Erc20::allowanceCall,
    Erc20::totalSupplyCall,
    Erc20::decimalsCall,
    Erc20::symbolCall,
    Erc20::nameCall,
    Weth::depositCall,
    Weth::withdrawCall
];
pub const PAIR: &[[u8; 4]] = selectors![
    Erc20::transferCall,
    Erc20::transferFromCall,
    Erc20::approveCall,
    Erc20::balanceOfCall,
    Erc20::allowanceCall,
    Erc20::totalSupplyCall,
    Erc20::decimalsCall,
    Erc20::symbolCall,
    Erc20::nameCall,
    Pair::mintCall,
    Pair::burnCall,
    Pair::swapCall,
    Pair::getReservesCall
];
pub const ERC721: &[[u8; 4]] = selectors![
    Erc721::ownerOfCall,
    Erc20::balanceOfCall,
    Erc721::mintCall,
    Erc721::safeTransferFromCall,
    Erc721::transferFromCall,
    Erc721::setApprovalForAllCall,
    Erc721::approveCall,
    Erc721::supportsInterfaceCall,
    Erc721::tokenURICall
];
pub const ERC1155: &[[u8; 4]] = selectors![
    Erc1155::balanceOfCall,
    Erc1155::balanceOfBatchCall,
    Erc1155::mintCall,
    Erc1155::safeTransferFromCall,
    Erc1155::safeBatchTransferFromCall,
    Erc1155::setApprovalForAllCall,
    Erc1155::supportsInterfaceCall
];
pub const PAIR_FACTORY: &[[u8; 4]] = selectors![PairFactory::createPairCall];
pub const ROUTER: &[[u8; 4]] = selectors![
    Router::addLiquidityETHCall,
    Router::removeLiquidityETHCall,
    Router::swapExactETHForTokensCall,
    Router::swapExactTokensForETHCall,
    Router::swapExactTokensForTokensCall
];
pub const RANGE_FACTORY: &[[u8; 4]] = selectors![RangeFactory::createPoolCall];
pub const RANGE_POOL: &[[u8; 4]] = selectors![ConcentratedPool::swapCall, ConcentratedPool::mintCall];
pub const RANGE_ROUTER: &[[u8; 4]] = selectors![RangeRouter::exactInputSingleCall];
pub const MARKET: &[[u8; 4]] = selectors![Seaport::fulfillBasicOrderCall];
pub const DISTRIBUTOR: &[[u8; 4]] = selectors![MerkleDistributor::claimCall];
pub const DISPERSE: &[[u8; 4]] = selectors![Disperse::disperseEtherCall, Disperse::disperseTokenCall];
pub const FARM: &[[u8; 4]] = selectors![MasterChef::depositCall, MasterChef::withdrawCall];
pub const GOVERNOR: &[[u8; 4]] = selectors![Governor::proposeCall, Governor::castVoteCall];
pub const WALLET: &[[u8; 4]] = selectors![Wallet::executeCall, Wallet::executeBatchCall];
pub const DAPP: &[[u8; 4]] = selectors![
    Dapp::playCall,
    Dapp::placeBetCall,
    Dapp::supplyCall,
    Dapp::listCall,
    Dapp::postCall,
    Dapp::registerCall,
    Dapp::verifyCall,
    Dapp::investCall
];

impl World {
    /// Deploys a contract from an account; `None` if it can't pay.
    pub fn deploy(&mut self, deployer: Id, selectors: &[[u8; 4]]) -> Option<Id> {
        self.deploy_with(deployer, selectors, None, |_, _| ())
    }

    /// Deploys a contract with an existing account, at its future address.
    pub fn deploy_known(&mut self, deployer: Id, contract: Id, selectors: &[[u8; 4]]) -> bool {
        self.deploy_with(deployer, selectors, Some(contract), |_, _| ()).is_some()
    }

    /// The same; `constructor` runs within the creation.
    fn deploy_with(
        &mut self,
        deployer: Id,
        selectors: &[[u8; 4]],
        known: Option<Id>,
        constructor: impl FnOnce(&mut World, Id),
    ) -> Option<Id> {
        let runtime = code::runtime(selectors, self.any_hash());
        let ask = Ask {
            from: deployer,
            to: None,
            value: 0,
            input: code::init(&runtime).to_vec(),
            gas_cap: CREATE_GAS,
            kind: Kind::Usual,
            tip: None,
            error: None,
        };
        if !self.begin(ask) {
            return None;
        }
        let address = self.created_address()?;
        let contract = known.unwrap_or_else(|| self.accounts.add(address, true));
        let expected = self.address(contract) == address;
        self.must(expected, "a contract gets another address than foreseen");
        self.burn(200 * runtime.len() as u64);
        constructor(self, contract);
        self.finish(runtime);
        Some(contract)
    }

    /// A factory creates a contract within the current transaction (CREATE2).
    pub fn deploy_inside(&mut self, factory: Id, selectors: &[[u8; 4]], setup: impl FnOnce(&mut World, Id)) -> Id {
        let salt = self.any_hash();
        let runtime = code::runtime(selectors, salt);
        let init: Bytes = code::init(&runtime);
        let address: Address = self.address(factory).create2(salt, keccak256(&init));
        self.accounts.get_mut(factory).nonce += 1;
        let contract = self.accounts.add(address, true);
        self.enter_create(factory, address, init);
        self.burn(200 * runtime.len() as u64);
        setup(self, contract);
        self.leave(runtime);
        contract
    }

    /// Launches an ERC-20 token; the creator receives the supply.
    pub fn launch_token(&mut self, deployer: Id, symbol: &str, decimals: u32, units: u128) -> Option<TokenId> {
        let selectors = if symbol.starts_with("GOV") { VOTES } else { ERC20 };
        let token = self.ledger.tokens.len() as TokenId;
        let supply = units * 10u128.pow(decimals);
        let contract = self.deploy_with(deployer, selectors, None, |world, contract| {
            world.ledger.tokens.push(Token { contract, symbol: symbol.to_string(), decimals, supply });
            world.ledger.credit(token, deployer, supply);
            world.burn(45_000);
            let (to, value) = (world.address(deployer), U256::from(supply));
            world.log(contract, Erc20::Transfer { from: Address::ZERO, to, value }.encode_log_data());
        });
        contract.map(|_| token)
    }

    pub fn launch_collection(&mut self, deployer: Id, name: &str, limit: usize) -> Option<usize> {
        let contract = self.deploy(deployer, ERC721)?;
        self.ledger.collections.push(Collection {
            contract,
            name: name.to_string(),
            owners: Vec::new(),
            limit,
            reserved: Default::default(),
        });
        Some(self.ledger.collections.len() - 1)
    }

    pub fn launch_items(&mut self, deployer: Id, kinds: u32) -> Option<u32> {
        let contract = self.deploy(deployer, ERC1155)?;
        self.ledger.items.push(Items { contract, kinds });
        Some(self.ledger.items.len() as u32 - 1)
    }

    /// The WETH contract and its token.
    pub fn launch_weth(&mut self, deployer: Id) -> Option<Id> {
        let contract = self.deploy(deployer, WETH)?;
        self.sites.weth = contract;
        self.sites.weth_token = self.ledger.tokens.len() as TokenId;
        self.ledger.tokens.push(Token { contract, symbol: "WETH".to_string(), decimals: 18, supply: 0 });
        Some(contract)
    }
}
