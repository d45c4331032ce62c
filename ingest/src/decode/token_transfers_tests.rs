use super::super::testing::{block, hexes, ints, log, only, shown, texts, transaction};
use super::*;

fn word(number: u64) -> B256 {
    B256::from(U256::from(number))
}

fn words(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| word(number).0).collect()
}

fn decoded(topics: &[B256], data: &[u8]) -> Vec<Transfer> {
    let mut all = Vec::new();
    transfers(topics, data, |transfer| all.push(transfer));
    all
}

#[test]
fn every_standard_in_one_block() {
    let mut one = block(1);
    one.transactions = vec![
        transaction(0, vec![log(9, vec![], vec![]), log(10, vec![TRANSFER, word(1), word(2)], words(&[700]))]),
        transaction(
            1,
            vec![
                log(11, vec![TRANSFER, word(3), word(4), word(55)], vec![]),
                log(12, vec![TRANSFER_SINGLE, word(5), word(6), word(7)], words(&[8, 9])),
                log(12, vec![TRANSFER_BATCH, word(5), word(6), word(7)], words(&[64, 160, 2, 30, 31, 2, 40, 41])),
            ],
        ),
    ];
    let batch = only(Table::TokenTransfers, &[one]);
    assert_eq!(texts(&batch, "standard"), ["erc20", "erc721", "erc1155", "erc1155", "erc1155"]);
    assert_eq!(hexes(&batch, "token_address"), ["a", "b", "c", "c", "c"]);
    assert_eq!(hexes(&batch, "from_address"), ["1", "3", "6", "6", "6"]);
    assert_eq!(hexes(&batch, "to_address"), ["2", "4", "7", "7", "7"]);
    assert_eq!(shown(&batch, "value_decimal"), ["700", "1", "9", "40", "41"]);
    assert_eq!(hexes(&batch, "value"), ["2bc", "1", "9", "28", "29"]);
    assert_eq!(hexes(&batch, "token_id"), ["-", "37", "8", "1e", "1f"]);
    assert_eq!(hexes(&batch, "operator_address"), ["-", "-", "5", "5", "5"]);
    assert_eq!(shown(&batch, "batch_index"), ["0", "0", "0", "0", "1"]);
    assert_eq!(ints(&batch, "log_index"), [Some(1), Some(2), Some(3), Some(4), Some(4)]);
    assert_eq!(ints(&batch, "transaction_index"), [Some(0), Some(1), Some(1), Some(1), Some(1)]);
}

#[test]
fn unindexed_arguments() {
    for (topics, data) in [
        (vec![TRANSFER], words(&[1, 2, 3])),
        (vec![TRANSFER, word(1)], words(&[2, 3])),
        (vec![TRANSFER, word(1), word(2)], words(&[3])),
    ] {
        let found = decoded(&topics, &data);
        assert_eq!(found.len(), 1, "{} topics", topics.len());
        assert_eq!(found[0].standard, "erc20");
        assert_eq!((found[0].from, found[0].to), (Address::with_last_byte(1), Address::with_last_byte(2)));
        assert_eq!((found[0].value, found[0].token_id), (U256::from(3), None));
    }
    assert_eq!(decoded(&[TRANSFER_SINGLE], &words(&[1, 2, 3, 4, 5])).len(), 1);
}

#[test]
fn values_above_38_digits_have_no_decimal() {
    let mut one = block(1);
    let topics = vec![TRANSFER, word(1), word(2)];
    one.transactions = vec![transaction(0, vec![log(1, topics, vec![0xff; 32])])];
    let batch = only(Table::TokenTransfers, &[one]);
    assert_eq!(hexes(&batch, "value"), ["f".repeat(64)]);
    assert_eq!(shown(&batch, "value_decimal"), [""]);
}

#[test]
fn malformed_logs_are_skipped() {
    let dirty = B256::repeat_byte(1);
    let batch_topics = [TRANSFER_BATCH, word(1), word(2), word(3)];
    for (topics, data) in [
        (vec![], words(&[1, 2, 3])),
        (vec![word(7), word(1), word(2)], words(&[1])),
        (vec![TRANSFER, word(1), word(2)], vec![]),
        (vec![TRANSFER, word(1), word(2)], vec![0; 31]),
        (vec![TRANSFER, word(1), word(2)], words(&[1, 2])),
        (vec![TRANSFER, word(1), word(2), word(3)], words(&[1])),
        (vec![TRANSFER, dirty, word(2)], words(&[1])),
        (vec![TRANSFER_SINGLE, word(1), word(2), word(3)], words(&[1])),
        (vec![TRANSFER_BATCH, word(1), word(2)], words(&[64, 96, 0, 0])),
        (batch_topics.to_vec(), vec![]),
        (batch_topics.to_vec(), words(&[64])),
        (batch_topics.to_vec(), words(&[64, 128, 1, 5, 2, 6])),
        (batch_topics.to_vec(), words(&[64, 128, u64::MAX, 5, u64::MAX, 6])),
        (batch_topics.to_vec(), words(&[u64::MAX, u64::MAX, 1, 5, 1, 6])),
        (batch_topics.to_vec(), vec![0xff; 192]),
        (batch_topics.to_vec(), words(&[64, 128, 2, 5, 6])),
    ] {
        assert_eq!(decoded(&topics, &data), [], "{topics:?} {data:?}");
    }
    assert_eq!(decoded(&batch_topics, &words(&[64, 96, 0, 0])), [], "an empty batch moves nothing");
}
