//! The queries behind an address page, and how their rows are read. The address is checked before it gets here, so it can
//! stand in the text; every table is asked by equality, which the files' bloom filters answer without reading most of them.

use serde_json::Value;

use super::{AddressDay, AddressFigures, AddressTransaction};
use crate::http::ApiError;

pub fn figures(address: &str) -> String {
    format!(
        "select o.n as sent_count, o.value as sent, o.fees, i.n as received_count, i.value as received,
    x.value as internal_sent, y.value as internal_received, y.rewards, w.value as withdrawn, tips.value as tips,
    tf.n + tt.n as token_transfers, c.n as contracts, tr.n as traces,
    least(coalesce(o.first_seen, i.first_seen), coalesce(i.first_seen, o.first_seen)) as first_seen,
    greatest(coalesce(o.last_seen, i.last_seen), coalesce(i.last_seen, o.last_seen)) as last_seen
from (select count(*) as n, sum(case when receipt_status = 1 then value end) as value,
        sum(receipt_gas_used * receipt_effective_gas_price
            + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as fees,
        min(block_timestamp) as first_seen, max(block_timestamp) as last_seen
    from transactions where from_address = {address}) o
cross join (select count(*) as n, sum(case when receipt_status = 1 then value end) as value,
        min(block_timestamp) as first_seen, max(block_timestamp) as last_seen
    from transactions where to_address = {address}) i
cross join (select sum(value_decimal) as value from traces where from_address = {address} and status = 1
        and cardinality(trace_address) > 0 and coalesce(call_type, '') not in ('delegatecall', 'callcode')) x
cross join (select sum(case when trace_type <> 'reward' then value_decimal end) as value,
        sum(case when trace_type = 'reward' then value_decimal end) as rewards
    from traces where to_address = {address} and status = 1
        and (trace_type = 'reward' or cardinality(trace_address) > 0)
        and coalesce(call_type, '') not in ('delegatecall', 'callcode')) y
cross join (select sum(cast(amount as decimal(38, 0)) * 1000000000) as value
    from withdrawals where address = {address}) w
cross join (select sum(t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0))) as value
    from blocks b join transactions t on t.block_number = b.number where b.miner = {address}) tips
cross join (select count(*) as n from token_transfers where from_address = {address}) tf
cross join (select count(*) as n from token_transfers where to_address = {address}) tt
cross join (select count(*) as n from contracts where address = {address}) c
cross join (select count(*) as n from traces) tr"
    )
}

pub fn activity(address: &str) -> String {
    format!(
        "select cast(date_trunc('day', t) as date) as day, sum(s) as sent, sum(r) as received from (
    select block_timestamp as t, 1 as s, 0 as r from transactions where from_address = {address}
    union all select block_timestamp, 0, 1 from transactions where to_address = {address}) moves
group by 1 order by 1 desc limit 1000"
    )
}

pub fn transactions(address: &str) -> String {
    let columns = "hash, block_timestamp, from_address, to_address, value, receipt_status, block_number, \
        transaction_index";
    let newest = "order by block_number desc, transaction_index desc limit 25";
    format!(
        "select * from (
    (select {columns} from transactions where from_address = {address} {newest})
    union (select {columns} from transactions where to_address = {address} {newest})) newest {newest}"
    )
}

pub fn read_figures(row: &[Value]) -> Result<AddressFigures, ApiError> {
    let amounts = [1, 2, 4, 5, 6, 7, 8, 9].map(|at| amount(row.get(at)));
    let mut numbers = [0_i128; 8];
    for (number, amount) in numbers.iter_mut().zip(amounts) {
        *number = amount?;
    }
    let [sent, fees, received, internal_sent, internal_received, rewards, withdrawn, tips] = numbers;
    let (sent, received) = (sent + internal_sent, received + internal_received);
    let earned = rewards + withdrawn + tips;
    Ok(AddressFigures {
        balance: (received + earned - sent - fees).to_string(),
        complete: count(row.get(12)) > 0,
        received: received.to_string(),
        sent: sent.to_string(),
        fees: fees.to_string(),
        earned: earned.to_string(),
        sent_count: count(row.first()),
        received_count: count(row.get(3)),
        token_transfers: count(row.get(10)),
        is_contract: count(row.get(11)) > 0,
        first_seen: text(row.get(13)),
        last_seen: text(row.get(14)),
        ..AddressFigures::default()
    })
}

pub fn read_day(row: &[Value]) -> AddressDay {
    AddressDay { day: text(row.first()).unwrap_or_default(), sent: count(row.get(1)), received: count(row.get(2)) }
}

pub fn read_transaction(row: &[Value]) -> AddressTransaction {
    AddressTransaction {
        hash: text(row.first()).unwrap_or_default(),
        time: text(row.get(1)).unwrap_or_default(),
        from: text(row.get(2)).unwrap_or_default(),
        to: text(row.get(3)),
        value: plain(row.get(4)),
        succeeded: count(row.get(5)) == 1,
    }
}

/// Wei of a cell; nothing is 0.
fn amount(cell: Option<&Value>) -> Result<i128, ApiError> {
    let text = plain(cell);
    text.parse().map_err(|error| ApiError::internal(format!("{text} is no amount: {error}")))
}

fn plain(cell: Option<&Value>) -> String {
    match cell {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => "0".to_string(),
    }
}

fn count(cell: Option<&Value>) -> i64 {
    plain(cell).parse().unwrap_or(0)
}

fn text(cell: Option<&Value>) -> Option<String> {
    cell.and_then(Value::as_str).map(str::to_string)
}
