//! Actions of ordinary users, one function for each family.

use alloy::eips::eip7702::Authorization;
use alloy::sol_types::SolCall;
use alloy_primitives::{B256, U256};

use super::{Action, Outcome, Traffic, User};
use crate::sample::contracts::abi::{Rollup, Wallet};
use crate::sample::contracts::{Visit, deploy};
use crate::sample::participants::{DEAD, Participants};
use crate::sample::world::{Ask, CHAIN_ID, ETH, Id, Kind, Sale, World};

/// Maximum blobs of a block since Prague, and gas of each.
const BLOBS: u64 = 9;
const BLOB_GAS: u64 = 131_072;

/// Collections that ordinary users trade; the last two belong to patterns.
const OPEN_COLLECTIONS: u64 = 14;

fn done(happened: bool) -> Outcome {
    if happened { Outcome::Done } else { Outcome::Refused }
}

impl Traffic {
    pub(super) fn perform(&mut self, action: Action, world: &mut World, participants: &mut Participants) -> Outcome {
        let place = self.place(world);
        let user = self.users[place];
        let exchange_acts = matches!(action, Action::PayOut | Action::Blobs);
        if !exchange_acts && world.balance(user.id) < ETH / 12 {
            return done(self.pay_out_to(world, participants, user));
        }
        match action {
            Action::Pay => self.pay(world, participants, user),
            Action::PayOut => done(self.pay_out_to(world, participants, user)),
            Action::PayIn => self.pay_in(world, participants, place),
            Action::SendToken => self.send_token(world, participants, user),
            Action::Approve => self.approve(world, participants, user),
            Action::Buy => self.buy(world, participants, place),
            Action::Sell => self.sell(world, participants, user),
            Action::Trade => self.trade(world, participants, place),
            Action::RangeTrade => self.range_trade(world, place),
            Action::Wrap => self.wrap(world, user),
            Action::Liquidity => self.liquidity(world, participants, user),
            Action::Mint => self.mint(world, user),
            Action::BuyNft => self.buy_nft(world, user),
            Action::GiveNft => self.give_nft(world, user),
            Action::Items => self.items(world, user),
            Action::Visit => self.visit(world, participants, user, false),
            Action::Deploy => self.deploy(world, user),
            Action::Blobs => self.blobs(world, participants),
            Action::SetCode => self.set_code(world, user),
            Action::Fail => self.fail(world, participants, user),
        }
    }

    fn spendable(&mut self, world: &World, user: User) -> u128 {
        let most = (world.balance(user.id) / 3).clamp(ETH / 500, 4 * ETH);
        self.random.amount(ETH / 500, most)
    }

    fn pay(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let wei = self.spendable(world, user);
        let to = match self.random.below(200) {
            0 => DEAD,
            1 => *self.random.pick(&participants.whales),
            _ => self.user(world).id,
        };
        done(world.pay(user.id, to, wei))
    }

    /// The customer pays to the deposit address, which forwards the payment to the hot wallet in the same block.
    fn pay_in(&mut self, world: &mut World, participants: &mut Participants, place: usize) -> Outcome {
        let user = self.users[place];
        let exchange = &mut participants.exchanges[usize::from(user.exchange)];
        let wei = self.random.amount(ETH / 50, (world.balance(user.id) / 2).max(ETH / 50));
        if user.deposit == 0 {
            self.users[place].deposit = world.person();
        }
        let deposit = self.users[place].deposit;
        if !world.pay(user.id, deposit, wei) {
            return Outcome::Refused;
        }
        if user.deposit == 0 {
            exchange.deposits.push((deposit, vec![user.id]));
        }
        // The rest for the fee is below 0.01 ETH.
        let kept = ETH / 300;
        let swept = world.pay(deposit, exchange.hot, wei - kept);
        world.must(swept, "a deposit address pays on");
        Outcome::Done
    }

    fn held_token(&mut self, world: &World, user: User) -> Option<u32> {
        let first = self.random.below(2) as usize;
        [user.held[first], user.held[1 - first]]
            .into_iter()
            .find(|token| *token != world.sites.weth_token && world.ledger.balance(*token, user.id) > 0)
    }

