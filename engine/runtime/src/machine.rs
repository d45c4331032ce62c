//! The memory and cores that this process may use, of the machine or its container.

use std::fmt;
use std::path::{Path, PathBuf};

/// Assumed memory if it can't be read.
const DEFAULT_MEMORY: usize = 4 << 30;

/// Where the amount of memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemorySource {
    /// `/proc/meminfo`.
    Machine,
    /// A cgroup v2 limit (`memory.max`, `memory.high`).
    CgroupV2,
    /// A cgroup v1 limit (`memory.limit_in_bytes`).
    CgroupV1,
    /// The default.
    Unknown,
}

impl fmt::Display for MemorySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemorySource::Machine => "the machine",
            MemorySource::CgroupV2 => "the control group (v2)",
            MemorySource::CgroupV1 => "the control group (v1)",
            MemorySource::Unknown => "a guess",
        })
    }
}

/// What this process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Bytes of memory.
    pub memory: usize,
    pub memory_source: MemorySource,
    /// Cores that the process may run on, limited by the quota of its cgroup (the standard library reads v1 and v2).
    pub cores: usize,
}

impl Machine {
    /// Reads what this process may use.
    pub fn read() -> Machine {
        let (memory, memory_source) = memory(Path::new("/"));
        Machine { memory, memory_source, cores: std::thread::available_parallelism().map_or(2, usize::from) }
    }
}

/// Bytes of memory and their source, from the file systems below `root`.
fn memory(root: &Path) -> (usize, MemorySource) {
    let machine = read(&root.join("proc/meminfo")).as_deref().and_then(total_memory);
    let group = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = group.lines().filter_map(|line| group_limit(root, line));
    let limit = limits.min_by_key(|(bytes, _)| *bytes);
    match (machine, limit) {
        (Some(machine), Some((limit, source))) if limit < machine => (limit, source),
        (Some(machine), _) => (machine, MemorySource::Machine),
        (None, Some(limit)) => limit,
        (None, None) => (DEFAULT_MEMORY, MemorySource::Unknown),
    }
}

/// The lowest limit of a cgroup and its ancestors. `line` is one of `/proc/self/cgroup`: `id:controllers:path`.
fn group_limit(root: &Path, line: &str) -> Option<(usize, MemorySource)> {
    let mut parts = line.splitn(3, ':');
    let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let mounts = root.join("sys/fs/cgroup");
    let (mount, files, source): (PathBuf, &[&str], _) = match controllers {
        // In hybrid mode, v2 has its own mount.
        "" if mounts.join("unified").is_dir() => {
            (mounts.join("unified"), &["memory.max", "memory.high"], MemorySource::CgroupV2)
        }
        "" => (mounts, &["memory.max", "memory.high"], MemorySource::CgroupV2),
        named if named.split(',').any(|name| name == "memory") => {
            (mounts.join("memory"), &["memory.limit_in_bytes"], MemorySource::CgroupV1)
        }
        _ => return None,
    };
    // In a container the path may be that of the host; the mount is then the cgroup itself.
    let groups = Path::new(path.trim_start_matches('/')).ancestors();
    let limits = groups.flat_map(|group| files.iter().map(move |file| (group, file)));
    let limits = limits.filter_map(|(group, file)| read(&mount.join(group).join(file))?.trim().parse::<usize>().ok());
    limits.min().map(|bytes| (bytes, source))
}

/// `MemTotal` of `/proc/meminfo`, in bytes.
fn total_memory(text: &str) -> Option<usize> {
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

fn read(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: usize = 1 << 30;

    /// A file system with these files.
    fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [("proc/meminfo", "MemTotal:       8388608 kB\n")].iter().chain(files) {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn lower_cgroup_limit_applies() {
        let two = "2147483648\n";
        let none_v1 = "9223372036854771712\n";
        for (root, expected) in [
            (files(&[]), (8 * GIB, MemorySource::Machine)),
            // v2: of the cgroup itself, of an ancestor, and in a container that does not see the path of its host.
            (
                files(&[("proc/self/cgroup", "0::/a/b\n"), ("sys/fs/cgroup/a/b/memory.max", two)]),
                (2 * GIB, MemorySource::CgroupV2),
            ),
            (
                files(&[
                    ("proc/self/cgroup", "0::/a/b\n"),
                    ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                    ("sys/fs/cgroup/a/memory.high", two),
                ]),
                (2 * GIB, MemorySource::CgroupV2),
            ),
            (
                files(&[("proc/self/cgroup", "0::/../host\n"), ("sys/fs/cgroup/memory.max", two)]),
                (2 * GIB, MemorySource::CgroupV2),
            ),
            // v1, alone and in hybrid mode.
            (
                files(&[
                    ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n"),
                    ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", two),
                ]),
                (2 * GIB, MemorySource::CgroupV1),
            ),
            (
                files(&[
                    ("proc/self/cgroup", "4:memory:/a\n0::/a\n"),
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", none_v1),
                    ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", none_v1),
                    ("sys/fs/cgroup/unified/a/cgroup.procs", ""),
                ]),
                (8 * GIB, MemorySource::Machine),
            ),
            // Without a limit, and with one above the memory of the machine.
            (
                files(&[("proc/self/cgroup", "0::/a\n"), ("sys/fs/cgroup/a/memory.max", "max\n")]),
                (8 * GIB, MemorySource::Machine),
            ),
            (
                files(&[("proc/self/cgroup", "0::/a\n"), ("sys/fs/cgroup/a/memory.max", "99999999999\n")]),
                (8 * GIB, MemorySource::Machine),
            ),
        ] {
            assert_eq!(memory(root.path()), expected);
        }
        assert_eq!(memory(Path::new("/nowhere")), (DEFAULT_MEMORY, MemorySource::Unknown));
    }
}
