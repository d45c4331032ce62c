//! Users' tables: uploaded, listed, queried, shared and dropped, and out of everybody else's reach.

use axum::body::Body;
use axum::http::{Method, header};
use futures::{StreamExt, stream};
use quarry::auth::accounts;
use serde_json::{Value, json};
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::harness::{Answer, SOON, Server, request};

pub const CSV: &str = "id,amount\n1,2.5\n2,\n";

pub async fn upload(server: &Server, token: &str, table: &str, file: &str, text: &str) -> Answer {
    let table = format!("--x\r\ncontent-disposition: form-data; name=\"table\"\r\n\r\n{table}\r\n");
    let file = format!("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{file}\"\r\n\r\n{text}\r\n");
    send_form(server, token, format!("{table}{file}--x--\r\n")).await
}

async fn send_form(server: &Server, token: &str, body: String) -> Answer {
    let request = request(Method::POST, "/api/table/upload", Some(token))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    server.send(request.body(Body::from(body)).unwrap()).await
}

async fn names(server: &Server, token: &str, list: &str) -> Vec<Value> {
    let listed = server.get("/api/table/list", Some(token)).await.data();
    listed[list].as_array().unwrap().iter().map(|table| table["table"].clone()).collect()
}

/// The state of a query over the table, and its message.
async fn read(server: &Server, token: &str, table: &str) -> String {
    let id = server.execute(token, &format!("select sum(id) as s from {table}")).await;
    let last = server.app.jobs.handle(&id).unwrap().wait().await;
    last.error.map_or_else(|| "read".to_string(), |error| error.code)
}

#[tokio::test]
async fn a_file_becomes_a_table_that_its_owner_queries() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let table = upload(&server, &ada, "Gifts", "gifts.csv", CSV).await.data();
    assert_eq!((&table["schema"], &table["table"], &table["rows"]), (&json!("user_ada"), &json!("gifts"), &json!(2)));
    assert_eq!(table["columns"], json!([{"name": "id", "type": "bigint"}, {"name": "amount", "type": "double"}]));
    assert_eq!(read(&server, &ada, "user_ada.gifts").await, "read");
    let listed = server.get("/api/table/list", Some(&ada)).await.data();
    assert_eq!((&listed["schema"], &listed["used"]), (&json!("user_ada"), &table["bytes"]));
    let described = server.get("/api/table/describe?table=GIFTS", Some(&ada)).await.data();
    assert_eq!(described["columns"], table["columns"]);
    upload(&server, &ada, "gifts", "gifts.csv", CSV).await.failure(400, "invalid_input");
    let file_first = format!(
        "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"g.csv\"\r\n\r\n{CSV}\r\n\
         --x\r\ncontent-disposition: form-data; name=\"table\"\r\n\r\nlater\r\n--x--\r\n"
    );
    assert_eq!(send_form(&server, &ada, file_first).await.data()["table"], "later");
    server.post("/api/table/drop", Some(&ada), json!({"table": "gifts"})).await.data();
    server.post("/api/table/drop", Some(&ada), json!({"table": "gifts"})).await.failure(404, "not_found");
    assert_eq!(read(&server, &ada, "user_ada.gifts").await, "unknown_table");
}

