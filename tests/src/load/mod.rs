//! What users do all day, each kind of work on an account of its own, and whether all of it that the server acknowledged is
//! there. The server may go away at any moment; a worker then ends its turn and knows what it can't be sure of.

mod following;
mod letters;
mod queries;
mod saves;
pub mod tables;

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::http;
use crate::node::Node;
use crate::server::Server;

/// Pause of a worker that has nothing to do for now.
const IDLE: Duration = Duration::from_millis(10);

/// Something went wrong because the server is gone.
#[derive(Debug)]
pub struct Gone;

/// One kind of work.
pub trait Work: Send {
    /// Does one thing; true when the server acknowledged it, false when there is nothing to do for now.
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone>;

    /// That all that was acknowledged is there, exactly: the newest of it, or with `all` everything. What was under way when
    /// the server went may be there, whole, or not; from here on it is known which.
    fn check(&mut self, user: &User<'_>, all: bool);
}

/// An account at work.
pub struct User<'a> {
    pub url: &'a str,
    pub token: &'a str,
    pub name: &'a str,
}

impl User<'_> {
    /// A call that the server must answer well, unless it is gone.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Gone> {
        let payload = body.map(Value::to_string).unwrap_or_default();
        self.send(method, path, "application/json", payload.as_bytes())
    }

    /// The same with any body.
    pub fn send(&self, method: &str, path: &str, media: &str, body: &[u8]) -> Result<Value, Gone> {
        let url = format!("{}{path}", self.url);
        let answer = match http::send(method, &url, Some(self.token), media, body) {
            Ok(answer) => answer,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("{method} {path} was not answered: {error}")
            }
            Err(_) => return Err(Gone),
        };
        // An answer that was cut off in the middle is none.
        let Ok(mut envelope) = serde_json::from_slice::<Value>(&answer.body) else { return Err(Gone) };
        assert_eq!(answer.status / 100, 2, "{}: {method} {path}: {envelope}", self.name);
        Ok(envelope["data"].take())
    }

    /// The same of a server that must be there.
    pub fn get(&self, path: &str) -> Value {
        self.call("GET", path, None).unwrap_or_else(|Gone| panic!("{}: GET {path}: the server is gone", self.name))
    }
}

/// All kinds of work with their accounts.
pub struct Load<'a> {
    workers: Vec<Worker<'a>>,
}

struct Worker<'a> {
    name: &'static str,
    token: String,
    work: Box<dyn Work + 'a>,
    dice: Dice,
}

/// What goes on outside while the workers work.
#[derive(Default)]
pub struct Progress {
    acknowledged: AtomicU64,
    over: AtomicBool,
}

impl Progress {
    /// Writes that the server has acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged.load(Ordering::Relaxed)
    }
}

impl<'a> Load<'a> {
    /// Makes the accounts; the server follows `node`.
    pub fn new(server: &Server, node: &'a Node, seed: u64) -> Load<'a> {
        server.register(letters::RECEIVER);
        let works: [(&str, Box<dyn Work + 'a>); 5] = [
            ("asker", Box::new(queries::Queries::default())),
            ("saver", Box::new(saves::Saves::default())),
            ("writer", Box::new(letters::Letters::default())),
            ("uploader", Box::new(tables::Tables::default())),
            ("follower", Box::new(following::Following { node })),
        ];
        let worker = |(number, (name, work))| Worker {
            name,
            token: server.register(name),
            work,
            dice: Dice::new(seed.wrapping_add(number)),
        };
        Load { workers: (0..).zip(works).map(worker).collect() }
    }

    /// That everything acknowledged is there.
    pub fn check(&mut self, server: &Server, all: bool) {
        for Worker { name, token, work, .. } in &mut self.workers {
            work.check(&User { url: &server.url, token, name }, all);
        }
    }

    /// Works until the server is gone or `outside` has ended.
    pub fn work(&mut self, server: Server, outside: impl FnOnce(Server, &Progress)) {
        let (url, progress) = (server.url.clone(), &Progress::default());
        thread::scope(|scope| {
            for worker in &mut self.workers {
                let url = &url;
                scope.spawn(move || {
                    let Worker { name, token, work, dice } = worker;
                    let user = User { url, token, name };
                    while !progress.over.load(Ordering::Relaxed) {
                        match work.step(&user, dice) {
                            Ok(true) => drop(progress.acknowledged.fetch_add(1, Ordering::Relaxed)),
                            Ok(false) => thread::park_timeout(IDLE),
                            Err(Gone) => return,
                        }
                    }
                });
            }
            let _over = Over(progress);
            outside(server, progress);
        });
    }
}

/// Ends the workers, also when what is outside failed.
struct Over<'a>(&'a Progress);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// A job that runs a query and has ended, with its first rows.
fn run(user: &User<'_>, text: &str) -> Result<Value, Gone> {
    let job = json!({"kind": "SQL", "text": text, "wait": 30_000});
    user.call("POST", "/api/query/execute", Some(&job))
}
