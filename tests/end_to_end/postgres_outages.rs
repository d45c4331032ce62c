//! PostgreSQL as platform database stands still, is killed and started again, or has a full disk.

use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

use quarry_tests::cluster::Cluster;
use quarry_tests::http::{self, Answer, FORM};
use quarry_tests::load::tables::numbers_form;
use quarry_tests::postgres::Client;
use quarry_tests::quarry::Home;
use quarry_tests::server::Server;
use quarry_tests::small_disk::SmallDisk;
use quarry_tests::wait::wait_for;
use quarry_tests::websocket::Socket;
use serde_json::{Value, json};

const START: Duration = Duration::from_secs(60);
/// Within this time a call is answered, whatever the database does.
const ANSWERED: Duration = Duration::from_secs(2);
/// Calls of each kind at once while the database is gone.
const AT_ONCE: usize = 3;
/// Queries that are saved before the database is killed.
const SAVED: usize = 30;
/// Reads on a full disk, for longer than the half second between two questions whether the database is there.
const READS: usize = 400;

fn serve(home: &Home, cluster: &Cluster) -> Server {
    Server::start_with(home.path(), START, &["--sample-transactions", "0", "--database-url", &cluster.url()])
}

/// What users do all day, by name.
const KINDS: [&str; 6] = ["log-in", "registration", "save", "query", "list", "upload"];

/// One call of a kind; `name` is new each time.
fn call(server: &Server, token: &str, kind: &str, name: &str) -> Answer {
    let account = || json!({"userName": "ada", "password": "s3cret-enough"});
    match kind {
        "log-in" => server.call("POST", "/api/user/login", None, Some(account())),
        "registration" => {
            let account = json!({"userName": name, "password": "s3cret-enough", "agree": true});
            server.call("POST", "/api/user/register", None, Some(account))
        }
        "save" => save(server, token, name),
        "query" => {
            let job = json!({"kind": "SQL", "text": "select 42", "wait": 30_000});
            server.call("POST", "/api/query/execute", Some(token), Some(job))
        }
        "list" => server.call("GET", "/api/job/list?page=1&size=10", Some(token), None),
        "upload" => {
            let url = format!("{}/api/table/upload", server.url);
            let body = numbers_form(name, "create", &[1, 2, 3]);
            http::send("POST", &url, Some(token), FORM, &body).expect("an answer")
        }
        other => panic!("no call is of the kind {other}"),
    }
}

fn save(server: &Server, token: &str, title: &str) -> Answer {
    let query =
        json!({"title": title, "what": {"kind": "SQL", "text": "select 1"}, "updateStrategy": "manual", "cron": ""});
    server.call("POST", "/api/query/create", Some(token), Some(query))
}

/// That calls of all kinds, several at once, are answered in time while the database is gone.
fn assert_refused(server: &Server, token: &str, when: &str) {
    thread::scope(|scope| {
        for (number, kind) in KINDS.iter().cycle().take(KINDS.len() * AT_ONCE).enumerate() {
            scope.spawn(move || {
                let begun = Instant::now();
                let answer = call(server, token, kind, &format!("lost_{number}"));
                let took = begun.elapsed();
                assert_eq!(answer.status, 503, "{when}, {kind}: {}", answer.json());
                assert_eq!(answer.json()["code"], "database_unavailable", "{when}, {kind}");
                assert!(took < ANSWERED, "{when}, {kind}: {took:?}");
            });
        }
    });
    assert_eq!(server.call("GET", "/readyz", None, None).status, 503, "{when}");
    assert_eq!(server.call("GET", "/healthz", None, None).status, 200, "{when}");
}

/// That calls of all kinds succeed once the server is ready again.
fn assert_served(server: &Server, token: &str, when: &str) {
    wait_for("the server to be ready", START, || {
        (server.call("GET", "/readyz", None, None).status == 200).then_some(())
    });
    for kind in KINDS {
        let answer = call(server, token, kind, &format!("{when}_{}", kind.len()));
        assert_eq!(answer.status / 100, 2, "{when}, {kind}: {}", answer.json());
    }
    assert_eq!(server.query(token, "select 42")["rows"], json!([["42"]]), "{when}");
}

#[test]
fn calls_are_answered_while_postgresql_stands_still() {
    let cluster = Cluster::start();
    let home = Home::new();
    let server = serve(&home, &cluster);
    let token = server.register("ada");
    for when in ["first", "second"] {
        cluster.freeze();
        // The first calls begin before the server knows, the next ones after.
        assert_refused(&server, &token, when);
        assert_refused(&server, &token, when);
        cluster.thaw();
        assert_served(&server, &token, when);
    }
    assert!(server.stop(), "it stops as asked");
}

