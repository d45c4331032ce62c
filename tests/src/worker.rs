//! `quarry worker` as a process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::quarry;
use crate::wait::wait_for;

const START: Duration = Duration::from_secs(60);

/// A running worker; it is killed when this is dropped.
pub struct Worker {
    process: Child,
    pub url: String,
}

impl Worker {
    /// Starts on a free port and waits for the line with its address.
    pub fn start(home: &Path, flags: &[&str]) -> Worker {
        Worker::start_at(home, "127.0.0.1:0", flags)
    }

    /// The same on an address.
    pub fn start_at(home: &Path, address: &str, flags: &[&str]) -> Worker {
        let mut command = quarry::command(home, &["worker", "--listen", address]);
        let mut process = command.args(flags).stdout(Stdio::piped()).spawn().expect("quarry starts");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped")).lines();
        let (tell, told) = channel();
        // Reads to the end, so that the worker never blocks on a full pipe.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some(url) = line.strip_prefix("worker listening on ") {
                    // A test that gave up no longer listens.
                    let _ = tell.send(url.trim().to_string());
                }
            }
        });
        let url = told.recv_timeout(START).expect("the worker says where it listens");
        Worker { process, url }
    }

    /// The address that it listens on.
    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("a worker without TLS")
    }

    /// Ends it at once (SIGKILL).
    pub fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("a child");
    }

    /// Stops it as a machine that vanishes from the network would (SIGSTOP).
    pub fn pause(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on (SIGCONT).
    pub fn resume(&self) {
        self.signal("-CONT");
    }

    /// Asks it to end when its queries have (SIGTERM).
    pub fn drain(&self) {
        self.signal("-TERM");
    }

    /// Waits for it to exit.
    pub fn ended(mut self, limit: Duration) -> ExitStatus {
        wait_for("the worker to end", limit, || self.process.try_wait().expect("a child"))
    }

    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("a child").is_none()
    }

    fn signal(&self, signal: &str) {
        let asked = Command::new("kill").args([signal, &self.process.id().to_string()]).status();
        assert!(asked.expect("kill exists").success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
