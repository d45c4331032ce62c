//! Queries that several rules share. The text of a rule refers to one as `<name>`.

/// Names and texts; a text may refer to those above it.
const ALL: [(&str, &str); 11] = [
    ("contracts", CONTRACTS),
    ("exchanges", EXCHANGES),
    ("payments", PAYMENTS),
    ("flows", FLOWS),
    ("moves", MOVES),
    ("airdrops", AIRDROPS),
    ("routers", ROUTERS),
    ("swaps", SWAPS),
    ("sales", SALES),
    ("deposits", DEPOSITS),
    ("pools", POOLS),
];

/// Addresses with code. Without traces, contracts created by contracts are unknown.
const CONTRACTS: &str = "select address from contracts \
    union select receipt_contract_address from transactions where receipt_contract_address is not null";

/// Addresses of exchanges, labeled by hand.
const EXCHANGES: &str = "select address, coalesce(max(entity), cast(address as varchar)) as exchange \
    from labels.addresses where label = 'exchange' group by address";

/// Transfers of ETH, by transactions and inside them. `payer` sent the transaction, `from_address` had the ETH.
const PAYMENTS: &str = "select from_address as payer, from_address, to_address, value, block_number, \
    transaction_index, -1 as step, block_timestamp, hash as transaction_hash \
    from transactions where coalesce(receipt_status, 1) = 1 and value > 0 and to_address is not null \
    union all select t.from_address, i.from_address, i.to_address, i.value_decimal, i.block_number, \
    i.transaction_index, i.trace_index, i.block_timestamp, i.transaction_hash \
    from traces i join transactions t on t.hash = i.transaction_hash \
    where cardinality(i.trace_address) > 0 and i.status = 1 and i.trace_type <> 'reward' and i.value_decimal > 0 \
    and coalesce(i.call_type, '') not in ('delegatecall', 'callcode', 'staticcall') and i.to_address is not null";

/// Every change of a balance up to the end of the period, in wei.
const FLOWS: &str = "select from_address as address, \
    -(case when coalesce(receipt_status, 1) = 1 then value else 0 end \
      + coalesce(receipt_gas_used * receipt_effective_gas_price, 0) \
      + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as wei \
    from transactions where block_timestamp < cast({{to}} as timestamp) \
    union all select coalesce(to_address, receipt_contract_address), value \
    from transactions where coalesce(receipt_status, 1) = 1 and value > 0 and block_timestamp < cast({{to}} as timestamp) \
    union all select from_address, -value_decimal from traces \
    where cardinality(trace_address) > 0 and status = 1 and trace_type <> 'reward' and value_decimal > 0 \
    and coalesce(call_type, '') not in ('delegatecall', 'callcode', 'staticcall') \
    and block_timestamp < cast({{to}} as timestamp) \
    union all select to_address, value_decimal from traces \
    where (cardinality(trace_address) > 0 or trace_type = 'reward') and status = 1 and value_decimal > 0 \
    and coalesce(call_type, '') not in ('delegatecall', 'callcode', 'staticcall') \
    and block_timestamp < cast({{to}} as timestamp) \
    union all select address, cast(amount as decimal(38, 0)) * 1000000000 from withdrawals \
    where block_timestamp < cast({{to}} as timestamp) \
    union all select b.miner, t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0)) \
    from transactions t join blocks b on b.number = t.block_number \
    where t.block_timestamp < cast({{to}} as timestamp)";

/// ERC-20 transfers of the period, of one token if the spec has one.
const MOVES: &str = "select token_address, from_address, to_address, value, block_number, log_index, block_timestamp \
    from token_transfers where standard = 'erc20' and from_address <> to_address \
    and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp) \
    [[and token_address = {{contract}}]]";

/// Receipts of airdrops: one source sends the same amount of a token to many recipients in adjacent blocks.
const AIRDROPS: &str = "select m.token_address, m.from_address as source, m.value as amount, m.to_address as recipient, \
    min(m.block_timestamp) as received_at \
    from (<moves>) m join ( \
      select token_address, from_address, value, count(distinct to_address) as recipients from ( \
        select token_address, from_address, value, to_address, block_number - lag(block_number) over ( \
          partition by token_address, from_address, value order by block_number, log_index) as gap \
        from (<moves>) every) gaps \
      group by token_address, from_address, value \
      having count(distinct to_address) >= {{min_recipients}} and median(gap) <= {{max_gap}}) d \
    on d.token_address = m.token_address and d.from_address = m.from_address and d.value = m.value \
    group by m.token_address, m.from_address, m.value, m.to_address";

