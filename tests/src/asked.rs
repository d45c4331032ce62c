//! Numbers that the environment sets: `make soak` runs more cases, and for longer, than `make test`.

/// The number in an environment variable, if it is set.
#[allow(clippy::disallowed_methods, reason = "how often a test repeats is no setting of the product")]
pub fn asked(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not {text}")))
}

/// The seed of a test: `QUARRY_TEST_SEED`, or the given default.
pub fn seed(own: u64) -> u64 {
    let seed = asked("QUARRY_TEST_SEED").unwrap_or(own);
    // Shown when the test fails.
    println!("the seed is {seed}: QUARRY_TEST_SEED={seed} repeats this run");
    seed
}
