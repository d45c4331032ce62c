//! Dashboards: what their widgets show to whom, autosave, operation records, favourites and Discover.

use serde_json::{Value, json};

use crate::creations::chart_widget;
use crate::harness::{Server, text};

#[tokio::test]
async fn an_owner_shows_their_own_charts_and_nobody_elses() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let query = text(&server.new_query(&ada, "secret text", "select 7 as x", "private").await["id"]);
    let chart = text(&server.new_chart(&ada, &query, "seven").await["id"]);
    server.run_query(&ada, &query).await;
    let board = text(&server.new_dashboard(&ada, "ada's", json!([chart_widget("w", &chart)]), "public").await["id"]);
    let seen = server.get(&format!("/api/dashboard/detail?id={board}"), None).await.data();
    assert_eq!((&seen["shows"][0]["visible"], &seen["shows"][0]["title"]), (&json!(true), &json!("seven")));
    assert_eq!(seen["shows"][0]["queryId"], Value::Null);
    let rows = server.get(&format!("/api/dashboard/widget/result?id={board}&widgetId=w"), None).await.data();
    assert_eq!(rows["rows"][0][0], "7");
    server.get(&format!("/api/query/detail?id={query}"), Some(&eve)).await.failure(404, "not_found");

    // Eve puts ada's private chart on a dashboard of her own: it shows nothing, to her and to others.
    let board = text(&server.new_dashboard(&eve, "eve's", json!([chart_widget("w", &chart)]), "public").await["id"]);
    for reader in [Some(eve.as_str()), None] {
        let seen = server.get(&format!("/api/dashboard/detail?id={board}"), reader).await.data();
        assert_eq!((&seen["shows"][0]["visible"], &seen["shows"][0]["shown"]), (&json!(false), &Value::Null));
        let path = format!("/api/dashboard/widget/result?id={board}&widgetId=w");
        server.get(&path, reader).await.failure(404, "not_found");
    }
    let preview = json!({"content": {"widgets": [chart_widget("w", &chart)]}});
    let preview = server.post("/api/dashboard/preview", Some(&eve), preview).await.data();
    assert_eq!(preview["shows"][0]["visible"], false);
}

#[tokio::test]
async fn a_list_names_no_picture_that_its_reader_could_not_draw() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let mut boards = Vec::new();
    for visibility in ["private", "public"] {
        let query = text(&server.new_query(&ada, "q", "select 7 as x", visibility).await["id"]);
        let chart = text(&server.new_chart(&ada, &query, "seven").await["id"]);
        let board = server.new_dashboard(&ada, visibility, json!([chart_widget("w", &chart)]), "public").await;
        boards.push((text(&board["id"]), chart, query));
    }
    let [(closed, hidden, _), (_, shown, open)] = &boards[..] else { panic!("two boards") };
    let pictures = async |path: &str, reader: Option<&str>| {
        let list = server.get(path, reader).await.data();
        let mut found: Vec<(String, Value)> = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| (text(&card["title"]), card["previewId"].clone()))
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found.into_iter().map(|(_, picture)| picture).collect::<Vec<_>>()
    };
    let list = "/api/discover/dashboards";
    for reader in [Some(eve.as_str()), None] {
        assert_eq!(pictures(list, reader).await, [Value::Null, json!(shown)]);
    }
    assert_eq!(pictures(list, Some(&ada)).await, [json!(hidden), json!(shown)]);
    assert_eq!(pictures("/api/creation/mine?kind=dashboard", Some(&ada)).await, [json!(hidden), json!(shown)]);
    // A favourite is a list of somebody else's things too.
    server.post("/api/favorite/add", Some(&eve), json!({"kind": "dashboard", "id": closed})).await.data();
    assert_eq!(pictures("/api/favorite/list?kind=dashboard", Some(&eve)).await, [Value::Null]);
    // A chart may be public without its query: then there are no rows to draw.
    let body = json!({"id": hidden, "visibility": "public"});
    server.post("/api/creation/visibility/set", Some(&ada), body).await.data();
    let charts = "/api/creation/ofUser?userName=ada&kind=visualization";
    let charts = server.get(charts, Some(&eve)).await.data();
    let queries: Vec<&Value> = charts["items"].as_array().unwrap().iter().map(|card| &card["queryId"]).collect();
    assert!(queries.len() == 2 && queries.contains(&&Value::Null) && queries.contains(&&json!(open)), "{charts}");
}

