//! PostgreSQL clients that stream results (`COPY`, cursors, portals with a row limit), bind arrays, and query the catalog like
//! common products.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use quarry_tests::postgres::{self, Client, message, query, texts};
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::readers::installed;
use quarry_tests::repository;
use quarry_tests::server::Server;
use serde_json::{Value, json};

const START: Duration = Duration::from_secs(60);
const PASSWORD: &str = "s3cret-enough";
const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;
/// 200,000 rows of 1,330 bytes: far more than the allocator keeps of what was freed.
const LARGE: &str = "select repeat(a.hash::varchar, 10) as a, repeat(b.hash::varchar, 10) as b, a.number \
                     from blocks a cross join blocks b limit 200000";

fn serve(home: &Home) -> (Server, String) {
    let server = Server::start_with(home.path(), START, &["--postgres", "127.0.0.1:0"]);
    server.register("ada");
    let address = server.postgres.clone().expect("the address is told");
    (server, address)
}

fn client(address: &str) -> Client {
    let mut client = Client::connect(address, HERE).unwrap();
    client.log_in("ada", PASSWORD).unwrap();
    client
}

/// Runs a script of `tests/readers`, and returns the JSON that it prints.
fn python(script: &str, address: &str) -> Value {
    let (host, port) = address.rsplit_once(':').unwrap();
    let script = repository::root().join("tests/readers").join(script);
    let out = Command::new(installed("python")).arg(script).args([host, port, "ada", PASSWORD]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn psql(address: &str, folder: &Path, text: &str) -> Output {
    let (host, port) = address.rsplit_once(':').unwrap();
    let mut psql = postgres::psql(host, port, "ada", PASSWORD);
    psql.args(["-v", "FETCH_COUNT=100", "-c", text]).current_dir(folder).output().unwrap()
}

#[test]
fn common_clients_copy_fetch_and_bind_arrays() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (_server, address) = serve(&home);
    python("postgres_streams.py", &address);
    let folder = tempfile::tempdir().unwrap();
    let copy =
        "\\copy (select number, hash from blocks order by number limit 3) to 'blocks.csv' with (format csv, header)";
    let out = psql(&address, folder.path(), copy);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let expected = home.csv("select number, hash from blocks order by number limit 3");
    let written = std::fs::read_to_string(folder.path().join("blocks.csv")).unwrap();
    assert_eq!(written.lines().collect::<Vec<_>>(), [&["number,hash".to_string()][..], &expected].concat());
    // psql fetches 100 rows at a time.
    let fetched = psql(&address, folder.path(), "select number from blocks order by 1 limit 250");
    assert_eq!(String::from_utf8_lossy(&fetched.stdout).lines().count(), 250, "{fetched:?}");
    let refused = psql(&address, folder.path(), "\\copy blocks from 'blocks.csv' csv header");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("queries are read-only"), "{said}");
}

#[test]
fn products_get_answers_from_the_catalog() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (_server, address) = serve(&home);
    let found = python("postgres_catalogue.py", &address);
    let found = found.as_object().unwrap();
    // Tableau works without temporary tables if it can't create one.
    let refused: Vec<_> = found
        .iter()
        .filter_map(|(name, answer)| Some((name.as_str(), answer.as_str()?)))
        .filter(|(_, said)| said.starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    let temporary = "25006 CREATE LOCAL TEMPORARY TABLE is not allowed: queries are read-only. Tables of your own are \
                     made on the web, of an uploaded file or by a HIVE job.";
    assert_eq!(refused, [("tableau:temp", temporary)]);
    let rows = |name: &str| found[name].as_array().unwrap_or_else(|| panic!("{name}: {}", found[name])).clone();
    for (name, answer) in [
        ("dbeaver:txid", json!([["0"]])),
        ("tableau:cursor", json!([["1"]])),
        ("pgcli:schemas", json!([["pg_catalog"], ["ethereum"]])),
        ("powerbi:charset", json!([["UTF8"]])),
        ("dbeaver:conversion", json!([])),
        ("jdbc:primarykeys", json!([])),
        ("jdbc:importedkeys", json!([])),
        ("jdbc:crossreference", json!([])),
        ("jdbc:indexes", json!([])),
        ("jdbc:bestrow", json!([])),
        ("jdbc:functions", json!([])),
        ("jdbc:udts", json!([])),
        ("jdbc:typeoid", json!([["1700", "numeric"]])),
        ("jdbc:arraytype", json!([["1016", "_int8"]])),
        ("jdbc:elementtype", json!([["20", "1", "pg_catalog", "int8"]])),
        ("jdbc:tableprivileges", json!([["ethereum", "blocks", "ada", "{ada=r/ada}"]])),
        ("visivo:priv", json!([["True"]])),
    ] {
        assert_eq!(found[name], answer, "{name}");
    }
    let columns = rows("grafana:cols");
    assert!(columns.contains(&json!(["number", "bigint"])), "{columns:?}");
    let types = rows("pgcli:columns");
    let number = types.iter().find(|row| row[1] == "blocks" && row[2] == "number").unwrap();
    assert_eq!(number[3], "bigint", "the name of a type, not its number");
    let types = rows("jdbc:sqltypes");
    for known in [json!(["0", "b", "numeric", "1700"]), json!(["1", "b", "_numeric", "1231"])] {
        assert!(types.contains(&known), "{types:?}");
    }
    assert!(rows("jdbc:schemas").contains(&json!(["ethereum", null])));
    let tables = rows("metabase:privileges");
    let blocks = tables.iter().find(|row| row[1] == "ethereum" && row[2] == "blocks").unwrap();
    assert_eq!((&blocks[3], &blocks[4]), (&json!("0"), &json!("1")), "it may be read and not written");
}

