//! How the C library keeps memory that is free. By default each new thread gets a heap of its own, up to eight for each core,
//! so that what one thread frees another takes from the system again, page by page; and the end of a heap goes back to the
//! system as soon as it is free. An ingest without proof would spend a seventh of its time on that.
//!
//! The binary chooses its allocator, so it is the binary that says how free memory goes back to the system.

use std::sync::OnceLock;

static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Sets how free memory goes back to the system at once. Only the first call has an effect.
pub fn give_back_by(how: fn()) {
    // The allocator of a process never changes, so a second call has nothing to add.
    let _ = GIVE_BACK.set(how);
}

/// Gives free memory back to the system, if the binary has set how.
pub(crate) fn give_back() {
    if let Some(how) = GIVE_BACK.get() {
        how();
    }
}

/// As many heaps as cores, which is how many threads can ask at once, and each keeps some of what is free. To be called before
/// there are threads.
pub fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let settings = [
            (libc::M_ARENA_MAX, libc::c_int::try_from(cores).unwrap_or(libc::c_int::MAX)),
            // Bytes at the end of a heap that may stay free, and by which it grows.
            (libc::M_TRIM_THRESHOLD, 64 << 20),
            (libc::M_TOP_PAD, 16 << 20),
            // Larger pieces come from the system and go back to it by themselves. The library would come to the same limit.
            (libc::M_MMAP_THRESHOLD, 32 << 20),
        ];
        for (setting, value) in settings {
            // A refusal leaves the default.
            #[expect(unsafe_code, reason = "the standard library has no call for it, and only numbers go in")]
            unsafe {
                libc::mallopt(setting, value);
            }
        }
    }
}
