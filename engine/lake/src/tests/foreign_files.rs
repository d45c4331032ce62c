//! Folders with foreign files, with the catalogue of a newer version, and without a catalogue.

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

use super::*;
use quarry_types::ErrorCode;

/// Writes ten blocks to a lake and closes it.
async fn fill(dir: &Path) {
    let lake = Lake::open(dir).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 20).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_files_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 20).await.unwrap();
    drop(writer);
    let own = lake.files(Table::Logs).await.unwrap().remove(0).0;
    let folder = dir.path().join(Table::Logs.name());
    // A copy of ours under a name of theirs, something else, and what a killed writer of ours would have left.
    std::fs::copy(&own, folder.join("copy.parquet")).unwrap();
    std::fs::write(folder.join("notes.txt"), "remember the milk").unwrap();
    std::fs::copy(&own, folder.join("0123456789abcdef0123456789abcdef.parquet")).unwrap();

    drop(lake.writer().await.unwrap());
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !own.ends_with(name))
        .collect();
    names.sort();
    assert_eq!(names, ["copy.parquet", "notes.txt"]);
    let context = session(&lake, &lake.snapshot().await.unwrap());
    assert_eq!(number(&context, "select count(*) from logs").await.unwrap(), 200);
}

/// Runs a statement on the catalogue behind the lake's back.
async fn run(dir: &Path, statement: &'static str) {
    let options = SqliteConnectOptions::new().filename(dir.join("catalogue.sqlite"));
    let pool = SqlitePool::connect_with(options).await.unwrap();
    sqlx::raw_sql(statement).execute(&pool).await.unwrap();
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_versions_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    drop(Lake::open(dir.path()).await.unwrap());
    run(dir.path(), "pragma user_version = 99").await;
    let error = Lake::open(dir.path()).await.err().unwrap();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("written by a newer version of Quarry"), "{}", error.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_catalogue_file_is_named_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let catalogue = dir.path().join("catalogue.sqlite");
    std::fs::write(&catalogue, "not a database, but a text that somebody wrote").unwrap();
    let error = Lake::open(dir.path()).await.err().unwrap();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("catalogue.sqlite"), "{}", error.message);
    assert!(std::fs::read_to_string(&catalogue).unwrap().starts_with("not a database"));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_without_catalogue_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path()).await;
    let copy = tempfile::tempdir().unwrap();
    let names = ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm"];
    let moved = |from: &Path, to: &Path| {
        for name in names.iter().filter(|name| from.join(name).exists()) {
            std::fs::rename(from.join(name), to.join(name)).unwrap();
        }
    };
    moved(dir.path(), copy.path());
    let files = files_on_disk(dir.path());
    // It is not there, or there is nothing in it.
    for _ in 0..2 {
        let error = Lake::open(dir.path()).await.err().unwrap();
        assert_eq!(error.code, ErrorCode::DamagedFile);
        assert!(error.message.contains("no catalogue.sqlite"), "{}", error.message);
        assert_eq!(files_on_disk(dir.path()), files);
        std::fs::write(dir.path().join("catalogue.sqlite"), "").unwrap();
    }
    moved(copy.path(), dir.path());
    let lake = Lake::open(dir.path()).await.unwrap();
    drop(lake.writer().await.unwrap());
    assert_eq!((files_on_disk(dir.path()), lake.snapshot().await.unwrap().rows(Table::Logs)), (files, 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_catalogue_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path()).await;
    run(dir.path(), "pragma wal_checkpoint(truncate)").await;
    let catalogue = dir.path().join("catalogue.sqlite");
    let mut bytes = std::fs::read(&catalogue).unwrap();
    bytes[4096..].fill(0xab);
    std::fs::write(&catalogue, bytes).unwrap();
    let error = Lake::open(dir.path()).await.err().unwrap();
    assert_eq!(error.code, ErrorCode::DamagedFile);
    assert!(error.message.contains("catalogue is damaged"), "{}", error.message);
}
