//! Files that would take all memory: results that are downloaded, files and pictures that are uploaded, and metrics in bulk.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use quarry_tests::http::{FORM, form};
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;
use quarry_tests::wait::wait_for;
use serde_json::{Value, json};

use super::{LIMITS, START, under_attack};

/// A little less than the largest table file.
const LARGEST: usize = 250_000_000;
/// Of files whose every value is looked at.
const LARGE: usize = 12_000_000;
const ACCOUNTS: usize = 3;
/// Pages that an account asks for at the same time.
const PAGES: usize = 30;
/// Longest time for an answer to a large request on a busy machine.
const ANSWER: Duration = Duration::from_secs(120);

#[test]
fn no_file_takes_the_memory_or_the_time_of_others() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    // Accounts are new for a second; then each has limits of its own.
    let flags = [&LIMITS[..], &["--new-account-time", "1s"]].concat();
    let server = Server::start_with(home.path(), START, &flags);
    let other = server.register("other");
    let attackers: Vec<String> = (0..ACCOUNTS).map(|number| server.register(&format!("attacker{number}"))).collect();
    let registered = Instant::now();
    under_attack(&server, &other, |others| {
        wait_for("the accounts to be known", START, || (registered.elapsed() > Duration::from_secs(2)).then_some(()));
        let value = server.execute(&attackers[0], "select repeat('x', 40000000)");
        let value = server.wait_for_state(&attackers[0], &value, &["FAILED"], START);
        assert_eq!(value["code"], "result_limit", "{value}");
        others.check(&value);

        let wide = "select repeat(hash::varchar, 100) as long, * from transactions limit 12000";
        for format in ["csv", "json", "parquet", "arrow", "xlsx"] {
            at_once(&attackers, |token| {
                let job = server.execute(token, wide);
                server.wait_for_state(token, &job, &["SUCCEEDED"], ANSWER);
                let path = format!("/api/job/{job}/download?format={format}");
                // One client reads nothing, and the next one gets all of it.
                let slow = get(&server, token, &path);
                assert!(drain(get(&server, token, &path)) > 1_000_000);
                drop(slow);
                assert!(drain(get(&server, token, &format!("/api/job/{job}/result?offset=0&limit=10000"))) > 1_000_000);
            });
            others.check(&json!(format));
        }

        unread_pages(&server, &attackers);
        others.check(&json!("unread pages"));

        for (name, file, answer) in tables() {
            at_once(&attackers, |token| {
                assert_eq!(
                    upload(&server, token, "/api/table/upload", &format!("{name}.csv"), &file),
                    answer,
                    "{name}"
                );
            });
            others.check(&json!(name));
        }

        for (name, width, height, answer) in [
            ("flat.png", 10_000, 3_000, "taken"),
            ("wide.png", 10_000, 10_000, "not_a_picture"),
            ("long.png", 2, 2_000_000, "not_a_picture"),
        ] {
            let picture = png(width, height);
            at_once(&attackers, |token| {
                assert_eq!(upload(&server, token, "/api/file/upload/feedback", name, &picture), answer, "{name}");
            });
            others.check(&json!(name));
        }

        let metadata = server.data("GET", "/api/v1/metrics/metadata", Some(&other), None);
        let names = all_paths(&metadata);
        at_once(&attackers, |token| {
            for since in 1_400_000_000_000_u64..1_400_000_000_100 {
                let path = format!("/api/v1/metrics/bulk?m={}&i=1h&s={since}", names[..names.len().min(40)].join(","));
                assert!(drain(get(&server, token, &path)) > 100);
            }
        });
        others.check(&json!("metrics"));
    });
}

