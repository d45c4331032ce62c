//! Clients of PostgreSQL that break the rules of the protocol at random: before, during and after the login, with and without
//! TLS.

use std::net::Ipv4Addr;
use std::sync::Arc;

use quarry_tests::asked::seed;
use quarry_tests::dice::Dice;
use quarry_tests::fuzz::{cases, edge, mutate, run};
use quarry_tests::postgres::{self, Client, TLS, client_hello, message, query, scram_first, startup, texts};
use quarry_tests::scram;
use tokio_rustls::rustls::ClientConfig;

use crate::attacked::Attacked;

const USER: &str = "mallory";
const PASSWORD: &str = "s3cret-enough";
/// Clients at the same time.
const CLIENTS: u64 = 4;

#[test]
fn clients_that_break_the_rules_harm_nobody() {
    let attacked = Attacked::start();
    let first = seed(20_261_128);
    attacked.survives(|attacked| {
        attacked.server.register(USER);
        let address = attacked.server.postgres.as_deref().expect("clients of PostgreSQL are served");
        let tls = postgres::tls(attacked.home.path());
        run(first, cases(150), CLIENTS, |dice| client(dice, address, &tls));
    });
}

fn client(dice: &mut Dice, address: &str, tls: &Arc<ClientConfig>) {
    // The server counts connections and wrong passwords of each address.
    let from = Ipv4Addr::new(127, 1, 1 + dice.below(250) as u8, 1 + dice.below(250) as u8);
    let mut client = Client::connect(address, from).expect("the server takes connections");
    // A failure here is the server's answer to what was sent; what must hold is looked at from outside.
    let _ = match dice.below(8) {
        0 => raw(dice, &mut client),
        1 => openings(dice, &mut client),
        2 => half_encrypted(dice, &mut client, tls),
        3 => proofs(dice, &mut client),
        4 => {
            client = client.encrypt(tls).expect("TLS");
            if dice.once_in(3) { proofs(dice, &mut client) } else { logged_in(dice, &mut client) }
        }
        _ => logged_in(dice, &mut client),
    };
    // Most clients terminate the session; the others drop the connection with responses unread.
    if !dice.once_in(4) {
        client.end();
    }
}

fn raw(dice: &mut Dice, client: &mut Client) -> std::io::Result<()> {
    let count = dice.index(3000);
    client.send(&dice.bytes(count))
}

/// First messages of every kind, whole and changed, some after one another.
fn openings(dice: &mut Dice, client: &mut Client) -> std::io::Result<()> {
    for _ in 0..=dice.below(3) {
        let mut bytes = match dice.below(6) {
            0 => TLS.to_vec(),
            1 => b"\0\0\0\x08\x04\xd2\x16\x30".to_vec(),
            2 => [&b"\0\0\0\x10\x04\xd2\x16\x2e"[..], &dice.bytes(8)].concat(),
            3 => startup(&[("user", USER), ("replication", "database"), ("options", "-c statement_timeout=1x")]),
            4 => startup(&[("user", &"u".repeat(dice.index(12_000))), ("application_name", "\u{1F600}")]),
            _ => startup(&[("user", USER), ("database", "quarry")]),
        };
        if !dice.once_in(3) {
            mutate(dice, &mut bytes);
        }
        client.send(&bytes)?;
    }
    Ok(())
}

/// A request for TLS, and then something else than TLS, or TLS that breaks off.
fn half_encrypted(dice: &mut Dice, client: &mut Client, tls: &Arc<ClientConfig>) -> std::io::Result<()> {
    let mut hello = client_hello(tls);
    match dice.below(4) {
        0 => mutate(dice, &mut hello),
        1 => hello.truncate(dice.index(hello.len())),
        2 => hello = startup(&[("user", USER)]),
        _ => hello = dice.bytes(500),
    }
    if dice.once_in(3) {
        // In one piece with the request: nothing that is not encrypted may pass for what is.
        return client.send(&[TLS, &hello].concat());
    }
    client.send(TLS)?;
    client.send(&hello)
}

/// Logins whose proof is changed, of users who don't exist: wrong proofs slow down who is named.
fn proofs(dice: &mut Dice, client: &mut Client) -> std::io::Result<()> {
    let user = format!("nobody{}", dice.below(1 << 40));
    client.send(&startup(&[("user", &user)]))?;
    client.receive()?;
    let mut first = match dice.below(4) {
        0 => scram_first("p=tls-unique,,n=,r=x"),
        1 => scram_first(&format!("n,,n=,r={}", "r".repeat(dice.index(20_000)))),
        _ => scram_first(&scram::first()),
    };
    if dice.once_in(2) {
        mutate(dice, &mut first);
    }
    client.send(&first)?;
    let (_, answer) = client.receive()?;
    let answer = String::from_utf8_lossy(answer.get(4..).unwrap_or_default()).into_owned();
    let last = scram::last(&answer, PASSWORD).unwrap_or_else(|| "c=biws,r=x,p=AAAA".to_string());
    let mut last = message(b'p', last.as_bytes());
    if dice.once_in(2) {
        mutate(dice, &mut last);
    }
    client.send(&last)?;
    client.receive().map(drop)
}