/// Contracts with so many callers that they are public services.
const ROUTERS: &str = "select to_address as address from transactions where to_address is not null \
    group by to_address having count(distinct from_address) >= {{router_senders}}";

/// Trades on Uniswap V2 and V3 pools: amounts into and out of the pool, by token.
const SWAPS: &str = "select address as pool, block_number, transaction_index, log_index, transaction_hash, \
    uint256(abi_word(data, 0)) as in0, uint256(abi_word(data, 1)) as in1, \
    uint256(abi_word(data, 2)) as out0, uint256(abi_word(data, 3)) as out1 \
    from logs where topic0 = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822' \
    and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp) \
    union all select pool, block_number, transaction_index, log_index, transaction_hash, \
    case when a0 > 0 then uint256(a0) else uint256('0') end, case when a1 > 0 then uint256(a1) else uint256('0') end, \
    case when a0 < 0 then uint256(-a0) else uint256('0') end, case when a1 < 0 then uint256(-a1) else uint256('0') end \
    from (select address as pool, block_number, transaction_index, log_index, transaction_hash, \
      int256(abi_word(data, 0)) as a0, int256(abi_word(data, 1)) as a1 \
      from logs where topic0 = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67' \
      and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)) v3";

/// NFTs that changed hands for money: in a transaction with a sale of Seaport or Wyvern, or one that sent ETH. The price is
/// the transaction's ETH in equal parts.
const SALES: &str = "select n.token_address as collection, n.token_id, n.from_address as seller, n.to_address as buyer, \
    n.block_number, n.log_index, t.value / count(*) over (partition by n.transaction_hash) as price \
    from token_transfers n join transactions t on t.hash = n.transaction_hash \
    where n.standard = 'erc721' and n.from_address <> '0x0000000000000000000000000000000000000000' \
    and n.block_timestamp >= cast({{from}} as timestamp) and n.block_timestamp < cast({{to}} as timestamp) \
    and (t.value > 0 or n.transaction_hash in (select transaction_hash from logs where topic0 in ( \
      '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31', \
      '0xc4109843e0b7d514e4c093114b863f8e7d8d9a458c372cd51bfe526b588006c9'))) \
    [[and n.token_address = {{nft}}]]";

/// Payments of a customer to a deposit address, with the payment to an exchange that follows.
const DEPOSITS: &str = "select u.payer as customer, d.from_address as deposit, x.exchange, d.value, d.transaction_hash \
    from (<payments>) d \
    join (<exchanges>) x on x.address = d.to_address \
    join (<payments>) u on u.to_address = d.from_address and u.payer <> d.from_address \
    where d.block_timestamp >= cast({{from}} as timestamp) and d.block_timestamp < cast({{to}} as timestamp) \
    and u.value >= d.value and u.value - d.value <= {{gap_eth}} \
    and u.block_number <= d.block_number and d.block_number - u.block_number <= {{blocks}} \
    and d.from_address not in (select address from (<exchanges>) seeds) \
    and u.payer not in (select address from (<exchanges>) seeds) \
    and d.from_address not in (<contracts>) \
    and d.from_address not in (select miner from blocks) and u.payer not in (select miner from blocks)";

/// Uniswap V2 and V3 pools with their tokens, from the events of their creation.
const POOLS: &str = "select abi_address(abi_word(data, 0)) as pool, abi_address(topic1) as token0, \
    abi_address(topic2) as token1 from logs \
    where topic0 = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9' \
    union select abi_address(abi_word(data, 1)), abi_address(topic1), abi_address(topic2) from logs \
    where topic0 = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'";

/// Replaces each `<name>` of a shared query by its text, or by what `replacement` returns for the name.
pub(crate) fn expand(text: &str, replacement: impl Fn(&str) -> Option<String>) -> String {
    // From the last to the first, as a query refers only to those above it.
    ALL.iter().rev().fold(text.to_string(), |text, (name, query)| {
        text.replace(&format!("<{name}>"), &replacement(name).unwrap_or_else(|| query.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_references_are_expanded() {
        let expanded = expand("select * from (<airdrops>) a join (<contracts>) c", |_| None);
        assert!(expanded.contains("erc20") && expanded.contains("from contracts"), "{expanded}");
        assert!(!ALL.iter().any(|(name, _)| expanded.contains(&format!("<{name}>"))), "{expanded}");
    }

    #[test]
    fn replacements_take_precedence() {
        let expanded =
            expand("select * from (<deposits>) d", |name| (name == "contracts").then(|| "select 1".to_string()));
        assert!(expanded.contains("not in (select 1)") && !expanded.contains("from contracts"), "{expanded}");
    }
}
