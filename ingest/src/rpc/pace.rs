//! How many requests a node is sent at once, and how many calls are in each: found by trying. More is kept only while
//! the node answers more per second with it, so a node is never loaded beyond its best rate.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// A limit is judged after so many answers for each request under way.
const ROUNDS: usize = 2;
/// An improvement smaller than this is none.
const BETTER: f64 = 1.1;
/// Judgements for which a limit that was found stays, before more is tried again.
const KEEP: u32 = 16;
/// Calls with answers larger than this are not sent together with more.
const LARGE: usize = 4 << 20;
/// Calls with answers larger than this are sent in smaller batches.
const TOO_LARGE: usize = 2 * LARGE;
/// An answer that takes less leaves room for more calls in one request; one that takes longer has too many.
const QUICK: Duration = Duration::from_millis(150);
const LONG: Duration = Duration::from_secs(2);
/// Most calls in one request.
const MOST_CALLS: usize = 200;
/// Quick answers to the most calls that are put together after a refusal, before a few more are tried again: what was too
/// much at a bad moment need not be so for ever.
const FORGIVEN: u32 = 50;

/// The pace of one node.
pub(super) struct Pace {
    permits: Semaphore,
    state: Mutex<State>,
}

/// A place among the requests under way.
pub(super) struct Turn<'a> {
    pace: &'a Pace,
    _permit: SemaphorePermit<'a>,
}

struct State {
    requests: Requests,
    calls: Calls,
    /// Permits to take back as soon as they are free.
    too_many: usize,
}

impl Pace {
    /// At most `most` requests at once, and `calls` calls in each to begin with.
    pub(super) fn new(most: usize, calls: usize) -> Pace {
        let requests = Requests::new(most.max(1), Instant::now());
        let permits = Semaphore::new(requests.limit);
        let calls = Calls::new(calls.max(1));
        Pace { permits, state: Mutex::new(State { requests, calls, too_many: 0 }) }
    }

    /// Waits for a place.
    pub(super) async fn turn(&self) -> Turn<'_> {
        loop {
            // The semaphore is never closed; if it were, pacing would end, not the work.
            let Ok(permit) = self.permits.acquire().await else {
                std::future::pending::<()>().await;
                continue;
            };
            let mut state = self.state();
            if state.too_many == 0 {
                return Turn { pace: self, _permit: permit };
            }
            state.too_many -= 1;
            permit.forget();
        }
    }

    /// Requests that may be under way at once.
    pub(super) fn limit(&self) -> usize {
        self.state().requests.limit
    }

    /// Calls to put into one request.
    pub(super) fn calls(&self) -> usize {
        self.state().calls.now
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Numbers are whole after any panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        let before = state.requests.limit;
        change(&mut state);
        let after = state.requests.limit;
        if after > before {
            let more = after - before;
            let kept = more.min(state.too_many);
            state.too_many -= kept;
            self.permits.add_permits(more - kept);
        } else {
            state.too_many += before - after;
        }
    }
}

impl Turn<'_> {
    /// After an answer of so many bytes to so many calls.
    pub(super) fn answered(&self, bytes: usize, calls: usize, took: Duration) {
        self.pace.change(|state| {
            state.requests.answered(bytes, Instant::now());
            state.calls.answered(calls, bytes, took);
        });
    }

    /// After the node said, or showed, that it is too much.
    pub(super) fn overloaded(&self) {
        self.pace.change(|state| state.requests.overloaded(Instant::now()));
    }

    /// After the node refused, or did not manage, so many calls at once.
    pub(super) fn too_many_calls(&self, calls: usize) {
        self.pace.change(|state| state.calls.refused(calls));
    }
}

/// How many calls in one request.
struct Calls {
    now: usize,
    /// Below what was refused.
    most: usize,
    /// Quick answers to the most since the last refusal.
    quick: u32,
}

impl Calls {
    fn new(now: usize) -> Calls {
        Calls { now, most: now.max(MOST_CALLS), quick: 0 }
    }

    fn answered(&mut self, calls: usize, bytes: usize, took: Duration) {
        if (took > LONG || bytes > TOO_LARGE) && calls >= self.now {
            self.now = (self.now * 2 / 3).max(1);
        } else if took < QUICK && bytes < LARGE && calls >= self.now {
            if self.now == self.most && self.most < MOST_CALLS {
                self.quick += 1;
                if self.quick >= FORGIVEN {
                    self.quick = 0;
                    self.most = (self.most + self.most.div_ceil(4)).min(MOST_CALLS);
                }
            }
            self.now = (self.now + self.now / 2 + 1).min(self.most);
        }
    }

    fn refused(&mut self, calls: usize) {
        // A single call that fails says nothing of how many are too many.
        if calls <= 1 {
            return;
        }
        self.quick = 0;
        self.most = self.most.min((calls / 2).max(1));
        self.now = self.now.min(self.most);
    }
}

/// How many requests at once.
struct Requests {
    limit: usize,
    most: usize,
    /// The limit before the one being tried, and the bytes per second it gave.
    before: Option<(usize, f64)>,
    /// Judgements left before more is tried.
    keep: u32,
    since: Instant,
    bytes: usize,
    answers: usize,
}

