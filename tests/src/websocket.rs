//! A client of the websocket that can also send what no browser would.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http;

pub const TEXT: u8 = 1;
pub const CLOSE: u8 = 8;
pub const PING: u8 = 9;
pub const PONG: u8 = 10;
/// Set in the first byte of the last frame of a message.
pub const LAST: u8 = 0x80;

/// Within this time a server says something, or ends the connection.
const PATIENCE: Duration = Duration::from_secs(20);

/// An open websocket.
pub struct Socket {
    pub stream: TcpStream,
}

impl Socket {
    /// A websocket of the user with this token; an error when the server is gone.
    pub fn open(url: &str, token: &str) -> io::Result<Socket> {
        let request = upgrade(url, token)?;
        let mut stream = connect(url)?;
        stream.write_all(&request)?;
        let head = head(&mut stream)?;
        if !head.starts_with("HTTP/1.1 101 ") {
            return Err(io::Error::other(format!("no websocket: {head}")));
        }
        Ok(Socket { stream })
    }

    pub fn send(&mut self, kind: &str, data: Value) -> io::Result<()> {
        let text = json!({"type": kind, "data": data}).to_string();
        self.stream.write_all(&frame(LAST | TEXT, text.as_bytes()))
    }

    /// The next message of the server: its type and data. An error when the connection ends or nothing comes.
    pub fn receive(&mut self) -> io::Result<(String, Value)> {
        loop {
            let (first, payload) = self.next_frame()?;
            match first & 15 {
                TEXT => {
                    let mut message: Value = serde_json::from_slice(&payload).map_err(io::Error::other)?;
                    let kind = message["type"].as_str().unwrap_or_default().to_string();
                    return Ok((kind, message["data"].take()));
                }
                PING => self.stream.write_all(&frame(LAST | PONG, &payload))?,
                CLOSE => return Err(ErrorKind::ConnectionAborted.into()),
                _ => {}
            }
        }
    }

    /// Reads until a message is what is waited for.
    pub fn wait_for<T>(&mut self, mut wanted: impl FnMut(&str, &Value) -> Option<T>) -> io::Result<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (kind, data) = self.receive()?;
            if let Some(found) = wanted(&kind, &data) {
                return Ok(found);
            }
            if Instant::now() > deadline {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }

    /// The first byte of the next frame, and what it carries. Frames of servers are not masked.
    fn next_frame(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head)?;
        let length = match head[1] {
            126 => {
                let mut length = [0; 2];
                self.stream.read_exact(&mut length)?;
                usize::from(u16::from_be_bytes(length))
            }
            127 => {
                let mut length = [0; 8];
                self.stream.read_exact(&mut length)?;
                usize::try_from(u64::from_be_bytes(length)).map_err(io::Error::other)?
            }
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        self.stream.read_exact(&mut payload)?;
        Ok((head[0], payload))
    }
}

/// A connection with limits of time.
pub fn connect(url: &str) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(host(url))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The request that makes a connection a websocket of the user with this token.
pub fn upgrade(url: &str, token: &str) -> io::Result<Vec<u8>> {
    let answer = http::request("POST", &format!("{url}/api/ws/ticket"), Some(token), Some(&json!({})))?;
    let answer: Value = serde_json::from_slice(&answer.body).map_err(io::Error::other)?;
    let ticket = answer["data"]["ticket"].as_str().ok_or_else(|| io::Error::other(answer.to_string()))?;
    Ok(format!(
        "GET /api/ws?ticket={ticket} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        host(url)
    )
    .into_bytes())
}

fn host(url: &str) -> &str {
    url.strip_prefix("http://").expect("tests speak plain HTTP to this machine")
}

/// The head of an answer, to the empty line.
pub fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// A frame as clients send it: masked, with its length in as few bytes as it needs.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..=125 => bytes.push(0x80 | length as u8),
        length @ 126..=0xffff => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend(MASK);
    bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// Says that nothing more comes, and reads to the end, which the server must bring about.
pub fn end(mut stream: TcpStream) {
    // Fails when the server was faster.
    let _ = stream.shutdown(Shutdown::Write);
    let mut rest = [0; 16 * 1024];
    loop {
        match stream.read(&mut rest) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("the server keeps a connection that its client has ended")
            }
            // Cut off.
            Err(_) => return,
        }
    }
}
