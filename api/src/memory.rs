//! How long memory that is free stays with the process: decision 39.

use std::ffi::{c_int, c_long};

/// Place, among the allocator's options, of the milliseconds after which free memory goes back to the machine.
const PURGE_DELAY: c_int = 15;
/// What they are when nobody has said otherwise with `MIMALLOC_PURGE_DELAY`.
const USUAL: c_long = 1_000;
/// The memory of one query serves the next one of somebody who reads and asks on; memory that comes back is cleared anew.
const LONGER: c_long = 10_000;

#[expect(unsafe_code, reason = "the allocator's options have no other call; numbers go in and come out")]
unsafe extern "C" {
    safe fn mi_option_get(option: c_int) -> c_long;
    safe fn mi_option_set(option: c_int, value: c_long);
    safe fn mi_collect(force: bool);
}

/// Keeps free memory for longer than usual, but where it is scarce. To be called before there are threads.
pub fn keep() {
    if mi_option_get(PURGE_DELAY) == USUAL {
        mi_option_set(PURGE_DELAY, LONGER);
    }
    quarry_engine::runtime::free_memory::give_back_by(|| mi_collect(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_where_it_was() {
        assert_eq!(mi_option_get(PURGE_DELAY), USUAL);
        keep();
        assert_eq!(mi_option_get(PURGE_DELAY), LONGER);
    }
}
