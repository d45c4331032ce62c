//! A server that shares its queries out over `quarry worker` processes, which are killed, stopped and drained meanwhile: the answers
//! are those of one process.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quarry_tests::asked::{asked, seed};
use quarry_tests::dice::Dice;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;
use quarry_tests::wait::wait_for;
use quarry_tests::worker::Worker;
use serde_json::{Value, json};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(60);
/// The longest that a query may take that loses a worker, beside twice its time.
const AFTER_LOSS: Duration = Duration::from_secs(15);

/// Queries with exchanges, of several shapes. Each has an order of its own.
const QUERIES: [&str; 5] = [
    "select from_address, count(*), sum(value) from transactions group by 1 order by 3 desc, 1 limit 50",
    "select count(*), count(distinct from_address), max(gas_price) from transactions where value > 0",
    "select t.from_address, count(*) from transactions t join logs l on t.hash = l.transaction_hash
        group by 1 order by 2 desc, 1 limit 20",
    "select to_address, value, rank() over (partition by to_address order by value desc, hash) as r
        from transactions where to_address is not null order by to_address, r limit 200",
    "select block_date, sum(value), count(distinct to_address) from token_transfers group by 1 order by 1",
];

/// A server with a secret for workers.
struct Cluster {
    server: Server,
    token: String,
    home: Home,
    _folder: TempDir,
    secret: PathBuf,
    /// The rows of the queries, from one process.
    expected: Vec<Value>,
    asked: u64,
}

