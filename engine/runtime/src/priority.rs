//! Query threads step back for everything else: on a laptop the page that asked is drawn by the same few cores. Those of
//! batch jobs step back for the queries that somebody waits for (`docs/decisions/0034`).

/// Who goes first when threads want the same core; alone each gets all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// A query that somebody waits for: about a third of the weight of an ordinary thread.
    Interactive,
    /// Batch jobs and work that nobody waits for: about a tenth of the weight of an interactive query.
    Batch,
}

impl Rank {
    /// Name of the threads, as the system shows it.
    pub fn thread_name(self) -> &'static str {
        match self {
            Rank::Interactive => "query",
            Rank::Batch => "batch",
        }
    }

    /// How nice the threads are to others, as Linux counts it.
    fn nice(self) -> i32 {
        match self {
            Rank::Interactive => 5,
            Rank::Batch => 15,
        }
    }

    /// Gives the calling thread this rank. Where the system has no priority per thread (all but Linux) it stays as it is.
    pub fn take(self) {
        #[cfg(target_os = "linux")]
        // On Linux "this process" is the calling thread. A failure changes nothing but the order of waiting.
        #[expect(unsafe_code, reason = "the standard library has no call for it; numbers go in, no memory is touched")]
        unsafe {
            libc::setpriority(libc::PRIO_PROCESS, 0, self.nice());
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
        for rank in [Rank::Interactive, Rank::Batch] {
            let stepped = std::thread::spawn(move || {
                rank.take();
                nice()
            });
            assert_eq!(stepped.join().unwrap(), rank.nice());
        }
        assert_eq!(nice(), before);
    }
}
