//! How many heaps the C library keeps. By default each new thread gets one of its own, up to eight for each core; what one
//! thread frees, another then takes from the system again, page by page. An ingest without proof spends a tenth of its time
//! on that.

/// As many heaps as cores, which is how many threads can ask at once. To be called before there are threads.
pub fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // A refusal leaves the default.
        #[expect(unsafe_code, reason = "the standard library has no call for it; numbers go in, no memory is touched")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, i32::try_from(cores).unwrap_or(i32::MAX));
        }
    }
}
