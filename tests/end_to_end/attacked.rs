//! A server that is attacked at random, and what must hold of it afterwards.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quarry_tests::beside::beside;
use quarry_tests::process::Process;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;
use quarry_tests::server_log::{end_of, panics};
use quarry_tests::wait::wait_for;

const START: Duration = Duration::from_secs(60);
/// Within this time whoever does nothing wrong is answered, in a build without optimisation on a busy machine.
const ANSWERED: Duration = Duration::from_secs(5);
/// Free memory goes back to the machine after 10 s, and silent connections are cut sooner.
const CALM: Duration = Duration::from_secs(60);
/// Memory that a server may keep after an attack and the queries beside it: ended jobs, threads, buffers.
const MAX_GROWTH: u64 = 128 << 20;
/// Descriptors that a server may open and keep under load: connections to its database, threads.
const MORE_DESCRIPTORS: usize = 100;

/// A server on a small sample chain, with its log in a file.
pub struct Attacked {
    pub server: Server,
    pub home: Home,
    log: PathBuf,
    _logs: tempfile::TempDir,
}

impl Attacked {
    pub fn start() -> Attacked {
        let home = Home::with_sample(SMALLEST_SAMPLE, 5);
        let logs = tempfile::tempdir().expect("a folder");
        let log = logs.path().join("log");
        // Accounts soon have limits of their own, though all of them come from this machine.
        let flags = ["--postgres", "127.0.0.1:0", "--new-account-time", "1s"];
        let file = File::create(&log).expect("a file for the log");
        let server = Server::start_logged(home.path(), START, &flags, file);
        Attacked { server, home, log, _logs: logs }
    }

    /// Attacks it. It must live, serve others meanwhile, panic nowhere, and be left without the attackers' connections and
    /// memory.
    pub fn survives(mut self, attack: impl FnOnce(&Attacked)) {
        let process = self.server.process();
        let listening = process.connections();
        // Once around, so that what a server makes once is there.
        beside(&self.server, self.home.path(), ANSWERED, || {});
        wait_for_connections(process, listening);
        let (before, descriptors) = (process.allocated(), process.descriptors());
        let seen = beside(&self.server, self.home.path(), ANSWERED, || attack(&self));
        assert!(self.server.is_running(), "the server ended: {}", end_of(&self.log));
        assert_eq!(panics(&self.log), Vec::<String>::new());
        wait_for_connections(process, listening);
        let now = process.descriptors();
        assert!(now <= descriptors + MORE_DESCRIPTORS, "{now} descriptors are open, {descriptors} were before");
        let (mut least, deadline) = (u64::MAX, Instant::now() + CALM);
        wait_for("memory to come back or not", 2 * CALM, || {
            least = least.min(process.allocated());
            (least <= before + MAX_GROWTH || Instant::now() > deadline).then_some(())
        });
        println!("{seen:?}, memory {} MB before and {} MB after", before >> 20, least >> 20);
        assert!(least <= before + MAX_GROWTH, "memory stays: {before} bytes before, {least} after");
        assert!(self.server.stop(), "it stops as asked");
    }
}

fn wait_for_connections(process: Process, most: usize) {
    wait_for("all connections to be closed", CALM, || (process.connections() <= most).then_some(()));
}