/// Asks for many pages of 30 MB and reads nothing of them. Some are answered, the others are refused, and once the clients have
/// gone there is room again.
fn unread_pages(server: &Server, tokens: &[String]) {
    let ask = |token: &str| {
        let job = server.execute(token, "select repeat(hash::varchar, 450) as long from transactions limit 1000");
        server.wait_for_state(token, &job, &["SUCCEEDED"], ANSWER);
        let path = format!("/api/job/{job}/result?limit=10000");
        let open: Vec<TcpStream> = (0..PAGES).map(|_| get(server, token, &path)).collect();
        open.into_iter().map(|stream| (status(&stream), stream)).collect::<Vec<_>>()
    };
    let asked = std::thread::scope(|scope| {
        let running: Vec<_> = tokens.iter().map(|token| scope.spawn(|| ask(token))).collect();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    let with = |wanted: &str| asked.iter().filter(|(status, _)| status == wanted).count();
    let (answered, refused) = (with("200"), with("503"));
    assert!(answered > 0 && refused > 0 && answered + refused == tokens.len() * PAGES, "{answered}, {refused}");
    drop(asked);
    wait_for("room for a page", ANSWER, || ask(&tokens[0]).iter().any(|(status, _)| status == "200").then_some(()));
}

/// The status of an answer of which nothing has been read.
fn status(mut stream: &TcpStream) -> String {
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("an answer");
    String::from_utf8_lossy(&head[9..]).into_owned()
}

/// Does something for all accounts at the same time.
fn at_once(tokens: &[String], work: impl Fn(&str) + Sync) {
    std::thread::scope(|scope| {
        let running: Vec<_> = tokens.iter().map(|token| scope.spawn(|| work(token))).collect();
        running.into_iter().for_each(|one| one.join().unwrap());
    });
}

/// CSV files that try to use far more memory than they have bytes, each with its answer.
fn tables() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let header: Vec<String> = (0..1_000).map(|column| format!("c{column}")).collect();
    let header = header.join(",") + "\n";
    let filled = |header: &str, row: &str, bytes: usize| {
        let mut file = header.as_bytes().to_vec();
        while file.len() < bytes {
            file.extend_from_slice(row.as_bytes());
        }
        file
    };
    let empty = ",".repeat(999) + "\n";
    vec![
        ("one_value", filled("a\n", &"x".repeat(1 << 20), LARGEST), "invalid_input"),
        ("open_quote", filled("a\n\"", &"x,\n".repeat(1 << 18), LARGEST), "invalid_input"),
        ("empty_cells", filled(&header, &empty.repeat(100), LARGE), "taken"),
        ("short_rows", filled("a\n", &"1\n".repeat(1 << 18), LARGE), "taken"),
    ]
}

/// Uploads a file; answers the code of the refusal, or `taken`.
fn upload(server: &Server, token: &str, path: &str, name: &str, file: &[u8]) -> String {
    let table = name.split('.').next().unwrap_or_default();
    let body = form(&[("table", table), ("mode", "replace")], name, file);
    let length = body.len();
    let mut stream =
        begin(server, token, &format!("POST {path} HTTP/1.1\r\nContent-Type: {FORM}\r\nContent-Length: {length}"));
    stream.write_all(&body).expect("a body");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{name}: {answer}"));
    let envelope: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{name}: {error}: {answer}"));
    envelope["code"].as_str().unwrap_or("taken").to_string()
}

/// Asks for something, and reads nothing of the answer.
fn get(server: &Server, token: &str, path: &str) -> TcpStream {
    begin(server, token, &format!("GET {path} HTTP/1.1"))
}

/// Sends the head of a request that begins with these lines.
fn begin(server: &Server, token: &str, lines: &str) -> TcpStream {
    let address = server.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(ANSWER)).expect("a limit");
    let head = format!("{lines}\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("a request");
    stream
}

/// Reads an answer to its end, and keeps nothing of it; answers how many bytes it had.
fn drain(mut stream: TcpStream) -> usize {
    let mut buffer = vec![0; 1 << 16];
    let (mut head, mut bytes) = (Vec::new(), 0);
    loop {
        let read = stream.read(&mut buffer).expect("an answer");
        if read == 0 {
            break;
        }
        bytes += read;
        if head.len() < 1_000 {
            head.extend_from_slice(&buffer[..read]);
        }
    }
    assert!(head.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&head[..head.len().min(1_000)]));
    bytes
}

/// A picture of one color: a few kilobytes that unpack to four bytes a pixel.
fn png(width: u32, height: u32) -> Vec<u8> {
    let row = vec![0; 1 + 4 * width as usize];
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    (0..height).for_each(|_| packed.write_all(&row).expect("memory"));
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Eight bits each of red, green, blue and alpha.
    header.extend_from_slice(&[8, 6, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", packed.finish().expect("memory")), (b"IEND", Vec::new())] {
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(&data);
        file.extend_from_slice(&(data.len() as u32).to_be_bytes());
        file.extend_from_slice(kind);
        file.extend_from_slice(&data);
        file.extend_from_slice(&sum.sum().to_be_bytes());
    }
    file
}

/// The paths of all metrics.
fn all_paths(metadata: &Value) -> Vec<String> {
    let metrics = metadata["metrics"].as_array().unwrap_or_else(|| panic!("{metadata}"));
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{metadata}")).to_string();
    metrics.iter().map(|metric| format!("{}/{}", text(&metric["category"]), text(&metric["metric"]))).collect()
}
