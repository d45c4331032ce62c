//! An allocator that counts what jobs hold.

use std::alloc::{GlobalAlloc, Layout};

use super::memory_account::record;

/// Allocates with another allocator, and counts on the threads of jobs what they allocate and free. Without it as the global
/// allocator of the process, queries are held only to the memory that operators report.
#[derive(Debug)]
pub struct CountingAllocator<A>(pub A);

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

/// The tests of this crate count as the product does.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: CountingAllocator<std::alloc::System> = CountingAllocator(std::alloc::System);
