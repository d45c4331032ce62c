//! The sample chain in a lake.

use quarry_lake::tables::Table;
use quarry_lake::{Lake, Origin};
use quarry_types::ErrorCode;

use crate::sample::*;
use crate::verify::{self, VerifyConfig};

#[tokio::test(flavor = "multi_thread")]
async fn chain_is_published_at_once() {
    let home = tempfile::tempdir().unwrap();
    let lake = Lake::open(&home.path().join("lake")).await.unwrap();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    let mut last = None;
    let summary = write(&lake, config, |progress| last = Some(progress)).await.unwrap();
    let last = last.unwrap();
    assert_eq!((last.transactions, last.blocks), (FEWEST_TRANSACTIONS, summary.blocks));
    let snapshot = lake.snapshot().await.unwrap();
    let rows = |table| snapshot.rows(table);
    assert_eq!(rows(Table::Transactions), FEWEST_TRANSACTIONS);
    assert_eq!((rows(Table::Blocks), rows(Table::Logs)), (summary.blocks, summary.logs));
    assert_eq!(snapshot.head.unwrap().number as u64 + 1, summary.blocks);
    assert_eq!(lake.info().await.unwrap().origin, Some(Origin::Sample));
    let truth = std::fs::read(home.path().join("truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    assert_eq!(truth["chain"]["blocks"], summary.blocks);

    let everything = VerifyConfig { from: None, to: None, nodes: Vec::new() };
    let mut found = Vec::new();
    let checked = verify::run(&lake, everything, |_| (), |mismatch| found.push(mismatch.to_string())).await.unwrap();
    assert_eq!((checked.blocks, checked.transactions), (summary.blocks, summary.transactions));
    assert_eq!(found, Vec::<String>::new(), "every row follows from blocks that prove themselves");

    let again = write(&lake, config, |_| ()).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::InvalidInput);
}

#[tokio::test]
async fn too_small_chain_is_rejected() {
    let home = tempfile::tempdir().unwrap();
    let lake = Lake::open(&home.path().join("lake")).await.unwrap();
    for (transactions, days) in [(FEWEST_TRANSACTIONS - 1, None), (FEWEST_TRANSACTIONS, Some(FEWEST_DAYS - 1))] {
        let refused = write(&lake, SampleConfig { transactions, seed: 1, days }, |_| ()).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidInput);
        assert!(refused.message.contains("needs"), "{}", refused.message);
    }
    assert!(lake.info().await.unwrap().chain_id.is_none());
}
