//! The ordinary life of the chain: users arrive, pay, trade, collect, play and leave; a few are very active.

mod actions;

use super::cast::Cast;
use super::dice::Dice;
use super::world::{ETH, Id, TokenId, World};

/// A person of the ordinary traffic.
#[derive(Clone, Copy)]
pub(super) struct User {
    id: Id,
    /// Place of the exchange it uses, and its deposit address there once it has one.
    exchange: u16,
    deposit: Id,
    /// Tokens got last.
    held: [TokenId; 2],
}

/// What an action did.
#[derive(PartialEq, Eq)]
enum Outcome {
    Done,
    /// Could not be: something else is tried.
    Refused,
}

/// Makes ordinary transactions.
pub struct Traffic {
    dice: Dice,
    users: Vec<User>,
    /// Users that the whole chain shall have, and transactions.
    users_wanted: u64,
    transactions: u64,
    /// No ordinary user sends more than this: it would be a bot.
    busiest: u32,
    /// Below this place all users are equally active.
    flat: u32,
    /// Everyone who added liquidity.
    pub providers: Vec<Id>,
}

/// Kinds of action with their chances.
const ACTIONS: [(Action, u64); 20] = [
    (Action::Pay, 150),
    (Action::PayOut, 70),
    (Action::PayIn, 35),
    (Action::SendToken, 130),
    (Action::Approve, 50),
    (Action::Buy, 90),
    (Action::Sell, 60),
    (Action::Trade, 25),
    (Action::RangeTrade, 60),
    (Action::Wrap, 25),
    (Action::Liquidity, 14),
    (Action::Mint, 45),
    (Action::BuyNft, 35),
    (Action::GiveNft, 8),
    (Action::Items, 24),
    (Action::Visit, 110),
    (Action::Deploy, 3),
    (Action::Blobs, 8),
    (Action::SetCode, 5),
    (Action::Fail, 38),
];

#[derive(Debug, Clone, Copy)]
enum Action {
    Pay,
    PayOut,
    PayIn,
    SendToken,
    Approve,
    Buy,
    Sell,
    Trade,
    RangeTrade,
    Wrap,
    Liquidity,
    Mint,
    BuyNft,
    GiveNft,
    Items,
    Visit,
    Deploy,
    Blobs,
    SetCode,
    Fail,
}

impl Traffic {
    pub fn new(seed: u64, transactions: u64, days: u64) -> Traffic {
        // Users grow as the two-thirds power of the transactions: 11,000 in 150,000, 190,000 in ten million.
        let root = transactions.isqrt() as u128 * 1_000;
        let users_wanted = (cube_root(u128::from(transactions)).pow(2) * 4).min(root) as u64;
        // Fewer than one transaction in two hours and fewer than 2,500: below every limit for bots.
        let busiest = (days * 24 * 2 / 5).min(2_300) as u32;
        let mut flat = 0;
        while transactions / 20 > u64::from(busiest / 2) << flat && flat < 12 {
            flat += 1;
        }
        Traffic {
            dice: Dice::stream(seed, "traffic"),
            users: Vec::new(),
            users_wanted,
            transactions,
            busiest,
            flat,
            providers: Vec::new(),
        }
    }

    /// Makes one or two transactions.
    pub fn act(&mut self, world: &mut World, cast: &mut Cast) {
        if self.dice.chance(self.users_wanted, self.transactions) || self.users.len() < 30 {
            self.welcome(world, cast);
            return;
        }
        let before = world.drafted.len();
        // A refused action moves nothing and costs nothing; a payment by an exchange always works in the end.
        for _ in 0..6 {
            let action = self.choose();
            if self.perform(action, world, cast) == Outcome::Done && world.drafted.len() > before {
                return;
            }
        }
        self.pay_out(world, cast);
    }

    /// Makes exactly one transaction.
    pub fn act_once(&mut self, world: &mut World, cast: &mut Cast) {
        self.pay_out(world, cast);
    }

    fn choose(&mut self) -> Action {
        let sum = ACTIONS.iter().map(|(_, chance)| chance).sum();
        let mut draw = self.dice.below(sum);
        for (action, chance) in ACTIONS {
            if draw < chance {
                return action;
            }
            draw -= chance;
        }
        Action::Pay
    }

    /// Place of a user: half of the choices are even, half favour those who came early.
    fn place(&mut self, world: &World) -> usize {
        let count = self.users.len() as u64;
        for _ in 0..4 {
            let place = if self.dice.chance(1, 2) {
                self.dice.below(count)
            } else {
                self.dice.zipf(count, self.flat.min(63 - count.leading_zeros()))
            };
            if world.accounts.get(self.users[place as usize].id).sent < self.busiest {
                return place as usize;
            }
        }
        // The newest are never the busiest.
        (count - 1 - self.dice.below(count.min(20))) as usize
    }

    fn user(&mut self, world: &World) -> User {
        let place = self.place(world);
        self.users[place]
    }

    /// A new user gets first money from an exchange.
    fn welcome(&mut self, world: &mut World, cast: &mut Cast) {
        let exchange = self.dice.below(cast.exchanges.len() as u64) as u16;
        let id = world.person();
        let wei = self.dice.amount(ETH / 8, 5 * ETH);
        let hot = self.solvent(world, cast, exchange, wei);
        if world.pay(hot, id, wei) {
            self.users.push(User { id, exchange, deposit: 0, held: [0, 0] });
        }
    }

    /// The exchange's hot wallet, or the richest one when it is short of money.
    fn solvent(&self, world: &World, cast: &Cast, exchange: u16, wei: u128) -> Id {
        let hot = cast.exchanges[usize::from(exchange)].hot;
        if world.balance(hot) > 2 * wei {
            return hot;
        }
        cast.exchanges.iter().map(|other| other.hot).max_by_key(|other| world.balance(*other)).unwrap_or(hot)
    }

    /// An exchange pays somebody out. Returns false when every exchange is out of money.
    fn pay_out(&mut self, world: &mut World, cast: &Cast) -> bool {
        let user = self.user(world);
        self.pay_out_to(world, cast, user)
    }

    fn pay_out_to(&mut self, world: &mut World, cast: &Cast, user: User) -> bool {
        let wei = self.dice.amount(ETH / 10, 4 * ETH);
        let hot = self.solvent(world, cast, user.exchange, wei);
        world.pay(hot, user.id, wei)
    }
}

fn cube_root(of: u128) -> u128 {
    let mut root: u128 = 0;
    for bit in (0..40).rev() {
        let next = root | 1 << bit;
        if next * next * next <= of {
            root = next;
        }
    }
    root
}
