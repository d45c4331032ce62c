//! A user who does nothing wrong while others attack the server, and looks whether it still serves: over HTTP, over the
//! websocket and with a client of PostgreSQL.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_rustls::rustls::ClientConfig;

use crate::postgres::{self, Client};
use crate::server::Server;
use crate::websocket::Socket;

/// Password of accounts that `Server::register` makes.
const PASSWORD: &str = "s3cret-enough";

/// What the user saw.
#[derive(Debug, Default)]
pub struct Seen {
    /// Times that each way in was used.
    pub rounds: u32,
    /// The longest that one of them took.
    pub slowest: Duration,
}

/// Runs `attack` and, beside it, a user whose every question must be answered within `limit`.
pub fn beside(server: &Server, home: &Path, limit: Duration, attack: impl FnOnce()) -> Seen {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let user = scope.spawn(|| {
            let mut user = User::new(server, home, limit);
            // At least once, however short the attack is.
            loop {
                user.look();
                if over.load(Ordering::Relaxed) {
                    return user.seen;
                }
            }
        });
        let over = Over(&over);
        attack();
        drop(over);
        user.join().expect("whoever does nothing wrong is served")
    })
}

/// Ends the user's questions, also when the attack failed.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct User<'a> {
    server: &'a Server,
    token: String,
    address: &'a str,
    tls: Arc<ClientConfig>,
    /// Connections that stay open all the time.
    socket: Socket,
    client: Client,
    limit: Duration,
    seen: Seen,
}

impl<'a> User<'a> {
    fn new(server: &'a Server, home: &Path, limit: Duration) -> User<'a> {
        let token = account(server);
        let address = server.postgres.as_deref().expect("clients of PostgreSQL are served");
        let tls = postgres::tls(home);
        let socket = Socket::open(&server.url, &token).expect("a websocket");
        let mut client = Client::connect(address, Ipv4Addr::LOCALHOST).expect("a connection");
        client.log_in("bystander", PASSWORD).expect("a login");
        User { server, token, address, tls, socket, client, limit, seen: Seen::default() }
    }

    fn look(&mut self) {
        let (server, token) = (self.server, self.token.clone());
        self.timed("/healthz", |_| assert_eq!(server.call("GET", "/healthz", None, None).status, 200));
        self.timed("a job's progress", |user| {
            let job = server.execute(&token, "select count(*) from blocks");
            let succeeded = |data: &Value| {
                let ended =
                    data["jobId"] == job.as_str() && !matches!(data["state"].as_str(), Some("QUEUED" | "RUNNING"));
                ended.then(|| assert_eq!(data["state"], "SUCCEEDED", "{data}"))
            };
            let mut fresh = Socket::open(&server.url, &token).expect("another websocket");
            fresh.send("job.subscribe", json!({"jobId": job})).expect("it is open");
            let progress = |kind: &str, data: &Value| (kind == "job.progress").then(|| succeeded(data)).flatten();
            fresh.wait_for(progress).expect("the job's progress");
            let state = |kind: &str, data: &Value| (kind == "job.state").then(|| succeeded(data)).flatten();
            user.socket.wait_for(state).expect("the job's state on the websocket that is open all the time");
        });
        self.timed("a query on a connection that is open", |user| {
            assert_eq!(user.client.ask("select 42").expect("an answer"), "42");
        });
        self.timed("a query of a new client", |user| {
            let client = Client::connect(user.address, Ipv4Addr::LOCALHOST).expect("a connection");
            let mut client = client.encrypt(&user.tls).expect("TLS");
            client.log_in("bystander", PASSWORD).expect("a login");
            assert_eq!(client.ask("select 43").expect("an answer"), "43");
        });
        self.seen.rounds += 1;
    }

    fn timed(&mut self, what: &str, ask: impl FnOnce(&mut Self)) {
        let begun = Instant::now();
        ask(self);
        let took = begun.elapsed();
        assert!(took < self.limit, "{what} took {took:?}");
        self.seen.slowest = self.seen.slowest.max(took);
    }
}

/// The token of the user's account, which is made the first time.
fn account(server: &Server) -> String {
    let account = json!({"userName": "bystander", "password": PASSWORD, "agree": true});
    match server.call("POST", "/api/user/register", None, Some(account)).status {
        200 => {}
        status => assert_eq!(status, 409, "the name is taken"),
    }
    server.login("bystander", PASSWORD)
}
