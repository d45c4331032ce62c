//! Query threads step back for everything else: on a laptop the page that asked is drawn by the same few cores.

/// Lowers the priority of the calling thread. Where the system has no priority per thread (all but Linux) it stays.
pub(crate) fn step_back() {
    #[cfg(target_os = "linux")]
    {
        /// Weighs about a third of an ordinary thread when both want the same core; alone it gets all of it.
        const NICE: libc::c_int = 5;
        // On Linux "this process" is the calling thread. A failure changes nothing but the order of waiting.
        #[expect(unsafe_code, reason = "the standard library has no call for it; numbers go in, no memory is touched")]
        unsafe {
            libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
        }
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    /// Field 19 of the thread's state, counted behind the name in brackets.
    fn nice() -> i32 {
        let state = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        state.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[test]
    fn only_the_calling_thread_steps_back() {
        let before = nice();
        let stepped = std::thread::spawn(|| {
            step_back();
            nice()
        });
        assert_eq!(stepped.join().unwrap(), 5);
        assert_eq!(nice(), before);
    }
}
