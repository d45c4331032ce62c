//! Ordinary traffic: users arrive, pay, trade, collect, play and leave; a few are very active.

mod actions;

use super::participants::Participants;
use super::random::Random;
use super::world::{ETH, Id, TokenId, World};

/// An ordinary user.
#[derive(Clone, Copy)]
pub(super) struct User {
    id: Id,
    /// Index of the exchange it uses, and its deposit address there, if any.
    exchange: u16,
    deposit: Id,
    /// Tokens received last.
    held: [TokenId; 2],
}

/// The result of an action.
#[derive(PartialEq, Eq)]
enum Outcome {
    Done,
    /// It was impossible: try another one.
    Refused,
}

/// Creates ordinary transactions.
pub struct Traffic {
    random: Random,
    users: Vec<User>,
    /// Number of users and transactions of the whole chain.
    users_wanted: u64,
    transactions: u64,
    /// Maximum transactions of a user: more would make it a bot.
    busiest: u32,
    /// All users below this index are equally active.
    flat: u32,
    /// All liquidity providers.
    pub providers: Vec<Id>,
}

/// Kinds of action with their weights.
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
        // The number of users grows as the two-thirds power of that of transactions: 11,000 for 150,000, 190,000 for
        // ten million.
        let root = transactions.isqrt() as u128 * 1_000;
        let users_wanted = (cube_root(u128::from(transactions)).pow(2) * 4).min(root) as u64;
        // Fewer than one transaction in two hours and fewer than 2,500: below every limit for bots.
        let busiest = (days * 24 * 2 / 5).min(2_300) as u32;
        let mut flat = 0;
        while transactions / 20 > u64::from(busiest / 2) << flat && flat < 12 {
            flat += 1;
        }
        Traffic {
            random: Random::stream(seed, "traffic"),
            users: Vec::new(),
            users_wanted,
            transactions,
            busiest,
            flat,
            providers: Vec::new(),
        }
    }

    /// Creates one or two transactions.
    pub fn act(&mut self, world: &mut World, participants: &mut Participants) {
        if self.random.chance(self.users_wanted, self.transactions) || self.users.len() < 30 {
            self.welcome(world, participants);
            return;
        }
        let before = world.drafted.len();
        // A failed action has no effect and no cost; a payment by an exchange always works in the end.
        for _ in 0..6 {
            let action = self.choose();
            if self.perform(action, world, participants) == Outcome::Done && world.drafted.len() > before {
                return;
            }
        }
        self.pay_out(world, participants);
    }

    /// Creates exactly one transaction.
    pub fn act_once(&mut self, world: &mut World, participants: &mut Participants) {
        self.pay_out(world, participants);
    }

    fn choose(&mut self) -> Action {
        let sum = ACTIONS.iter().map(|(_, chance)| chance).sum();
        let mut draw = self.random.below(sum);
        for (action, chance) in ACTIONS {
            if draw < chance {
                return action;
            }
            draw -= chance;
        }
        Action::Pay
    }

    /// Index of a user: half of the choices are uniform, half favor early users.
    fn place(&mut self, world: &World) -> usize {
        let count = self.users.len() as u64;
        for _ in 0..4 {
            let place = if self.random.chance(1, 2) {
                self.random.below(count)
            } else {
                self.random.zipf(count, self.flat.min(63 - count.leading_zeros()))
            };
            if world.accounts.get(self.users[place as usize].id).sent < self.busiest {
                return place as usize;
            }
        }
        // The newest users are never the most active.
        (count - 1 - self.random.below(count.min(20))) as usize
    }

    fn user(&mut self, world: &World) -> User {
        let place = self.place(world);
        self.users[place]
    }

    /// Funds a new user from an exchange.
    fn welcome(&mut self, world: &mut World, participants: &mut Participants) {
        let exchange = self.random.below(participants.exchanges.len() as u64) as u16;
        let id = world.person();
        let wei = self.random.amount(ETH / 8, 5 * ETH);
        let hot = self.solvent(world, participants, exchange, wei);
        if world.pay(hot, id, wei) {
            self.users.push(User { id, exchange, deposit: 0, held: [0, 0] });
        }
    }

    /// The hot wallet of the exchange, or the richest one if it has too little.
    fn solvent(&self, world: &World, participants: &Participants, exchange: u16, wei: u128) -> Id {
        let hot = participants.exchanges[usize::from(exchange)].hot;
        if world.balance(hot) > 2 * wei {
            return hot;
        }
        participants.exchanges.iter().map(|other| other.hot).max_by_key(|other| world.balance(*other)).unwrap_or(hot)
    }

    /// An exchange pays a user. Returns false if every exchange is out of funds.
    fn pay_out(&mut self, world: &mut World, participants: &Participants) -> bool {
        let user = self.user(world);
        self.pay_out_to(world, participants, user)
    }

    fn pay_out_to(&mut self, world: &mut World, participants: &Participants, user: User) -> bool {
        let wei = self.random.amount(ETH / 10, 4 * ETH);
        let hot = self.solvent(world, participants, user.exchange, wei);
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
