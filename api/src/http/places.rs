//! Limits on open connections. Connections without a complete request head are limited per network and in total, separately
//! from the others. At the limit, idle keep-alive connections are closed first.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::Network;

/// The limits.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Connections with a complete request head.
    pub most: usize,
    /// Connections without one.
    pub unfinished: usize,
    /// The same, per network.
    pub of_one: usize,
}

/// Enough for browsers and proxies, whose heads come within milliseconds.
const UNFINISHED: usize = 1_000;
/// A proxy in front of everybody is one network.
const UNFINISHED_OF_ONE: usize = 100;

impl Bounds {
    /// The limits of a server with this many connections at most.
    pub fn of(most: usize) -> Bounds {
        Bounds { most: most.max(1), unfinished: UNFINISHED, of_one: UNFINISHED_OF_ONE }
    }
}

/// The open connections of a listener.
#[derive(Debug)]
pub struct Places {
    bounds: Bounds,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Numbers connections in the order in which they were accepted, and pauses in the order in which they began.
    next: u64,
    unfinished: HashMap<Network, BTreeMap<u64, CancellationToken>>,
    unfinished_count: usize,
    /// Those with a complete head.
    settled: usize,
    /// Between two requests, those that wait longest first.
    idle: BTreeMap<u64, CancellationToken>,
}

/// The place of a connection, until it is dropped.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    id: u64,
    network: Network,
    cut: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unfinished,
    Busy,
    /// Since this number.
    Idle(u64),
}

impl Places {
    pub fn new(bounds: Bounds) -> Arc<Places> {
        Arc::new(Places { bounds, held: Mutex::default() })
    }

    /// Whether a new connection of this address would close an older one.
    pub fn is_crowded(&self, address: IpAddr) -> bool {
        let held = self.lock();
        let of_one = held.unfinished.get(&Network::from(address)).map_or(0, BTreeMap::len);
        of_one >= self.bounds.of_one || held.unfinished_count >= self.bounds.unfinished
    }

    /// Adds a connection. If too many have no complete head, the oldest one of the network with the most of them is closed.
    pub fn enter(self: &Arc<Places>, address: IpAddr) -> Arc<Place> {
        let network = Network::from(address);
        let cut = CancellationToken::new();
        let mut held = self.lock();
        if held.unfinished.get(&network).is_some_and(|open| open.len() >= self.bounds.of_one) {
            held.cut_oldest(network);
        } else if held.unfinished_count >= self.bounds.unfinished {
            held.cut_of_most();
        }
        let id = held.number();
        held.unfinished.entry(network).or_default().insert(id, cut.clone());
        held.unfinished_count += 1;
        drop(held);
        Arc::new(Place { places: self.clone(), id, network, cut, state: Mutex::new(State::Unfinished) })
    }

    /// Closes an idle connection. False if there is none.
    pub fn give_up_one(&self) -> bool {
        let mut held = self.lock();
        held.cut_of_most() || held.cut_idle()
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // Nothing here panics between two changes that belong together.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn cut_of_most(&mut self) -> bool {
        let most = self.unfinished.iter().max_by_key(|(_, open)| open.len()).map(|(network, _)| *network);
        most.is_some_and(|network| self.cut_oldest(network))
    }

    fn cut_oldest(&mut self, network: Network) -> bool {
        let Some((_, cut)) = self.unfinished.get_mut(&network).and_then(BTreeMap::pop_first) else { return false };
        self.left_unfinished(network);
        cut.cancel();
        true
    }

    fn cut_idle(&mut self) -> bool {
        let Some((_, cut)) = self.idle.pop_first() else { return false };
        // It is no longer settled; that its state says so is seen when it drops.
        self.settled -= 1;
        cut.cancel();
        true
    }

    fn remove_unfinished(&mut self, network: Network, id: u64) -> bool {
        let found = self.unfinished.get_mut(&network).is_some_and(|open| open.remove(&id).is_some());
        if found {
            self.left_unfinished(network);
        }
        found
    }

    fn left_unfinished(&mut self, network: Network) {
        self.unfinished_count -= 1;
        if self.unfinished.get(&network).is_some_and(BTreeMap::is_empty) {
            self.unfinished.remove(&network);
        }
    }
}

