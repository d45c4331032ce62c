//! Queries that are saved, changed and deleted, most of them with a schedule.

use serde_json::{Value, json};

use super::{Gone, User, Work};
use crate::dice::Dice;

/// Queries of the account at a time.
const MAX_QUERIES: usize = 60;

#[derive(Default)]
pub struct Saves {
    saved: Vec<Saved>,
    under_way: Option<Change>,
    next: u64,
}

/// A query as the server acknowledged it.
#[derive(Clone, Debug, PartialEq)]
struct Saved {
    id: String,
    revision: i64,
    content: Content,
}

/// What its owner writes.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    title: String,
    text: String,
    strategy: &'static str,
    cron: &'static str,
}

/// Asked of the server, and not answered yet.
enum Change {
    Create(Content),
    /// The place among those saved.
    Update(usize, Content),
    Delete(usize),
}

impl Work for Saves {
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone> {
        let at = dice.index(self.saved.len());
        let change = match dice.below(4) {
            _ if self.saved.len() >= MAX_QUERIES => Change::Delete(at),
            0 | 1 => Change::Create(self.content(dice)),
            2 if !self.saved.is_empty() => Change::Update(at, self.content(dice)),
            3 if self.saved.len() > MAX_QUERIES / 2 => Change::Delete(at),
            _ => Change::Create(self.content(dice)),
        };
        let change = self.under_way.insert(change);
        match change {
            Change::Create(content) => {
                let view = user.call("POST", "/api/query/create", Some(&content.body()))?;
                self.saved.push(Saved::of(&view));
            }
            Change::Update(at, content) => {
                let mut body = content.body();
                body["id"] = json!(self.saved[*at].id);
                body["revision"] = json!(self.saved[*at].revision);
                let view = user.call("PATCH", "/api/query/update", Some(&body))?;
                self.saved[*at] = Saved::of(&view);
            }
            Change::Delete(at) => {
                user.call("POST", "/api/query/delete", Some(&json!({"id": self.saved[*at].id})))?;
                self.saved.remove(*at);
            }
        }
        self.under_way = None;
        Ok(true)
    }

    fn check(&mut self, user: &User<'_>, _all: bool) {
        let mine = user.get(&format!("/api/creation/mine?kind=query&page=1&size={}", MAX_QUERIES + 1));
        let mut there: Vec<String> =
            mine["items"].as_array().unwrap_or_else(|| panic!("{mine}")).iter().map(id).collect();
        match self.under_way.take() {
            Some(Change::Create(content)) => {
                // Whole, or not there.
                let new = there.iter().find(|id| !self.saved.iter().any(|saved| saved.id == **id));
                if let Some(new) = new {
                    let found = find(user, new);
                    assert_eq!(found.content, content, "a query was saved otherwise than it was sent");
                    self.saved.push(found);
                }
            }
            Some(Change::Update(at, content)) => {
                let found = find(user, &self.saved[at].id);
                if found.content == content && found.revision > self.saved[at].revision {
                    self.saved[at] = found;
                }
            }
            Some(Change::Delete(at)) if !there.contains(&self.saved[at].id) => drop(self.saved.remove(at)),
            Some(Change::Delete(_)) | None => {}
        }
        for saved in &self.saved {
            assert_eq!(find(user, &saved.id), *saved, "an acknowledged query is another one");
            there.retain(|id| *id != saved.id);
        }
        assert!(there.is_empty(), "queries that were deleted, or never saved: {there:?}");
    }
}

impl Saves {
    fn content(&mut self, dice: &mut Dice) -> Content {
        self.next += 1;
        let (strategy, cron) =
            [("manual", ""), ("hourly", ""), ("daily", ""), ("weekly", ""), ("cron", "*/5 * * * *")][dice.index(5)];
        let text = format!("select {} as n -- {}", self.next, "x".repeat(dice.index(3_000)));
        Content { title: format!("Query {}", self.next), text, strategy, cron }
    }
}

impl Content {
    fn body(&self) -> Value {
        json!({
            "title": self.title, "what": {"kind": "SQL", "text": self.text},
            "updateStrategy": self.strategy, "cron": self.cron,
        })
    }
}

impl Saved {
    fn of(view: &Value) -> Saved {
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{view}")).to_string();
        let strategies = ["manual", "hourly", "daily", "weekly", "cron"];
        let strategy = strategies.into_iter().find(|strategy| view["updateStrategy"] == *strategy);
        let strategy = strategy.unwrap_or_else(|| panic!("{view}"));
        assert_eq!(strategy != "manual", view["nextRunTime"].is_i64(), "a schedule has a next moment: {view}");
        Saved {
            id: id(view),
            revision: view["revision"].as_i64().unwrap_or_else(|| panic!("{view}")),
            content: Content {
                title: text(&view["title"]),
                text: text(&view["what"]["text"]),
                strategy,
                cron: if text(&view["cron"]).is_empty() { "" } else { "*/5 * * * *" },
            },
        }
    }
}

fn find(user: &User<'_>, id: &str) -> Saved {
    Saved::of(&user.get(&format!("/api/query/detail?id={id}")))
}

fn id(view: &Value) -> String {
    view["id"].as_str().unwrap_or_else(|| panic!("{view}")).to_string()
}
