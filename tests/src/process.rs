//! Connections, descriptors and memory of a running process, from `/proc`.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// A process by its number.
#[derive(Debug, Clone, Copy)]
pub struct Process(pub u32);

impl Process {
    /// Open TCP sockets, including listening ones. Its threads use other sockets among themselves.
    pub fn connections(self) -> usize {
        let tcp: HashSet<String> = ["tcp", "tcp6"].into_iter().flat_map(|table| self.sockets(table)).collect();
        self.open().iter().filter(|what| tcp.contains(&*what.to_string_lossy())).count()
    }

    /// The processes that it started.
    pub fn children(self) -> Vec<Process> {
        let all = fs::read_dir("/proc").expect("Linux").flatten();
        let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).map(Process);
        numbers.filter(|process| process.stat().is_some_and(|(_, parent)| parent == self.0)).collect()
    }

    /// Whether it has ended, though its parent may not have asked how.
    pub fn is_over(self) -> bool {
        self.stat().is_none_or(|(state, _)| matches!(state, 'Z' | 'X'))
    }

    /// Its state and the number of its parent.
    fn stat(self) -> Option<(char, u32)> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        // The name before may hold anything.
        let mut words = stat.rsplit_once(") ")?.1.split(' ');
        Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
    }

    /// Open file descriptors.
    pub fn descriptors(self) -> usize {
        self.open().len()
    }

    /// Resident memory in bytes, including the pages of the executable.
    pub fn resident(self) -> u64 {
        self.memory("VmRSS:")
    }

    /// Resident memory in bytes without file pages: those of the executable are read as they are used.
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

    /// Targets of its descriptors; those closed in the meantime are left out.
    fn open(self) -> Vec<PathBuf> {
        let folder = fs::read_dir(format!("/proc/{}/fd", self.0)).expect("the process runs");
        folder.flatten().filter_map(|entry| fs::read_link(entry.path()).ok()).collect()
    }
}
