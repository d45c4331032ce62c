//! ERC-721 tokens, their sales on a Seaport-like market, and ERC-1155 tokens.

use alloy::sol_types::{SolCall, SolEvent, SolValue};
use alloy_primitives::{Address, B256, Bytes, U256};

use super::abi::{BasicOrder, Erc721, Erc1155, ReceivedItem, Recipient, Seaport, SpentItem};
use crate::sample::world::{Ask, ETH, Id, Sale, World};

/// The market fee is 2.5 %.
const MARKET_FEE: u128 = 40;

impl World {
    fn move_nft(&mut self, collection: usize, item: usize, to: Id) {
        let held = &mut self.ledger.collections[collection];
        let from = held.owners[item].0;
        held.owners[item] = (to, from);
        let contract = held.contract;
        self.burn(30_000);
        let event = Erc721::Transfer { from: self.address(from), to: self.address(to), tokenId: U256::from(item + 1) };
        self.log(contract, event.encode_log_data());
    }

    /// Mints up to `count` tokens of a collection for `price` wei each. Returns the index of the first.
    pub fn mint_nfts(&mut self, who: Id, collection: usize, count: usize, price: u128) -> Option<usize> {
        let held = &self.ledger.collections[collection];
        let (contract, first) = (held.contract, held.owners.len());
        if first + count > held.limit {
            return None;
        }
        let input = Erc721::mintCall { quantity: U256::from(count) }.abi_encode();
        let cap = 90_000 + 60_000 * count as u64;
        if !self.begin(Ask::call(who, contract, input, cap).paying(price * count as u128)) {
            return None;
        }
        let to = self.address(who);
        for item in first..first + count {
            self.ledger.collections[collection].owners.push((who, who));
            self.burn(45_000);
            let event = Erc721::Transfer { from: Address::ZERO, to, tokenId: U256::from(item + 1) };
            self.log(contract, event.encode_log_data());
        }
        self.finish(Vec::new());
        Some(first)
    }

    /// The owner transfers a token.
    pub fn give_nft(&mut self, collection: usize, item: usize, to: Id) -> bool {
        let held = &self.ledger.collections[collection];
        let (contract, owner) = (held.contract, held.owners[item].0);
        let call = Erc721::safeTransferFromCall {
            from: self.address(owner),
            to: self.address(to),
            tokenId: U256::from(item + 1),
        };
        if !self.begin(Ask::call(owner, contract, call.abi_encode(), 110_000)) {
            return false;
        }
        self.move_nft(collection, item, to);
        self.finish(Vec::new());
        true
    }

    /// The buyer accepts the owner's offer on the market.
    pub fn buy_nft(&mut self, sale: Sale) -> bool {
        let Sale { collection, item, buyer, price } = sale;
        let market = self.sites.market;
        let held = &self.ledger.collections[collection];
        let (contract, seller) = (held.contract, held.owners[item].0);
        let fee = price / MARKET_FEE;
        let salt = self.any_hash();
        let (offerer, recipient) = (self.address(seller), self.address(buyer));
        let token = self.address(contract);
        let additional = vec![Recipient { amount: U256::from(fee), recipient: self.address(market) }];
        let order = BasicOrder {
            considerationToken: Address::ZERO,
            considerationIdentifier: U256::ZERO,
            considerationAmount: U256::from(price - fee),
            offerer,
            zone: Address::ZERO,
            offerToken: token,
            offerIdentifier: U256::from(item + 1),
            offerAmount: U256::from(1),
            basicOrderType: 0,
            startTime: U256::from(self.block.time - 3_600),
            endTime: U256::from(self.block.time + 86_400),
            zoneHash: B256::ZERO,
            salt: U256::from_be_bytes(salt.0),
            offererConduitKey: B256::ZERO,
            fulfillerConduitKey: B256::ZERO,
            totalOriginalAdditionalRecipients: U256::from(1),
            additionalRecipients: additional,
            signature: Bytes::from([salt.0, self.any_hash().0].concat()),
        };
        let input = Seaport::fulfillBasicOrderCall { parameters: order }.abi_encode();
        if !self.begin(Ask::call(buyer, market, input, 260_000).paying(price)) {
            return false;
        }
        let call = Erc721::transferFromCall { from: offerer, to: recipient, tokenId: U256::from(item + 1) };
        self.enter(market, contract, 0, call.abi_encode());
        self.move_nft(collection, item, buyer);
        self.leave(Vec::new());
        self.enter(market, seller, price - fee, Vec::new());
        self.leave(Vec::new());
        self.burn(30_000);
        let event = Seaport::OrderFulfilled {
            orderHash: salt,
            offerer,
            zone: Address::ZERO,
            recipient,
            offer: vec![SpentItem { itemType: 2, token, identifier: U256::from(item + 1), amount: U256::from(1) }],
            consideration: [(price - fee, offerer), (fee, self.address(market))]
                .map(|(amount, recipient)| ReceivedItem {
                    itemType: 0,
                    token: Address::ZERO,
                    identifier: U256::ZERO,
                    amount: U256::from(amount),
                    recipient,
                })
                .to_vec(),
        };
        self.log(market, event.encode_log_data());
        self.finish(true.abi_encode());
        true
    }