#[tokio::test]
async fn readers_set_the_filters_of_a_dashboard_whose_queries_they_may_not_run() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let what = json!({"kind": "SQL", "text": "select {{n}} as x, {{hidden}} as h",
        "parameters": [{"name": "n", "type": "number", "default": 5}, {"name": "hidden", "type": "text", "default": "a"}]});
    let query = json!({"title": "private", "what": what, "visibility": "private"});
    let query = text(&server.post("/api/query/create", Some(&ada), query).await.data()["id"]);
    let chart = text(&server.new_chart(&ada, &query, "chart").await["id"]);
    server.run_query(&ada, &query).await;
    let mut widget = chart_widget("w", &chart);
    widget["content"]["parameters"] = json!({"number": "n"});
    let filters = json!([{"name": "number", "type": "number", "default": 5}, {"name": "other", "type": "text"}]);
    let board = json!({"title": "b", "visibility": "public", "content": {"widgets": [widget], "parameters": filters}});
    let board = text(&server.post("/api/dashboard/create", Some(&ada), board).await.data()["id"]);

    let path = "/api/dashboard/widget/filter";
    let asked = |values: Value| json!({"id": board, "widgetId": "w", "values": values});
    let ask = async |reader: Option<&str>, values: Value| server.post(path, reader, asked(values)).await;
    let job = async |reader: Option<&str>, values: Value| {
        let found = ask(reader, values).await.data();
        assert_eq!(found["pending"], false);
        (found["result"]["rows"][0][0].clone(), text(&found["result"]["shown"]["jobId"]))
    };
    // Once for all who ask, as its owner; without a value that concerns the query the rows are those that all see.
    let (seven, first) = job(None, json!({"number": "7"})).await;
    assert_eq!(seven, json!("7"));
    assert_eq!(job(Some(&eve), json!({"number": "7"})).await, (seven, first));
    assert_eq!(job(None, json!({"other": "x"})).await.0, json!("5"));
    let detail = server.get(&format!("/api/dashboard/widget/result?id={board}&widgetId=w"), None).await.data();
    assert_eq!(detail["rows"][0][0], json!("5"));

    // What no filter offers can't be set, nor can another's query be run, nor a private dashboard be asked.
    ask(None, json!({"hidden": "b"})).await.failure(400, "invalid_input");
    ask(None, json!({"n": 8})).await.failure(400, "invalid_input");
    let theirs =
        server.post("/api/query/create", Some(&eve), json!({"title": "q", "what": what, "visibility": "public"}));
    let theirs = text(&theirs.await.data()["id"]);
    let theirs = text(&server.new_chart(&eve, &theirs, "chart").await["id"]);
    let mut widget = chart_widget("w", &theirs);
    widget["content"]["parameters"] = json!({"number": "n"});
    let content = json!({"widgets": [widget], "parameters": [{"name": "number", "type": "number"}]});
    for (visibility, status, code) in [("public", 403, "forbidden"), ("private", 404, "not_found")] {
        let board = json!({"title": "b", "visibility": visibility, "content": content});
        let board = text(&server.post("/api/dashboard/create", Some(&ada), board).await.data()["id"]);
        let asked = json!({"id": board, "widgetId": "w", "values": {"number": 1}});
        server.post(path, None, asked).await.failure(status, code);
    }
}