    fn send_token(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let to = self.place(world);
        let Some(token) = self.held_token(world, user) else {
            // Without tokens: the exchange sends some.
            let token = *self.random.pick(&participants.coins);
            let hot = participants.exchanges[usize::from(user.exchange)].hot;
            let amount = world.ledger.balance(token, hot) / (2_000 + u128::from(self.random.below(50_000)));
            self.users[to].held = [token, self.users[to].held[0]];
            let receiver = self.users[to].id;
            return done(amount > 0 && world.transfer_token(hot, token, receiver, amount));
        };
        let amount = world.ledger.balance(token, user.id) / u128::from(self.random.between(1, 12));
        self.users[to].held = [token, self.users[to].held[0]];
        let receiver = self.users[to].id;
        done(amount > 0 && receiver != user.id && world.transfer_token(user.id, token, receiver, amount))
    }

    fn approve(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let token = *self.random.pick(&participants.coins);
        let sites = [world.sites.routers[0], world.sites.routers[1], world.sites.range_router, world.sites.market];
        let amount = if self.random.chance(2, 3) { U256::MAX } else { U256::from(self.random.word()) };
        let spender = *self.random.pick(&sites);
        done(world.approve(user.id, token, spender, amount))
    }

    fn pool(&mut self, participants: &Participants) -> usize {
        if self.random.chance(1, 12) {
            return *self.random.pick(&participants.rival_pools);
        }
        participants.pools[self.random.zipf(participants.pools.len() as u64, 1) as usize]
    }

    fn buy(&mut self, world: &mut World, participants: &Participants, place: usize) -> Outcome {
        let user = self.users[place];
        let pool = self.pool(participants);
        let side = world.pools[pool].side(world.sites.weth_token);
        let wei = self.spendable(world, user).min(world.pools[pool].reserves[side] / 80);
        let token = world.pools[pool].tokens[1 - side];
        self.users[place].held = [token, user.held[0]];
        done(world.buy(user.id, pool, wei, None))
    }

    fn sell(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let Some(token) = self.held_token(world, user) else { return Outcome::Refused };
        let Some(pool) = participants.pools.iter().copied().find(|pool| world.pools[*pool].tokens.contains(&token))
        else {
            return Outcome::Refused;
        };
        let most = world.pools[pool].reserves[world.pools[pool].side(token)] / 60;
        let amount = world.ledger.balance(token, user.id).min(most);
        let amount = amount / 100 * u128::from(self.random.between(20, 100));
        done(amount > 0 && world.sell(user.id, pool, amount))
    }

    fn trade(&mut self, world: &mut World, participants: &Participants, place: usize) -> Outcome {
        let user = self.users[place];
        let Some(token) = self.held_token(world, user) else { return Outcome::Refused };
        let Some(from) = participants.pools.iter().copied().find(|pool| world.pools[*pool].tokens.contains(&token))
        else {
            return Outcome::Refused;
        };
        let into = participants.pools[self.random.zipf(participants.pools.len() as u64, 1) as usize];
        let most = world.pools[from].reserves[world.pools[from].side(token)] / 80;
        let amount = world.ledger.balance(token, user.id).min(most);
        let target = world.pools[into].tokens[1 - world.pools[into].side(world.sites.weth_token)];
        if amount == 0 || !world.trade(user.id, from, into, amount) {
            return Outcome::Refused;
        }
        self.users[place].held = [target, token];
        Outcome::Done
    }

    fn range_trade(&mut self, world: &mut World, place: usize) -> Outcome {
        let user = self.users[place];
        let pool = self.random.below(world.range_pools.len() as u64) as usize;
        let weth = world.sites.weth_token;
        let side = world.range_pools[pool].side(weth);
        let token = world.range_pools[pool].tokens[1 - side];
        let wrapped = world.ledger.balance(weth, user.id);
        let depth = world.ledger.balance(weth, world.range_pools[pool].contract) / 100;
        let other = world.ledger.balance(token, user.id);
        if other > 0 && self.random.chance(1, 2) {
            let most = world.ledger.balance(token, world.range_pools[pool].contract) / 100;
            return done(world.range_swap(user.id, pool, 1 - side, other.min(most)));
        }
        if wrapped < ETH / 1_000 {
            return self.wrap(world, user);
        }
        let wei = self.random.amount(ETH / 1_000, wrapped).min(depth);
        if !world.range_swap(user.id, pool, side, wei) {
            return Outcome::Refused;
        }
        self.users[place].held = [token, user.held[0]];
        Outcome::Done
    }