#[tokio::test]
async fn nobody_reads_a_table_of_another_unless_it_is_shared() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    upload(&server, &ada, "t", "t.csv", CSV).await.data();
    let describe = "/api/table/describe?schema=user_ada&table=t";
    assert_eq!(read(&server, &eve, "user_ada.t").await, "unknown_table");
    server.get(describe, Some(&eve)).await.failure(404, "not_found");
    server.get(describe, None).await.failure(401, "unauthenticated");
    server.post("/api/table/drop", Some(&eve), json!({"table": "t"})).await.failure(404, "not_found");

    let share = json!({"table": "t", "userName": "eve"});
    server.post("/api/table/share", Some(&eve), share.clone()).await.failure(404, "not_found");
    assert_eq!(server.post("/api/table/share", Some(&ada), share).await.data()["sharedWith"], json!(["eve"]));
    assert_eq!(read(&server, &eve, "user_ada.t").await, "read");
    assert_eq!(names(&server, &eve, "shared").await, [json!("t")]);
    server.get(describe, Some(&eve)).await.data();

    let back = json!({"table": "t", "userName": "eve", "allow": false});
    server.post("/api/table/share", Some(&ada), back).await.data();
    assert_eq!(read(&server, &eve, "user_ada.t").await, "unknown_table");
    let unknown = json!({"table": "t", "userName": "nobody"});
    server.post("/api/table/share", Some(&ada), unknown).await.failure(400, "invalid_input");
}

#[tokio::test]
async fn a_new_table_of_an_old_name_is_not_shared() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    upload(&server, &ada, "t", "t.csv", CSV).await.data();
    server.post("/api/table/share", Some(&ada), json!({"table": "t", "userName": "*"})).await.data();
    assert_eq!(read(&server, &eve, "user_ada.t").await, "read");
    // As HIVE's DROP TABLE does, past the call that forgets the readers.
    server.app.engine.user_tables().drop_table("user_ada", "t").unwrap();
    assert_eq!(names(&server, &eve, "shared").await, Vec::<Value>::new());
    upload(&server, &ada, "t", "t.csv", CSV).await.data();
    assert_eq!(read(&server, &eve, "user_ada.t").await, "unknown_table");
}

#[tokio::test]
async fn names_and_files_that_can_not_be_used_are_refused() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let name = upload(&server, &ada, "1st", "t.csv", CSV).await.failure(400, "invalid_input");
    assert_eq!(name["msg"], "TableName can only contain a-z/A-Z, numbers, _ , must start with character!");
    let column = upload(&server, &ada, "t", "t.csv", "select\n1\n").await.failure(400, "invalid_input");
    assert_eq!(column["msg"], "ColumnName cannot be used, the columnName is db key word!");
    upload(&server, &ada, "t", "t.exe", CSV).await.failure(400, "invalid_input");
    upload(&server, &ada, "t", "t.parquet", "nonsense").await.failure(400, "invalid_input");
    let none = request(Method::POST, "/api/table/upload", Some(&ada)).body(Body::empty()).unwrap();
    assert!(server.send(none).await.status.is_client_error());
    assert!(names(&server, &ada, "tables").await.is_empty());
}

#[tokio::test]
async fn a_field_without_end_is_not_read_to_its_end() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let head = "--x\r\ncontent-disposition: form-data; name=\"table\"\r\n\r\n";
    let endless = stream::iter(std::iter::once(head.to_string()).chain(std::iter::repeat("x".repeat(1_000))));
    let request = request(Method::POST, "/api/table/upload", Some(&ada))
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    // As over a network, where not all of it is there at once.
    let arriving = endless.then(|piece| async {
        yield_now().await;
        Ok::<_, std::io::Error>(piece)
    });
    let body = Body::from_stream(arriving);
    let sent = server.send(request.body(body).unwrap());
    let failure = timeout(SOON, sent).await.expect("it is refused").failure(400, "invalid_input");
    assert_eq!(failure["param"], "table");
}

#[tokio::test]
async fn so_many_files_of_one_account_arrive_at_once_and_no_more() {
    let server = Server::start().await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    let id = accounts::find(&server.app.db, "ada").await.unwrap().unwrap().id;
    let arriving = [(); 2].map(|()| server.app.limits.tables.begin(id).unwrap());
    let answer = upload(&server, &ada, "t", "t.csv", CSV).await;
    answer.failure(429, "too_many_uploads");
    assert_eq!(answer.headers["retry-after"], "5");
    upload(&server, &eve, "t", "t.csv", CSV).await.data();
    drop(arriving);
    upload(&server, &ada, "t", "t.csv", CSV).await.data();
}
