//! Tables that were shared and no longer are: what others computed from them goes with the right to read them.

use serde_json::{Value, json};

use crate::creations::chart_widget;
use crate::harness::{Server, text};
use crate::tables::{CSV, upload};

const QUERY: &str = "select sum(id) as s from user_ada.gifts";

/// Ada's table, shared with Eve, who has published what she computed from it.
struct Published {
    server: Server,
    ada: String,
    eve: String,
    bob: String,
    query: String,
    board: String,
    job: String,
}

impl Published {
    async fn start() -> Published {
        let server = Server::start().await;
        let (ada, eve, bob) =
            (server.register("ada").await, server.register("eve").await, server.register("bob").await);
        upload(&server, &ada, "gifts", "gifts.csv", CSV).await.data();
        share(&server, &ada, "eve", true).await;
        let query = text(&server.new_query(&eve, "gifts", QUERY, "public").await["id"]);
        let job = server.run_query(&eve, &query).await;
        let chart = text(&server.new_chart(&eve, &query, "chart").await["id"]);
        let board = server.new_dashboard(&eve, "board", json!([chart_widget("w", &chart)]), "public").await;
        Published { server, ada, eve, bob, query, board: text(&board["id"]), job }
    }

    /// Every address at which the published result is read.
    fn published(&self) -> [String; 2] {
        let Published { query, board, .. } = self;
        [format!("/api/query/result?id={query}"), format!("/api/dashboard/widget/result?id={board}&widgetId=w")]
    }

    /// Every address at which its owner reads it.
    fn own(&self) -> Vec<String> {
        let of_job =
            ["result", "graph", "download?format=csv", "log"].map(|what| format!("/api/job/{}/{what}", self.job));
        of_job.into_iter().chain(self.published()).collect()
    }

    async fn assert_readable(&self) {
        for path in self.published() {
            for reader in [None, Some(&*self.bob), Some(&*self.ada)] {
                assert_eq!(self.server.get(&path, reader).await.data()["rows"], json!([["3"]]), "{path}");
            }
        }
        for path in self.own() {
            assert_eq!(self.server.get(&path, Some(&self.eve)).await.status, 200, "{path}");
        }
    }

    /// Nobody without a right to the table reads the result, its publisher included.
    async fn assert_gone(&self) {
        for path in self.published() {
            for reader in [None, Some(&*self.bob)] {
                let refused = self.server.get(&path, reader).await.failure(403, "source_not_shared");
                assert!(!refused.to_string().contains("gifts"), "the table is nobody else's business: {refused}");
            }
        }
        for path in self.own() {
            let refused = self.server.get(&path, Some(&self.eve)).await.failure(403, "own_source_not_shared");
            assert!(text(&refused["msg"]).contains("user_ada.gifts"), "{path}: {refused}");
        }
        let asked = json!({"id": self.board, "widgetId": "w", "values": {}});
        self.server.post("/api/dashboard/widget/filter", None, asked).await.failure(403, "source_not_shared");
    }
}

async fn share(server: &Server, token: &str, with: &str, allow: bool) {
    let body = json!({"table": "gifts", "userName": with, "allow": allow});
    server.post("/api/table/share", Some(token), body).await.data();
}

async fn dependents(server: &Server, token: &str, of: &str) -> Value {
    server.get(&format!("/api/table/dependents?table=gifts{of}"), Some(token)).await.data()
}

#[tokio::test]
async fn a_published_result_goes_with_the_share_it_was_computed_by_and_comes_back_with_it() {
    let at = Published::start().await;
    at.assert_readable().await;
    share(&at.server, &at.ada, "eve", false).await;
    at.assert_gone().await;
    for path in at.published() {
        assert_eq!(at.server.get(&path, Some(&at.ada)).await.data()["rows"], json!([["3"]]), "it is Ada's table");
    }
    let root = at.server.admin("root").await;
    at.server.get(&format!("/api/job/{}/result", at.job), Some(&root)).await.failure(403, "source_not_shared");
    share(&at.server, &at.ada, "*", true).await;
    at.assert_readable().await;
    share(&at.server, &at.ada, "*", false).await;
    at.assert_gone().await;
    // Who may read the table reads what was computed from it.
    share(&at.server, &at.ada, "bob", true).await;
    for path in at.published() {
        assert_eq!(at.server.get(&path, Some(&at.bob)).await.data()["rows"], json!([["3"]]));
        at.server.get(&path, None).await.failure(403, "source_not_shared");
    }
}

#[tokio::test]
async fn a_published_result_goes_with_its_table_also_when_another_one_takes_the_name() {
    let at = Published::start().await;
    // As HIVE's DROP TABLE does, past the call that forgets the readers.
    at.server.app.engine.user_tables().drop_table("user_ada", "gifts").unwrap();
    at.assert_gone().await;
    for path in at.published() {
        at.server.get(&path, Some(&at.ada)).await.failure(403, "source_not_shared");
    }
    upload(&at.server, &at.ada, "gifts", "gifts.csv", CSV).await.data();
    share(&at.server, &at.ada, "eve", true).await;
    at.assert_gone().await;
    at.server.run_query(&at.eve, &at.query).await;
    for path in at.published() {
        assert_eq!(at.server.get(&path, None).await.data()["rows"], json!([["3"]]), "it was run again");
    }
}

