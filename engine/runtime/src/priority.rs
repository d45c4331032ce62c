//! Thread priorities: queries run below the rest of the system, since a laptop renders its pages on the same cores, and batch jobs
//! below interactive queries (`docs/decisions/0034`).

/// Priority of threads that compete for a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Interactive queries: about a third of the weight of an ordinary thread.
    Interactive,
    /// Batch jobs and background work: about a tenth of the weight of an interactive query.
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

    /// The nice value of Linux.
    fn nice(self) -> i32 {
        match self {
            Rank::Interactive => 5,
            Rank::Batch => 15,
        }
    }

    /// Sets the priority of the calling thread. Only Linux has priorities per thread.
    pub fn apply(self) {
        #[cfg(target_os = "linux")]
        // On Linux, "this process" is the calling thread. Best effort: a failure has no effect on results.
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

    /// Field 19 of the stat file, counted after the name in brackets.
    fn nice() -> i32 {
        let state = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        state.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[test]
    fn only_the_calling_thread_changes() {
        let before = nice();
        for rank in [Rank::Interactive, Rank::Batch] {
            let changed = std::thread::spawn(move || {
                rank.apply();
                nice()
            });
            assert_eq!(changed.join().unwrap(), rank.nice());
        }
        assert_eq!(nice(), before);
    }
}