#[tokio::test]
async fn saves_of_the_editor_are_one_version() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "private").await["id"]);
    let save = async |revision: i64, words: &str, autosave: bool| {
        let widget = json!({"id": "t", "layout": {"x": 0, "y": 0, "w": 6, "h": 2},
            "content": {"type": "text", "text": words}});
        let change = json!({"id": id, "revision": revision, "content": {"widgets": [widget]}, "autosave": autosave});
        server.patch("/api/dashboard/update", Some(&ada), change).await
    };
    for (revision, words) in [(1, "a"), (2, "ab"), (3, "abc")] {
        save(revision, words, true).await.data();
    }
    let late = save(2, "lost", true).await;
    assert_eq!(late.status.as_u16(), 409);
    assert_eq!(late.json()["data"]["content"]["widgets"][0]["content"]["text"], "abc");
    save(4, "done", false).await.data();
    let list = server.get(&format!("/api/dashboard/version/list?id={id}"), Some(&ada)).await.data();
    assert_eq!(list["total"], 3, "{list}");
    let second = server.get(&format!("/api/dashboard/version/detail?id={id}&version=2"), Some(&ada)).await.data();
    assert_eq!(second["content"]["widgets"][0]["content"]["text"], "abc");
    let back = server.post("/api/dashboard/version/restore", Some(&ada), json!({"id": id, "version": 2})).await.data();
    assert_eq!(back["content"]["widgets"][0]["content"]["text"], "abc");
}

#[tokio::test]
async fn a_refresh_runs_each_query_once() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let mine = text(&server.new_query(&ada, "mine", "select 1 as x", "private").await["id"]);
    let theirs = text(&server.new_query(&eve, "theirs", "select 2 as x", "public").await["id"]);
    let (one, two) = (server.new_chart(&ada, &mine, "a").await, server.new_chart(&ada, &mine, "b").await);
    let three = server.new_chart(&eve, &theirs, "c").await;
    let widgets: Vec<Value> = [&one, &two, &three]
        .iter()
        .enumerate()
        .map(|(at, chart)| chart_widget(&format!("w{at}"), &text(&chart["id"])))
        .collect();
    let board = text(&server.new_dashboard(&ada, "board", json!(widgets), "public").await["id"]);
    server.post("/api/dashboard/refresh", Some(&eve), json!({"id": board})).await.failure(403, "forbidden");
    let refreshed = server.post("/api/dashboard/refresh", Some(&ada), json!({"id": board})).await.data();
    assert_eq!(refreshed["started"].as_array().unwrap().len(), 1, "{refreshed}");
    assert_eq!((&refreshed["started"][0]["queryId"], &refreshed["skipped"]), (&json!(mine), &json!([theirs])));
    server.wait_for(&ada, &text(&refreshed["started"][0]["jobId"]), "SUCCEEDED").await;
}

#[tokio::test]
async fn operations_on_dashboards_are_recorded() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let root = server.admin("root").await;
    for token in [&ada, &eve] {
        let id = text(&server.new_dashboard(token, "board", json!([]), "private").await["id"]);
        for revision in [1, 2] {
            let change = json!({"id": id, "revision": revision, "title": format!("board {revision}")});
            server.patch("/api/dashboard/update", Some(token), change).await.data();
        }
        server.post("/api/dashboard/delete", Some(token), json!({"id": id})).await.data();
    }
    for operation in ["Create", "Edit", "Delete"] {
        let all = format!("/api/dashboard/all{operation}Record");
        assert_eq!(server.get(&all, Some(&root)).await.data()["total"], 2, "{operation}");
        assert_eq!(server.get(&format!("{all}?userName=eve"), Some(&root)).await.data()["total"], 1);
        server.get(&all, Some(&ada)).await.failure(403, "forbidden");
        let part = format!("/api/dashboard/part{operation}Record");
        let own = server.get(&part, Some(&ada)).await.data();
        assert_eq!((&own["total"], &own["items"][0]["userName"]), (&json!(1), &json!("ada")), "{operation}");
        assert_eq!(server.get(&part, Some(&root)).await.data()["total"], 0);
    }
    let edits = server.get("/api/dashboard/partEditRecord", Some(&ada)).await.data();
    assert_eq!(edits["items"][0]["dashboardName"], "board 2");
}

