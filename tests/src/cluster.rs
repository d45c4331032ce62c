//! A PostgreSQL of a test's own, which the test may stop, kill and start again.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::process::Process;
use crate::wait::wait_for;

const START: Duration = Duration::from_secs(60);

/// A running server with a database `postgres`; it ends when this is dropped.
pub struct Cluster {
    /// Holds its socket, its write-ahead log and what it says.
    folder: TempDir,
    data: PathBuf,
    postmaster: Child,
}

impl Cluster {
    pub fn start() -> Cluster {
        let folder = open_folder();
        let data = folder.path().join("data");
        Cluster::make(folder, data)
    }

    /// The same with the tables in `disk`, where anybody may write, and the write-ahead log elsewhere: PostgreSQL ends when
    /// that finds no space.
    pub fn start_on(disk: &Path) -> Cluster {
        Cluster::make(open_folder(), disk.join("data"))
    }

    fn make(folder: TempDir, data: PathBuf) -> Cluster {
        let made = command("initdb")
            .args(["-U", "quarry", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"])
            .arg(&data)
            .arg("-X")
            .arg(folder.path().join("wal"))
            .output()
            .expect("setpriv starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let postmaster = postmaster(folder.path(), &data);
        let cluster = Cluster { folder, data, postmaster };
        cluster.wait_until_ready();
        cluster
    }

    /// Its address for `--database-url`.
    pub fn url(&self) -> String {
        format!("postgres://quarry@localhost/postgres?host={}", self.folder.path().display())
    }

    /// Stops all its processes (SIGSTOP): its sockets still take connections, and nobody answers.
    pub fn freeze(&self) {
        // The first one could start more.
        signal("STOP", &[self.postmaster()]);
        signal("STOP", &self.postmaster().children());
    }

    /// Lets them go on.
    pub fn thaw(&self) {
        signal("CONT", &self.postmaster().children());
        signal("CONT", &[self.postmaster()]);
    }

    /// Removes what it has prepared for new connections, as it does whenever its catalogs change. On a full disk it then takes none.
    pub fn forget_catalogs(&self) {
        let bases = fs::read_dir(self.data.join("base")).expect("a folder for each database").flatten();
        let folders = bases.map(|base| base.path()).chain([self.data.join("global")]);
        for file in folders.map(|folder| folder.join("pg_internal.init")).filter(|file| file.exists()) {
            fs::remove_file(file).expect("it can be removed");
        }
    }

    /// Whether it takes a new connection.
    pub fn connects(&self) -> bool {
        let asked = Command::new(program("psql")).args(["-X", "-d", &self.url(), "-c", "select 1"]).output();
        asked.expect("psql starts").status.success()
    }

    /// Ends all its processes at once (SIGKILL), as a crash of its machine would.
    pub fn kill(&mut self) {
        self.freeze();
        let children = self.postmaster().children();
        signal("KILL", &children);
        signal("KILL", &[self.postmaster()]);
        self.postmaster.wait().expect("a child");
        wait_for("the processes of PostgreSQL to end", START, || {
            children.iter().all(|child| child.is_over()).then_some(())
        });
    }

    /// Starts it after [`Cluster::kill`].
    pub fn start_again(&mut self) {
        self.postmaster = postmaster(self.folder.path(), &self.data);
        self.wait_until_ready();
    }

    fn postmaster(&self) -> Process {
        Process(self.postmaster.id())
    }

    fn wait_until_ready(&self) {
        wait_for("PostgreSQL to be ready", START, || {
            let asked = Command::new(program("pg_isready")).arg("-q").arg("-h").arg(self.folder.path()).status();
            asked.expect("pg_isready starts").success().then_some(())
        });
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if thread::panicking() {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            eprintln!("what PostgreSQL said:\n{log}");
        }
        if let Ok(None) = self.postmaster.try_wait() {
            self.kill();
        }
    }
}

/// A program of the newest PostgreSQL of this machine.
pub fn program(name: &str) -> PathBuf {
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .expect("PostgreSQL is missing: run `make setup` first")
        .map(|entry| entry.expect("a folder").path().join("bin").join(name))
        .filter(|program| program.is_file())
        .collect();
    versions.sort();
    versions.pop().unwrap_or_else(|| panic!("{name} comes with PostgreSQL"))
}

/// A folder that PostgreSQL can use whoever runs the test.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("it is ours");
    folder
}

fn postmaster(folder: &Path, data: &Path) -> Child {
    let log = File::options().create(true).append(true).open(folder.join("log")).expect("a file for its log");
    command("postgres")
        .arg("-D")
        .arg(data)
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c"])
        .arg(format!("unix_socket_directories={}", folder.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("setpriv starts")
}

/// A program of PostgreSQL, which refuses to run as root and ends with the thread that started it.
fn command(name: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if fs::metadata("/proc/self").expect("Linux").uid() == 0 {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.arg(program(name));
    command
}

/// Sends a signal; who is gone already needs none.
fn signal(name: &str, to: &[Process]) {
    if !to.is_empty() {
        let numbers = to.iter().map(|process| process.0.to_string());
        Command::new("kill").arg(format!("-{name}")).args(numbers).stderr(Stdio::null()).status().expect("kill exists");
    }
}
