//! Has cargo rebuild when the web build changed, creates an empty folder if there is none, and leaves the names of functions out of
//! the binary that ships: they are a fifth of its size.

use std::path::Path;

#[allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts as variables")]
fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=migrations");
    // A watched folder that is missing would count as changed at every build.
    std::fs::create_dir_all(Path::new("../web/dist"))?;
    println!("cargo:rerun-if-changed=../web/dist");
    // Tests are compiled without optimization (docs/decisions/0003) and keep the names for their backtraces.
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") == "linux" && variable("OPT_LEVEL") != "0" {
        println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
    }
    Ok(())
}