/// Reads the messages of a response, and passes each to `see`.
fn read_all(client: &mut Client, mut see: impl FnMut(u8, &[u8])) {
    loop {
        let (letter, body) = client.receive().unwrap();
        see(letter, &body);
        if letter == b'Z' {
            return;
        }
    }
}

#[test]
fn a_large_copy_takes_little_memory_and_can_be_stopped() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (server, address) = serve(&home);
    let copy = query(&format!("copy ({LARGE}) to stdout"));
    let (mut rows, mut bytes) = (0, 0);
    let mut reading = client(&address);
    reading.send(&copy).unwrap();
    // CopyOutResponse comes once the query has finished.
    assert_eq!(reading.receive().unwrap().0, b'H');
    let (before, mut while_sent) = (server.process().allocated(), Vec::new());
    read_all(&mut reading, |letter, body| {
        if letter == b'd' {
            (rows, bytes) = (rows + 1, bytes + body.len());
            if rows % 20_000 == 0 {
                while_sent.push(server.process().allocated());
            }
        }
    });
    assert!(rows == 200_000 && bytes > 260_000_000, "{rows} rows of {bytes} bytes");
    // Includes what the server's own queries after its start take, and freed memory that the allocator keeps for some seconds.
    let most = while_sent.into_iter().max().unwrap();
    assert!(most < before + (96 << 20), "{before} bytes before, at most {most} while {bytes} were sent");

    // A client that does not read blocks nobody else, and can cancel from another connection.
    reading.send(&copy).unwrap();
    assert_eq!(reading.receive().unwrap().0, b'H');
    let mut other = client(&address);
    assert_eq!(other.ask("select count(*) from blocks where number < 10").unwrap(), "10");
    reading.cancel(&address, HERE).unwrap();
    let (mut sent, mut said) = (0, String::new());
    read_all(&mut reading, |letter, body| match letter {
        b'd' => sent += 1,
        b'E' => said = String::from_utf8_lossy(body).into_owned(),
        _ => {}
    });
    assert!(sent < 200_000 && said.contains("57014"), "{sent} rows, then {said}");
    assert_eq!(reading.ask("select 7").unwrap(), "7");
}

#[test]
fn a_portal_returns_at_most_the_requested_rows() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let (_server, address) = serve(&home);
    let mut client = client(&address);
    let parse = |text: &str| message(b'P', &[&texts(&["", text])[..], &[0, 0]].concat());
    let bind = |portal: &str| message(b'B', &[&texts(&[portal, ""])[..], &[0, 0, 0, 0, 0, 0]].concat());
    let execute = |portal: &str, rows: u32| message(b'E', &[&texts(&[portal])[..], &rows.to_be_bytes()].concat());
    let sync = message(b'S', b"");
    let mut ask = |messages: &[Vec<u8>]| {
        client.send(&[&messages.concat()[..], &sync].concat()).unwrap();
        let mut letters = String::new();
        read_all(&mut client, |letter, body| {
            letters.push(char::from(letter));
            if letter == b'C' || letter == b'E' {
                letters.push_str(&String::from_utf8_lossy(body).replace('\0', " "));
            }
        });
        letters
    };
    let five = parse("select number from blocks order by number limit 5");
    assert_eq!(ask(&[parse("begin"), bind(""), execute("", 0)]), "12CBEGIN Z");
    assert_eq!(ask(&[five.clone(), bind("p"), execute("p", 2)]), "12DDsZ");
    assert_eq!(ask(&[bind("q"), execute("q", 5)]), "2DDDDDsZ", "nobody knows yet that there are no more");
    assert_eq!(ask(&[execute("p", 2), execute("p", 2), execute("q", 1)]), "DDsDCSELECT 1 CSELECT 0 Z");
    // Portals and cursors share their names, and SQL can move a portal.
    assert!(ask(&[bind("p")]).contains("C42P03"));
    assert_eq!(ask(&[parse("rollback"), bind(""), execute("", 0)]), "12CROLLBACK Z");
    assert!(ask(&[execute("p", 2)]).contains("C34000"), "portals end with their transaction");
    assert_eq!(
        ask(&[parse("begin"), bind(""), execute("", 0), five, bind("p"), parse("fetch 2 from p"), bind("f")]),
        "12CBEGIN 1212Z"
    );
    assert_eq!(
        ask(&[message(b'D', &texts(&["Pf"])), execute("f", 1), execute("f", 0), execute("p", 1)]),
        "TDsDCFETCH 1 DsZ"
    );
    // A portal does not run a FETCH that has not run yet.
    assert_eq!(ask(&[parse("rollback"), bind(""), execute("", 0)]), "12CROLLBACK Z");
    let (first, second) = (parse("fetch 1 from p"), parse("fetch 1 from g"));
    let chained = [parse("select 1"), bind("p"), first, bind("g"), second, bind("h"), execute("h", 0)];
    assert!(ask(&chained).contains("C55000"));
    // A COPY ignores the row limit. A wrong number of formats is refused.
    let copy = parse("copy (select 1 from blocks limit 3) to stdout");
    assert_eq!(ask(&[copy, bind(""), execute("", 1)]), "12HdddcCCOPY 3 Z");
    let wrong = message(b'B', &[&texts(&["", ""])[..], &[0, 2, 0, 0, 0, 0, 0, 0, 0, 0]].concat());
    assert!(ask(&[parse("select 1"), wrong]).contains("C08P01"));
}
