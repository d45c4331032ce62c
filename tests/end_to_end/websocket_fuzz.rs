//! Websockets that break the rules at random: of the handshake, of frames, and of the messages in them.

use std::io::{self, Write};
use std::net::TcpStream;

use quarry_tests::asked::seed;
use quarry_tests::dice::Dice;
use quarry_tests::fuzz::{cases, edge, mutate, run};
use quarry_tests::websocket::{CLOSE, LAST, PING, PONG, Socket, TEXT, connect, end, frame, upgrade};

use crate::attacked::Attacked;

const CONTINUED: u8 = 0;
const BINARY: u8 = 2;
/// Sockets at the same time.
const SOCKETS: u64 = 4;

#[test]
fn sockets_that_break_the_rules_harm_nobody() {
    let attacked = Attacked::start();
    let first = seed(20_261_129);
    attacked.survives(|attacked| {
        let server = &attacked.server;
        let token = server.register("mallory");
        let job = server.execute(&token, "select count(*) from transactions");
        run(first, cases(600), SOCKETS, |dice| socket(dice, &server.url, &token, &job));
    });
}

fn socket(dice: &mut Dice, url: &str, token: &str, job: &str) {
    let stream = if dice.once_in(6) {
        let mut request = upgrade(url, token).expect("a ticket");
        mutate(dice, &mut request);
        let mut stream = connect(url).expect("the server takes connections");
        // The server may have ended the connection already.
        let _ = stream.write_all(&request);
        stream
    } else {
        let mut stream = Socket::open(url, token).expect("a websocket").stream;
        // The same: what must hold is looked at from outside.
        let _ = frames(dice, &mut stream, job);
        stream
    };
    // Most clients close the connection and read to its end; the others drop it with messages unread.
    if !dice.once_in(4) {
        end(stream);
    }
}

fn frames(dice: &mut Dice, stream: &mut TcpStream, job: &str) -> io::Result<()> {
    for _ in 0..=dice.below(10) {
        let mut bytes = match dice.below(10) {
            0 => {
                let count = dice.index(300);
                dice.bytes(count)
            }
            1 => lying_length(dice),
            2 => control(dice),
            3 => pieces(dice, job),
            // Reserved bits and unknown kinds of frames.
            4 => frame(dice.below(256) as u8, text(dice, job).as_bytes()),
            // Text that is no UTF-8, and what is no text.
            5 => {
                let count = dice.index(200);
                let kind = if dice.once_in(3) { BINARY } else { TEXT };
                frame(LAST | kind, &dice.bytes(count))
            }
            6 => {
                let mut text = text(dice, job).into_bytes();
                mutate(dice, &mut text);
                frame(LAST | TEXT, &text)
            }
            _ => frame(LAST | TEXT, text(dice, job).as_bytes()),
        };
        if dice.once_in(6) {
            mutate(dice, &mut bytes);
        }
        stream.write_all(&bytes)?;
    }
    Ok(())
}

/// A frame whose length is not that of what follows, or written in more bytes than it needs; masked or not.
fn lying_length(dice: &mut Dice) -> Vec<u8> {
    let mask = if dice.once_in(3) { 0 } else { 0x80 };
    let length = (u64::from(edge(dice)) << 32) | u64::from(edge(dice));
    let mut bytes = vec![LAST | dice.below(16) as u8];
    match dice.below(3) {
        0 => bytes.push(mask | dice.below(128) as u8),
        1 => {
            bytes.push(mask | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        _ => {
            bytes.push(mask | 127);
            bytes.extend((length >> dice.below(64)).to_be_bytes());
        }
    }
    let count = dice.index(100);
    bytes.extend(dice.bytes(count));
    bytes
}

/// Pings, pongs and closes: too long, in pieces, with codes that don't exist.
fn control(dice: &mut Dice) -> Vec<u8> {
    let last = if dice.once_in(4) { 0 } else { LAST };
    let kind = [CLOSE, PING, PONG][dice.index(3)];
    let mut payload = match kind {
        CLOSE => (edge(dice) as u16).to_be_bytes().to_vec(),
        _ => Vec::new(),
    };
    let count = dice.index(200);
    payload.extend(dice.bytes(count));
    payload.truncate(dice.index(payload.len() + 1));
    frame(last | kind, &payload)
}

/// A message in pieces, some of them empty, with other frames in between, and perhaps without a beginning or an end.
fn pieces(dice: &mut Dice, job: &str) -> Vec<u8> {
    let text = text(dice, job).into_bytes();
    let mut bytes = Vec::new();
    let (mut rest, mut kind) = (&text[..], if dice.once_in(5) { CONTINUED } else { TEXT });
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(dice.index(rest.len() + 1));
        bytes.extend(frame(kind, piece));
        (rest, kind) = (more, CONTINUED);
        match dice.below(8) {
            0 => bytes.extend(frame(LAST | PING, piece.get(..100).unwrap_or(piece))),
            1 => bytes.extend(frame(LAST | TEXT, b"{}")),
            2 => return bytes,
            _ => {}
        }
    }
    bytes.extend(frame(LAST | CONTINUED, b""));
    bytes
}

/// Messages of the application, right ones and wrong ones.
fn text(dice: &mut Dice, job: &str) -> String {
    let number = edge(dice);
    match dice.below(12) {
        0 => format!(r#"{{"type":"job.subscribe","data":{{"jobId":"{job}"}}}}"#),
        1 => format!(r#"{{"type":"job.unsubscribe","data":{{"jobId":"{job}"}}}}"#),
        2 => format!(r#"{{"type":"job.subscribe","data":{{"jobId":"{}"}}}}"#, "j".repeat(dice.index(70_000))),
        3 => format!(r#"{{"type":"chat.message","data":{{"msg":"bystander@@@{number}","time":"{number}@@@1"}}}}"#),
        4 => format!(
            r#"{{"type":"chat.message","data":{{"msg":"mallory@@@","time":"{}"}}}}"#,
            "9".repeat(dice.index(200))
        ),
        5 => format!(r#"{{"type":"chat.message","data":{{"msg":"\u0000@@@\ud800","time":{number}}}}}"#),
        6 => r#"{"type":"ping","data":{}}"#.to_string(),
        7 => format!(r#"{{"type":"ping","type":"job.subscribe","data":{number}}}"#),
        8 => format!(r#"{{"type":"ping","data":{}}}"#, "[".repeat(dice.index(60_000))),
        9 => format!(
            r#"{{"type":"ping","data":{}1{}}}"#,
            r#"{"a":"#.repeat(dice.index(9_000)),
            "}".repeat(dice.index(9_000))
        ),
        10 => format!("{number}e{number}"),
        _ => String::new(),
    }
}
