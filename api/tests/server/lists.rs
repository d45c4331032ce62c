//! What lists, searches and totals answer, beside what one finds by looking at every row; on both databases, after many
//! random changes. Lists keep sums and walk indexes, so this is what holds them to the rows.

use std::collections::BTreeMap;

use axum::body::Body;
use quarry::app::{App, AppOptions};
use quarry::auth::accounts;
use quarry::creations::index::Wish;
use quarry::creations::model::CreationKind;
use quarry::creations::paging::Window;
use quarry::db::Db;
use quarry::features::discover::model::Sort;
use quarry::features::discover::store::{self, Part, Search, Way, Words};
use quarry::router::router;
use quarry::time::now_ms;
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use sqlx::Row;

use crate::harness::{Server, request, text};
use crate::stores::{on_both, postgres, sqlite};

on_both!(lists_tell_what_the_rows_tell);

const DAY: i64 = 86_400_000;
const WORDS: [&str; 10] = ["gas", "fee", "mev", "nft", "report", "费用", "交易费用", "区块", "bridge", "gas fee"];
const TAGS: [&str; 5] = ["DeFi", "defi", "nft", "Gas", "费用"];
const USERS: [&str; 5] = ["ada", "adam", "bob", "eve", "zoe"];
const KINDS: [&str; 2] = ["query", "dashboard"];

/// A public creation as its rows tell it.
#[derive(Debug, Clone)]
struct Thing {
    id: String,
    number: i64,
    kind: String,
    author: String,
    favorites: i64,
    updated: i64,
    /// Everything that is searched, in small letters.
    content: String,
    tags: Vec<String>,
}

impl Thing {
    fn has(&self, word: &str) -> bool {
        // A word of Chinese letters stands anywhere; any other one ends where no letter follows.
        let letter = |at: Option<char>| at.is_some_and(|at| at.is_ascii_alphanumeric());
        self.content.match_indices(word).any(|(at, _)| {
            let (before, after) = (&self.content[..at], &self.content[at + word.len()..]);
            !word.is_ascii() || !letter(before.chars().last()) && !letter(after.chars().next())
        })
    }
}

type Means = fn(&Thing) -> bool;

/// What is typed, and what it means.
const SEARCHES: [(&str, Means); 10] = [
    ("", |_| true),
    ("mev ", |thing| thing.has("mev")),
    ("gas report ", |thing| thing.has("gas") && thing.has("report")),
    ("\"gas fee\"", |thing| thing.has("gas") && thing.has("fee") && thing.content.contains("gas fee")),
    ("费用", |thing| thing.content.contains("费用")),
    ("交易费用", |thing| thing.content.contains("交易费用")),
    ("tag:defi", |thing| thing.tags.iter().any(|tag| tag == "defi")),
    ("-mev tag:nft", |thing| !thing.has("mev") && thing.tags.iter().any(|tag| tag == "nft")),
    ("author:ada fee ", |thing| thing.author == "ada" && thing.has("fee")),
    ("r", |thing| thing.content.split(|at: char| !at.is_alphanumeric()).any(|word| word.starts_with('r'))),
];

async fn server_on(db: Db) -> Server {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineConfig::at(home.path())).unwrap();
    let app = App::open(engine, db, home.path(), AppOptions::default()).await.unwrap();
    let router = router(app.clone());
    Server { app, router, home }
}

async fn lists_tell_what_the_rows_tell(db: Db) {
    let server = server_on(db).await;
    let mut dice = StdRng::seed_from_u64(11);
    let mut tokens = BTreeMap::new();
    server.admin("root").await;
    for name in USERS {
        tokens.insert(name, server.register(name).await);
    }
    let mut made: Vec<(&str, &str, String)> = Vec::new();
    for step in 0..240 {
        change(&server, &mut dice, &tokens, &mut made).await;
        if step % 120 == 119 {
            spread(&server, &mut dice).await;
            check(&server).await;
        }
    }
    let off = accounts::find(&server.app.db, "bob").await.unwrap().unwrap().id;
    accounts::set_disabled(&server.app.db, off, true).await.unwrap();
    creators(&server, "all", 0).await;
    accounts::set_disabled(&server.app.db, off, false).await.unwrap();
    creators(&server, "all", 0).await;
}

