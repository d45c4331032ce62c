//! Codes over a text gateway and a mail server, and forgotten passwords.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use quarry::auth::codes::{self, Purpose};
use quarry::sending::SendingOptions;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::harness::{PASSWORD, Server, request};

const PHONE: &str = "+49 30 1234567";
/// The same as it is kept and sent to.
const NUMBER: &str = "+49301234567";
const EMAIL: &str = "ada@example.org";

/// What was sent, newest last.
type Sent = Arc<Mutex<Vec<String>>>;

/// A text gateway; it goes with the returned set.
async fn gateway(tasks: &mut JoinSet<()>, answer: StatusCode) -> (String, Sent) {
    let sent = Sent::default();
    let take = move |state: State<Sent>, headers: HeaderMap, body: String| async move {
        assert_eq!(headers["authorization"], "Bearer gateway-token");
        let message: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(message["phone"], NUMBER);
        state.lock().unwrap().push(message["text"].as_str().unwrap().to_string());
        answer
    };
    let router = Router::new().route("/send", post(take)).with_state(sent.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    tasks.spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, sent)
}

/// A mail server that takes everything.
async fn mail_server(tasks: &mut JoinSet<()>) -> (SocketAddr, Sent) {
    let sent = Sent::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let kept = sent.clone();
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            take_mail(stream, &kept).await;
        }
    });
    (address, sent)
}

async fn take_mail(stream: TcpStream, sent: &Sent) {
    let (reading, mut writing) = stream.into_split();
    let mut lines = BufReader::new(reading).lines();
    writing.write_all(b"220 ready\r\n").await.unwrap();
    let mut data: Option<String> = None;
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(mail) = &mut data {
            if line == "." {
                sent.lock().unwrap().push(data.take().unwrap());
                writing.write_all(b"250 kept\r\n").await.unwrap();
            } else {
                mail.push_str(&line);
                mail.push('\n');
            }
            continue;
        }
        let answer: &[u8] = match line.split(' ').next().unwrap_or_default() {
            "DATA" => {
                data = Some(String::new());
                b"354 go on\r\n"
            }
            "QUIT" => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        writing.write_all(answer).await.unwrap();
    }
}

async fn with_gateway(tasks: &mut JoinSet<()>, answer: StatusCode) -> (Server, Sent) {
    let (url, sent) = gateway(tasks, answer).await;
    let token = Some("gateway-token".to_string());
    let options = SendingOptions { sms_url: Some(url), sms_token: token, ..SendingOptions::default() };
    (Server::with(tempfile::tempdir().unwrap(), options).await, sent)
}

/// The code in the newest message.
fn code(sent: &Sent) -> String {
    let sent = sent.lock().unwrap();
    sent.last().unwrap().chars().skip_while(|letter| !letter.is_ascii_digit()).take(6).collect()
}

fn registration(code: Value) -> Value {
    json!({"userName": "ada", "password": PASSWORD, "agree": true, "phone": PHONE, "code": code})
}

#[tokio::test]
async fn without_a_way_to_send_there_are_no_codes_and_none_is_needed() {
    let server = Server::start().await;
    let channels = server.get("/api/user/code/channels", None).await.data();
    assert_eq!(channels, json!({"email": false, "phone": false}));
    let body = json!({"email": EMAIL, "purpose": "register"});
    let failure = server.post("/api/user/code/email", None, body).await.failure(400, "code_not_sent_by_mail");
    assert_eq!(failure["msg"], "Please check your email, can't send code to this email address!");
    let body = json!({"phone": PHONE, "purpose": "reset"});
    let failure = server.post("/api/user/code/phone", None, body).await.failure(400, "code_not_sent_by_phone");
    assert_eq!(failure["msg"], "Please check your phone number, can't send code to this phone number!");
    server.post("/api/user/register", None, registration(Value::Null)).await.data();
}

#[tokio::test]
async fn a_phone_number_is_proven_by_the_code_sent_to_it() {
    let mut tasks = JoinSet::new();
    let (server, sent) = with_gateway(&mut tasks, StatusCode::OK).await;
    let register = async |code: Value| server.post("/api/user/register", None, registration(code)).await;
    register(Value::Null).await.failure(400, "wrong_code");
    let ask = json!({"phone": PHONE, "purpose": "register"});
    server.post("/api/user/code/phone", None, ask.clone()).await.data();
    let code = code(&sent);
    server.post("/api/user/code/phone", None, ask).await.failure(429, "too_many_codes");
    let other = if code == "000000" { "000001" } else { "000000" };
    register(json!(other)).await.failure(400, "wrong_code");
    register(json!(code)).await.data();
    let mut second = registration(json!(code));
    second["userName"] = json!("eve");
    server.post("/api/user/register", None, second).await.failure(400, "wrong_code");
}

#[tokio::test]
async fn a_code_survives_few_guesses() {
    let mut tasks = JoinSet::new();
    let (server, sent) = with_gateway(&mut tasks, StatusCode::OK).await;
    server.post("/api/user/code/phone", None, json!({"phone": PHONE, "purpose": "register"})).await.data();
    let code = code(&sent);
    let register = async |from: &str, code: &str| {
        let body = Body::from(registration(json!(code)).to_string());
        let request = request(Method::POST, "/api/user/register", None).header("x-forwarded-for", from);
        server.send(request.header("content-type", "application/json").body(body).unwrap()).await
    };
    // Four strangers guess, each as often as one may.
    for stranger in 1..=4 {
        let here = format!("192.0.2.{stranger}");
        for _ in 0..5 {
            register(&here, "nonsense").await.failure(400, "wrong_code");
        }
        register(&here, &code).await.failure(429, "too_many_attempts");
    }
    // It still works for whom it was sent to.
    register("198.51.100.1", &code).await.data();
}

