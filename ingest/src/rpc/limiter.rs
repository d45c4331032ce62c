//! Adapts the number of concurrent requests and of calls in each to a node. Larger limits are kept only if they
//! increase throughput, so a node is not overloaded.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// Responses before a limit is evaluated, for each concurrent request.
const ROUNDS: usize = 2;
/// Minimum improvement of throughput.
const MIN_IMPROVEMENT: f64 = 1.1;
/// Evaluations before a larger limit is tried again.
const KEEP: u32 = 16;
/// Calls with larger responses are not batched.
const LARGE: usize = 4 << 20;
/// Calls with larger responses are sent in smaller batches.
const TOO_LARGE: usize = 2 * LARGE;
/// A faster response allows more calls in a request, a slower one fewer.
const FAST_RESPONSE: Duration = Duration::from_millis(150);
const SLOW_RESPONSE: Duration = Duration::from_secs(2);
/// Maximum calls in a request.
const MAX_CALLS: usize = 200;
/// Fast responses at the maximum batch size before a rejected size is tried again, as the rejection may have been
/// temporary.
const RETRY_REJECTED_AFTER: u32 = 50;

/// The limits of a node.
pub(super) struct Limiter {
    permits: Semaphore,
    state: Mutex<State>,
}

/// A slot for a request.
pub(super) struct Slot<'a> {
    limiter: &'a Limiter,
    _permit: SemaphorePermit<'a>,
}

struct State {
    requests: Requests,
    calls: Calls,
    /// Permits to remove as soon as they are free.
    too_many: usize,
}

impl Limiter {
    /// At most `most` concurrent requests, initially with `calls` calls each.
    pub(super) fn new(most: usize, calls: usize) -> Limiter {
        let requests = Requests::new(most.max(1), Instant::now());
        let permits = Semaphore::new(requests.limit);
        let calls = Calls::new(calls.max(1));
        Limiter { permits, state: Mutex::new(State { requests, calls, too_many: 0 }) }
    }

    /// Waits for a slot.
    pub(super) async fn slot(&self) -> Slot<'_> {
        loop {
            // The semaphore is never closed.
            let Ok(permit) = self.permits.acquire().await else {
                std::future::pending::<()>().await;
                continue;
            };
            let mut state = self.state();
            if state.too_many == 0 {
                return Slot { limiter: self, _permit: permit };
            }
            state.too_many -= 1;
            permit.forget();
        }
    }

    /// Current maximum of concurrent requests.
    pub(super) fn limit(&self) -> usize {
        self.state().requests.limit
    }

    /// Current number of calls of a request.
    pub(super) fn calls(&self) -> usize {
        self.state().calls.now
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // The numbers are consistent even if the lock is poisoned.
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

impl Slot<'_> {
    /// Records a response of `bytes` to `calls` calls.
    pub(super) fn answered(&self, bytes: usize, calls: usize, took: Duration) {
        self.limiter.change(|state| {
            state.requests.answered(bytes, Instant::now());
            state.calls.answered(calls, bytes, took);
        });
    }

    /// Records that the node is overloaded.
    pub(super) fn overloaded(&self) {
        self.limiter.change(|state| state.requests.overloaded(Instant::now()));
    }

    /// Records that the node rejected a batch of `calls`.
    pub(super) fn too_many_calls(&self, calls: usize) {
        self.limiter.change(|state| state.calls.refused(calls));
    }
}

/// The number of calls of a request.
struct Calls {
    now: usize,
    /// Upper bound below a rejected size.
    most: usize,
    /// Fast responses at the maximum size since the last rejection.
    quick: u32,
}

impl Calls {
    fn new(now: usize) -> Calls {
        Calls { now, most: now.max(MAX_CALLS), quick: 0 }
    }

    fn answered(&mut self, calls: usize, bytes: usize, took: Duration) {
        if (took > SLOW_RESPONSE || bytes > TOO_LARGE) && calls >= self.now {
            self.now = (self.now * 2 / 3).max(1);
        } else if took < FAST_RESPONSE && bytes < LARGE && calls >= self.now {
            if self.now == self.most && self.most < MAX_CALLS {
                self.quick += 1;
                if self.quick >= RETRY_REJECTED_AFTER {
                    self.quick = 0;
                    self.most = (self.most + self.most.div_ceil(4)).min(MAX_CALLS);
                }
            }
            self.now = (self.now + self.now / 2 + 1).min(self.most);
        }
    }

    fn refused(&mut self, calls: usize) {
        // The failure of a single call says nothing about the batch size.
        if calls <= 1 {
            return;
        }
        self.quick = 0;
        self.most = self.most.min((calls / 2).max(1));
        self.now = self.now.min(self.most);
    }
}

/// The number of concurrent requests.
struct Requests {
    limit: usize,
    most: usize,
    /// The previous limit and its throughput in bytes per second.
    before: Option<(usize, f64)>,
    /// Evaluations before a larger limit is tried.
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
            // No improvement: return to the previous limit.
            Some((limit, least)) if rate < least * MIN_IMPROVEMENT => {
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
        // Concurrent rejections count once.
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

    /// The limits tried on a node that serves `lanes` concurrent requests, each in a second.
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
    fn limit_grows_only_with_throughput() {
        assert_eq!(limits(1, 32, 30)[..3], [2, 3, 2], "a node that works on one at a time");
        let found = limits(8, 32, 200);
        assert!(found.contains(&8) || found.contains(&9), "{found:?}");
        assert!(found.iter().all(|&limit| limit <= 14), "never far beyond what the node does at once: {found:?}");
        assert_eq!(limits(100, 6, 100).last(), Some(&6), "no more than allowed");
    }

    #[test]
    fn overload_halves_the_limit() {
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
    fn batch_size_grows_below_the_rejected_size() {
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
    fn rejected_batch_size_is_retried_later() {
        let mut calls = Calls::new(20);
        calls.refused(1);
        assert_eq!((calls.now, calls.most), (20, MAX_CALLS), "one call that is not answered in time is not too many");
        calls.refused(2);
        let mut answers = 0;
        while calls.now < MAX_CALLS {
            calls.answered(calls.now, 1000, Duration::from_millis(5));
            answers += 1;
        }
        assert!(answers > 10 * RETRY_REJECTED_AFTER, "slowly: {answers}");
        calls.refused(MAX_CALLS);
        assert_eq!(calls.now, MAX_CALLS / 2);
    }

    #[tokio::test]
    async fn slots_follow_the_limit() {
        let limiter = Limiter::new(4, 1);
        let (first, second) = (limiter.slot().await, limiter.slot().await);
        assert!(futures::FutureExt::now_or_never(limiter.slot()).is_none());
        first.answered(1, 1, Duration::ZERO);
        first.overloaded();
        drop(first);
        assert!(futures::FutureExt::now_or_never(limiter.slot()).is_none(), "one is allowed and under way");
        drop(second);
        assert!(futures::FutureExt::now_or_never(limiter.slot()).is_some());
    }
}
