//! Requests that try to use up memory or processor time. Other accounts are still answered, the request ends with a reason, and
//! its memory is freed. The limits are those of a machine with 2 GiB.

mod files;
mod queries;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;
use quarry_tests::wait::wait_for;
use serde_json::{Value, json};

const START: Duration = Duration::from_secs(60);
/// Time between two looks at the memory of the process.
const LOOK: Duration = Duration::from_millis(10);
/// Time that a bomb has before it is killed.
const FUSE: Duration = Duration::from_secs(2);
/// Time within which a killed job ends, and within which others are answered.
const PROMPTLY: Duration = Duration::from_secs(2);

const MIB: u64 = 1 << 20;
/// 80 % of 2 GiB, as is the default; a tenth more is allowed.
const PROCESS_LIMIT: u64 = 1_638 * MIB;
const LIMITS: [&str; 6] =
    ["--memory-limit", "1228MiB", "--query-memory-limit", "614MiB", "--process-memory-limit", "1638MiB"];
/// What an idle server of this size holds at most, when the allocator has given back what it kept.
const IDLE: u64 = 700 * MIB;

#[test]
fn no_query_takes_the_memory_or_the_time_of_others() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    let server = Server::start_with(home.path(), START, &LIMITS);
    let (attacker, other) = (server.register("attacker"), server.register("other"));
    under_attack(&server, &other, |others| {
        for text in queries::sql() {
            let job = json!({"kind": "SQL", "text": text});
            detonate(&server, &attacker, &job, &["FAILED"]);
            others.check(&job);
        }
        for job in queries::others() {
            detonate(&server, &attacker, &job, &["FAILED"]);
            others.check(&job);
        }
        for job in queries::label_rules(&server, &attacker) {
            detonate(&server, &attacker, &job, &["FAILED", "SUCCEEDED"]);
            others.check(&job);
        }
    });
    let message = "GROUP BY produces 8192 grouping sets";
    let columns: Vec<String> = (0..13).map(|digit| format!("gas + {digit}")).collect();
    let cube = format!("select count(*) from transactions group by cube({})", columns.join(", "));
    let job = server.execute(&other, &cube);
    let job = server.wait_for_state(&other, &job, &["FAILED"], START);
    assert!(job["message"].as_str().unwrap().contains(message), "{job}");
}

/// How others fare.
#[derive(Default)]
struct Others {
    slowest: Mutex<Duration>,
    /// Most bytes that the process held.
    peak: AtomicU64,
    done: AtomicBool,
}

impl Others {
    /// That nobody waited long, and that the process kept to its limit.
    fn check(&self, attack: &Value) {
        let slowest = *self.slowest.lock().unwrap();
        assert!(slowest < PROMPTLY, "another account waited {slowest:?} beside {attack}");
        let peak = self.peak.load(Ordering::Relaxed);
        assert!(peak <= PROCESS_LIMIT + PROCESS_LIMIT / 10, "the process held {} MiB: {attack}", peak / MIB);
    }
}

/// Attacks a server while `other` asks small questions and the memory is watched, which must come back afterwards.
fn under_attack(server: &Server, other: &str, attack: impl FnOnce(&Others)) {
    let others = Others::default();
    std::thread::scope(|scope| {
        scope.spawn(|| watch_memory(server, &others));
        scope.spawn(|| ask_small_questions(server, other, &others));
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| attack(&others)));
        others.done.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
    let (slowest, peak) = (*others.slowest.lock().unwrap(), others.peak.load(Ordering::Relaxed) / MIB);
    println!("the slowest answer to another account took {slowest:?}, the process held up to {peak} MiB");
    wait_for("the memory to come back", Duration::from_secs(60), || {
        // What is free goes back when somebody works again.
        server.query(other, &format!("select {}", nanos()));
        (server.process().resident() < IDLE).then_some(())
    });
}

/// Runs one job until it ends, and kills it if that takes too long.
fn detonate(server: &Server, token: &str, job: &Value, ends: &[&str]) {
    let answer = server.call("POST", "/api/query/execute", Some(token), Some(job.clone()));
    let envelope = answer.json();
    assert_eq!(answer.status / 100, 2, "{job}: {envelope}");
    let id = envelope["data"]["jobId"].as_str().unwrap_or_else(|| panic!("{envelope}"));
    let begun = Instant::now();
    let ended = wait_for("a job to end or its time", START, || {
        let state = server.job(token, id);
        let ended = ["SUCCEEDED", "FAILED", "KILLED"].iter().any(|ended| state["state"] == *ended);
        (ended || begun.elapsed() > FUSE).then_some(state)
    });
    if ended["state"] == "RUNNING" {
        server.data("POST", &format!("/api/job/{id}/kill"), Some(token), Some(json!({})));
        let killed = Instant::now();
        server.wait_for_state(token, id, &["KILLED", "FAILED"], PROMPTLY);
        println!("killed in {:?}: {job}", killed.elapsed());
        return;
    }
    let code = ended["code"].as_str().unwrap_or_default();
    println!("{code} after {:?}: {job}", begun.elapsed());
    assert!(ends.iter().any(|end| ended["state"] == *end), "{job}: {ended}");
    assert!(
        ended["state"] == "SUCCEEDED"
            || ["memory_limit", "too_complex", "result_limit", "invalid_query"].contains(&code),
        "{job}: {ended}"
    );
}

/// Another account asks small things all the time.
fn ask_small_questions(server: &Server, token: &str, others: &Others) {
    while !others.done.load(Ordering::Relaxed) {
        let begun = Instant::now();
        // No two are equal: equal ones would share a result.
        let job = json!({"kind": "SQL", "text": format!("select {}", nanos()), "wait": 30_000});
        let answer = server.data("POST", "/api/query/execute", Some(token), Some(job));
        assert_eq!(answer["job"]["state"], "SUCCEEDED", "{answer}");
        let took = begun.elapsed();
        {
            let mut slowest = others.slowest.lock().unwrap();
            *slowest = took.max(*slowest);
        }
        std::thread::park_timeout(LOOK);
    }
}

/// Notes the largest size of the process, and ends it before it could take the machine down.
fn watch_memory(server: &Server, others: &Others) {
    while !others.done.load(Ordering::Relaxed) {
        let held = server.process().resident();
        others.peak.fetch_max(held, Ordering::Relaxed);
        if held > 2 * PROCESS_LIMIT {
            server.kill_now();
            return;
        }
        std::thread::park_timeout(LOOK);
    }
}

fn nanos() -> u128 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos()
}