#[tokio::test]
async fn favourites_are_counted_once_and_listed() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "public").await["id"]);
    let hidden = text(&server.new_dashboard(&ada, "hidden", json!([]), "private").await["id"]);
    let mark = async |call: &str, kind: &str, id: &str| {
        server.post(&format!("/api/favorite/{call}"), Some(&eve), json!({"kind": kind, "id": id})).await
    };
    for _ in 0..2 {
        mark("add", "dashboard", &id).await.data();
    }
    mark("add", "user", "ada").await.data();
    mark("add", "address", &format!("0x{}", "AB".repeat(20))).await.data();
    mark("add", "address", "0x12").await.failure(400, "invalid_input");
    mark("add", "dashboard", &hidden).await.failure(404, "not_found");
    mark("add", "query", &id).await.failure(404, "not_found");
    let seen = server.get(&format!("/api/dashboard/detail?id={id}"), Some(&eve)).await.data();
    assert_eq!((&seen["favorites"], &seen["favorited"]), (&json!(1), &json!(true)));
    let creators = server.get("/api/discover/creators", Some(&eve)).await.data();
    assert_eq!((&creators["items"][0]["stars"], &creators["items"][0]["favorited"]), (&json!(2), &json!(true)));
    let list = server.get("/api/favorite/list?kind=dashboard", Some(&eve)).await.data();
    assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(1), &json!(id)));
    let names = server.get("/api/favorite/names?kind=address", Some(&eve)).await.data();
    assert_eq!(names["items"][0]["id"], format!("0x{}", "ab".repeat(20)));
    for _ in 0..2 {
        mark("remove", "dashboard", &id).await.data();
    }
    assert_eq!(server.get(&format!("/api/dashboard/detail?id={id}"), Some(&eve)).await.data()["favorites"], 0);
    // A favourite that is no longer public is no longer listed.
    mark("add", "dashboard", &id).await.data();
    server.post("/api/creation/visibility/set", Some(&ada), json!({"id": id, "visibility": "private"})).await.data();
    assert_eq!(server.get("/api/favorite/list?kind=dashboard", Some(&eve)).await.data()["total"], 0);
}

#[tokio::test]
async fn credits_are_for_dashboards_that_are_public() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "public").await["id"]);
    let credits =
        async || server.get("/api/system/user/userName/ada", None).await.data()["creditCount"].as_i64().unwrap();
    assert_eq!(credits().await, 5);
    for (visibility, held) in [("private", 0), ("public", 5), ("public", 5)] {
        let choice = json!({"id": id, "visibility": visibility});
        server.post("/api/creation/visibility/set", Some(&ada), choice).await.data();
        assert_eq!(credits().await, held, "{visibility}");
    }
    server.post("/api/dashboard/delete", Some(&ada), json!({"id": id})).await.data();
    assert_eq!(credits().await, 0);
}

#[tokio::test]
async fn discover_finds_what_is_public() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let query = async |token: &str, title: &str, sql: &str, tags: &[&str], visibility: &str| {
        let body =
            json!({"title": title, "tags": tags, "what": {"kind": "SQL", "text": sql}, "visibility": visibility});
        text(&server.post("/api/query/create", Some(token), body).await.data()["id"])
    };
    let gas = query(&ada, "Gas per hour", "select avg(gas_price) from transactions", &["Fees"], "public").await;
    let mev = query(&eve, "交易费用分析", "select 1 -- sandwich bots", &["mev"], "public").await;
    query(&ada, "Gas in secret", "select 1", &["Fees"], "private").await;
    let find = async |search: &str| {
        let search: String = search.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let list = server.get(&format!("/api/discover/queries?search={search}"), None).await.data();
        let ids: Vec<String> = list["items"].as_array().unwrap().iter().map(|item| text(&item["id"])).collect();
        assert_eq!(list["total"], ids.len());
        ids
    };
    let (gas, mev) = (vec![gas], vec![mev]);
    for (search, found) in [
        ("gas", &gas),
        ("GAS hour", &gas),
        ("gas_pri", &gas),
        ("\"gas per hour\"", &gas),
        ("tag:fees", &gas),
        ("author:ada", &gas),
        ("费用", &mev),
        ("交易费用", &mev),
        ("分析", &mev),
        ("析", &mev),
        ("sandwich", &mev),
        ("author:eve -gas", &mev),
        ("tag:MEV", &mev),
    ] {
        assert_eq!(&find(search).await, found, "{search}");
    }
    for nothing in ["secret", "\"hour per\"", "gas -per", "tag:fee", "author:ad", "费析", "'; drop table users; --x"]
    {
        assert_eq!(find(nothing).await, [""; 0], "{nothing}");
    }
    assert_eq!(find("-gas").await, mev);
    assert_eq!(find("\" AND OR NOT ( * ^ :").await.len(), 0);
    let counts = server.get("/api/discover/counts?search=gas", None).await.data();
    assert_eq!((&counts["queries"], &counts["dashboards"]), (&json!(1), &json!(0)));
    server.post("/api/favorite/add", Some(&ada), json!({"kind": "query", "id": mev[0]})).await.data();
    let first = async |sort: &str| {
        let list = server.get(&format!("/api/discover/queries?range=24h&size=1&sort={sort}"), None).await.data();
        (text(&list["items"][0]["id"]), list["total"].clone())
    };
    assert_eq!(first("favorites").await, (mev[0].clone(), json!(2)));
    assert_eq!(first("time").await.1, 2);
    server.post("/api/query/delete", Some(&eve), json!({"id": mev[0]})).await.data();
    assert_eq!(find("费用").await, [""; 0]);
    server.get("/api/discover/queries?sort=luck", None).await.failure(400, "invalid_input");
}

