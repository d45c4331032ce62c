//! Private letters over the websocket.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Gone, User, Work};
use crate::dice::Dice;
use crate::websocket::Socket;

/// Who gets the letters.
pub const RECEIVER: &str = "reader";

/// Between two letters, so that the account stays below its limit of 60 a minute. It may begin with some at once.
const PAUSE: Duration = Duration::from_millis(1_100);
/// Letters sent without a pause after each start of the server, which resets its counts.
const AT_ONCE: usize = 30;
/// Letters that the server gives at once.
const PAGE: usize = 100;

#[derive(Default)]
pub struct Letters {
    acknowledged: Vec<String>,
    under_way: Option<String>,
    socket: Option<Socket>,
    sent_of_start: usize,
    last: Option<Instant>,
    next: u64,
}

impl Work for Letters {
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone> {
        if self.sent_of_start >= AT_ONCE && self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return Ok(false);
        }
        if self.socket.is_none() {
            self.socket = Some(Socket::open(user.url, user.token).map_err(|_| Gone)?);
        }
        let Some(socket) = &mut self.socket else { return Err(Gone) };
        self.next += 1;
        let text = format!("letter {} {}", self.next, "é".repeat(dice.index(1_500)));
        let time = format!("{}@@@{}", self.next, self.next);
        self.under_way = Some(text.clone());
        let sent = socket.send("chat.message", json!({"msg": format!("{RECEIVER}@@@{text}"), "time": time}));
        let answered = sent.and_then(|()| {
            socket.wait_for(|kind, data| match kind {
                "chat.ack" if data["time"] == time.as_str() => Some(()),
                "error" => panic!("{}: a letter was refused: {data}", user.name),
                _ => None,
            })
        });
        match answered {
            Ok(()) => {
                self.acknowledged.push(text);
                self.under_way = None;
                self.sent_of_start += 1;
                self.last = Some(Instant::now());
                Ok(true)
            }
            Err(_) => {
                self.socket = None;
                Err(Gone)
            }
        }
    }

    fn check(&mut self, user: &User<'_>, all: bool) {
        (self.socket, self.sent_of_start) = (None, 0);
        let mut there = Vec::new();
        let mut before = String::new();
        loop {
            let page =
                user.get(&format!("/api/private/letter/chat/content?commentFrom={RECEIVER}&size={PAGE}{before}"));
            let page = page.as_array().unwrap_or_else(|| panic!("{page}")).clone();
            there.extend(page.iter().rev().map(|letter| text(&letter["comment"])));
            if page.len() < PAGE || !all {
                break;
            }
            before = format!("&before={}", page[0]["id"]);
        }
        there.reverse();
        let arrived = self.under_way.take().filter(|text| there.last() == Some(text));
        self.acknowledged.extend(arrived);
        let skipped = self.acknowledged.len().saturating_sub(there.len());
        assert!(!all || skipped == 0, "letters are missing");
        assert_eq!(there, self.acknowledged[skipped..], "the letters are not those that were acknowledged, each once");
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_string()
}
