//! The assistant: what it finds in both languages, what it says without a model, and how it speaks to one.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use quarry::app::AppOptions;
use quarry::assistant::AssistantOptions;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::harness::{Answer, Server, text};

const KEY: &str = "key-that-nobody-sees";

async fn ask(server: &Server, token: &str, question: &str) -> Answer {
    server.post("/api/assistant/ask", Some(token), json!({"text": question})).await
}

/// The events of an answer.
fn events(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    let body = String::from_utf8(answer.body.clone()).unwrap();
    body.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn told(events: &[Value]) -> String {
    events.iter().filter(|event| event["type"] == "text").map(|event| text(&event["text"])).collect()
}

#[tokio::test]
async fn it_finds_what_the_manuals_say_in_the_language_of_the_question() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    assert_eq!(server.get("/api/assistant/status", Some(&ada)).await.data(), json!({"model": false}));
    for (question, language, page) in [
        ("How do I calculate a moving average?", "en", "/platform/course/sql-course#window"),
        ("Who holds a token?", "en", "/platform/use-cases/other-case#holders"),
        ("What does to_eth do?", "en", "/platform/function-introduction/query#all"),
        ("如何计算移动平均？", "zh", "/platform/course/sql-course#window"),
        ("谁持有某个代币？", "zh", "/platform/use-cases/other-case#holders"),
        ("withdrawals 表有哪些列？", "zh", "/platform/data-declaration/ETH#withdrawals"),
    ] {
        let events = events(&ask(&server, &ada, question).await);
        assert_eq!((&events[0]["type"], &events[0]["language"]), (&json!("found"), &json!(language)), "{question}");
        let sources = events[0]["sources"].as_array().unwrap();
        assert!(sources.iter().any(|source| source["path"] == page), "{question}: {sources:?}");
        assert!(!told(&events).is_empty());
        assert_eq!(events.last().unwrap()["type"], "done");
    }
    let window = events(&ask(&server, &ada, "moving average").await);
    assert_eq!(window[0]["query"]["kind"], "SQL");
    assert!(text(&window[0]["query"]["text"]).contains("over (order by"), "{}", window[0]);
}

#[tokio::test]
async fn it_says_what_it_can_not_do() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let english = events(&ask(&server, &ada, "weather tomorrow Paris").await);
    assert_eq!((&english[0]["sources"], &english[0]["query"]), (&json!([]), &Value::Null));
    assert!(told(&english).contains("I found nothing about this"));
    assert!(told(&events(&ask(&server, &ada, "巴黎明日阴晴").await)).contains("没有找到相关内容"));
}

#[tokio::test]
async fn questions_have_limits() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    ask(&server, &ada, "  ").await.failure(400, "invalid_input");
    ask(&server, &ada, &"x".repeat(1_001)).await.failure(400, "invalid_input");
    let before = json!({"text": "and then?", "before": vec![json!({"role": "user", "text": "x"}); 11]});
    server.post("/api/assistant/ask", Some(&ada), before).await.failure(400, "invalid_input");
    for _ in 0..20 {
        events(&ask(&server, &ada, "gas").await);
    }
    let refused = ask(&server, &ada, "gas").await;
    refused.failure(429, "too_many_attempts");
    assert!(refused.headers.contains_key("retry-after"));
    let eve = server.register("eve").await;
    events(&ask(&server, &eve, "gas").await);
}

/// A server that speaks as a model's does.
#[derive(Clone, Default)]
struct StandIn {
    /// Authorization and body of each request.
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    broken: bool,
}

impl StandIn {
    /// The address where its API begins.
    #[expect(clippy::disallowed_methods, reason = "the task ends with the test's runtime")]
    async fn start(&self) -> String {
        let router = Router::new().route("/v1/chat/completions", post(complete)).with_state(self.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://{address}/v1/")
    }

    async fn server(&self) -> Server {
        let assistant = AssistantOptions {
            url: Some(self.start().await),
            key: Some(KEY.to_string()),
            model: Some("m1".to_string()),
        };
        Server::open(tempfile::tempdir().unwrap(), AppOptions { assistant, ..AppOptions::default() }).await
    }
}

async fn complete(stand_in: State<StandIn>, headers: HeaderMap, body: String) -> Response {
    let authorization = headers["authorization"].to_str().unwrap().to_string();
    stand_in.asked.lock().unwrap().push((authorization, serde_json::from_str(&body).unwrap()));
    if stand_in.broken {
        return (StatusCode::UNAUTHORIZED, format!("no such key: {KEY}")).into_response();
    }
    let piece = |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let role = json!({"choices": [{"delta": {"role": "assistant"}}]});
    format!(
        "data: {role}\n\n: note\n\n{}{}data: [DONE]\n\n{}",
        piece("Use `to_eth`,"),
        piece(" 精确。"),
        piece("too late")
    )
    .into_response()
}

#[tokio::test]
async fn a_model_answers_from_what_was_found() {
    let stand_in = StandIn::default();
    let server = stand_in.server().await;
    let ada = server.register("ada").await;
    assert_eq!(server.get("/api/assistant/status", Some(&ada)).await.data(), json!({"model": true}));
    let before = json!([{"role": "user", "text": "Hello"}, {"role": "assistant", "text": "Hello."}]);
    let question = json!({"text": "How do I show wei as ether with to_eth?", "before": before});
    let answer = server.post("/api/assistant/ask", Some(&ada), question).await;
    assert_eq!(told(&events(&answer)), "Use `to_eth`, 精确。");
    assert!(!String::from_utf8_lossy(&answer.body).contains(KEY));
    let (authorization, body) = stand_in.asked.lock().unwrap()[0].clone();
    assert_eq!(authorization, format!("Bearer {KEY}"));
    assert_eq!((&body["stream"], &body["model"]), (&json!(true), &json!("m1")));
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    let system = text(&messages[0]["content"]);
    assert!(system.contains("Answer in English") && system.contains("to_eth(wei)"), "{system}");
    assert_eq!(messages[3]["content"], "How do I show wei as ether with to_eth?");
}

#[tokio::test]
async fn a_model_that_fails_is_replaced_by_the_manuals() {
    let stand_in = StandIn { broken: true, ..StandIn::default() };
    let server = stand_in.server().await;
    let ada = server.register("ada").await;
    let answer = ask(&server, &ada, "Who holds a token?").await;
    let events = events(&answer);
    assert!(events.iter().any(|event| event["type"] == "failed"));
    assert!(told(&events).contains("holds a token"));
    assert!(!String::from_utf8_lossy(&answer.body).contains(KEY));
}
