//! The allocator that counts the memory of jobs, and the release of free memory that it keeps.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::OnceLock;

use super::memory_account::record;

/// Wraps another allocator and counts what the threads of jobs allocate and free. If it is not the global allocator, queries are
/// limited only by the memory that operators report.
#[derive(Debug)]
pub struct CountingAllocator<A>(pub A);

static PURGE: OnceLock<fn()> = OnceLock::new();

/// Sets how the allocator returns free memory to the system at once. Only the first call has an effect.
pub fn set_purge(purge: fn()) {
    // The allocator of a process never changes.
    let _ = PURGE.set(purge);
}

/// Returns free memory to the system, if the binary has set how.
pub fn purge() {
    if let Some(purge) = PURGE.get() {
        purge();
    }
}

/// Sizes of layouts never exceed `isize::MAX`.
fn size(bytes: usize) -> isize {
    bytes.cast_signed()
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait; every call goes to the other allocator unchanged")]
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let pointer = unsafe { self.0.alloc(layout) };
        if !pointer.is_null() {
            record(size(layout.size()));
        }
        pointer
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let pointer = unsafe { self.0.alloc_zeroed(layout) };
        if !pointer.is_null() {
            record(size(layout.size()));
        }
        pointer
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(pointer, layout) };
        record(-size(layout.size()));
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let moved = unsafe { self.0.realloc(pointer, layout, new_size) };
        if !moved.is_null() {
            record(size(new_size) - size(layout.size()));
        }
        moved
    }
}

/// The tests of this crate count memory as the product does.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: CountingAllocator<std::alloc::System> = CountingAllocator(std::alloc::System);
