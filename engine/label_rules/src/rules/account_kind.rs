//! B1: externally owned accounts and contracts.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B1",
    name: "account-kind",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Account kind", zh: "账户类型" },
    text: Both {
        en: "An address that sent a transaction is an account (EOA), also when it has code under EIP-7702. One that was created, or that emits logs and never sent a transaction, is a contract.",
        zh: "发送过交易的地址是外部账户（EOA），即使它按 EIP-7702 带有代码；被创建的、或发出日志而从未发送交易的地址是合约。",
    },
    value: Both { en: "transactions sent, or logs emitted", zh: "发送的交易数或发出的日志数" },
    labels: &["eoa", "contract"],
    inputs: &[START, END],
    parameters: &[],
    source: "Etherscan's and ethereum-etl's notion of a contract",
    steps: &[],
    rows: Rows::Labels(
        "with senders as (
    select from_address as address, count(*) as transactions, min(block_timestamp) as first_seen,
      max(block_timestamp) as last_seen
    from transactions where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
    group by 1),
emitters as (
    select address, count(*) as logs, min(block_timestamp) as first_seen, max(block_timestamp) as last_seen
    from logs where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
    group by 1),
made as (
    select address, min(block_timestamp) as created from (
      select address, block_timestamp from contracts
      union all select receipt_contract_address, block_timestamp from transactions
      where receipt_contract_address is not null) c
    where block_timestamp < cast({{to}} as timestamp) group by address)
select address, 'eoa' as label, 'EOA' as label_type, transactions as value, first_seen, last_seen from senders
union all
select coalesce(e.address, m.address), 'contract', 'CONTRACT', coalesce(e.logs, 0),
  coalesce(m.created, e.first_seen), coalesce(e.last_seen, m.created)
from emitters e full join made m on m.address = e.address
where (e.address is not null or m.created >= cast({{from}} as timestamp))
  and not exists (select 1 from transactions t where t.from_address = coalesce(e.address, m.address)
    and t.block_timestamp < cast({{to}} as timestamp))",
    ),
};