impl Place {
    /// The head is complete. False if all connections have requests in progress, or this one was just closed.
    pub fn begin(&self) -> bool {
        let mut held = self.places.lock();
        let mut state = self.state();
        match *state {
            State::Busy => true,
            State::Idle(since) => {
                let still = held.idle.remove(&since).is_some();
                if still {
                    *state = State::Busy;
                }
                still
            }
            State::Unfinished => {
                if held.settled >= self.places.bounds.most && !held.cut_idle() {
                    return false;
                }
                let still = held.remove_unfinished(self.network, self.id);
                if still {
                    held.settled += 1;
                    *state = State::Busy;
                }
                still
            }
        }
    }

    /// The response is sent; the connection is idle.
    pub fn rest(&self) {
        let mut held = self.places.lock();
        let mut state = self.state();
        if *state == State::Busy {
            let since = held.number();
            held.idle.insert(since, self.cut.clone());
            *state = State::Idle(since);
        }
    }

    pub fn is_unfinished(&self) -> bool {
        *self.state() == State::Unfinished
    }

    /// Completes when the connection must be closed to make room for another.
    pub async fn cut(&self) {
        self.cut.cancelled().await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.places.lock();
        match *self.state() {
            State::Unfinished => {
                held.remove_unfinished(self.network, self.id);
            }
            State::Busy => held.settled -= 1,
            // One that was cut has been counted out already.
            State::Idle(since) => {
                if held.idle.remove(&since).is_some() {
                    held.settled -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(most: usize, unfinished: usize, of_one: usize) -> Arc<Places> {
        Places::new(Bounds { most, unfinished, of_one })
    }

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_cut(place: &Place) -> bool {
        place.cut.is_cancelled()
    }

    #[test]
    fn a_network_loses_its_own_oldest_unfinished_connection() {
        let places = places(10, 10, 2);
        let other = places.enter(at("192.0.2.9"));
        let mine: Vec<_> = (0..3).map(|_| places.enter(at("2001:db8::1"))).collect();
        assert_eq!(mine.iter().map(|place| is_cut(place)).collect::<Vec<_>>(), [true, false, false]);
        // Another half of the same network, and an address in both of its forms.
        let fourth = places.enter(at("2001:db8::ffff"));
        assert!(is_cut(&mine[1]) && !is_cut(&fourth) && !is_cut(&other));
        let _first = places.enter(at("::ffff:192.0.2.9"));
        let _second = places.enter(at("192.0.2.9"));
        assert!(is_cut(&other));
    }

    #[test]
    fn the_network_with_the_most_unfinished_ones_gives_way() {
        let places = places(10, 4, 4);
        let crowd: Vec<_> = (0..4).map(|_| places.enter(at("192.0.2.1"))).collect();
        let single = places.enter(at("192.0.2.2"));
        assert!(is_cut(&crowd[0]) && !is_cut(&single));
        let _another = places.enter(at("192.0.2.3"));
        assert!(is_cut(&crowd[1]) && !is_cut(&single));
    }

    #[test]
    fn unfinished_ones_never_take_the_place_of_whole_ones_and_idle_ones_go_first() {
        let places = places(2, 3, 3);
        let (busy, idle) = (places.enter(at("192.0.2.1")), places.enter(at("192.0.2.1")));
        assert!(busy.begin() && idle.begin());
        idle.rest();
        let crowd: Vec<_> = (0..9).map(|_| places.enter(at("192.0.2.2"))).collect();
        assert!(!is_cut(&busy) && !is_cut(&idle));
        let newest = &crowd[8];
        assert!(newest.begin() && is_cut(&idle), "the idle one makes room");
        assert!(!idle.begin(), "what was cut begins nothing");
        assert!(!crowd[7].begin(), "the others are at work");
        assert!(!crowd[0].begin(), "this one was cut");
        drop(busy);
        assert!(crowd[7].begin());
        drop((idle, crowd));
        let held = places.lock();
        assert_eq!((held.unfinished_count, held.settled, held.idle.len()), (0, 0, 0));
        assert!(held.unfinished.is_empty());
    }
}
