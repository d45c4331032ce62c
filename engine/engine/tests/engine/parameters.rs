//! Parameters are values: no value changes the structure of a query.

use quarry_runtime::job::Parameters;
use quarry_runtime::job::{JobKind, JobRequest, JobSnapshot, Schemas};
use serde_json::{Value, json};

use crate::fixture::Home;

fn parameters(values: Value) -> Parameters {
    serde_json::from_value(values).unwrap()
}

async fn run(home: &Home, id: &str, text: &str, values: Value) -> JobSnapshot {
    let request = JobRequest {
        id: id.to_string(),
        text: text.to_string(),
        owner: "someone".to_string(),
        parameters: parameters(values),
        ..JobRequest::default()
    };
    home.engine.submit(request).unwrap().wait().await
}

async fn rows(home: &Home, id: &str, text: &str, values: Value) -> Vec<Vec<Value>> {
    let job = run(home, id, text, values).await;
    assert_eq!(job.error, None, "{text}");
    home.engine.result(id).unwrap().page(0, 100).unwrap()
}

#[tokio::test]
async fn every_kind_of_value_is_bound() {
    let home = Home::chain().await;
    let count = async |id: &str, condition: &str, values: Value| {
        let text = format!("select count(*) as n from transactions where {condition}");
        rows(&home, id, &text, values).await[0][0].clone()
    };
    assert_eq!(
        count("text", "from_address = {{who}}", json!({"who": format!("0x{}", "0a".repeat(20))})).await,
        json!("6")
    );
    assert_eq!(count("number", "block_number > {{block no}}", json!({"block no": 100})).await, json!("8"));
    assert_eq!(
        count("typed", "value >= {{wei}}", json!({"wei": {"type": "number", "value": "12000000000000000000"}})).await,
        json!("1")
    );
    assert_eq!(count("negative", "block_number > {{n}}", json!({"n": -5})).await, json!("12"));
    assert_eq!(count("list", "block_number in ({{blocks}})", json!({"blocks": [100, 102]})).await, json!("8"));
    assert_eq!(count("empty", "block_number in ({{blocks}})", json!({"blocks": []})).await, json!("0"));
    let range = json!({"days": {"start": "2024-01-01", "end": "2024-01-01 00:00:12"}});
    let between = "block_timestamp between {{days.start}} and {{ days.end }}";
    assert_eq!(count("range", between, range).await, json!("8"));
    assert_eq!(
        count("date", "block_timestamp > {{day}}", json!({"day": {"type": "date", "value": "2023-12-31"}})).await,
        json!("12")
    );
    assert_eq!(
        count("quoted", "date(block_timestamp) = date('{{day}}')", json!({"day": "2024-01-01"})).await,
        json!("12")
    );
    assert_eq!(count("null", "{{x}} is null", json!({"x": null})).await, json!("12"));
    let optional = "true [[ and block_number = {{block}} ]]";
    assert_eq!(count("absent", optional, json!({})).await, json!("12"));
    assert_eq!(count("blank", optional, json!({"block": ""})).await, json!("12"));
    assert_eq!(count("given", optional, json!({"block": 101})).await, json!("4"));
    assert_eq!(rows(&home, "limit", "select 1 from transactions limit {{n}}", json!({"n": 3})).await.len(), 3);
    assert_eq!(rows(&home, "lists", "select [[1], [2]] as l", json!({})).await, [[json!([["1"], ["2"]])]]);
}

#[tokio::test]
async fn no_value_changes_the_query() {
    let home = Home::chain().await;
    let attacks = [
        "' or '1'='1",
        "'; drop table transactions; --",
        "x' union select hash from transactions --",
        "\\' or 1=1 --",
        "{{other}}",
        "]] or 1=1 [[",
        "ƻ0___",
        "\u{0}",
        "/* */ or true",
    ];
    for (index, attack) in attacks.into_iter().enumerate() {
        let values = json!({"x": attack, "other": "secret"});
        let bare = rows(
            &home,
            &format!("bare-{index}"),
            "select {{x}} as x, count(*) as n from blocks where 'y' = {{x}}",
            values.clone(),
        )
        .await;
        assert_eq!(bare, [[json!(attack), json!("0")]]);
        let quoted = rows(&home, &format!("quoted-{index}"), "select '<{{x}}>' as x", values).await;
        assert_eq!(quoted, [[json!(format!("<{attack}>"))]]);
    }
    let list = json!({"list": ["a') or ('1'='1", "b"]});
    assert_eq!(
        rows(&home, "list", "select count(*) as n from blocks where 'c' in ({{list}})", list).await,
        [[json!("0")]]
    );
}