    fn wrap(&mut self, world: &mut World, user: User) -> Outcome {
        let wrapped = world.ledger.balance(world.sites.weth_token, user.id);
        if wrapped > ETH / 10 && self.random.chance(1, 3) {
            return done(world.unwrap(user.id, wrapped / 2));
        }
        let wei = self.spendable(world, user);
        done(world.wrap(user.id, wei))
    }

    fn liquidity(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let Some(token) = self.held_token(world, user) else { return Outcome::Refused };
        let Some(pool) = participants.pools.iter().copied().find(|pool| world.pools[*pool].tokens.contains(&token))
        else {
            return Outcome::Refused;
        };
        let shares = world.ledger.balance(world.pools[pool].share, user.id);
        if shares > 0 && self.random.chance(2, 3) {
            return done(world.remove_liquidity(user.id, pool, shares / u128::from(self.random.between(1, 3))));
        }
        // As much ETH as half of the tokens are worth.
        let side = world.pools[pool].side(token);
        let wei = world.pools[pool].quote(side, world.ledger.balance(token, user.id) / 2);
        let wei = wei.min(world.balance(user.id) / 3);
        if wei < ETH / 1_000 || !world.add_liquidity(user.id, pool, wei, 0) {
            return Outcome::Refused;
        }
        self.providers.push(user.id);
        Outcome::Done
    }

    fn mint(&mut self, world: &mut World, user: User) -> Outcome {
        let collection = self.random.zipf(OPEN_COLLECTIONS, 1) as usize;
        let count = self.random.between(1, 3) as usize;
        let price = ETH / 200 * u128::from(self.random.between(1, 6));
        done(world.mint_nfts(user.id, collection, count, price).is_some())
    }

    fn buy_nft(&mut self, world: &mut World, user: User) -> Outcome {
        let collection = self.random.zipf(OPEN_COLLECTIONS, 1) as usize;
        let count = world.ledger.collections[collection].owners.len() as u64;
        let item = self.random.below(count) as usize;
        let Some((owner, before)) = world.ledger.collections[collection].owners.get(item).copied() else {
            return Outcome::Refused;
        };
        // Never back to the previous owner: that would look like a wash trade.
        let reserved = world.ledger.collections[collection].reserved.contains(&item);
        if reserved || owner == user.id || before == user.id {
            return Outcome::Refused;
        }
        let price = ETH / 1_000 * u128::from((collection as u64 + 2) * self.random.between(8, 13));
        done(world.buy_nft(Sale { collection, item, buyer: user.id, price }))
    }

    fn give_nft(&mut self, world: &mut World, user: User) -> Outcome {
        let collection = self.random.zipf(OPEN_COLLECTIONS, 1) as usize;
        let count = world.ledger.collections[collection].owners.len() as u64;
        let item = self.random.below(count) as usize;
        let Some((owner, before)) = world.ledger.collections[collection].owners.get(item).copied() else {
            return Outcome::Refused;
        };
        let to = user.id;
        let reserved = world.ledger.collections[collection].reserved.contains(&item);
        done(!reserved && owner != to && before != to && world.give_nft(collection, item, to))
    }

    fn items(&mut self, world: &mut World, user: User) -> Outcome {
        let items = self.random.below(world.ledger.items.len() as u64) as u32;
        let kinds = u64::from(world.ledger.items[items as usize].kinds);
        let (first, second) = (self.random.below(kinds) as u32, self.random.below(kinds) as u32);
        let held = world.ledger.items_of(items, first, user.id);
        if held == 0 || self.random.chance(1, 3) {
            let count = self.random.between(1, 10);
            return done(world.mint_items(user.id, items, first, count));
        }
        let to: Id = self.user(world).id;
        let also = world.ledger.items_of(items, second, user.id);
        let parts =
            if also > 0 && first != second { vec![(first, 1 + held / 2), (second, also)] } else { vec![(first, held)] };
        done(to != user.id && world.send_items(user.id, to, items, &parts))
    }

