//! PostgreSQL's protocol, message by message: what psql and drivers do not show.

use quarry::postgres::{self, Options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{PASSWORD, SOON, Server};

/// A connection that is logged in.
struct Client {
    stream: TcpStream,
}

/// What came up to the next `ReadyForQuery`: the kinds of the messages, the values of the rows and the SQLSTATE of a failure.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    kinds: String,
    rows: Vec<Vec<String>>,
    state: Option<String>,
}

impl Client {
    async fn open(server: &Server, user: &str) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let options = Options { connections: 8, cleartext: true, tls: None };
        server.app.tasks.spawn(postgres::serve(listener, options, server.app.clone()));
        let mut client = Client { stream: TcpStream::connect(address).await.unwrap() };
        let names = format!("user\0{user}\0options\0-c statement_timeout=60s\0\0");
        let opening = [&(3_u32 << 16).to_be_bytes()[..], names.as_bytes()].concat();
        client.stream.write_u32(u32::try_from(opening.len()).unwrap() + 4).await.unwrap();
        client.stream.write_all(&opening).await.unwrap();
        let (kind, _) = client.message().await;
        assert_eq!(kind, 'R');
        client.send('p', format!("{PASSWORD}\0").as_bytes()).await;
        let said = client.said().await;
        assert_eq!(said.state, None, "{said:?}");
        client
    }

    async fn send(&mut self, kind: char, body: &[u8]) {
        self.stream.write_u8(u8::try_from(kind).unwrap()).await.unwrap();
        self.stream.write_u32(u32::try_from(body.len()).unwrap() + 4).await.unwrap();
        self.stream.write_all(body).await.unwrap();
    }

    async fn message(&mut self) -> (char, Vec<u8>) {
        let kind = char::from(self.stream.read_u8().await.unwrap());
        let length = usize::try_from(self.stream.read_u32().await.unwrap()).unwrap();
        let mut body = vec![0; length - 4];
        self.stream.read_exact(&mut body).await.unwrap();
        (kind, body)
    }

    async fn said(&mut self) -> Said {
        let mut said = Said::default();
        loop {
            let (kind, body) = self.message().await;
            match kind {
                'Z' => return said,
                'D' => said.rows.push(values(&body)),
                'E' => {
                    let mut parts = body.split(|byte| *byte == 0);
                    let state = parts.find_map(|part| part.strip_prefix(b"C"));
                    said.state = state.map(|state| String::from_utf8(state.to_vec()).unwrap());
                }
                _ => {}
            }
            said.kinds.push(kind);
        }
    }

    /// Prepares a statement; the SQLSTATE where that was refused.
    async fn prepare(&mut self, name: &str, text: &str) -> Option<String> {
        self.send('P', format!("{name}\0{text}\0\0\0").as_bytes()).await;
        self.send('S', b"").await;
        self.said().await.state
    }

    /// Binds no values to a prepared statement.
    async fn bind(&mut self, portal: &str, statement: &str) {
        self.send('B', format!("{portal}\0{statement}\0\0\0\0\0\0\0").as_bytes()).await;
    }

    async fn query(&mut self, text: &str) -> Said {
        self.send('Q', format!("{text}\0").as_bytes()).await;
        self.said().await
    }
}

/// The values of a row as texts.
fn values(mut row: &[u8]) -> Vec<String> {
    let mut take = |bytes: usize| {
        let (taken, rest) = row.split_at(bytes);
        row = rest;
        taken.to_vec()
    };
    let count = u16::from_be_bytes(take(2).try_into().unwrap());
    let mut values = Vec::new();
    for _ in 0..count {
        let length = u32::from_be_bytes(take(4).try_into().unwrap());
        values.push(String::from_utf8(take(usize::try_from(length).unwrap())).unwrap());
    }
    values
}

