//! `quarry serve` killed (SIGKILL) again and again while users run and save queries, write letters, upload tables and make
//! schedules, and while it follows a chain that is reorganised: what it acknowledged is there after the next start. Where
//! the platform database is in PostgreSQL, that is killed too.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use quarry_tests::asked::{asked, seed};
use quarry_tests::cluster::Cluster;
use quarry_tests::dice::Dice;
use quarry_tests::load::Load;
use quarry_tests::node::Node;
use quarry_tests::quarry::Home;
use quarry_tests::server::{Server, command};
use quarry_tests::server_log::{end_of, panics};
use quarry_tests::wait::wait_for;

use crate::follow::{assert_same, wait_for_head};

const START: Duration = Duration::from_secs(60);
/// The longest that the workers may take to get so much acknowledged.
const WORK: Duration = Duration::from_secs(120);
/// Writes that are acknowledged before a kill, at most.
const WRITES: u64 = 60;
/// Once in so many starts everything is looked at, not only the newest.
const EVERYTHING: u64 = 20;

/// Once in so many kills a server is killed while it starts, too.
const STARTING: u64 = 2;
/// Once in so many kills PostgreSQL is killed right after the server, with what that had begun.
const DATABASE: u64 = 3;
/// Bytes that a server logs while it starts, about.
const START_LOG: u64 = 1_000;

/// A server that follows a node, with its log in a file.
pub fn serve(home: &Home, node: &Node, log: &Path) -> Server {
    serve_with(home, &flags(node, None), log)
}

fn serve_with(home: &Home, flags: &[String], log: &Path) -> Server {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Server::start_logged(home.path(), START, &flags, append(log))
}

/// Accounts soon have limits of their own, though all of them come from this machine.
fn flags(node: &Node, database: Option<&Cluster>) -> Vec<String> {
    let node = node.websocket();
    let mut flags: Vec<String> =
        ["--rpc", &node, "--rpc-from", "0", "--new-account-time", "1s"].map(str::to_string).into();
    if let Some(database) = database {
        flags.extend(["--database-url".to_string(), database.url()]);
    }
    flags
}

fn append(log: &Path) -> File {
    File::options().create(true).append(true).open(log).expect("a file for the log")
}

/// Starts a server and kills it before it is ready, or just then.
fn kill_while_starting(home: &Home, flags: &[String], log: &Path, bytes: u64) {
    let size = || fs::metadata(log).map_or(0, |about| about.len());
    let before = size();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut command = command(home.path(), &flags);
    let mut process = command.stdout(Stdio::null()).stderr(append(log)).spawn().expect("quarry starts");
    wait_for("the server to log something", START, || {
        let ready = || String::from_utf8_lossy(&fs::read(log).expect("a log")[before as usize..]).contains("ready");
        (size() >= before + bytes || ready()).then_some(())
    });
    process.kill().expect("it runs");
    let ended = process.wait().expect("a child");
    assert_eq!(ended.code(), None, "it ended by itself: {}", end_of(log));
}

#[test]
fn what_was_acknowledged_outlives_a_kill() {
    kill_again_and_again(None);
}

#[test]
fn what_was_acknowledged_outlives_a_kill_with_postgresql() {
    kill_again_and_again(Some(Cluster::start()));
}

fn kill_again_and_again(mut database: Option<Cluster>) {
    let kills = asked("QUARRY_TEST_SERVER_KILLS").unwrap_or(5);
    let mut dice = Dice::new(seed(20_261_130));
    let node = Node::start();
    node.make_chain(2);
    let home = Home::new();
    let logs = tempfile::tempdir().expect("a folder");
    let log = logs.path().join("log");
    let flags = flags(&node, database.as_ref());
    let mut server = serve_with(&home, &flags, &log);
    let mut load = Load::new(&server, &node, dice.below(1 << 32));
    let (mut acknowledged, mut starts, mut databases, mut slowest) = (0, 0, 0, Duration::ZERO);
    for kill in 1..=kills {
        // Not after a time: some kills come at once, some with much under way.
        let writes = dice.below(WRITES);
        let mut killed = database.as_mut().filter(|_| dice.once_in(DATABASE));
        load.work(server, |mut server, progress| {
            wait_for("the writes to be acknowledged", WORK, || {
                assert!(server.is_running(), "the server ended: {}", end_of(&log));
                (progress.acknowledged() >= writes).then_some(())
            });
            server.kill();
            if let Some(database) = &mut killed {
                database.kill();
                databases += 1;
            }
            acknowledged += progress.acknowledged();
        });
        if let Some(database) = killed {
            database.start_again();
        }
        if dice.once_in(STARTING) {
            let bytes = dice.below(START_LOG);
            kill_while_starting(&home, &flags, &log, bytes);
            starts += 1;
        }
        let begun = Instant::now();
        server = serve_with(&home, &flags, &log);
        slowest = slowest.max(begun.elapsed());
        assert_eq!(server.call("GET", "/readyz", None, None).status, 200, "it is ready");
        home.run(&["verify"]);
        load.check(&server, kill % EVERYTHING == 0 || kill == kills);
        // A long run says how far it is.
        println!(
            "killed {kill} times and {starts} times while starting, PostgreSQL {databases} times; {acknowledged} writes were \
             acknowledged and are there; slowest start {slowest:?}"
        );
        let _ = std::io::stdout().flush();
    }
    assert_eq!(panics(&log), Vec::<String>::new());
    wait_for_head(&home, &node);
    assert!(server.stop(), "it stops as asked");
    assert_same(&home, &node);
}