    fn visit(&mut self, world: &mut World, participants: &Participants, user: User, fails: bool) -> Outcome {
        let dapp = &participants.dapps[self.random.zipf(participants.dapps.len() as u64, 2) as usize];
        let contract = dapp.contracts[self.random.below(dapp.contracts.len() as u64) as usize];
        done(world.visit(Visit { who: user.id, contract, kind: dapp.kind, fails }))
    }

    fn deploy(&mut self, world: &mut World, user: User) -> Outcome {
        let kinds = [deploy::WALLET, deploy::ERC721, deploy::DAPP];
        if self.random.chance(1, 2) {
            return done(world.deploy(user.id, deploy::ERC20).is_some());
        }
        let kind = *self.random.pick(&kinds);
        done(world.deploy(user.id, kind).is_some())
    }

    fn blobs(&mut self, world: &mut World, participants: &Participants) -> Outcome {
        let count = self.random.between(1, 6);
        let free = BLOBS - world.blob_gas_used / BLOB_GAS;
        if count > free {
            return Outcome::Refused;
        }
        let place = self.random.below(participants.sequencers.len() as u64) as usize;
        let (sequencer, inbox) = (participants.sequencers[place], participants.inboxes[place]);
        if world.balance(sequencer) < ETH {
            let hot = participants.exchanges[place].hot;
            return done(world.pay(hot, sequencer, 20 * ETH));
        }
        let hashes = (0..count)
            .map(|_| {
                let mut hash = self.random.hash();
                hash.0[0] = 1;
                hash
            })
            .collect();
        let number = world.block.number;
        let input = Rollup::submitBatchCall {
            firstBlock: U256::from(number * 10),
            lastBlock: U256::from(number * 10 + 9),
            stateRoot: self.random.hash(),
        };
        let mut ask = Ask::call(sequencer, inbox, input.abi_encode(), 90_000);
        ask.kind = Kind::Blobs(hashes);
        if !world.begin(ask) {
            return Outcome::Refused;
        }
        world.burn(24_000);
        world.finish(Vec::new());
        Outcome::Done
    }

    /// An account delegates to the wallet's code (EIP-7702); another user sends the authorization.
    fn set_code(&mut self, world: &mut World, user: User) -> Outcome {
        let owner = self.user(world).id;
        if owner == user.id {
            return Outcome::Refused;
        }
        let authorization = Authorization {
            chain_id: U256::from(CHAIN_ID),
            address: world.address(world.sites.delegate_code),
            nonce: u64::from(world.accounts.get(owner).nonce),
        };
        let hash: B256 = authorization.signature_hash();
        let signed = authorization.into_signed(world.keys.sign(owner, hash));
        let target = world.address(world.sites.weth);
        let input = Wallet::executeCall { target, value: U256::ZERO, data: Default::default() };
        let mut ask = Ask::call(user.id, owner, input.abi_encode(), 150_000);
        ask.kind = Kind::SetCode(vec![signed]);
        if !world.begin(ask) {
            return Outcome::Refused;
        }
        world.accounts.get_mut(owner).nonce += 1;
        world.burn(12_000);
        world.finish(Vec::new());
        Outcome::Done
    }

    fn fail(&mut self, world: &mut World, participants: &Participants, user: User) -> Outcome {
        let pool = self.pool(participants);
        match self.random.below(4) {
            0 => done(world.failed_trade(user.id, pool, ETH / 500, "Out of gas")),
            1 => {
                let (token, to) = (*self.random.pick(&participants.coins), self.user(world).id);
                done(world.failed_transfer(user.id, token, to))
            }
            2 => self.visit(world, participants, user, true),
            _ => done(world.failed_trade(user.id, pool, ETH / 500, "Reverted")),
        }
    }
}
