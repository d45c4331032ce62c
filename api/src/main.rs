//! The binary `quarry`.

mod memory;

use std::process::ExitCode;

use quarry_runtime::allocator::CountingAllocator;
use tikv_jemallocator::Jemalloc;

// Its memory does not grow with the threads of a server that runs for months: decision 39.
#[global_allocator]
static ALLOCATOR: CountingAllocator<Jemalloc> = CountingAllocator(Jemalloc);

fn main() -> ExitCode {
    memory::set_up();
    quarry::cli::main()
}