/// Somebody does something that lists tell of.
async fn change(
    server: &Server,
    dice: &mut StdRng,
    tokens: &BTreeMap<&'static str, String>,
    made: &mut Vec<(&'static str, &'static str, String)>,
) {
    let user = *USERS.choose(dice).unwrap();
    let token = Some(tokens[user].as_str());
    let phrase = |dice: &mut StdRng| (0..4).map(|_| *WORDS.choose(dice).unwrap()).collect::<Vec<_>>().join(" ");
    let tag = *TAGS.choose(dice).unwrap();
    let shown = *["public", "public", "private", "link"].choose(dice).unwrap();
    let what = dice.random_range(0..10);
    if what < 4 || made.is_empty() {
        let kind = *KINDS.choose(dice).unwrap();
        let mut new = json!({"title": phrase(dice), "notes": phrase(dice), "tags": [tag], "visibility": shown});
        if kind == "query" {
            new["what"] = json!({"kind": "SQL", "text": format!("select 1 -- {}", phrase(dice))});
        }
        let answer = server.post(&format!("/api/{kind}/create"), token, new).await.data();
        made.push((user, kind, text(&answer["id"])));
        return;
    }
    let (owner, kind, id) = made.choose(dice).unwrap().clone();
    let own = Some(tokens[owner].as_str());
    match what {
        4 => {
            let body = json!({"id": id, "visibility": shown});
            server.post("/api/creation/visibility/set", own, body).await.data();
        }
        5 => {
            let body = json!({"entity": kind, "id": id, "tag": tag});
            server.post("/api/tag/add", own, body).await.data();
        }
        6 => {
            // It may not have the tag.
            server.post("/api/tag/remove", own, json!({"entity": kind, "id": id, "tag": tag})).await;
        }
        7 => {
            // It may not be theirs to see.
            let path = *["/api/favorite/add", "/api/favorite/remove"].choose(dice).unwrap();
            server.post(path, token, json!({"kind": kind, "id": id})).await;
        }
        8 => {
            let address = format!("0x{:040x}", dice.random_range(1..4));
            let body = json!({"entity": "address", "id": address, "tag": tag});
            server.post("/api/tag/add", token, body).await.data();
        }
        _ => {
            server.post(&format!("/api/{kind}/delete"), own, json!({"id": id})).await.data();
            made.retain(|(_, _, other)| *other != id);
        }
    }
}

/// Gives rows moments of the last sixty days.
async fn spread(server: &Server, dice: &mut StdRng) {
    let pool = server.app.db.pool();
    for (table, key, column) in
        [("creations", "id", "updated_at"), ("tags", "entity_id", "updated_at"), ("users", "user_name", "created_at")]
    {
        let select = format!("select distinct {key} from {table}");
        let ids: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(select)).fetch_all(pool).await.unwrap();
        let statement = format!("update {table} set {column} = $2 where {key} = $1");
        for id in ids {
            let at = now_ms() - dice.random_range(0..60) * DAY - DAY / 2;
            sqlx::query(sqlx::AssertSqlSafe(statement.clone())).bind(id).bind(at).execute(pool).await.unwrap();
        }
    }
}

async fn get(server: &Server, path: &str) -> Value {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b' ' | b'"' | 128.. => address.push_str(&format!("%{byte:02x}")),
            _ => address.push(char::from(byte)),
        }
    }
    let request = request(axum::http::Method::GET, &address, None).body(Body::empty()).unwrap();
    server.send(request).await.data()
}

/// The whole list, read in pages of seven, and the total that every page tells.
async fn pages(server: &Server, path: &str, name: &str) -> (Vec<String>, i64) {
    let mut found: Vec<String> = Vec::new();
    for page in 1.. {
        let answer = get(server, &format!("{path}&size=7&page={page}")).await;
        let total = answer["total"].as_i64().unwrap();
        let items = answer["items"].as_array().unwrap();
        found.extend(items.iter().map(|item| text(&item[name])));
        if items.is_empty() {
            return (found, total);
        }
    }
    unreachable!("pages end")
}

