//! The binary `quarry`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quarry::cli::main()
}
