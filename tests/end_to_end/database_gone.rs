//! The platform database in PostgreSQL goes away, silently or with a broken connection, and comes back.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quarry_tests::cluster::program;
use quarry_tests::quarry::{Home, command};
use quarry_tests::server::Server;
use quarry_tests::wait::wait_for;
use serde_json::json;

const START: Duration = Duration::from_secs(60);
/// Within this time a call is answered, whatever the database does.
const ANSWERED: Duration = Duration::from_secs(2);

/// What a network does with the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Open,
    /// Connections stay, and nothing comes through: a stopped process, a pulled cable.
    Silent,
    /// Connections break, and new ones end at once.
    Broken,
}

/// Stands between a server and PostgreSQL.
#[derive(Clone)]
struct Network {
    port: u16,
    way: Arc<(Mutex<Way>, Condvar)>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Network {
    fn to(socket: PathBuf) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let way = Arc::new((Mutex::new(Way::Open), Condvar::new()));
        let network = Network { port, way, open: Arc::default() };
        let accepting = network.clone();
        // Ends with the test's process.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if accepting.now() != Way::Broken {
                    let server = UnixStream::connect(&socket).expect("PostgreSQL runs");
                    accepting.join(client, server);
                }
            }
        });
        network
    }

    fn join(&self, client: TcpStream, server: UnixStream) {
        self.open.lock().unwrap().push(client.try_clone().unwrap());
        let (from_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let (client_end, server_end) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let (up, down) = (self.clone(), self.clone());
        // The end of one side is that of the other: PostgreSQL keeps the locks of a session until its connection ends.
        thread::spawn(move || {
            up.pump(from_client, to_server);
            let _ = server_end.shutdown(Shutdown::Both);
        });
        thread::spawn(move || {
            down.pump(server, client);
            let _ = client_end.shutdown(Shutdown::Both);
        });
    }

    fn pump(&self, mut from: impl Read, mut to: impl Write) {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let (way, changed) = &*self.way;
            let way = changed.wait_while(way.lock().unwrap(), |way| *way == Way::Silent).unwrap();
            if *way == Way::Broken || to.write_all(&buffer[..count]).is_err() {
                return;
            }
        }
    }

    fn now(&self) -> Way {
        *self.way.0.lock().unwrap()
    }

    fn switch(&self, to: Way) {
        *self.way.0.lock().unwrap() = to;
        self.way.1.notify_all();
        if to == Way::Broken {
            for client in self.open.lock().unwrap().drain(..) {
                let _ = client.shutdown(Shutdown::Both);
            }
        }
    }
}

/// A new database, the folder of the socket of its server, and its address over TCP by way of a network.
fn database(name: &str) -> (PathBuf, Network, String) {
    #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
    let url = std::env::var("QUARRY_TEST_POSTGRES_URL").expect("run by scripts/with-postgres.sh");
    let folder = PathBuf::from(url.split("host=").nth(1).expect("a socket"));
    let made = Command::new(program("psql"))
        .args(["-X", "-U", "quarry", "-h"])
        .arg(&folder)
        .args(["-d", "quarry", "-c", &format!("create database {name}")])
        .output()
        .expect("psql starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let network = Network::to(folder.join(".s.PGSQL.5432"));
    let address = format!("postgres://quarry@127.0.0.1:{}/{name}", network.port);
    (folder, network, address)
}

fn serve(home: &Path, address: &str) -> Server {
    Server::start_with(home, START, &["--sample-transactions", "0", "--database-url", address])
}

#[test]
fn calls_are_answered_while_the_database_is_gone_and_work_when_it_is_back() {
    let (_folder, network, address) = database("gone");
    let home = Home::new();
    let server = serve(home.path(), &address);
    let token = server.register("ada");
    let calls = [
        ("GET", "/api/job/list?page=1&size=10", None),
        ("POST", "/api/query/execute", Some(json!({"kind": "SQL", "text": "select 1"}))),
    ];
    for way in [Way::Silent, Way::Broken] {
        network.switch(way);
        for (method, path, body) in &calls {
            let begun = Instant::now();
            let answer = server.call(method, path, Some(&token), body.clone());
            let took = begun.elapsed();
            assert_eq!(answer.status, 503, "{way:?} {path}: {}", answer.json());
            assert_eq!(answer.json()["code"], "database_unavailable", "{way:?} {path}");
            assert!(took < ANSWERED, "{way:?} {path}: {took:?}");
        }
        assert_eq!(server.call("GET", "/readyz", None, None).status, 503, "{way:?}");
        assert_eq!(server.call("GET", "/healthz", None, None).status, 200, "{way:?}");
        network.switch(Way::Open);
        wait_for("the server to be ready", START, || {
            (server.call("GET", "/readyz", None, None).status == 200).then_some(())
        });
        server.query(&token, "select 42");
    }
}

#[test]
fn a_server_with_another_token_secret_is_refused_until_it_is_changed_on_purpose() {
    let (_folder, _network, address) = database("secrets");
    let (one, other) = (Home::new(), Home::new());
    let first = serve(one.path(), &address);
    let token = first.register("ada");
    let flags = ["--sample-transactions", "0", "--database-url", &address, "--listen", "127.0.0.1:0"];
    let start = || command(other.path(), &["serve"]).args(flags).output().expect("quarry starts");
    let refused = start();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("another secret") && said.contains("quarry new-secret"), "{said}");
    assert_eq!(first.call("GET", "/api/job/list?page=1&size=1", Some(&token), None).status, 200);

    let said = other.fail(1, &["new-secret", "--database-url", &address]);
    assert!(said.contains("stop it first"), "{said}");
    assert!(first.stop());
    other.run(&["new-secret", "--database-url", &address]);
    let second = serve(other.path(), &address);
    assert_eq!(second.call("GET", "/api/job/list?page=1&size=1", Some(&token), None).status, 401, "logins ended");
    second.login("ada", "s3cret-enough");
}