/// Messages in any order after the login.
fn logged_in(dice: &mut Dice, client: &mut Client) -> std::io::Result<()> {
    client.log_in(USER, PASSWORD).expect("a login with the right password");
    for _ in 0..=dice.below(12) {
        let mut bytes = anything(dice);
        if dice.once_in(4) {
            mutate(dice, &mut bytes);
        }
        client.send(&bytes)?;
    }
    Ok(())
}

/// Texts of queries: good ones, wrong ones, deep ones, none at all.
fn text(dice: &mut Dice) -> String {
    const TEXTS: [&str; 28] = [
        "select 1",
        "select $1::bigint + $2::bigint",
        "select number, hash from blocks where number < $1 order by number limit 20",
        "select * from transactions limit 300",
        "select a.oid, a.typname from pg_catalog.pg_type a",
        "begin; select 1; commit",
        "rollback",
        "set statement_timeout = '5s'; show statement_timeout; reset all",
        "copy blocks from stdin",
        "copy (select * from blocks limit 300) to stdout (format binary)",
        "copy blocks (number, hash) to stdout with csv header force quote hash",
        "copy (select $1::numeric[]) to stdout (delimiter '|', null 'x')",
        "copy blocks to '/dev/null'",
        "begin; declare c scroll cursor for select number from blocks where number = any($1)",
        "declare c cursor with hold for select hash from transactions limit 500",
        "declare p binary cursor for select 1 from pg_catalog.pg_class",
        "fetch backward 9223372036854775807 from c",
        "fetch absolute -9223372036854775808 in p",
        "move 100 in c; fetch all from c; close c",
        "close all",
        "select x from unnest($1::bigint[], $2::text[]) as t(x, y) where x = any($1)",
        "declare c cursor for select 1",
        "deallocate all; discard all",
        "select generate_series(1, 100)",
        "",
        ";;;",
        "select 'unended",
        "select any($1), $65535",
    ];
    match dice.below(12) {
        0 => format!("select {}1{}", "(".repeat(dice.index(20_000)), ")".repeat(dice.index(20_000))),
        1 => format!("select 1{}", " + 1".repeat(dice.index(20_000))),
        2 => {
            let mut bytes = dice.pick(&TEXTS).as_bytes().to_vec();
            mutate(dice, &mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => dice.pick(&TEXTS).to_string(),
    }
}

fn anything(dice: &mut Dice) -> Vec<u8> {
    let name = dice.pick(&["", "", "s", "p", "c", "another", "\u{e4}"]);
    let count = |dice: &mut Dice, right: u16| if dice.once_in(4) { edge(dice) as u16 } else { right };
    match dice.below(12) {
        0 | 1 => query(&text(dice)),
        2 | 3 => {
            let types = count(dice, 1);
            let given: Vec<u8> = (0..types.min(9))
                .flat_map(|_| [0_u32, 25, 20, 1700, 0xffff, 1016, 1009, 1231, 1185][dice.index(9)].to_be_bytes())
                .collect();
            message(b'P', &[texts(&[name, &text(dice)]), types.to_be_bytes().to_vec(), given].concat())
        }
        4 | 5 => bind(dice, name),
        6 => message(b'D', &[dice.pick(&["S", "P", "X"]).as_bytes(), &texts(&[name])].concat()),
        7 => message(b'E', &[&texts(&[name])[..], &edge(dice).to_be_bytes()].concat()),
        8 => message(b'C', &[dice.pick(&["S", "P", "X"]).as_bytes(), &texts(&[name])].concat()),
        9 => message(b'S', b""),
        10 => {
            let letter = dice.below(256) as u8;
            let count = dice.index(60);
            message(letter, &dice.bytes(count))
        }
        // A length that is nowhere near what follows.
        _ => [&[dice.pick(&["Q", "P", "B", "p"]).as_bytes()[0]], &edge(dice).to_be_bytes()[..], b"select 1\0"].concat(),
    }
}

/// Values with counts and lengths that may be right.
fn bind(dice: &mut Dice, name: &str) -> Vec<u8> {
    let mut body = texts(&[dice.pick(&["", "p", "c"]), name]);
    let formats = if dice.once_in(4) { edge(dice) as u16 } else { 0 };
    body.extend(formats.to_be_bytes());
    let values = if dice.once_in(4) { edge(dice) as u16 } else { 1 + dice.below(2) as u16 };
    body.extend(values.to_be_bytes());
    for _ in 0..values.min(4) {
        let value = dice.pick(&[
            "7",
            "-1",
            "",
            "not a number",
            "\0\0\0\0\0\0\0\x07",
            "{1,2,3",
            "99999999999999999999999",
            "{1,NULL,\"3\"}",
            "{{1},{2}}",
            "[1:2]={a,b}",
            // Lists in binary: of one number, and of more dimensions and items than there are.
            "\0\0\0\x01\0\0\0\0\0\0\0\x14\0\0\0\x01\0\0\0\x01\0\0\0\x08\0\0\0\0\0\0\0\x07",
            "\0\0\0\x7f\0\0\0\0\0\0\0\x14\x7f\0\0\x01\0\0\0\x01\0\0\0\x08",
        ]);
        let length = if dice.once_in(5) { edge(dice) } else { value.len() as u32 };
        body.extend(length.to_be_bytes());
        body.extend(value.as_bytes());
    }
    body.extend([0, 1, 0, dice.below(3) as u8]);
    message(b'B', &body)
}
