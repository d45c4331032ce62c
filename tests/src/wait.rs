//! Waiting for a condition, never for a length of time.

use std::time::{Duration, Instant};

/// Asks again until `ask` answers something; panics with `what` when `limit` has passed.
pub fn wait_for<T>(what: &str, limit: Duration, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited {limit:?} in vain for {what}");
        #[expect(clippy::disallowed_methods, reason = "the pause between two questions of the one polling loop")]
        std::thread::sleep(Duration::from_millis(20));
    }
}