#[tokio::test]
async fn tags_are_given_by_owners() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = text(&server.new_dashboard(&ada, "board", json!([]), "public").await["id"]);
    let tag = async |call: &str, token: &str, entity: &str, id: &str, tag: &str| {
        server.post(&format!("/api/tag/{call}"), Some(token), json!({"entity": entity, "id": id, "tag": tag})).await
    };
    assert_eq!(tag("add", &ada, "dashboard", &id, "DeFi").await.data(), json!(["DeFi"]));
    tag("add", &eve, "dashboard", &id, "spam").await.failure(403, "forbidden");
    tag("add", &ada, "dashboard", &id, "sixteen letters!").await.failure(400, "invalid_input");
    tag("add", &eve, "user", "ada", "spam").await.failure(403, "forbidden");
    let address = format!("0x{}", "1".repeat(40));
    tag("add", &eve, "address", &address, "exchange").await.data();
    tag("remove", &ada, "address", &address, "exchange").await.failure(404, "not_found");
    let found = server.get("/api/discover/dashboards?search=tag:defi", None).await.data();
    assert_eq!((&found["total"], &found["items"][0]["tags"]), (&json!(1), &json!(["DeFi"])));
    let trending = server.get("/api/tag/trending?range=24h", None).await.data();
    assert_eq!(trending.as_array().unwrap().len(), 2, "{trending}");
    let list = server.get("/api/tag/list?entity=address", None).await.data();
    assert_eq!((&list["items"][0]["entityId"], &list["items"][0]["creator"]), (&json!(address), &json!("eve")));
    let other = format!("0x{}", "3".repeat(40));
    for (token, of, total) in [(&eve, &address, 1), (&eve, &other, 0), (&ada, &address, 0)] {
        let own = server.get(&format!("/api/tag/mine?entity=address&id={of}"), Some(token)).await.data();
        assert_eq!(own["total"], total, "{of}");
    }
    let addresses = server.get("/api/discover/addresses?search=exch", None).await.data();
    assert_eq!(addresses["items"][0]["address"], address);
    // An address that nobody has marked is found once, not on every page.
    let unknown = format!("/api/discover/addresses?search=0x{}", "2".repeat(40));
    for (page, rows) in [(1, 1), (2, 0), (100_000, 0)] {
        let found = server.get(&format!("{unknown}&page={page}"), None).await.data();
        assert_eq!((found["items"].as_array().unwrap().len(), &found["total"]), (rows, &json!(1)), "{page}");
    }
    tag("remove", &ada, "dashboard", &id, "defi").await.data();
    assert_eq!(server.get("/api/discover/dashboards?search=tag:defi", None).await.data()["total"], 0);
}