#[tokio::test]
async fn every_kind_and_every_way_to_read_a_table_leaves_a_result_that_goes_with_it() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    upload(&server, &ada, "gifts", "gifts.csv", CSV).await.data();
    share(&server, &ada, "eve", true).await;
    let sql = |text: &str| json!({"kind": "SQL", "text": text});
    let spec = json!({
        "tableName": "counted",
        "driver": "{input: 'user_ada.gifts', columns: ['id'], output: {n: 'bigint'}}",
        "mapper": "(row, emit) => emit(0, 1)",
        "reducer": "(key, ones, emit) => emit(ones.toArray().length)",
    });
    let bodies = [
        sql("select id from user_ada.gifts"),
        // The result of an equal query, which is not computed again.
        sql("select id from user_ada.gifts"),
        sql("select count(*) from user_ada.gifts"),
        sql(
            "with g as (select * from \"user_ada\".\"gifts\") select 1 where exists (select 1 from g where amount > 2)",
        ),
        sql("select (select max(amount) from quarry.user_ada.gifts) as most"),
        json!({"kind": "HIVE", "text": "select id from user_ada.gifts"}),
        json!({"kind": "HIVE", "text": "create view v as select id from user_ada.gifts; select * from v"}),
        json!({"kind": "MAPREDUCE", "spec": spec}),
    ];
    let mut jobs = Vec::new();
    for body in bodies {
        let id = text(&server.post("/api/query/execute", Some(&eve), body.clone()).await.data()["jobId"]);
        server.wait_for(&eve, &id, "SUCCEEDED").await;
        jobs.push((format!("/api/job/{id}/result"), body));
    }
    let log = server.get(&jobs[1].0.replace("/result", "/log"), Some(&eve)).await.data();
    assert!(log.to_string().contains("taken from an equal query"), "{log}");
    // Ada's own run of the same text, and one of Eve's that reads nothing of Ada's, stay.
    let others = [(&ada, "select id from user_ada.gifts"), (&eve, "select 1 as x")];
    let mut stay = Vec::new();
    for (token, text) in others {
        let id = server.execute(token, text).await;
        server.wait_for(token, &id, "SUCCEEDED").await;
        stay.push((token, format!("/api/job/{id}/result")));
    }
    for (path, body) in &jobs {
        assert_eq!(server.get(path, Some(&eve)).await.status, 200, "{body}");
    }
    server.post("/api/table/drop", Some(&ada), json!({"table": "gifts"})).await.data();
    for (path, body) in &jobs {
        let answer = server.get(path, Some(&eve)).await;
        assert_eq!(answer.status, 403, "{body}");
        answer.failure(403, "own_source_not_shared");
    }
    for (token, path) in stay {
        assert_eq!(server.get(&path, Some(token)).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn both_sides_know_before_what_depends_on_the_table() {
    let at = Published::start().await;
    let (server, none) = (&at.server, json!({"results": 0, "publishers": 0}));
    let one = json!({"results": 1, "publishers": 1});
    for of in ["", "&userName=eve"] {
        assert_eq!(dependents(server, &at.ada, of).await, one, "{of}");
    }
    assert_eq!(dependents(server, &at.ada, "&userName=bob").await, none);
    server.get("/api/table/dependents?table=gifts", Some(&at.eve)).await.failure(404, "not_found");
    let source = json!([{"schema": "user_ada", "table": "gifts"}]);
    for id in [&at.query, &at.board] {
        let path = format!("/api/creation/tables?id={id}");
        assert_eq!(server.get(&path, Some(&at.eve)).await.data(), source);
        server.get(&path, Some(&at.bob)).await.failure(404, "not_found");
    }
    // Shared with everybody as well, nothing goes when Eve alone is taken out.
    share(server, &at.ada, "*", true).await;
    assert_eq!(dependents(server, &at.ada, "&userName=eve").await, none);
    assert_eq!(dependents(server, &at.ada, "").await, one);
    share(server, &at.ada, "*", false).await;
    // On a public dashboard the result of a private query is published; without that it is Eve's own.
    let visibility = async |id: &str, visibility: &str| {
        let body = json!({"id": id, "visibility": visibility});
        server.post("/api/creation/visibility/set", Some(&at.eve), body).await.data();
    };
    visibility(&at.query, "private").await;
    assert_eq!(dependents(server, &at.ada, "").await, one);
    visibility(&at.board, "private").await;
    assert_eq!(dependents(server, &at.ada, "").await, none);
    visibility(&at.query, "public").await;
    assert_eq!(dependents(server, &at.ada, "").await, one);
    // A newer result that does not read the table takes the place of the one that does.
    let what = json!({"kind": "SQL", "text": "select 1 as s"});
    let revision =
        server.get(&format!("/api/query/detail?id={}", at.query), Some(&at.eve)).await.data()["revision"].clone();
    let change = json!({"id": at.query, "revision": revision, "what": what});
    server.patch("/api/query/update", Some(&at.eve), change).await.data();
    server.run_query(&at.eve, &at.query).await;
    assert_eq!(dependents(server, &at.ada, "").await, none);
    share(server, &at.ada, "eve", false).await;
    assert_eq!(server.get(&at.published()[0], None).await.data()["rows"], json!([["1"]]));
}
