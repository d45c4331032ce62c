//! The command line as scripts use it.

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE, command};

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
