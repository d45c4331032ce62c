//! Runs of `quarry` that are killed with SIGKILL, not after a time but once they have written so many bytes.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::asked::asked;
use crate::quarry::Home;

/// Folders of a lake.
pub const TABLES: [&str; 9] =
    ["blocks", "transactions", "logs", "token_transfers", "traces", "contracts", "withdrawals", "days", "address_days"];

const LIMIT: Duration = Duration::from_secs(120);

/// How often each path is killed: `make soak` asks for hundreds.
pub fn rounds() -> u64 {
    asked("QUARRY_TEST_KILLS").unwrap_or(20)
}

/// A running `quarry`; killed when dropped.
pub struct Run(Child);

impl Run {
    pub fn start(mut command: Command) -> Run {
        Run(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("quarry starts"))
    }

    /// Kills it once the lake of its home has so many bytes. False when it ended by itself before, which must be a
    /// success.
    pub fn kill_at(mut self, home: &Home, bytes: u64) -> bool {
        let deadline = Instant::now() + LIMIT;
        loop {
            // What it wrote last is seen before it is asked whether it still runs.
            let written = lake_bytes(home);
            if let Some(status) = self.0.try_wait().expect("a child") {
                assert!(status.success(), "it ended with {status}");
                return false;
            }
            if written >= bytes {
                return true;
            }
            assert!(Instant::now() < deadline, "it neither wrote {bytes} bytes nor ended");
            std::thread::yield_now();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Bytes of all files of a home's lake, published or not.
pub fn lake_bytes(home: &Home) -> u64 {
    files(&home.path().join("lake")).iter().map(|(_, bytes)| bytes).sum()
}

/// Parquet files of a home's lake, published or not.
pub fn lake_files(home: &Home) -> usize {
    files(&home.path().join("lake")).iter().filter(|(name, _)| name.ends_with(".parquet")).count()
}

/// Names and sizes; a file that vanishes meanwhile counts for nothing.
fn files(folder: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(about) if about.is_dir() => found.extend(files(&entry.path())),
            Ok(about) => found.push((entry.file_name().to_string_lossy().into_owned(), about.len())),
            Err(_) => {}
        }
    }
    found
}
