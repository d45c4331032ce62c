//! The binary `quarry`.

mod memory;

use std::process::ExitCode;

use quarry_engine::runtime::allocator::CountingAllocator;

// Short queries spend a fifth of their time in the allocator, and what long ones free goes back to the machine: decision 39.
#[global_allocator]
static ALLOCATOR: CountingAllocator<mimalloc::MiMalloc> = CountingAllocator(mimalloc::MiMalloc);

fn main() -> ExitCode {
    memory::keep();
    quarry::cli::main()
}