#[tokio::test]
async fn errors_of_parameters_have_positions() {
    let home = Home::chain().await;
    let error = async |id: &str, text: &str, values: Value| {
        let error = run(&home, id, text, values).await.error.unwrap();
        let place = error.position.map(|at| (at.line, at.column));
        (error.code, error.message, place)
    };
    let missing = error("missing", "select 1,\n  {{x}}", json!({})).await;
    assert_eq!(missing, ("invalid_query".into(), "There is no value for the parameter x.".into(), Some((2, 3))));
    let digits = serde_json::from_str(r#"{"x": [1, 12345678901234567890123]}"#).unwrap();
    let digits = error("digits", "select {{x}}", digits).await;
    assert_eq!(digits.1, "The parameter x contains a number that JSON can't represent exactly; write it in quotes.");
    let name = error("name", "select * from {{x}}", json!({"x": "transactions"})).await;
    assert_eq!(name.1, "A parameter is a value, never the name of a table or column.");
    let part = error("part", "select * from block{{x}}", json!({"x": "s"})).await;
    assert_eq!(part, ("invalid_query".into(), name.1.clone(), Some((1, 15))));
    let column = error("column", "select t.{{x}} from blocks t", json!({"x": "number"})).await;
    assert_eq!(column.1, name.1);
    let number = error("number", "select {{x}}", json!({"x": {"type": "number", "value": "1; drop"}})).await;
    assert_eq!(number.1, "The value of the parameter x is not a valid number.");
    let range = error("range", "select {{x}}", json!({"x": {"start": "2024-01-01", "end": "2024-01-02"}})).await;
    assert_eq!(range.1, "A range has a start and an end; use one of them, as {{days.start}} or {{days.end}}.");
}

#[tokio::test]
async fn times_may_follow_their_type() {
    let home = Home::chain().await;
    for (id, text, values, expected) in [
        (
            "quoted",
            "select timestamp '{{at}}' - timestamp {{at}} = interval '0' day",
            json!({"at": "2024-01-02 03:04:05"}),
            json!(true),
        ),
        (
            "day",
            "select year(date {{d.end}} + interval '1' day)",
            json!({"d": {"start": "2024-01-02", "end": "2024-12-31"}}),
            json!("2025"),
        ),
        ("name", "select date from (select {{x}} as date) t", json!({"x": 7}), json!("7")),
        ("attack", "select timestamp '{{x}}'", json!({"x": "2024-01-02' or '1'='1"}), json!(null)),
        ("commented", "select 1 -- and {{x}} it's\n /* {{y}} */ + {{z}} -- {{z}}", json!({"z": 4}), json!("5")),
    ] {
        let job = run(&home, id, text, values).await;
        if expected.is_null() {
            assert_eq!(job.error.unwrap().code, "invalid_query", "{text}");
        } else {
            assert_eq!(job.error, None, "{text}");
            assert_eq!(home.engine.result(id).unwrap().page(0, 1).unwrap()[0][0], expected, "{text}");
        }
    }
    // NOT IN an empty list keeps all rows; a missing end of a range omits its optional part.
    for (id, text, values, expected) in [
        ("none", "select count(*) from blocks where number not in ({{x}})", json!({"x": []}), "3"),
        ("nothing", "select count(*) from blocks where number in ({{x}})", json!({"x": []}), "0"),
        (
            "no-end",
            "select count(*) from blocks where 1 = 1 [[ and timestamp < timestamp {{d.end}} ]]",
            json!({"d": {"start": "2024-01-01"}}),
            "3",
        ),
        (
            "null-end",
            "select count(*) from blocks where 1 = 1 [[ and timestamp < timestamp {{d.end}} ]]",
            json!({"d": {"start": "2024-01-01", "end": null}}),
            "3",
        ),
        ("dollars", "select $$a{{x}}$$", json!({"x": "v"}), "av"),
    ] {
        let job = run(&home, id, text, values).await;
        assert_eq!(job.error, None, "{text}");
        let found = home.engine.result(id).unwrap().page(0, 1).unwrap()[0][0].clone();
        assert_eq!(found.as_str().unwrap(), expected, "{text}");
    }
    for (id, text) in [("hex", "select 0x{{x}}"), ("type", "select cast(1 as {{x}})"), ("alias", "select 1 as {{x}}")] {
        let error = run(&home, id, text, json!({"x": "ab"})).await.error.unwrap();
        assert!(!error.message.contains('ƻ'), "{}", error.message);
    }
    let error = run(&home, "behind", "select '--' || {{x}}", json!({})).await.error.unwrap();
    assert_eq!(error.message, "There is no value for the parameter x.");
}

#[tokio::test]
async fn hive_binds_the_same_values() {
    let home = Home::chain().await;
    let run = async |id: &str, text: &str, values: Value| {
        let request = JobRequest {
            id: id.to_string(),
            kind: JobKind::Hive,
            text: text.to_string(),
            owner: "someone".to_string(),
            parameters: parameters(values),
            schemas: Schemas { own: Some("user_someone".to_string()), ..Schemas::default() },
            ..JobRequest::default()
        };
        home.engine.submit(request).unwrap().wait().await
    };
    let count = "select count(*) from transactions where";
    let who = format!("0x{}", "0a".repeat(20));
    for (id, condition, values, rows) in [
        ("text", "from_address = {{who}}", json!({ "who": who }), "6"),
        ("number", "block_number > {{n}}", json!({"n": 100}), "8"),
        ("list", "block_number in ({{list}})", json!({"list": [100, 102]}), "8"),
        (
            "range",
            "block_time between {{d.start}} and {{d.end}}",
            json!({"d": {"start": "2024-01-01", "end": "2024-01-01 00:00:12"}}),
            "8",
        ),
        (
            "moment",
            "block_time <= timestamp {{at}} and block_time >= date '{{day}}'",
            json!({"at": "2024-01-01 00:00:12", "day": "2024-01-01"}),
            "8",
        ),
        ("left-out", "1 = 1 [[ and block_number = {{n}} ]]", json!({}), "12"),
        ("kept", "1 = 1 [[ and block_number = {{n}} ]]", json!({"n": 101}), "4"),
        ("quoted", "'a {{x}}' = \"a it's; --\"", json!({"x": "it's; --"}), "12"),
    ] {
        let job = run(id, &format!("{count} {condition}"), values).await;
        assert_eq!(job.error, None, "{condition}");
        assert_eq!(home.engine.result(id).unwrap().page(0, 1).unwrap()[0][0], json!(rows), "{condition}");
    }
    let script = "create table p (a int) partitioned by (d string); insert into p partition (d = {{day}}) values \
                  ({{a}}); select a, d from p";
    let job = run("partition", script, json!({"day": "x' or 1=1", "a": -5})).await;
    assert_eq!(job.error, None);
    assert_eq!(home.engine.result("partition").unwrap().page(0, 1).unwrap()[0], [json!(-5), json!("x' or 1=1")]);
    let script = "update p set a = {{a}} where d = {{day}}; delete from p where d <> {{day}}; select a, d from p";
    let job = run("changed", script, json!({"day": "x' or 1=1", "a": 7})).await;
    assert_eq!(job.error, None);
    assert_eq!(home.engine.result("changed").unwrap().page(0, 9).unwrap(), [[json!(7), json!("x' or 1=1")]]);
    for (id, text) in [
        ("a", "select * from {{t}}"),
        ("b", "create table {{t}} (x int)"),
        ("c", "drop table {{t}}"),
        ("d", "delete from {{t}}"),
        ("e", "update p set {{t}} = 1"),
    ] {
        let error = run(id, text, json!({"t": "transactions"})).await.error.unwrap();
        assert_eq!(error.message, "A parameter is a value, never the name of a table or column.", "{text}");
    }
    let error = run("missing", "select\n{{x}}", json!({})).await.error.unwrap();
    assert_eq!((error.message.as_str(), error.position.unwrap().line), ("There is no value for the parameter x.", 2));
}
