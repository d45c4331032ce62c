//! `quarry import`: what ethereum-etl's files tell of a chain is the chain.

use quarry_tests::etl;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};

/// All that the files tell; what they do not (signatures, access lists) is left out.
const QUESTIONS: [&str; 7] = [
    "select number, hash, parent_hash, state_root, miner, size, extra_data, gas_limit, gas_used, timestamp, \
     transaction_count, base_fee_per_gas, withdrawals_root, blob_gas_used from blocks where number < 60 order by 1",
    "select block_number, transaction_index, hash, nonce, from_address, to_address, value, gas, gas_price, input, \
     transaction_type, max_fee_per_gas, max_priority_fee_per_gas, max_fee_per_blob_gas, receipt_status, \
     receipt_cumulative_gas_used, receipt_gas_used, receipt_contract_address, receipt_effective_gas_price, \
     receipt_blob_gas_used, receipt_blob_gas_price, block_timestamp, base_fee_per_gas \
     from transactions where block_number < 60 order by 1, 2",
    "select * from logs where block_number < 60 order by block_number, log_index",
    "select * from token_transfers where block_number < 60 order by block_number, log_index, batch_index",
    "select * from withdrawals where block_number < 60 order by block_number, withdrawal_index",
    "select block_number, trace_index, transaction_hash, transaction_index, from_address, to_address, value, \
     value_decimal, input, output, trace_type, case when trace_type = 'call' then call_type end, reward_type, gas, \
     gas_used, subtraces, trace_address, error, status, block_timestamp, block_hash \
     from traces where block_number < 60 order by 1, 2",
    "select address, bytecode, code_hash, is_erc20, is_erc721, is_erc1155, creator_address, factory_address, \
     transaction_hash, create_index, block_number from contracts where block_number < 60 order by block_number, create_index",
];

#[test]
fn files_of_ethereum_etl_are_the_chain_they_were_made_of() {
    let sample = Home::with_sample(SMALLEST_SAMPLE, 4);
    let folder = tempfile::tempdir().expect("a folder");
    etl::write(&sample, folder.path(), &[0..25, 25..60]);
    let home = Home::new();
    let path = folder.path().to_str().expect("a path of text");
    let words = ["import", "--format", "ethereum-etl", "--chain-id", "90210001", path];
    home.run(&words);
    for question in QUESTIONS {
        let (here, there) = (home.csv(question), sample.csv(question));
        assert!(!there.is_empty(), "{question}");
        for (row, (here, there)) in here.iter().zip(&there).enumerate() {
            assert_eq!(here, there, "row {row} of {question}");
        }
        assert_eq!(here.len(), there.len(), "{question}");
    }
    home.run(&words);
    assert_eq!(home.value("select count(*) from blocks"), "60", "nothing is there twice");
}