#[tokio::test]
async fn a_code_does_not_survive_many_guesses() {
    let mut tasks = JoinSet::new();
    let (server, sent) = with_gateway(&mut tasks, StatusCode::OK).await;
    server.post("/api/user/code/phone", None, json!({"phone": PHONE, "purpose": "register"})).await.data();
    let code = code(&sent);
    let redeem = async |code: &str| codes::redeem(&server.app.db, NUMBER, Purpose::Register, code).await.unwrap();
    for _ in 0..25 {
        assert!(!redeem("nonsense").await);
    }
    assert!(!redeem(&code).await);
}

#[tokio::test]
async fn a_stranger_who_asks_for_codes_leaves_others_some() {
    let mut tasks = JoinSet::new();
    let (server, sent) = with_gateway(&mut tasks, StatusCode::OK).await;
    let ask = async |from: &str| {
        // As if the last one had been long enough ago.
        sqlx::query("update codes set created_at = created_at - 60000").execute(server.app.db.pool()).await.unwrap();
        let body = Body::from(json!({"phone": PHONE, "purpose": "register"}).to_string());
        let request = request(Method::POST, "/api/user/code/phone", None).header("x-forwarded-for", from);
        server.send(request.header("content-type", "application/json").body(body).unwrap()).await
    };
    for _ in 0..4 {
        ask("192.0.2.1").await.data();
    }
    ask("192.0.2.1").await.failure(429, "too_many_attempts");
    ask("198.51.100.1").await.data();
    assert_eq!(sent.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once_and_sessions_end() {
    let mut tasks = JoinSet::new();
    let (server, sent) = with_gateway(&mut tasks, StatusCode::OK).await;
    let token = server.register("ada").await;
    sqlx::query("update users set phone = $1").bind(NUMBER).execute(server.app.db.pool()).await.unwrap();
    let ask = async |phone: &str| {
        server.post("/api/user/code/phone", None, json!({"phone": phone, "purpose": "reset"})).await.data()
    };
    // Both answer alike; only one message goes out.
    assert_eq!(ask("+49 30 7654321").await, ask(PHONE).await);
    while sent.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let code = code(&sent);
    let form = |code: &str, password: &str, repeat: &str| json!({"phone": PHONE, "code": code, "password": password, "repeat": repeat});
    let forget = async |body| server.post("/api/user/password/forget", None, body).await;
    let failure = forget(form(&code, "new_pass1", "new_pass2")).await.failure(400, "passwords_differ");
    assert_eq!(failure["msg"], "Passwords are not matched");
    forget(form("nonsense", "new_pass1", "new_pass1")).await.failure(400, "wrong_code");
    forget(form(&code, "new_pass1", "new_pass1")).await.data();
    forget(form(&code, "new_pass2", "new_pass2")).await.failure(400, "wrong_code");
    server.get("/api/user/info", Some(&token)).await.failure(401, "login_expired");
    server.login("ada", "new_pass1").await.data();
    server.login("ada", PASSWORD).await.failure(401, "wrong_login");
}

#[tokio::test]
async fn what_is_sent_is_kept_without_its_code() {
    let mut tasks = JoinSet::new();
    let (address, sent) = mail_server(&mut tasks).await;
    let options = SendingOptions {
        smtp_url: Some(format!("smtp://{address}")),
        mail_from: Some("Quarry <quarry@example.org>".to_string()),
        ..SendingOptions::default()
    };
    let server = Server::with(tempfile::tempdir().unwrap(), options).await;
    let admin = server.admin("root").await;
    server.post("/api/user/code/email", None, json!({"email": EMAIL, "purpose": "register"})).await.data();
    let mail = sent.lock().unwrap()[0].clone();
    assert!(mail.contains("To: ada@example.org") && mail.contains("From: Quarry"), "{mail}");
    let kept = server.get("/api/system/message-record/mail?target=ada", Some(&admin)).await.data();
    assert_eq!((&kept["total"], &kept["items"][0]["state"]), (&json!(1), &json!("sent")));
    let content = kept["items"][0]["content"].as_str().unwrap();
    let digits: String = content.chars().filter(char::is_ascii_digit).collect();
    assert!(content.contains("······"), "{content}");
    assert_eq!(digits, "1010", "only the ten minutes, in two languages");
    assert_eq!(server.get("/api/system/message-record/message", Some(&admin)).await.data()["total"], 0);
}

#[tokio::test]
async fn a_gateway_that_refuses_is_told_and_kept() {
    let mut tasks = JoinSet::new();
    let (server, _) = with_gateway(&mut tasks, StatusCode::BAD_GATEWAY).await;
    let admin = server.admin("root").await;
    let ask = json!({"phone": PHONE, "purpose": "register"});
    server.post("/api/user/code/phone", None, ask).await.failure(400, "code_not_sent_by_phone");
    let kept = server.get("/api/system/message-record/message?state=failed", Some(&admin)).await.data();
    assert_eq!(kept["total"], 1);
    assert!(kept["items"][0]["reason"].as_str().unwrap().contains("502"), "{kept}");
}