impl Requests {
    fn new(most: usize, now: Instant) -> Requests {
        Requests { limit: most.min(2), most, before: None, keep: 0, since: now, bytes: 0, answers: 0 }
    }

    fn answered(&mut self, bytes: usize, now: Instant) {
        self.bytes += bytes;
        self.answers += 1;
        if self.answers < ROUNDS * self.limit {
            return;
        }
        let rate = self.bytes as f64 / (now - self.since).as_secs_f64().max(1e-6);
        self.judge(rate);
        self.start(now);
    }

    fn judge(&mut self, rate: f64) {
        if self.keep > 0 {
            self.keep -= 1;
            return;
        }
        match self.before {
            // More brought nothing: back to what was enough.
            Some((limit, least)) if rate < least * BETTER => {
                self.limit = limit;
                self.before = None;
                self.keep = KEEP;
            }
            _ => {
                let more = (self.limit + self.limit.div_ceil(2)).min(self.most);
                self.before = (more > self.limit).then_some((self.limit, rate));
                self.limit = more;
                self.keep = if self.before.is_none() { KEEP } else { 0 };
            }
        }
    }

    fn overloaded(&mut self, now: Instant) {
        // One refusal of a whole crowd counts once.
        if self.answers == 0 && self.keep == KEEP {
            return;
        }
        self.limit = (self.limit / 2).max(1);
        self.before = None;
        self.keep = KEEP;
        self.start(now);
    }

    fn start(&mut self, now: Instant) {
        self.since = now;
        self.bytes = 0;
        self.answers = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits that are tried at a node that works on `lanes` requests at once, each taking a second.
    fn limits(lanes: usize, most: usize, answers: usize) -> Vec<usize> {
        let mut now = Instant::now();
        let mut requests = Requests::new(most, now);
        let mut seen = vec![requests.limit];
        for _ in 0..answers {
            now += Duration::from_secs_f64(1.0 / requests.limit.min(lanes) as f64);
            requests.answered(1000, now);
            if seen.last() != Some(&requests.limit) {
                seen.push(requests.limit);
            }
        }
        seen
    }

    #[test]
    fn more_is_kept_only_while_it_helps() {
        assert_eq!(limits(1, 32, 30)[..3], [2, 3, 2], "a node that works on one at a time");
        let found = limits(8, 32, 200);
        assert!(found.contains(&8) || found.contains(&9), "{found:?}");
        assert!(found.iter().all(|&limit| limit <= 14), "never far beyond what the node does at once: {found:?}");
        assert_eq!(limits(100, 6, 100).last(), Some(&6), "no more than allowed");
    }

    #[test]
    fn a_node_that_has_too_much_gets_half() {
        let now = Instant::now();
        let mut requests = Requests::new(32, now);
        requests.limit = 16;
        requests.answers = 5;
        for _ in 0..16 {
            requests.overloaded(now);
        }
        assert_eq!(requests.limit, 8, "a crowd of refusals is one");
        requests.answered(1, now);
        requests.overloaded(now);
        assert_eq!(requests.limit, 4);
    }

    #[test]
    fn calls_grow_while_answers_are_quick_and_never_to_what_was_refused() {
        let mut calls = Calls::new(20);
        calls.answered(20, 1000, Duration::from_millis(5));
        assert_eq!(calls.now, 31);
        calls.answered(10, 1000, Duration::from_millis(5));
        assert_eq!(calls.now, 31, "a request that was not full says nothing");
        calls.refused(31);
        assert_eq!(calls.now, 15);
        for _ in 0..20 {
            calls.answered(calls.now, 1000, Duration::from_millis(5));
        }
        assert_eq!(calls.now, 15);
        calls.answered(15, 1000, Duration::from_secs(3));
        assert_eq!(calls.now, 10);
        calls.answered(10, TOO_LARGE + 1, Duration::from_millis(5));
        assert_eq!(calls.now, 6, "so quick it is, but so much at once fills the memory");
        calls.refused(2);
        assert_eq!(calls.now, 1);
    }

    #[test]
    fn what_was_refused_once_is_tried_again_after_long() {
        let mut calls = Calls::new(20);
        calls.refused(1);
        assert_eq!((calls.now, calls.most), (20, MOST_CALLS), "one call that is not answered in time is not too many");
        calls.refused(2);
        let mut answers = 0;
        while calls.now < MOST_CALLS {
            calls.answered(calls.now, 1000, Duration::from_millis(5));
            answers += 1;
        }
        assert!(answers > 10 * FORGIVEN, "slowly: {answers}");
        calls.refused(MOST_CALLS);
        assert_eq!(calls.now, MOST_CALLS / 2);
    }

    #[tokio::test]
    async fn turns_are_as_many_as_the_limit() {
        let pace = Pace::new(4, 1);
        let (first, second) = (pace.turn().await, pace.turn().await);
        assert!(futures::FutureExt::now_or_never(pace.turn()).is_none());
        first.answered(1, 1, Duration::ZERO);
        first.overloaded();
        drop(first);
        assert!(futures::FutureExt::now_or_never(pace.turn()).is_none(), "one is allowed and under way");
        drop(second);
        assert!(futures::FutureExt::now_or_never(pace.turn()).is_some());
    }
}