impl Cluster {
    fn start() -> Cluster {
        let home = Home::with_sample(SMALLEST_SAMPLE, 7);
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "0123456789abcdef0123456789abcdef").unwrap();
        let flags = ["--cluster-listen", "127.0.0.1:0", "--cluster-min-bytes", "0", "--cluster-secret-file"];
        let flags: Vec<&str> = flags.into_iter().chain([secret.to_str().unwrap()]).collect();
        let server = Server::start_with(home.path(), LIMIT, &flags);
        let token = server.register("analyst");
        let mut cluster = Cluster { server, token, home, _folder: folder, secret, expected: Vec::new(), asked: 0 };
        for query in QUERIES {
            let job = cluster.run(query);
            cluster.expected.push(cluster.rows(&job));
        }
        cluster
    }

    fn worker(&self) -> Worker {
        self.worker_at("127.0.0.1:0")
    }

    /// A worker on another machine: it has the files of the lake, without the catalogue, and can't write to its home.
    fn remote_worker(&self) -> (Worker, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let (home, spill) = (folder.path().join("home"), folder.path().join("spill"));
        std::fs::create_dir_all(home.join("lake")).unwrap();
        for entry in std::fs::read_dir(self.home.path().join("lake")).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                std::os::unix::fs::symlink(entry.path(), home.join("lake").join(entry.file_name())).unwrap();
            }
        }
        std::fs::set_permissions(&home, Permissions::from_mode(0o500)).unwrap();
        let coordinator = self.server.cluster.as_ref().unwrap();
        let flags = ["--coordinator", coordinator, "--secret-file", self.secret.to_str().unwrap(), "--spill"];
        let flags: Vec<&str> = flags.into_iter().chain([spill.to_str().unwrap()]).collect();
        (Worker::start(&home, &flags), folder)
    }

    fn worker_at(&self, address: &str) -> Worker {
        let coordinator = self.server.cluster.as_ref().unwrap();
        let flags = ["--coordinator", coordinator, "--secret-file", self.secret.to_str().unwrap()];
        Worker::start_at(self.home.path(), address, &flags)
    }

    /// Starts a query. The server would answer an equal one from the result that it has.
    fn begin(&mut self, query: &str) -> String {
        self.asked += 1;
        self.server.execute(&self.token, &format!("{query} -- {}", self.asked))
    }

    /// The labels that a rule finds, in an order of their own, and the log of the job.
    fn labels(&self, rule: &str) -> (Vec<String>, Vec<String>) {
        let job = json!({"kind": "LABEL", "spec": {"label": rule}});
        let job = self.server.data("POST", "/api/query/execute", Some(&self.token), Some(job));
        let id = job["jobId"].as_str().unwrap();
        self.finish(id, LIMIT);
        let rows = self.rows(id);
        // The job and the time differ each time.
        let label = |row: &Value| {
            let row = row.as_array().unwrap();
            json!([row[..9], row[12]]).to_string()
        };
        let mut rows: Vec<String> = rows.as_array().unwrap().iter().map(label).collect();
        rows.sort();
        (rows, self.log(id))
    }

    fn run(&mut self, query: &str) -> String {
        let id = self.begin(query);
        self.finish(&id, LIMIT);
        id
    }

    fn finish(&self, id: &str, limit: Duration) {
        let job = self.server.wait_for_state(&self.token, id, &["SUCCEEDED", "FAILED", "KILLED"], limit);
        assert_eq!(job["state"], "SUCCEEDED", "{job} {:?}", self.log(id));
    }

    fn rows(&self, id: &str) -> Value {
        let path = format!("/api/job/{id}/result?offset=0&limit=1000");
        self.server.data("GET", &path, Some(&self.token), None)["rows"].clone()
    }

    fn log(&self, id: &str) -> Vec<String> {
        let lines = self.server.data("GET", &format!("/api/job/{id}/log"), Some(&self.token), None);
        let lines = lines["lines"].as_array().cloned().unwrap_or_default();
        lines.iter().map(|line| line["text"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// Waits until queries run on so many workers.
    fn wait_for_workers(&mut self, count: usize) {
        let plural = if count == 1 { "" } else { "s" };
        let start = format!("Shared out over {count} worker{plural}:");
        wait_for(&start, LIMIT, || {
            let id = self.run(QUERIES[1]);
            self.log(&id).iter().any(|line| line.starts_with(&start)).then_some(())
        });
    }

    fn check(&self, query: usize, id: &str) {
        assert_eq!(self.rows(id), self.expected[query], "{} {:?}", QUERIES[query], self.log(id));
    }
}

#[test]
fn queries_run_on_workers_that_come_and_go() {
    let mut cluster = Cluster::start();
    assert!(cluster.expected.iter().all(|rows| rows.as_array().is_some_and(|rows| !rows.is_empty())));
    let (first, (second, _folder)) = (cluster.worker(), cluster.remote_worker());
    cluster.wait_for_workers(2);
    for (index, query) in QUERIES.into_iter().enumerate() {
        let id = cluster.run(query);
        cluster.check(index, &id);
        assert!(cluster.log(&id).iter().any(|line| line.starts_with("Shared out over 2 workers")), "{query}");
    }
    first.drain();
    assert!(first.ended(LIMIT).success());
    cluster.wait_for_workers(1);
    drop(second);
    for (index, query) in QUERIES.into_iter().enumerate() {
        let id = cluster.run(query);
        cluster.check(index, &id);
    }
}

#[test]
fn label_rules_find_the_same_on_workers() {
    let mut cluster = Cluster::start();
    // One with groups of addresses, one with several steps, one with a window.
    let rules = ["deposit-cluster", "exchange-deposit", "wash-trader"];
    let alone = rules.map(|rule| cluster.labels(rule).0);
    let _workers = (cluster.worker(), cluster.worker());
    cluster.wait_for_workers(2);
    for (rule, expected) in rules.into_iter().zip(alone) {
        let (found, log) = cluster.labels(rule);
        assert!(!expected.is_empty(), "{rule} finds nothing");
        assert_eq!(found, expected, "{rule} {log:?}");
        assert!(log.iter().any(|line| line.starts_with("Shared out over 2 workers")), "{rule} {log:?}");
    }
}

#[test]
fn a_worker_with_another_secret_is_not_let_in() {
    let mut cluster = Cluster::start();
    let other = cluster.secret.with_file_name("other");
    std::fs::write(&other, "another secret of 32 characters!").unwrap();
    let coordinator = cluster.server.cluster.clone().unwrap();
    let flags = ["--coordinator", &coordinator, "--secret-file", other.to_str().unwrap()];
    let mut stranger = Worker::start(cluster.home.path(), &flags);
    let worker = cluster.worker();
    cluster.wait_for_workers(1);
    // The stranger was started first, and is still not one of them.
    let id = cluster.run(QUERIES[0]);
    assert!(cluster.log(&id).iter().any(|line| line.starts_with("Shared out over 1 worker:")));
    assert!(stranger.is_running());
    drop(worker);
    let home = cluster.home.path();
    let flags = ["worker", "--listen", "0.0.0.0:0", "--advertise", "http://127.0.0.1:1"];
    let refused = quarry_tests::quarry::command(home, &flags).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("without a secret"), "{refused:?}");
}

#[test]
fn a_lost_worker_costs_time_and_no_rows() {
    let rounds = asked("QUARRY_TEST_WORKER_KILLS").unwrap_or(20);
    let mut dice = Dice::new(seed(20_261_201));
    let mut cluster = Cluster::start();
    let mut workers = vec![cluster.worker(), cluster.worker(), cluster.worker()];
    let usual: Vec<Duration> = QUERIES
        .iter()
        .map(|query| {
            let begun = Instant::now();
            cluster.run(query);
            begun.elapsed()
        })
        .collect();
    let mut lost = 0;
    for round in 0..rounds {
        cluster.wait_for_workers(workers.len());
        let (query, victim) = (dice.index(QUERIES.len()), dice.index(workers.len()));
        let begun = Instant::now();
        let id = cluster.begin(QUERIES[query]);
        // Not after a time: sometimes while it is planned, sometimes when it has begun, or ended.
        for _ in 0..dice.below(4) {
            let _ = cluster.server.job(&cluster.token, &id);
        }
        let worker = workers.remove(victim);
        let vanishes = dice.once_in(4);
        let worker = if vanishes {
            worker.pause();
            worker
        } else {
            let address = worker.address().to_string();
            worker.kill();
            cluster.worker_at(&address)
        };
        cluster.finish(&id, 2 * usual[query] + AFTER_LOSS);
        cluster.check(query, &id);
        lost += u64::from(cluster.log(&id).iter().any(|line| line.contains("was lost")));
        println!(
            "round {round}: {} after {:?}, {:?}",
            if vanishes { "stopped" } else { "killed" },
            begun.elapsed(),
            usual[query]
        );
        worker.resume();
        workers.push(worker);
    }
    println!("{lost} of {rounds} queries lost a worker");
}
