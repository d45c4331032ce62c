//! `quarry serve` as a process, and calls to it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::{self, Answer};
use crate::process::Process;
use crate::quarry;
use crate::wait::wait_for;

/// Password of the `admin` account of every server that tests start.
pub const ADMIN_PASSWORD: &str = "adm1n-of-tests";

/// A running server; it is killed when this is dropped.
pub struct Server {
    process: Child,
    pub url: String,
    /// Address for clients of PostgreSQL, where the flags ask for one.
    pub postgres: Option<String>,
    /// Address at which workers register, where the flags ask for one.
    pub cluster: Option<String>,
}

impl Server {
    /// Starts on a free port and waits for the line that says it is ready.
    pub fn start(home: &Path, limit: Duration) -> Server {
        Server::start_with(home, limit, &[])
    }

    /// The same with more flags.
    pub fn start_with(home: &Path, limit: Duration, flags: &[&str]) -> Server {
        Server::start_logged(home, limit, flags, Stdio::inherit())
    }

    /// The same with its log in a file of the test.
    pub fn start_logged(home: &Path, limit: Duration, flags: &[&str], log: impl Into<Stdio>) -> Server {
        let mut process = command(home, flags).stdout(Stdio::piped()).stderr(log).spawn().expect("quarry starts");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped")).lines();
        let (tell, told) = channel();
        // Reads to the end, so that the server never blocks on a full pipe.
        std::thread::spawn(move || {
            let (mut postgres, mut cluster) = (None, None);
            for line in lines.map_while(Result::ok) {
                if let Some(address) = line.split("PostgreSQL clients on ").nth(1) {
                    postgres = Some(address.trim().to_string());
                }
                if let Some(url) = line.strip_prefix("workers register at ") {
                    cluster = Some(url.trim().to_string());
                }
                if let Some(url) = line.split("listening on ").nth(1) {
                    // A test that gave up no longer listens.
                    let _ = tell.send((url.trim().to_string(), postgres.take(), cluster.take()));
                }
            }
        });
        match told.recv_timeout(limit) {
            Ok((url, postgres, cluster)) => Server { process, url, postgres, cluster },
            Err(_) => {
                let _ = process.kill();
                panic!("no 'listening on' line within {limit:?}; exit: {:?}", process.wait());
            }
        }
    }

    /// One call; `token` is that of a login.
    pub fn call(&self, method: &str, path: &str, token: Option<&str>, body: Option<Value>) -> Answer {
        let url = format!("{}{path}", self.url);
        http::request(method, &url, token, body.as_ref()).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// One call that must succeed; returns the envelope's `data`.
    pub fn data(&self, method: &str, path: &str, token: Option<&str>, body: Option<Value>) -> Value {
        let answer = self.call(method, path, token, body);
        let mut envelope = answer.json();
        assert_eq!(answer.status / 100, 2, "{method} {path}: {envelope}");
        assert_eq!(envelope["status"], "success", "{method} {path}: {envelope}");
        envelope["data"].take()
    }

    /// The token of a new account.
    pub fn register(&self, name: &str) -> String {
        let account = json!({"userName": name, "password": "s3cret-enough", "agree": true});
        text(&self.data("POST", "/api/user/register", None, Some(account))["token"])
    }

    /// The token of an account that exists.
    pub fn login(&self, name: &str, password: &str) -> String {
        let account = json!({"userName": name, "password": password});
        text(&self.data("POST", "/api/user/login", None, Some(account))["token"])
    }

    /// Starts an SQL job and returns its id.
    pub fn execute(&self, token: &str, sql: &str) -> String {
        let job = json!({"kind": "SQL", "text": sql});
        text(&self.data("POST", "/api/query/execute", Some(token), Some(job))["jobId"])
    }

    /// The job as the server tells it now.
    pub fn job(&self, token: &str, id: &str) -> Value {
        self.data("GET", &format!("/api/job/{id}"), Some(token), None)
    }

    /// Waits until the job is in one of these states.
    pub fn wait_for_state(&self, token: &str, id: &str, states: &[&str], limit: Duration) -> Value {
        wait_for(&format!("job {id} to be {states:?}"), limit, || {
            let job = self.job(token, id);
            states.contains(&job["state"].as_str().unwrap_or_default()).then_some(job)
        })
    }

    /// Runs a query to its end and returns its first rows.
    pub fn query(&self, token: &str, sql: &str) -> Value {
        let id = self.execute(token, sql);
        let job = self.wait_for_state(token, &id, &["SUCCEEDED", "FAILED", "KILLED"], Duration::from_secs(60));
        assert_eq!(job["state"], "SUCCEEDED", "{sql}: {job}");
        self.data("GET", &format!("/api/job/{id}/result?offset=0&limit=100"), Some(token), None)
    }

    /// Asks it to stop (SIGTERM) and returns whether it ended with exit status 0.
    pub fn stop(mut self) -> bool {
        let asked = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        assert!(asked.expect("kill exists").success());
        let status = wait_for("the server to stop", Duration::from_secs(60), || self.process.try_wait().unwrap());
        status.success()
    }

    /// Ends it at once, while others still call it; their calls fail.
    pub fn kill_now(&self) {
        let asked = Command::new("kill").args(["-KILL", &self.process.id().to_string()]).status();
        assert!(asked.expect("kill exists").success());
    }

    /// Ends it at once, as a power cut would (SIGKILL). It must have been running.
    pub fn kill(mut self) {
        assert!(self.is_running(), "the server ended before it was killed");
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// What the system says about its process.
    pub fn process(&self) -> Process {
        Process(self.process.id())
    }
}

/// `quarry serve` on a free port.
pub fn command(home: &Path, flags: &[&str]) -> Command {
    let mut command = quarry::command(home, &["serve", "--listen", "127.0.0.1:0"]);
    command.args(flags).env("QUARRY_ADMIN_PASSWORD", ADMIN_PASSWORD);
    command
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_string()
}