#[test]
fn open_connections_are_answered_while_postgresql_stands_still() {
    let cluster = Cluster::start();
    let home = Home::new();
    let url = cluster.url();
    let flags = ["--sample-transactions", "0", "--database-url", &url, "--postgres", "127.0.0.1:0"];
    let server = Server::start_with(home.path(), START, &flags);
    let token = server.register("ada");
    server.register("bob");
    let address = server.postgres.as_deref().expect("it is served");
    let connect = || {
        let mut client = Client::connect(address, Ipv4Addr::LOCALHOST).expect("the server listens");
        client.log_in("ada", "s3cret-enough").map(|()| client)
    };
    let mut client = connect().expect("a login");
    assert_eq!(client.ask("select 1").expect("an answer"), "1");
    let mut socket = Socket::open(&server.url, &token).expect("a websocket");
    let mut write = |number: u32| {
        let time = format!("{number}@@@{number}");
        socket.send("chat.message", json!({"msg": "bob@@@hello", "time": time})).expect("it is open");
        let answer = socket.wait_for(|kind, data| match kind {
            "chat.ack" | "error" if data["time"] == time.as_str() => Some(data["code"].clone()),
            _ => None,
        });
        answer.expect("it is open")
    };
    assert_eq!(write(1), Value::Null, "a letter is acknowledged");

    cluster.freeze();
    let begun = Instant::now();
    let refused = client.ask("select 2").expect_err("the database is gone").to_string();
    assert!(refused.contains("57P03") && refused.contains("cannot reach its database"), "{refused}");
    assert!(begun.elapsed() < ANSWERED, "{:?}", begun.elapsed());
    let refused = connect().err().expect("the database is gone").to_string();
    assert!(refused.contains("57P03") && refused.contains("cannot reach its database"), "{refused}");
    assert_eq!(write(2), "database_unavailable");
    assert!(begun.elapsed() < ANSWERED * 2, "{:?}", begun.elapsed());

    cluster.thaw();
    assert_served(&server, &token, "again");
    while client.receive().expect("the connection stays").0 != b'Z' {}
    assert_eq!(client.ask("select 3").expect("an answer"), "3");
    assert_eq!(write(3), Value::Null, "a letter is acknowledged");
    connect().expect("a login");
}

#[test]
fn what_postgresql_acknowledged_outlives_its_kill() {
    let mut cluster = Cluster::start();
    let home = Home::new();
    let server = serve(&home, &cluster);
    let token = server.register("ada");
    let job = server.execute(&token, "select 7");
    server.wait_for_state(&token, &job, &["SUCCEEDED"], START);
    let mut acknowledged: Vec<Value> = Vec::new();
    for when in ["first", "second"] {
        let enough = acknowledged.len() + SAVED;
        thread::scope(|scope| {
            // It is killed while queries are saved.
            let saving = scope.spawn(|| {
                let mut saved = Vec::new();
                loop {
                    let answer = save(&server, &token, &format!("{when} {}", saved.len()));
                    match answer.status {
                        200 => saved.push(answer.json()["data"].clone()),
                        503 => return saved,
                        other => panic!("{other}: {}", answer.json()),
                    }
                }
            });
            wait_for("queries to be saved", START, || {
                let mine = server.data("GET", "/api/creation/mine?kind=query&page=1&size=1", Some(&token), None);
                (mine["total"].as_u64().unwrap_or_else(|| panic!("{mine}")) >= enough as u64).then_some(())
            });
            cluster.kill();
            acknowledged.extend(saving.join().expect("saving ended well"));
        });
        assert_refused(&server, &token, when);
        assert_refused(&server, &token, when);
        cluster.start_again();
        assert_served(&server, &token, when);
        for query in &acknowledged {
            let id = query["id"].as_str().unwrap_or_else(|| panic!("{query}"));
            let found = server.data("GET", &format!("/api/query/detail?id={id}"), Some(&token), None);
            assert_eq!((&found["title"], &found["what"]), (&query["title"], &query["what"]));
        }
        assert_eq!(server.job(&token, &job)["state"], "SUCCEEDED");
    }
    assert!(server.stop(), "it stops as asked");
}

#[test]
fn a_full_disk_of_postgresql_is_said_and_reads_go_on() {
    let disk = SmallDisk::mount_sized("256m");
    let cluster = Cluster::start_on(disk.path());
    let home = Home::new();
    let server = serve(&home, &cluster);
    let token = server.register("ada");
    assert_eq!(save(&server, &token, "before").status, 200);
    assert_eq!(server.call("GET", "/readyz", None, None).status, 200);

    disk.fill();
    let ready = wait_for("the server not to be ready", START, || {
        let answer = server.call("GET", "/readyz", None, None);
        (answer.status == 503).then_some(answer)
    });
    let said = ready.json()["msg"].as_str().unwrap_or_default().to_string();
    assert!(said.contains("no space left on the disk of the platform database"), "{said}");
    // Pages that are not full yet take some more.
    let refused = (1..5_000).find_map(|number| {
        let answer = save(&server, &token, &format!("{number} {}", "x".repeat(50)));
        (answer.status != 200).then_some(answer)
    });
    let refused = refused.expect("the disk is full");
    assert_eq!(refused.status, 507, "{}", refused.json());
    assert_eq!(refused.json()["code"], "storage_full");
    assert!(refused.json()["msg"].as_str().unwrap_or_default().contains("no space left"), "{}", refused.json());
    // From now on PostgreSQL refuses new connections; those that the server has go on.
    cluster.forget_catalogs();
    disk.fill();
    assert!(!cluster.connects(), "the disk is full");
    for _ in 0..READS {
        let mine = server.data("GET", "/api/creation/mine?kind=query&page=1&size=1", Some(&token), None);
        assert!(mine["total"].as_u64() >= Some(1), "reads go on: {mine}");
    }
    let ready = server.call("GET", "/readyz", None, None);
    assert_eq!((ready.status, &ready.json()["msg"]), (503, &json!(said)));
    assert_eq!(server.call("GET", "/healthz", None, None).status, 200);

    disk.make_room();
    assert_served(&server, &token, "again");
}
