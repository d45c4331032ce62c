//! A small file system that a test can fill.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A file system of 64 MB in memory, which is unmounted at the end of the test.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    pub fn mount() -> SmallDisk {
        SmallDisk::mount_sized("64m")
    }

    /// Mounts one of another size, in the words of `mount`.
    pub fn mount_sized(size: &str) -> SmallDisk {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = SmallDisk { folder };
        let options = format!("size={size},mode=0777");
        let mounted = as_root(&["mount", "-t", "tmpfs", "-o", &options, "quarry-test"], disk.path());
        assert!(mounted, "this test mounts a small file system, which takes root or sudo without a password");
        disk
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes until nothing fits any more; what was written before stays.
    pub fn fill(&self) {
        let mut file = File::options().create(true).append(true).open(self.path().join("filler")).expect("a file");
        let mut size = 1 << 20;
        while size > 0 {
            if file.write_all(&vec![7; size]).is_err() {
                size /= 2;
            }
        }
    }

    /// Writes until only so many bytes fit.
    pub fn fill_but(&self, bytes: u64) {
        self.fill();
        let file = File::options().write(true).open(self.path().join("filler")).expect("the filler");
        let size = file.metadata().expect("the filler").len();
        file.set_len(size - bytes).expect("it can be shortened");
    }

    pub fn make_room(&self) {
        fs::remove_file(self.path().join("filler")).expect("the filler");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        as_root(&["umount", "--lazy"], self.folder.path());
    }
}

/// Whether a command that ends with a path succeeds for root.
fn as_root(words: &[&str], path: &Path) -> bool {
    let run = |program: &str, words: &[&str]| {
        let ran = Command::new(program).args(words).arg(path).stderr(Stdio::null()).status();
        ran.is_ok_and(|status| status.success())
    };
    run(words[0], &words[1..]) || run("sudo", &[&["-n"], words].concat())
}
