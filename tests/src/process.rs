//! What the system says about a running process.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// A process by its number.
#[derive(Debug, Clone, Copy)]
pub struct Process(pub u32);

impl Process {
    /// Descriptors of sockets for TCP that it has open, those that it listens on among them. Its threads have other sockets
    /// among themselves.
    pub fn connections(self) -> usize {
        let tcp: HashSet<String> = ["tcp", "tcp6"].into_iter().flat_map(|table| self.sockets(table)).collect();
        self.open().iter().filter(|what| tcp.contains(&*what.to_string_lossy())).count()
    }

    /// Descriptors that it has open.
    pub fn descriptors(self) -> usize {
        self.open().len()
    }

    /// Memory that it holds of the machine, in bytes, its program among it.
    pub fn resident(self) -> u64 {
        self.memory("VmRSS:")
    }

    /// The same without files: the program is read from its file bit by bit as it is used.
    pub fn allocated(self) -> u64 {
        self.memory("RssAnon:")
    }

    fn memory(self, line: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).expect("the process runs");
        let figure = status.lines().find_map(|found| found.strip_prefix(line)).expect("the system counts its memory");
        let kilobytes: u64 = figure.trim().trim_end_matches(" kB").parse().expect("a number of kB");
        kilobytes * 1024
    }

    /// The sockets of one of the system's tables, as descriptors name them.
    fn sockets(self, table: &str) -> Vec<String> {
        let table = fs::read_to_string(format!("/proc/{}/net/{table}", self.0)).unwrap_or_default();
        let number = |line: &str| line.split_whitespace().nth(9).map(|number| format!("socket:[{number}]"));
        table.lines().skip(1).filter_map(number).collect()
    }

    /// What its descriptors stand for; one that is closed meanwhile is left out.
    fn open(self) -> Vec<PathBuf> {
        let folder = fs::read_dir(format!("/proc/{}/fd", self.0)).expect("the process runs");
        folder.flatten().filter_map(|entry| fs::read_link(entry.path()).ok()).collect()
    }
}
