//! The numbers of Java's `Random`.

/// The linear congruence of the published description: 48 bits, one factor, one addend.
const FACTOR: u64 = 0x5_DEEC_E66D;
const ADDEND: u64 = 0xB;
const BITS: u64 = (1 << 48) - 1;

fn step(state: u64) -> u64 {
    state.wrapping_mul(FACTOR).wrapping_add(ADDEND) & BITS
}

/// The upper bits of the next state.
fn next(state: &mut u64, bits: u32) -> u64 {
    *state = step(*state);
    *state >> (48 - bits)
}

/// The next double: 53 bits from two states.
pub(crate) fn double(state: &mut u64) -> f64 {
    let high = next(state, 26);
    ((high << 27) + next(state, 27)) as f64 / (1u64 << 53) as f64
}

/// The first state for a seed.
pub(crate) fn state_of(seed: u64) -> u64 {
    (seed ^ FACTOR) & BITS
}

/// The state after a number of steps, in logarithmic time.
pub(crate) fn ahead(state: u64, steps: u64) -> u64 {
    let (mut factor, mut addend, mut left) = (FACTOR, ADDEND, steps);
    let (mut all_factor, mut all_addend) = (1u64, 0u64);
    while left > 0 {
        if left & 1 == 1 {
            all_factor = all_factor.wrapping_mul(factor);
            all_addend = all_addend.wrapping_mul(factor).wrapping_add(addend);
        }
        addend = factor.wrapping_add(1).wrapping_mul(addend);
        factor = factor.wrapping_mul(factor);
        left >>= 1;
    }
    state.wrapping_mul(all_factor).wrapping_add(all_addend) & BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_javas() {
        let mut state = state_of(42);
        assert_eq!(double(&mut state), 0.7275636800328681);
        assert_eq!(double(&mut state), 0.6832234717598454);
    }

    #[test]
    fn steps_can_be_skipped() {
        let start = state_of(7);
        let mut walked = start;
        for steps in 0..100 {
            assert_eq!(ahead(start, steps), walked);
            walked = step(walked);
        }
    }
}
