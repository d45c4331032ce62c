//! Files as ethereum-etl writes them, of the chain in a home: what `quarry import` is given.

use std::ops::Range;
use std::path::Path;

use crate::quarry::Home;

/// Column by column in ethereum-etl's order; the first column of each answer is the number of the block.
const FILES: [(&str, &str); 5] = [
    (
        "blocks",
        "select number, hash, parent_hash, nonce, sha3_uncles, logs_bloom, transactions_root, state_root, receipts_root, \
         miner, difficulty, total_difficulty, size, extra_data, gas_limit, gas_used, \
         cast(extract(epoch from timestamp) as bigint) as timestamp, transaction_count, base_fee_per_gas, \
         withdrawals_root, listed as withdrawals, blob_gas_used, excess_blob_gas from blocks left join \
         (select block_number, string_agg('{\"index\":' || index || ',\"validator_index\":' || validator_index || \
         ',\"address\":\"' || address || '\",\"amount\":' || amount || '}', ',' order by withdrawal_index) as listed \
         from withdrawals group by block_number) on block_number = number",
    ),
    (
        "transactions",
        "select block_number, hash, nonce, block_hash, transaction_index, from_address, to_address, value, gas, \
         gas_price, input, max_fee_per_gas, max_priority_fee_per_gas, transaction_type, max_fee_per_blob_gas \
         from transactions",
    ),
    (
        "receipts",
        "select block_number, hash as transaction_hash, transaction_index, block_hash, \
         receipt_cumulative_gas_used as cumulative_gas_used, receipt_gas_used as gas_used, \
         receipt_contract_address as contract_address, receipt_root as root, receipt_status as status, \
         receipt_effective_gas_price as effective_gas_price, receipt_blob_gas_price as blob_gas_price, \
         receipt_blob_gas_used as blob_gas_used from transactions",
    ),
    (
        "logs",
        "select block_number, log_index, transaction_hash, transaction_index, block_hash, address, data, \
         concat_ws(',', topic0, topic1, topic2, topic3) as topics from logs",
    ),
    (
        "traces",
        "select block_number, transaction_hash, transaction_index, from_address, to_address, value, input, output, \
         trace_type, case when trace_type = 'call' then call_type end as call_type, reward_type, gas, gas_used, subtraces, array_to_string(trace_address, ',') as trace_address, \
         error, status from traces",
    ),
];

/// Writes the files of a home's blocks into `folder`, a file of each kind for each of these ranges.
pub fn write(home: &Home, folder: &Path, ranges: &[Range<u64>]) {
    let end = ranges.iter().map(|range| range.end).max().unwrap_or_default();
    for (name, question) in FILES {
        let text = format!("select * from ({question}) as t where t.{} < {end}", first_column(question));
        let printed = home.run(&["sql", "--format", "csv", &text]);
        let (header, rows) = printed.split_once("\r\n").expect("a header");
        let mut parts = vec![format!("{header}\n"); ranges.len()];
        for row in rows.lines() {
            let number: u64 = row.split(',').next().and_then(|cell| cell.parse().ok()).expect("the number of a block");
            if let Some(part) = ranges.iter().position(|range| range.contains(&number)) {
                parts[part].push_str(row);
                parts[part].push('\n');
            }
        }
        for (range, part) in ranges.iter().zip(parts) {
            std::fs::write(folder.join(format!("{name}-{:06}.csv", range.start)), part).expect("writes");
        }
    }
}

fn first_column(question: &str) -> &str {
    question.trim_start_matches("select ").split(',').next().expect("a column")
}