#[tokio::test]
async fn a_connection_holds_so_many_bytes_of_prepared_statements() {
    let server = Server::start().await;
    server.register("ada").await;
    let mut client = Client::open(&server, "ada").await;
    // As long as a text may be, and held twice: sixteen of them are 32 MiB.
    let most = server.app.engine.config().text_limit;
    let text = format!("select '{}'", "x".repeat(most - "select ''".len()));
    for name in 0..15 {
        assert_eq!(client.prepare(&format!("s{name}"), &text).await, None, "{name}");
    }
    let half = format!("select '{}'", "x".repeat(most / 2));
    assert_eq!(client.prepare("half", &half).await, None);
    assert_eq!(client.prepare("more", &text).await.as_deref(), Some("53400"));
    // A portal holds its statement once more.
    client.bind("", "s0").await;
    client.send('S', b"").await;
    assert_eq!(client.said().await.state.as_deref(), Some("53400"));
    // What is closed makes room, and the connection goes on.
    client.send('C', b"Ss1\0").await;
    client.bind("", "s0").await;
    client.send('S', b"").await;
    assert_eq!(client.said().await, Said { kinds: "32".to_string(), ..Said::default() });
    assert_eq!(client.prepare("more", &half).await, None);
    client.send('C', b"Shalf\0").await;
    assert_eq!(client.prepare("again", &half).await, None);
    assert_eq!(client.query("select 1").await.rows, [["1"]]);
}

#[tokio::test]
async fn the_default_of_a_timeout_is_what_the_client_began_with() {
    let server = Server::start().await;
    server.register("ada").await;
    let mut client = Client::open(&server, "ada").await;
    let show = "show statement_timeout";
    assert_eq!(client.query(show).await.rows, [["60000ms"]]);
    for set in
        ["SET statement_timeout TO DEFAULT", "set session statement_timeout = default", "reset statement_timeout"]
    {
        assert_eq!(client.query("set statement_timeout = '5s'").await.state, None);
        assert_eq!(client.query(show).await.rows, [["5000ms"]]);
        assert_eq!(client.query(set).await.state, None, "{set}");
        assert_eq!(client.query(show).await.rows, [["60000ms"]], "{set}");
    }
}

#[tokio::test]
async fn a_series_is_rows_where_it_is_selected_and_where_it_is_read_from() {
    let server = Server::start().await;
    server.register("ada").await;
    let mut client = Client::open(&server, "ada").await;
    for (text, rows) in [
        ("select generate_series(1, 3)", vec![vec!["1"], vec!["2"], vec!["3"]]),
        ("select generate_series from (select generate_series(2, 3)) t", vec![vec!["2"], vec!["3"]]),
        ("select n * 2 from generate_series(1, 2) as n", vec![vec!["2"], vec!["4"]]),
        (
            "with d as (select generate_series('2024-01-31'::timestamp, '2024-03-31', '1 month') as day) \
             select day::date, age(day, '2024-01-01') from d order by day limit 2",
            vec![vec!["2024-01-31", "30 days"], vec!["2024-02-29", "1 mons 28 days"]],
        ),
        (
            "select date_trunc('hour', g) from generate_series('2024-01-01T00:00:00Z'::timestamptz, \
             '2024-01-01T01:30:00Z'::timestamptz, '1h'::interval) as t(g)",
            vec![vec!["2024-01-01 00:00:00"], vec!["2024-01-01 01:00:00"]],
        ),
    ] {
        let said = client.query(text).await;
        assert_eq!(
            (said.rows, said.state),
            (
                rows.into_iter().map(|row| row.into_iter().map(str::to_string).collect()).collect::<Vec<Vec<String>>>(),
                None
            ),
            "{text}"
        );
    }
}

#[tokio::test]
async fn silent_connections_of_an_address_make_room_for_its_newer_ones() {
    let server = Server::start().await;
    server.register("ada").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let options = Options { connections: 8, cleartext: false, tls: None };
    server.app.tasks.spawn(postgres::serve(listener, options, server.app.clone()));
    let mut silent = Vec::new();
    for _ in 0..60 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    // The newest is served at once, and asked for a proof.
    let mut newest = Client { stream: TcpStream::connect(address).await.unwrap() };
    newest.stream.write_all(b"\0\0\0\x12\0\x03\0\0user\0ada\0\0").await.unwrap();
    let (kind, body) = newest.message().await;
    assert_eq!((kind, &body[..]), ('R', &b"\0\0\0\x0aSCRAM-SHA-256\0\0"[..]));
    // All others end by themselves: the oldest for the newer ones, the rest for their silence.
    for mut stream in silent {
        let ended = tokio::time::timeout(SOON, stream.read(&mut [0; 8])).await.unwrap();
        assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
    }
}
