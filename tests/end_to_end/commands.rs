//! The command line as scripts use it.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE, command};
use serde_json::{Value, json};

#[test]
fn sql_prints_the_result_and_nothing_else() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 5);
    assert_eq!(home.run(&["sql", "--format", "csv", "select 1 as a, 'x' as b"]), "a,b\r\n1,x\r\n");
    let said = home.fail(1, &["sql", "select nonsense from blocks"]);
    assert!(said.contains("nonsense"), "{said}");
    let said = home.fail(1, &["sql", "select 1 +"]);
    assert!(said.contains("line 1"), "{said}");
}

#[test]
fn many_queries_of_one_process_are_answered_one_by_one() {
    let home = Home::new();
    let mut process = home.command(&["sql", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut asked = process.stdin.take().unwrap();
    let mut answers = BufReader::new(process.stdout.take().unwrap()).lines();
    // The next question comes after the answer, as a program asks that looks at it first.
    let mut ask = |question: Value| -> Value {
        writeln!(asked, "{question}").unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(json!({ "text": "select 1 as a" }))["rows"], json!([["1"]]));
    assert_eq!(ask(json!({ "text": "select nonsense" }))["code"], "unknown_column");
    assert_eq!(ask(json!({ "kind": "HIVE", "text": "select 7 div 2" }))["rows"], json!([["3"]]));
    drop(asked);
    assert!(process.wait().unwrap().success());
}

#[test]
fn a_script_loads_the_lines_of_a_file() {
    let home = Home::new();
    let (rows, script) = (home.path().join("people.csv"), home.path().join("load.hql"));
    std::fs::write(&rows, "id,name\n1,ada\n2,bob\n").unwrap();
    let text = format!(
        "create table people (id int, name string) row format delimited fields terminated by ','
           tblproperties ('skip.header.line.count' = '1');
         load data local inpath '{}' into table people;
         select name, id from people order by id;",
        rows.display()
    );
    std::fs::write(&script, text).unwrap();
    let script = script.to_str().expect("a path of text");
    assert_eq!(home.run(&["sql", "--format", "csv", "--script", script]), "name,id\r\nada,1\r\nbob,2\r\n");
}

#[test]
fn a_file_that_can_not_be_read_is_named() {
    let home = Home::new();
    let said = home.fail(1, &["sql", "--graph", "no-such.json", "--kind", "graph", "return 1"]);
    assert!(said.contains("The graph file no-such.json can't be read"), "{said}");
    let broken = home.path().join("broken.parquet");
    std::fs::write(&broken, "not a table").expect("writes a file");
    let attached = format!("x={}", broken.display());
    let said = home.fail(1, &["sql", "--attach", &attached, "select 1"]);
    assert!(said.contains("broken.parquet can't be attached as x: it can't be read as Parquet: "), "{said}");
    assert!(!said.contains("Parquet error"), "{said}");
}

#[test]
fn a_mapreduce_job_of_a_file_prints_its_rows() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 5);
    let job = quarry_tests::repository::root().join("data/mapreduce/01-count.js");
    let job = job.to_str().expect("a path of text");
    let printed = home.run(&["mapreduce", "--format", "csv", "--lines", job]);
    assert_eq!(printed.lines().next(), Some("sender,transactions"));
    let senders = home.value("select count(distinct from_address) from transactions");
    assert_eq!((printed.lines().count() - 1).to_string(), senders);
}

#[test]
fn the_sample_chain_is_the_same_for_the_same_seed() {
    let (one, same, other) = (
        Home::with_sample(SMALLEST_SAMPLE, 9),
        Home::with_sample(SMALLEST_SAMPLE, 9),
        Home::with_sample(SMALLEST_SAMPLE, 10),
    );
    let digest = |home: &Home| home.csv("select max(number), max(hash), min(hash) from blocks");
    assert_eq!(digest(&one), digest(&same));
    assert_ne!(digest(&one), digest(&other));
    let (files, same_files) = (one.lake_files("transactions"), same.lake_files("transactions"));
    assert_eq!(files.len(), same_files.len());
    for (file, same_file) in files.iter().zip(&same_files) {
        assert_eq!(std::fs::read(file).unwrap(), std::fs::read(same_file).unwrap(), "{}", file.display());
    }
}

#[test]
fn a_home_that_can_not_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "not a folder").unwrap();
    let out = command(&file, &["lake", "status"]).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("a-file"), "{said}");
}

#[test]
fn wrong_words_end_with_status_2() {
    let home = Home::new();
    home.fail(2, &["nonsense"]);
    home.fail(2, &["sql", "--format", "nonsense", "select 1"]);
    home.fail(2, &["ingest", "--from", "0"]);
}
