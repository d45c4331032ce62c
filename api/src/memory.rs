//! How free memory goes back to the machine at once; otherwise it does so within ten seconds, which is the allocator's default.

use std::ptr::null_mut;

/// Lets the engine give free memory back.
pub fn set_up() {
    quarry_engine::runtime::free_memory::give_back_by(purge);
}

/// Gives back what is free in all arenas (`MALLCTL_ARENAS_ALL` of jemalloc is 4096).
fn purge() {
    #[expect(
        unsafe_code,
        reason = "the allocator has no other call for it; nothing is read or written through a pointer"
    )]
    let failed =
        unsafe { tikv_jemalloc_sys::mallctl(c"arena.4096.purge".as_ptr(), null_mut(), null_mut(), null_mut(), 0) };
    debug_assert_eq!(failed, 0, "the allocator knows no such call");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_goes_back_at_once() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
        };
        // Many small pieces, which are not mapped one by one.
        drop(std::hint::black_box((0..100_000).map(|n| vec![n as u8; 2_000]).collect::<Vec<_>>()));
        let before = resident();
        purge();
        let after = resident();
        assert!(after + 100_000 < before, "{before} kB, then {after} kB");
    }
}
