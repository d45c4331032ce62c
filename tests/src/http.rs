//! HTTP calls of the tests, one after the other: plain JSON over one small client.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// An answer: status, and the body as it came.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// One request to `http://host:port/path` with a body of JSON, on a connection of its own.
pub fn request(method: &str, url: &str, token: Option<&str>, body: Option<&Value>) -> std::io::Result<Answer> {
    let payload = body.map(Value::to_string).unwrap_or_default();
    send(method, url, token, "application/json", payload.as_bytes())
}

/// One request with any body.
pub fn send(method: &str, url: &str, token: Option<&str>, media: &str, body: &[u8]) -> std::io::Result<Answer> {
    let rest = url.strip_prefix("http://").expect("tests speak plain HTTP to this machine");
    let (host, path) = rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, path.to_string()));
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    // HTTP/1.0 keeps the answer in one piece: no chunks, and the end of the connection ends the body.
    write!(
        stream,
        "{method} /{path} HTTP/1.0\r\nHost: {host}\r\n{bearer}Content-Type: {media}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end =
        answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(|| std::io::Error::other("no header"))?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| std::io::Error::other(format!("no status in {head:?}")))?;
    Ok(Answer { status, body: answer[end + 4..].to_vec() })
}

/// The media type of what [`form`] makes.
pub const FORM: &str = "multipart/form-data; boundary=a-boundary-of-the-tests";

/// The body of a form with fields and one file.
pub fn form(fields: &[(&str, &str)], file_name: &str, file: &[u8]) -> Vec<u8> {
    const BOUNDARY: &str = "--a-boundary-of-the-tests";
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    body += &format!("{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n");
    [body.as_bytes(), file, format!("\r\n{BOUNDARY}--\r\n").as_bytes()].concat()
}

/// One JSON-RPC call; an error of the node is an error here.
pub fn rpc(url: &str, method: &str, params: &Value) -> Result<Value, String> {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer = request("POST", url, None, Some(&call)).map_err(|error| error.to_string())?;
    let mut answer: Value = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
    match answer.get("error") {
        Some(error) => Err(error.to_string()),
        None => Ok(answer["result"].take()),
    }
}
