//! The memory of a job, counted by the allocator on the threads of the job. This includes memory that operators do not report
//! (`array_agg`, compiled regular expressions, grouping sets).
//!
//! As in ClickHouse's `MemoryTracker`, threads count locally and add to the account from time to time, and memory that another
//! thread frees stays counted until the job ends.

use std::cell::{Cell, RefCell};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::time::Duration;

use quarry_types::{Error, ErrorCode, Result};

/// Bytes that a thread counts before it adds them to the account.
const FLUSH_AFTER: usize = 64 << 10;
/// Pause of a thread that allocates [`FLUSH_AFTER`] more bytes for a stopped job. Limits the growth of a call that can't be
/// interrupted to 13 MB per second.
const PAUSE: Duration = Duration::from_millis(5);

/// The memory of one job.
#[derive(Debug)]
pub struct MemoryAccount {
    /// Bytes in use. May be slightly negative, since threads of the job may free memory of others.
    used: AtomicIsize,
    peak: AtomicIsize,
    /// Limit in bytes.
    limit: usize,
    /// Bytes above which the threads of a stopped job allocate slowly.
    slow_above: AtomicUsize,
    /// Whether the job is stopped, for any reason.
    stopped: AtomicBool,
    /// Whether it exceeded its limit.
    exceeded: AtomicBool,
    /// Threads of the job outside its runtime.
    extra_threads: AtomicUsize,
}

