//! The build of this process. A plan means something only to the same build: operators, functions and their states change.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::PathBuf;

use quarry_types::{Error, Result};
use twox_hash::XxHash64;

const CHUNK: usize = 1 << 20;

/// The version, and a hash of the running program.
///
/// # Errors
///
/// The program can't be read.
pub(super) fn read(version: &str) -> Result<String> {
    let hash = hash_of(program().map_err(Error::internal)?).map_err(Error::internal)?;
    Ok(format!("{version}-{hash:016x}"))
}

/// On Linux this file is the program also after an update has replaced it.
fn program() -> io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}

fn hash_of(file: PathBuf) -> io::Result<u64> {
    let (mut file, mut hasher, mut chunk) = (File::open(file)?, XxHash64::default(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finish()),
            read => hasher.write(&chunk[..read]),
        }
    }
}
