//! Planning reads footers and indexes once.

use super::*;

const FILES: i64 = 300;

/// A lake with `files` files for each table, each with one block.
async fn of_files(dir: &Path, files: i64) -> Lake {
    let lake = Lake::open_with(dir, LakeOptions { index_rows: 10, ..LakeOptions::default() }).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let mut staged = Vec::new();
    for block in 0..files {
        let mut staging = writer.stage(range(block, block));
        staging.write(Table::Transactions, rows(Table::Transactions, range(block, block), 20)).await.unwrap();
        staged.push(staging.finish().await.unwrap());
    }
    writer.publish(staged, Publish { reason: "test".to_string(), ..Publish::default() }).await.unwrap();
    lake
}

#[tokio::test(flavor = "multi_thread")]
async fn planning_again_reads_no_files() {
    let dir = tempfile::tempdir().unwrap();
    let lake = of_files(dir.path(), FILES).await;
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let questions = [
        "select sum(gas) from transactions",
        "select gas from transactions where block_number between 17 and 19",
        "select count(*), max(block_timestamp) from transactions where gas > 7",
    ];
    for question in questions {
        context.sql(question).await.unwrap().create_physical_plan().await.unwrap();
    }
    // Whoever read one now would fail.
    std::fs::remove_dir_all(dir.path().join(Table::Transactions.name())).unwrap();
    for question in questions {
        context.sql(question).await.unwrap().create_physical_plan().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn evicted_indexes_are_reopened() {
    let dir = tempfile::tempdir().unwrap();
    let lake = of_files(dir.path(), FILES).await;
    let context = session(&lake, &lake.snapshot().await.unwrap());
    for block in [0, FILES / 2, FILES - 1] {
        let batch = rows(Table::Transactions, range(block, block), 20);
        let hash = arrow::array::AsArray::as_fixed_size_binary(batch.column_by_name("hash").unwrap()).value(7).to_vec();
        let hash = hex::encode(hash);
        let wanted = format!("hash = arrow_cast(x'{hash}', 'FixedSizeBinary(32)')");
        let found = number(&context, &format!("select max(block_number) from transactions where {wanted}")).await;
        assert_eq!(found.unwrap(), block);
    }
}
