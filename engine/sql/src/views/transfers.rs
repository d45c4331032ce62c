//! Transfers of all standards in one table, under Dune's names.

use super::View;
use super::columns::{
    BLOCK_DATE, BLOCK_MONTH, BLOCK_NUMBER, BLOCK_TIME, BLOCKCHAIN, EVT_INDEX, FROM, SYMBOL, TO, TX_FROM, TX_HASH,
    TX_INDEX, TX_TO,
};
use quarry_lake::tables::column::{ColumnType::*, col, opt};

pub(super) const TOKENS: View = View {
    schema: "tokens",
    name: "transfers",
    doc: "One row per ether transfer by a successful call and per ERC-20 transfer.",
    columns: &[
        BLOCKCHAIN,
        BLOCK_MONTH,
        BLOCK_DATE,
        BLOCK_TIME,
        BLOCK_NUMBER,
        TX_HASH,
        EVT_INDEX,
        opt("trace_address", ListInt32, "Path of the call that moved ether; null for tokens."),
        col("token_standard", Text, "`native` for ether, else `erc20`."),
        TX_FROM,
        TX_TO,
        TX_INDEX,
        FROM,
        TO,
        opt("contract_address", Address, "Token contract; the zero address for ether."),
        SYMBOL,
        opt("amount_raw", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
        opt("amount", Decimal, "Amount in whole tokens; null if the decimals are unknown.").unit("tokens"),
        opt("price_usd", Decimal, "US dollars per whole token in that hour; null if no pool prices it.").unit("USD"),
        opt("amount_usd", Decimal, "Value in US dollars at that price.").unit("USD"),
    ],
    // Blocks without traces have the values of their transactions. The joined tables have unique keys that the planner knows, so
    // that it drops joins whose columns are not used. Absurd values are null, so that a forged pool does not make the whole
    // table fail.
    sql: "with calls as ( \
            select block_timestamp, block_number, transaction_hash, transaction_index, trace_address, \
              from_address, to_address, value from ethereum.traces \
            where status = 1 and value_decimal > 0 and trace_type <> 'reward' \
              and coalesce(call_type, '') not in ('delegatecall', 'staticcall', 'callcode') \
            union all \
            select block_timestamp, block_number, hash, transaction_index, arrow_cast(null, 'List(non-null Int32)'), \
              from_address, coalesce(to_address, receipt_contract_address), uint256(value) from ethereum.transactions \
            where value > 0 and (receipt_status is distinct from 0) \
              and block_number not in (select block_number from ethereum.traces where trace_type <> 'reward') \
          ), moves as ( \
            select block_timestamp, block_number, transaction_hash, transaction_index, log_index, \
              arrow_cast(null, 'List(non-null Int32)') as trace_address, 'erc20' as token_standard, \
              from_address, to_address, token_address, token_address as priced, value from ethereum.token_transfers \
            where standard = 'erc20' \
            union all \
            select block_timestamp, block_number, transaction_hash, transaction_index, null, trace_address, 'native', \
              from_address, to_address, abi_address(uint256(0)), (select max(address) from ({ether})), value from calls \
          ), hours as ( \
            select contract_address, date_trunc('hour', minute) as hour, \
              last_value(price order by minute) as price from prices.usd group by 1, 2 \
          ), sized as ( \
            select m.*, case when token_standard = 'native' then 'ETH' else t.symbol end as symbol, \
              case when value < uint256('1000000000000000000000000000000000000000000000000000000000') then \
                case when token_standard = 'native' then value / try_cast('1000000000000000000' as decimal(76,0)) \
                when t.decimals between 0 and 75 then \
                  value / try_cast('1' || repeat('0', t.decimals) as decimal(76,0)) end end as amount \
            from moves as m left join tokens.erc20 as t on t.contract_address = m.token_address \
          ), priced as ( \
            select s.*, case when d.address is not null then 1 else h.price end as price from sized as s \
              left join ({dollars}) as d on d.address = priced \
              left join hours as h on h.contract_address = priced and h.hour = date_trunc('hour', s.block_timestamp) \
          ) \
          select arrow_cast('ethereum', 'Utf8View') as blockchain, \
            cast(date_trunc('month', s.block_timestamp) as date) as block_month, \
            cast(s.block_timestamp as date) as block_date, s.block_timestamp as block_time, s.block_number, \
            s.transaction_hash as tx_hash, s.log_index as evt_index, trace_address, \
            arrow_cast(token_standard, 'Utf8View') as token_standard, \
            x.from_address as tx_from, x.to_address as tx_to, s.transaction_index as tx_index, \
            s.from_address as \"from\", s.to_address as \"to\", token_address as contract_address, \
            arrow_cast(symbol, 'Utf8View') as symbol, s.value as amount_raw, cast(amount as decimal(76,18)) as amount, \
            cast(price as decimal(76,18)) as price_usd, \
            case when amount < 100000000000000000000.0 and price < 1000000000000000000.0 then \
              cast(cast(amount as decimal(57,18)) * price as decimal(76,18)) end as amount_usd \
          from priced as s \
            left join ethereum.transactions as x on x.block_timestamp = s.block_timestamp \
              and x.block_number = s.block_number and x.transaction_index = s.transaction_index",
};

pub(super) const NFT: View = View {
    schema: "nft",
    name: "transfers",
    doc: "One row per ERC-721 transfer and per id of an ERC-1155 transfer.",
    columns: &[
        BLOCKCHAIN,
        BLOCK_TIME,
        BLOCK_MONTH,
        BLOCK_DATE,
        BLOCK_NUMBER,
        col("token_standard", Text, "`erc721` or `erc1155`."),
        col("transfer_type", Text, "`single`, or `batch` for one of several ids transferred together."),
        EVT_INDEX,
        col("contract_address", Address, "Token contract."),
        opt("token_id", Uint256, "Id of the token."),
        opt("amount", Uint256, "Number of tokens; 1 for ERC-721."),
        FROM,
        TO,
        opt("executed_by", Address, "Sender of the transaction."),
        TX_HASH,
    ],
    sql: "with batches as ( \
            select block_number, log_index from ethereum.logs \
            where topic0 = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb' group by 1, 2 \
          ) \
          select arrow_cast('ethereum', 'Utf8View') as blockchain, m.block_timestamp as block_time, \
            cast(date_trunc('month', m.block_timestamp) as date) as block_month, \
            cast(m.block_timestamp as date) as block_date, m.block_number, standard as token_standard, \
            arrow_cast(case when b.log_index is null then 'single' else 'batch' end, 'Utf8View') as transfer_type, \
            m.log_index as evt_index, token_address as contract_address, token_id, \
            uint256(case when standard = 'erc721' then uint256(1) else m.value end) as amount, \
            m.from_address as \"from\", m.to_address as \"to\", x.from_address as executed_by, \
            transaction_hash as tx_hash \
          from ethereum.token_transfers as m \
            left join batches as b on b.block_number = m.block_number and b.log_index = m.log_index \
            left join ethereum.transactions as x on x.block_timestamp = m.block_timestamp \
              and x.block_number = m.block_number and x.transaction_index = m.transaction_index \
          where standard <> 'erc20'",
};