    /// Mints ERC-1155 tokens.
    pub fn mint_items(&mut self, who: Id, items: u32, kind: u32, count: u64) -> bool {
        let contract = self.ledger.items[items as usize].contract;
        let input = Erc1155::mintCall { id: U256::from(kind), amount: U256::from(count) }.abi_encode();
        let ask = Ask::call(who, contract, input, 90_000).paying(u128::from(count) * ETH / 10_000);
        if !self.begin(ask) {
            return false;
        }
        self.ledger.credit_items(items, kind, who, count);
        self.burn(28_000);
        let to = self.address(who);
        let event = Erc1155::TransferSingle {
            operator: to,
            from: Address::ZERO,
            to,
            id: U256::from(kind),
            value: U256::from(count),
        };
        self.log(contract, event.encode_log_data());
        self.finish(Vec::new());
        true
    }

    /// Transfers ERC-1155 tokens of one id, or of several at once.
    pub fn send_items(&mut self, from: Id, to: Id, items: u32, parts: &[(u32, u64)]) -> bool {
        if parts.iter().any(|(kind, count)| self.ledger.items_of(items, *kind, from) < *count) {
            return false;
        }
        let contract = self.ledger.items[items as usize].contract;
        let (giver, receiver) = (self.address(from), self.address(to));
        let ids: Vec<_> = parts.iter().map(|(kind, _)| U256::from(*kind)).collect();
        let amounts: Vec<_> = parts.iter().map(|(_, count)| U256::from(*count)).collect();
        let (input, event) = if let ([id], [amount]) = (&ids[..], &amounts[..]) {
            let call = Erc1155::safeTransferFromCall {
                from: giver,
                to: receiver,
                id: *id,
                amount: *amount,
                data: Bytes::new(),
            };
            let event = Erc1155::TransferSingle { operator: giver, from: giver, to: receiver, id: *id, value: *amount };
            (call.abi_encode(), event.encode_log_data())
        } else {
            let call = Erc1155::safeBatchTransferFromCall {
                from: giver,
                to: receiver,
                ids: ids.clone(),
                amounts: amounts.clone(),
                data: Bytes::new(),
            };
            let event = Erc1155::TransferBatch { operator: giver, from: giver, to: receiver, ids, values: amounts };
            (call.abi_encode(), event.encode_log_data())
        };
        if !self.begin(Ask::call(from, contract, input, 80_000 + 40_000 * parts.len() as u64)) {
            return false;
        }
        for (kind, count) in parts {
            let enough = self.ledger.debit_items(items, *kind, from, *count);
            self.must(enough, "more items sent than held");
            self.ledger.credit_items(items, *kind, to, *count);
            self.burn(20_000);
        }
        self.log(contract, event);
        self.finish(Vec::new());
        true
    }
}