impl MemoryAccount {
    pub fn new(limit: usize) -> MemoryAccount {
        MemoryAccount {
            used: AtomicIsize::new(0),
            peak: AtomicIsize::new(0),
            limit,
            slow_above: AtomicUsize::new(limit),
            stopped: AtomicBool::new(false),
            exceeded: AtomicBool::new(false),
            extra_threads: AtomicUsize::new(0),
        }
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        usize::try_from(self.used.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Peak bytes in use.
    pub fn peak(&self) -> usize {
        usize::try_from(self.peak.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Whether the job exceeded its limit.
    pub fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }

    /// Stops the job: [`check_stopped`] fails on its threads from now on.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Stops the job because the process is out of memory: its threads allocate slowly while it uses more than now.
    pub fn stop_growth(&self) {
        self.slow_above.store(self.used(), Ordering::Relaxed);
        self.stop();
    }

    /// Bytes that the job may still allocate.
    fn free(&self) -> usize {
        self.limit.saturating_sub(self.used())
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Threads of the job outside its runtime.
    pub fn extra_threads(&self) -> usize {
        self.extra_threads.load(Ordering::Acquire)
    }

    /// Resets the account for another job.
    pub fn reset(&self) {
        self.used.store(0, Ordering::Relaxed);
        self.peak.store(0, Ordering::Relaxed);
        self.slow_above.store(self.limit, Ordering::Relaxed);
        self.stopped.store(false, Ordering::Relaxed);
        self.exceeded.store(false, Ordering::Relaxed);
    }

    /// Takes bytes off that a thread of another job, or of none, will free.
    pub fn release(&self, bytes: usize) {
        self.used.fetch_sub(isize::try_from(bytes).unwrap_or(isize::MAX), Ordering::Relaxed);
    }

    fn add(&self, bytes: isize) {
        let used = self.used.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
        if bytes <= 0 {
            return;
        }
        self.peak.fetch_max(used, Ordering::Relaxed);
        let Ok(used) = usize::try_from(used) else { return };
        if used > self.limit {
            self.exceeded.store(true, Ordering::Relaxed);
            self.stop();
        }
        // A job below that ends sooner at full speed.
        if self.is_stopped() && used > self.slow_above.load(Ordering::Relaxed) {
            pause();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "it waits for nothing: it slows the thread down")]
fn pause() {
    std::thread::sleep(PAUSE);
}

thread_local! {
    /// The account of the thread's job, or null. Points into `ACCOUNT`. Read by the allocator, which must not allocate or run
    /// destructors.
    static CHARGED: Cell<*const MemoryAccount> = const { Cell::new(ptr::null()) };
    /// Bytes not added to the account yet.
    static PENDING: Cell<isize> = const { Cell::new(0) };
    /// Keeps the account while the thread lives.
    static ACCOUNT: RefCell<Option<Charge>> = const { RefCell::new(None) };
}

/// Keeps the account of a thread alive.
#[derive(Debug)]
struct Charge {
    account: Arc<MemoryAccount>,
    is_extra: bool,
}

impl Drop for Charge {
    fn drop(&mut self) {
        CHARGED.set(ptr::null());
        if self.is_extra {
            self.account.extra_threads.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Charges the allocations of the calling thread to an account, until the thread ends.
pub fn charge_thread(account: Arc<MemoryAccount>) {
    begin(Charge { account, is_extra: false });
}

fn begin(charge: Charge) {
    let pointer = Arc::as_ptr(&charge.account);
    ACCOUNT.with_borrow_mut(|held| *held = Some(charge));
    CHARGED.set(pointer);
}

/// For a new thread of the job of the calling thread: the new thread calls the returned function first.
pub fn charge_new_thread() -> impl FnOnce() + Send + 'static {
    let account = ACCOUNT.with_borrow(|held| held.as_ref().map(|charge| charge.account.clone()));
    let charge = account.map(|account| {
        account.extra_threads.fetch_add(1, Ordering::Relaxed);
        Charge { account, is_extra: true }
    });
    move || charge.into_iter().for_each(begin)
}

/// Fails if the job of the calling thread is stopped. For long loops inside one call, where no future can be dropped.
pub fn check_stopped() -> Result<()> {
    match with_current(|account| (account.is_stopped(), account.is_exceeded())) {
        Some((true, true)) => Err(exceeded()),
        Some((true, false)) => Err(Error::new(ErrorCode::Killed, "The query was stopped.")),
        _ => Ok(()),
    }
}

/// Fails if the job of the calling thread may not allocate so many more bytes. For calls that build values of any size.
pub fn check_free(bytes: usize) -> Result<()> {
    match with_current(|account| bytes > account.free()) {
        Some(true) => Err(exceeded()),
        _ => Ok(()),
    }
}

/// The error of a job that exceeded its memory limit.
pub fn exceeded() -> Error {
    let message = "The query exceeded its memory limit; read fewer rows or columns, or aggregate earlier.";
    Error::new(ErrorCode::MemoryLimit, message)
}

fn with_current<T>(read: impl FnOnce(&MemoryAccount) -> T) -> Option<T> {
    let account = CHARGED.get();
    // Not null means that `ACCOUNT` holds the account on this thread, and it is not dropped before `CHARGED` is null again.
    #[expect(unsafe_code, reason = "the allocator can't borrow from a RefCell that its own caller may have borrowed")]
    unsafe {
        account.as_ref().map(read)
    }
}

/// Counts bytes that the calling thread allocated (positive) or freed (negative). Called by the allocator.
#[inline]
pub(super) fn record(bytes: isize) {
    if CHARGED.get().is_null() {
        return;
    }
    let pending = PENDING.get().wrapping_add(bytes);
    if pending.unsigned_abs() < FLUSH_AFTER {
        PENDING.set(pending);
        return;
    }
    PENDING.set(0);
    with_current(|account| account.add(pending));
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    fn on_thread<T: Send + 'static>(account: &Arc<MemoryAccount>, work: impl FnOnce() -> T + Send + 'static) -> T {
        let account = account.clone();
        std::thread::spawn(move || {
            charge_thread(account);
            work()
        })
        .join()
        .unwrap()
    }

    #[test]
    fn allocations_and_frees_are_counted() {
        let account = Arc::new(MemoryAccount::new(usize::MAX));
        let held = on_thread(&account, || {
            drop(vec![1_u8; 64 * MIB]);
            vec![1_u8; 8 * MIB]
        });
        assert!(account.used().abs_diff(8 * MIB) < MIB, "{}", account.used());
        assert!(account.peak().abs_diff(64 * MIB) < MIB, "{}", account.peak());
        assert!(!account.is_stopped());
        drop(held);
    }

    #[test]
    fn child_threads_are_counted() {
        let account = Arc::new(MemoryAccount::new(usize::MAX));
        let (working, held) = on_thread(&account, || {
            let charge = charge_new_thread();
            let account = ACCOUNT.with_borrow(|held| held.as_ref().unwrap().account.clone());
            let working = account.extra_threads();
            let held = std::thread::spawn(move || {
                charge();
                vec![1_u8; 8 * MIB]
            });
            (working, held.join().unwrap())
        });
        assert!(account.used().abs_diff(8 * MIB) < MIB, "{}", account.used());
        assert_eq!((working, account.extra_threads()), (1, 0));
        drop(held);
    }

    #[test]
    fn check_free_refuses_more_than_the_limit() {
        let account = Arc::new(MemoryAccount::new(16 * MIB));
        let (small, large) = on_thread(&account, || {
            let held = vec![1_u8; 8 * MIB];
            let answers = (check_free(4 * MIB), check_free(12 * MIB));
            drop(held);
            answers
        });
        small.unwrap();
        assert_eq!(large.unwrap_err().code, ErrorCode::MemoryLimit);
        check_free(usize::MAX).unwrap();
    }

    #[test]
    fn only_growth_is_slowed_down_after_a_stop() {
        let allocate = || (0..64).for_each(|_| drop(std::hint::black_box(vec![1_u8; MIB])));
        let account = Arc::new(MemoryAccount::new(16 * MIB));
        let timed = || {
            let begun = std::time::Instant::now();
            on_thread(&account, allocate);
            begun.elapsed()
        };
        account.stop();
        let killed = timed();
        account.stop_growth();
        let grown = timed();
        assert!(grown >= 64 * PAUSE, "{grown:?}");
        assert!(killed < grown, "{killed:?}, {grown:?}");
    }

    #[test]
    fn job_above_memory_limit_is_stopped() {
        let account = Arc::new(MemoryAccount::new(16 * MIB));
        let (before, after) = on_thread(&account, || {
            let before = check_stopped();
            let held = vec![1_u8; 32 * MIB];
            (before, check_stopped().map(|()| held))
        });
        before.unwrap();
        assert_eq!(after.unwrap_err().code, ErrorCode::MemoryLimit);
        assert!(account.is_exceeded());

        account.reset();
        account.stop();
        assert_eq!(on_thread(&account, check_stopped).unwrap_err().code, ErrorCode::Killed);
        assert!(!account.is_exceeded());
    }
}
