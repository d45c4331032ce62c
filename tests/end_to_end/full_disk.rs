//! A disk that is full: a clear stop, and the lake as it was before. For a command, the system's limit on the size of files
//! is what fills up; a server gets a small file system of its own.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use quarry_tests::etl;
use quarry_tests::kills::{TABLES, lake_files};
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::{Server, command};
use quarry_tests::small_disk::SmallDisk;
use quarry_tests::wait::wait_for;
use serde_json::json;

/// Runs a command that may write no file of more than so many units of 512 bytes. A write beyond it fails as one on a
/// full disk does, once the signal that comes with it is ignored.
fn limited(home: &Home, units: u32, words: &[&str]) -> Output {
    let plain = home.command(words);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f $0; exec \"$@\"", &units.to_string()]);
    command.arg(plain.get_program()).args(plain.get_args());
    // All that a command of a home changes about the environment is what it takes away.
    for (name, _) in plain.get_envs() {
        command.env_remove(name);
    }
    command.output().expect("a shell")
}

/// The command that imports a folder.
fn import(folder: &Path) -> [&str; 6] {
    let path = folder.to_str().expect("a path of text");
    ["import", "--format", "ethereum-etl", "--chain-id", "90210001", path]
}

#[test]
fn an_import_that_meets_a_full_disk_is_given_up_and_can_be_done_again() {
    let sample = Home::with_sample(SMALLEST_SAMPLE, 4);
    // Few blocks, which fit, then many.
    let folder = tempfile::tempdir().expect("a folder");
    etl::write(&sample, folder.path(), &[0..5, 5..200]);
    let words = import(folder.path());
    let home = Home::new();
    let out = limited(&home, 800, &words);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("maximum size"), "it says what is full: {said}");
    assert_eq!(home.value("select count(*) from blocks"), "5", "what was there stays");

    home.run(&words);
    assert_eq!(home.value("select count(*) from blocks"), "200");
    let live: usize = TABLES.iter().map(|table| home.lake_files(table).len()).sum();
    assert_eq!(lake_files(&home), live, "nothing is left of what was given up");
}

const START: Duration = Duration::from_secs(60);

#[test]
fn a_server_on_a_full_disk_says_so_serves_reads_and_loses_nothing() {
    let disk = SmallDisk::mount();
    let home = disk.path().join("home");
    let flags = ["--sample-transactions", "0"];
    let server = Server::start_with(&home, START, &flags);
    let token = server.register("ada");
    let mut acknowledged = vec![server.execute(&token, "select 0")];
    server.wait_for_state(&token, &acknowledged[0], &["SUCCEEDED"], START);
    assert_eq!(server.call("GET", "/readyz", None, None).status, 200);

    disk.fill();
    // What SQLite has allocated already takes some more, so it need not be the first one.
    let refused = (1..2_000).find_map(|n| {
        let job = json!({"kind": "SQL", "text": format!("select {n}")});
        let answer = server.call("POST", "/api/query/execute", Some(&token), Some(job));
        match answer.status {
            200 => acknowledged.push(answer.json()["data"]["jobId"].as_str().expect("an id").to_string()),
            429 => {}
            _ => return Some(answer),
        }
        None
    });
    let refused = refused.expect("the disk is full");
    assert_eq!(refused.status, 507, "{}", refused.json());
    assert_eq!(refused.json()["code"], "storage_full");
    let login = json!({"userName": "ada", "password": "s3cret-enough"});
    let answer = server.call("POST", "/api/user/login", None, Some(login));
    assert_eq!(answer.status, 507, "{}", answer.json());
    let ready = wait_for("the server not to be ready", START, || {
        let answer = server.call("GET", "/readyz", None, None);
        (answer.status == 503).then_some(answer)
    });
    assert!(ready.json()["msg"].as_str().unwrap_or_default().contains("no space left"), "{}", ready.json());
    assert_eq!(server.call("GET", "/api/job/list?page=1&size=10", Some(&token), None).status, 200);
    server.kill();
    // What the process held open is free again.
    disk.fill();

    let server = Server::start_with(&home, START, &flags);
    for id in &acknowledged {
        assert_eq!(server.job(&token, id)["jobId"], id.as_str(), "what was acknowledged is there");
    }
    let page = server.data("GET", &format!("/api/job/{}/result?offset=0&limit=1", acknowledged[0]), Some(&token), None);
    assert_eq!(page["rows"][0][0].to_string().trim_matches('"'), "0");
    let ready = server.call("GET", "/readyz", None, None);
    assert_eq!(ready.status, 503, "what was set aside is in use: {}", ready.json());
    disk.make_room();
    wait_for("the server to be ready", START, || {
        (server.call("GET", "/readyz", None, None).status == 200).then_some(())
    });
    server.login("ada", "s3cret-enough");
    server.query(&token, "select 42");
}

#[test]
fn a_first_start_on_a_full_disk_ends_with_a_sentence_and_the_next_one_with_room_succeeds() {
    let disk = SmallDisk::mount();
    let flags = ["--sample-transactions", "0"];
    for free in [0, 16 << 10, 64 << 10, 300 << 10, 1 << 20, 4 << 20] {
        let home = disk.path().join(format!("home-{free}"));
        disk.fill_but(free);
        let out = command(&home, &flags).output().expect("quarry starts");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{free}: {said}");
        let sentence =
            said.lines().find(|line| line.starts_with("error: ")).unwrap_or_else(|| panic!("{free}: {said}"));
        assert!(sentence.contains("no space left"), "{free}: {said}");
        assert!(!said.contains("panicked"), "{free}: {said}");

        disk.make_room();
        let server = Server::start_with(&home, START, &flags);
        assert_eq!(server.call("GET", "/readyz", None, None).status, 200, "{free}");
        server.register("ada");
        assert!(server.stop());
        std::fs::remove_dir_all(home).expect("the server has ended");
    }
}
