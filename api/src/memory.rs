//! Options of the allocator, and how to return free memory to the system at once. By default that takes up to ten seconds.

use std::ptr::null_mut;

/// Options that jemalloc reads at startup. By default it returns allocations above 8 MiB to the system as soon as they are freed,
/// so that the kernel has to clear pages again for every large column. Decision 39 has the measurements.
#[expect(unsafe_code, reason = "jemalloc reads its options from a symbol of this name, a text that ends with a zero")]
#[cfg_attr(target_os = "linux", unsafe(export_name = "malloc_conf"))]
#[cfg_attr(not(target_os = "linux"), unsafe(export_name = "_rjem_malloc_conf"))]
static OPTIONS: &[u8; 32] = b"oversize_threshold:0,thp:always\0";

/// Lets the engine give free memory back.
pub fn set_up() {
    quarry_runtime::allocator::set_purge(purge);
}

/// Returns the free memory of all arenas. 4096 is jemalloc's `MALLCTL_ARENAS_ALL`.
///
/// An arena that jemalloc's background thread is purging at this moment is skipped. What that thread leaves is returned by the next
/// call, or within ten seconds.
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
    use std::{
        ffi::CStr,
        time::{Duration, Instant},
    };

    use super::*;

    /// An option, which is as large as a pointer.
    fn option(name: &CStr) -> usize {
        let (mut value, mut size) = (usize::MAX, size_of::<usize>());
        #[expect(unsafe_code, reason = "the place is as large as it says")]
        let failed =
            unsafe { tikv_jemalloc_sys::mallctl(name.as_ptr(), (&raw mut value).cast(), &raw mut size, null_mut(), 0) };
        assert_eq!(failed, 0, "{name:?}");
        value
    }

    #[test]
    fn the_options_are_in_force() {
        // `thp` is something else on a machine without large pages.
        assert_eq!(option(c"opt.oversize_threshold"), 0);
    }

    #[test]
    fn free_memory_goes_back_at_once() {
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
            line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
        };
        // Many small pieces, which are not mapped one by one.
        drop(std::hint::black_box((0..100_000).map(|n| vec![n as u8; 2_000]).collect::<Vec<_>>()));
        let (before, started) = (resident(), Instant::now());
        // The first call skips the arena if the background thread is purging it.
        loop {
            purge();
            let after = resident();
            if after + 100_000 < before {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(3), "{before} kB, then {after} kB");
        }
    }
}