async fn things(server: &Server) -> Vec<Thing> {
    let pool = server.app.db.pool();
    let rows = sqlx::query(
        "select c.id, c.number, c.kind, c.favorites, c.updated_at, c.title, c.notes, u.user_name, coalesce(q.text, '') as text
         from creations c join users u on u.id = c.owner_id left join queries q on q.id = c.id
         where c.visibility = 'public' and c.kind in ('query', 'dashboard')",
    );
    let mut found = Vec::new();
    for row in rows.fetch_all(pool).await.unwrap() {
        let id: String = row.get("id");
        let tags: Vec<String> =
            sqlx::query_scalar("select tag from tags where entity_id = $1").bind(&id).fetch_all(pool).await.unwrap();
        let tags: Vec<String> = tags.iter().map(|tag| tag.to_lowercase()).collect();
        let author: String = row.get("user_name");
        let parts = ["title", "notes", "text"].map(|part| row.get::<String, _>(part));
        let content = format!("{}\n{author}\n{}", parts.join("\n"), tags.join(" ")).to_lowercase();
        let (favorites, updated) = (row.get("favorites"), row.get("updated_at"));
        found.push(Thing {
            id,
            number: row.get("number"),
            kind: row.get("kind"),
            author,
            favorites,
            updated,
            content,
            tags,
        });
    }
    found
}

async fn check(server: &Server) {
    let all = things(server).await;
    assert!(all.len() > 10, "there is something to list");
    for (range, days) in [("all", 100_000), ("30d", 30), ("7d", 7)] {
        let since = now_ms() - days * DAY;
        for (typed, means) in SEARCHES {
            let mut counts = Vec::new();
            for kind in KINDS {
                let tab = if kind == "query" { "queries" } else { "dashboards" };
                let mut expected: Vec<&Thing> =
                    all.iter().filter(|thing| thing.kind == kind && thing.updated >= since && means(thing)).collect();
                counts.push(expected.len());
                for sort in ["time", "favorites"] {
                    expected.sort_by_key(|thing| {
                        let stars = if sort == "time" { 0 } else { thing.favorites };
                        std::cmp::Reverse((stars, thing.updated, thing.number))
                    });
                    let path = format!("/api/discover/{tab}?search={typed}&sort={sort}&range={range}");
                    let (found, total) = pages(server, &path, "id").await;
                    let expected: Vec<&str> = expected.iter().map(|thing| thing.id.as_str()).collect();
                    assert_eq!(found, expected, "{path}");
                    assert_eq!(total, i64::try_from(expected.len()).unwrap(), "{path}");
                }
                every_way(server, kind, typed, since * i64::from(days < 100), &expected).await;
            }
            let told = get(server, &format!("/api/discover/counts?search={typed}&range={range}")).await;
            assert_eq!((&told["queries"], &told["dashboards"]), (&json!(counts[0]), &json!(counts[1])), "{typed}");
        }
        creators(server, range, since).await;
        trending(server, range, since).await;
    }
    tag_lists(server).await;
}

/// However a page of the search is found, it is the same; `expected` are those of most favourites first.
async fn every_way(server: &Server, kind: &str, typed: &str, since: i64, expected: &[&Thing]) {
    let wish = Wish::read(typed);
    if wish.is_empty() {
        return;
    }
    let db = &server.app.db;
    let search = Search { kind: CreationKind::parse(kind).unwrap(), wish: &wish, since };
    let words = Words::of(db, &search).await.unwrap();
    let total = i64::try_from(expected.len()).unwrap();
    let expected: Vec<i64> = expected.iter().map(|thing| thing.number).collect();
    for way in [Way::Words, Way::Asked, Way::Set, Way::Joined] {
        // What stands in quotes is never asked of single entries.
        if way == Way::Asked && !wish.texts.is_empty() {
            continue;
        }
        let mut found = Vec::new();
        while found.len() < expected.len() {
            let window = Window { limit: 7, offset: i64::try_from(found.len()).unwrap() };
            let part = Part::of(Sort::Favorites, window, total);
            let rows = store::rows(db, &search, &words, &way, &part, total).await.unwrap();
            assert!(!rows.is_empty(), "{way:?} {typed}");
            // From a row on that is known: the first of the page, and its last.
            if way == Way::Asked {
                let from = Way::From { row: rows[0].clone(), skip: 0 };
                assert_eq!(store::rows(db, &search, &words, &from, &part, total).await.unwrap(), rows, "{typed}");
                let from = Way::From { row: rows[0].clone(), skip: i64::try_from(rows.len()).unwrap() - 1 };
                let rest = store::rows(db, &search, &words, &from, &part, total).await.unwrap();
                assert_eq!(rest.first(), rows.last(), "{typed}");
            }
            found.extend(part.numbers(&rows));
        }
        assert_eq!(found, expected, "{way:?} {typed}");
        assert_eq!(store::counted(db, &search, &words, &way).await.unwrap(), total, "{way:?} {typed}");
    }
}

