//! Tells cargo to build anew when the web build changed, and stands in an empty folder where there is none.

use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=migrations");
    // A watched folder that is missing would count as changed at every build.
    std::fs::create_dir_all(Path::new("../web/dist"))?;
    println!("cargo:rerun-if-changed=../web/dist");
    Ok(())
}
