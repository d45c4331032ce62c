//! What a run of the tests is asked for by the environment: `make soak` asks for more and for longer than `make test`.

/// The number in this variable.
#[allow(clippy::disallowed_methods, reason = "how often a test repeats is no setting of the product")]
pub fn asked(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not {text}")))
}

/// The seed that a test begins at: the one it is asked for, or its own.
pub fn seed(own: u64) -> u64 {
    let seed = asked("QUARRY_TEST_SEED").unwrap_or(own);
    // Shown when the test fails.
    println!("the seed is {seed}: QUARRY_TEST_SEED={seed} repeats this run");
    seed
}