async fn creators(server: &Server, range: &str, since: i64) {
    let rows = sqlx::query(
        "select u.user_name, u.id, f.stars, u.created_at from users u join creator_figures f on f.user_id = u.id
         where u.disabled = 0 and exists (select 1 from creations c where c.owner_id = u.id and c.visibility = 'public'
           and c.kind in ('query', 'dashboard'))",
    );
    let rows = rows.fetch_all(server.app.db.pool()).await.unwrap();
    for search in ["", "ad", "zoe", "nobody"] {
        let mut expected: Vec<(i64, i64, String)> = rows
            .iter()
            .filter(|row| row.get::<i64, _>("created_at") >= since)
            .map(|row| (row.get("stars"), row.get("id"), row.get::<String, _>("user_name")))
            .filter(|(_, _, name)| name.starts_with(search))
            .collect();
        for sort in ["time", "favorites"] {
            expected.sort_by_key(|(stars, id, _)| std::cmp::Reverse((if sort == "time" { 0 } else { *stars }, *id)));
            let path = format!("/api/discover/creators?search={search}&sort={sort}&range={range}");
            let (found, total) = pages(server, &path, "userName").await;
            assert_eq!(found, expected.iter().map(|(_, _, name)| name.clone()).collect::<Vec<_>>(), "{path}");
            assert_eq!(total, i64::try_from(found.len()).unwrap(), "{path}");
        }
    }
}

/// Tags that everybody sees: entity, key and spelling, with the moment.
async fn shown_tags(server: &Server) -> Vec<(String, String, String, i64)> {
    let rows = sqlx::query(
        "select t.entity_kind, t.tag_key, t.tag, t.updated_at from tags t where t.entity_kind in ('user', 'address')
         or exists (select 1 from creations c where c.id = t.entity_id and c.visibility = 'public')",
    );
    let rows = rows.fetch_all(server.app.db.pool()).await.unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect()
}

async fn trending(server: &Server, range: &str, since: i64) {
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for (_, key, _, _) in shown_tags(server).await.iter().filter(|(_, _, _, at)| *at >= since) {
        *expected.entry(key.clone()).or_default() += 1;
    }
    let found = get(server, &format!("/api/tag/trending?range={range}")).await;
    let found = found.as_array().unwrap();
    let counts: Vec<i64> = found.iter().map(|one| one["count"].as_i64().unwrap()).collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{found:?}");
    let told = found.iter().map(|one| (text(&one["tag"]).to_lowercase(), one["count"].as_i64().unwrap())).collect();
    assert_eq!(expected, told, "{range}");
}

async fn tag_lists(server: &Server) {
    let shown = shown_tags(server).await;
    for entity in ["", "query", "dashboard", "address", "project"] {
        for tag in ["", "DEFI", "费用", "none"] {
            let expected = shown
                .iter()
                .filter(|(kind, _, _, _)| entity.is_empty() || kind == entity)
                .filter(|(_, key, _, _)| tag.is_empty() || *key == tag.to_lowercase());
            let mut path = "/api/tag/list?".to_string();
            if !entity.is_empty() {
                path.push_str(&format!("&entity={entity}"));
            }
            if !tag.is_empty() {
                path.push_str(&format!("&tag={tag}"));
            }
            let (found, total) = pages(server, &path, "tag").await;
            assert_eq!(
                (found.len(), total),
                (expected.clone().count(), i64::try_from(expected.count()).unwrap()),
                "{path}"
            );
        }
    }
}
