//! Transfers, swaps and prices under Flipside's names: `ethereum.core.ez_token_transfers`, `ethereum.price.…` and so on.

use super::View;
use super::columns::{BLOCK_NUMBER, BLOCK_TIMESTAMP, BLOCKCHAIN, DECIMALS, SYMBOL, TX_HASH, TX_POSITION, swap_worth};
use super::flipside::{CORE, ORIGIN_FROM, ORIGIN_FUNCTION, ORIGIN_TO, with_transaction};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

const GIVER: Column = opt("from_address", Address, "Sender; the zero address for a mint.");
const RECEIVER: Column = opt("to_address", Address, "Receiver; the zero address for a burn.");
const AMOUNT_USD: Column =
    opt("amount_usd", Decimal, "Value in US dollars; null if no pool prices it in that hour.").unit("USD");

/// The newest price of each hour, with no two rows of a token and an hour.
macro_rules! hours {
    () => {
        "hours as (select contract_address as token, date_trunc('hour', minute) as hour, \
           last_value(price order by minute) as price from prices.usd group by 1, 2)"
    };
}

pub(super) const TOKENS: View = View {
    schema: CORE,
    name: "ez_token_transfers",
    doc: "One row per ERC-20 transfer, with its value in US dollars.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        TX_HASH,
        TX_POSITION,
        col("event_index", Int64, "Index of the log among the logs of the block."),
        GIVER,
        RECEIVER,
        col("contract_address", Address, "Token contract."),
        col("token_standard", Text, "Always `erc20`."),
        opt("name", Text, "Name of the token."),
        SYMBOL,
        DECIMALS,
        opt("raw_amount", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
        opt("raw_amount_precise", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
        opt("amount", Decimal, "Amount in whole tokens; null if the decimals are unknown.").unit("tokens"),
        opt("amount_precise", Decimal, "Amount in whole tokens; null if the decimals are unknown.").unit("tokens"),
        opt("token_price", Decimal, "US dollars per whole token in that hour; null if no pool prices it.").unit("USD"),
        AMOUNT_USD,
        opt("has_decimal", Bool, "Whether its decimals are known."),
        opt("has_price", Bool, "Whether its price is known."),
        ORIGIN_FROM,
        ORIGIN_TO,
        ORIGIN_FUNCTION,
    ],
    sql: concat!(
        "with ",
        hours!(),
        ", sized as (select m.*, t.symbol, t.name, t.decimals, \
             cast(case when value < uint256('1000000000000000000000000000000000000000000000000000000000') \
               and t.decimals between 0 and 75 then \
               value / try_cast('1' || repeat('0', t.decimals) as decimal(76,0)) end as decimal(76,18)) as amount \
           from ethereum.token_transfers as m left join tokens.erc20 as t on t.contract_address = token_address \
           where standard = 'erc20'), \
         priced as (select s.*, cast(case when d.address is not null then 1 else h.price end as decimal(76,18)) as price \
           from sized as s left join ({dollars}) as d on d.address = token_address \
             left join hours as h on h.token = token_address and h.hour = date_trunc('hour', block_timestamp)) \
         select r.block_number, r.block_timestamp, r.transaction_hash as tx_hash, r.transaction_index as tx_position, \
           log_index as event_index, from_address, to_address, token_address as contract_address, \
           arrow_cast('erc20', 'Utf8View') as token_standard, name, symbol, decimals, value as raw_amount, \
           value as raw_amount_precise, amount, amount as amount_precise, price as token_price, \
           case when amount < 100000000000000000000.0 and price < 1000000000000000000.0 then \
             cast(cast(amount as decimal(57,18)) * price as decimal(76,18)) end as amount_usd, \
           decimals is not null as has_decimal, price is not null as has_price, \
           origin_from_address, origin_to_address, origin_function_signature from priced",
        with_transaction!()
    ),
};

pub(super) const RAW: View = View {
    schema: CORE,
    name: "fact_token_transfers",
    doc: "One row per ERC-20 transfer.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        TX_HASH,
        col("event_index", Int64, "Index of the log among the logs of the block."),
        GIVER,
        RECEIVER,
        col("contract_address", Address, "Token contract."),
        opt("raw_amount", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
        opt("raw_amount_precise", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
        ORIGIN_FROM,
        ORIGIN_TO,
        ORIGIN_FUNCTION,
    ],
    sql: concat!(
        "select r.block_number, r.block_timestamp, r.transaction_hash as tx_hash, log_index as event_index, \
           from_address, to_address, token_address as contract_address, value as raw_amount, \
           value as raw_amount_precise, origin_from_address, origin_to_address, origin_function_signature \
         from (select * from ethereum.token_transfers where standard = 'erc20')",
        with_transaction!()
    ),
};

pub(super) const ETHER: View = View {
    schema: CORE,
    name: "ez_native_transfers",
    doc: "One row per ether transfer by a successful call, with its value in US dollars.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        TX_HASH,
        opt("tx_position", Int64, "Index of the transaction in the block."),
        opt("trace_address", ListInt32, "Path of the call that moved ether."),
        opt("from_address", Address, "Sender of the ether."),
        opt("to_address", Address, "Receiver of the ether."),
        opt("symbol", Text, "Always `ETH`."),
        opt("amount", Decimal, "Ether transferred.").unit("ether"),
        opt("amount_precise", Decimal, "Ether transferred.").unit("ether"),
        opt("amount_precise_raw", Uint256, "Wei transferred.").unit("wei"),
        AMOUNT_USD,
        ORIGIN_FROM,
        ORIGIN_TO,
        ORIGIN_FUNCTION,
    ],
    sql: concat!(
        "select r.block_number, r.block_timestamp, tx_hash, tx_index as tx_position, trace_address, \
           \"from\" as from_address, \"to\" as to_address, symbol, amount, amount as amount_precise, \
           amount_raw as amount_precise_raw, amount_usd, origin_from_address, origin_to_address, \
           origin_function_signature \
         from (select *, block_time as block_timestamp, tx_index as transaction_index from tokens.transfers \
           where token_standard = 'native')",
        with_transaction!()
    ),
};

pub(super) const PRICES: View = View {
    schema: "price",
    name: "ez_prices_hourly",
    doc: "One row per token and hour in which a pool that prices it changed.",
    columns: &[
        opt("hour", Time, "Start of the period, UTC."),
        opt("token_address", Address, "The token."),
        SYMBOL,
        DECIMALS,
        opt("price", Decimal, "US dollars per whole token at the end of the period.").unit("USD"),
        BLOCKCHAIN,
        col("is_native", Bool, "Always false: ether is represented by its wrapped token."),
    ],
    sql: "select timestamp as hour, contract_address as token_address, symbol, decimals, price, blockchain, \
          false as is_native from prices.hour",
};

pub(super) const SWAPS: View = View {
    schema: "defi",
    name: "ez_dex_swaps",
    doc: "One row per swap on a Uniswap V2 or V3 style pool whose creation is in the lake.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        TX_HASH,
        col("contract_address", Address, "The pool."),
        opt("pool_name", Text, "Both symbols in alphabetical order, joined by a hyphen."),
        col("event_name", Text, "Always `Swap`."),
        opt("amount_in_unadj", Uint256, "Amount that went into the pool, in the token's smallest unit.")
            .unit("smallest unit"),
        opt("amount_in", Decimal, "Amount that went into the pool, in whole tokens; null if the decimals are unknown.")
            .unit("tokens"),
        swap_worth("amount_in_usd"),
        opt("amount_out_unadj", Uint256, "Amount that left the pool, in the token's smallest unit.")
            .unit("smallest unit"),
        opt("amount_out", Decimal, "Amount that left the pool, in whole tokens; null if the decimals are unknown.")
            .unit("tokens"),
        swap_worth("amount_out_usd"),
        opt("tx_to", Address, "Receiver of the tokens according to the pool."),
        col("event_index", Int64, "Index of the log among the logs of the block."),
        col("platform", Text, "`uniswap-v2`, `uniswap-v3`, `sushiswap-v2` and so on."),
        opt("token_in", Address, "Token that went into the pool."),
        opt("token_out", Address, "Token that left the pool."),
        opt("symbol_in", Text, "Symbol of the token that went into the pool."),
        opt("symbol_out", Text, "Symbol of the token that left the pool."),
    ],
    sql: "select block_number, block_time as block_timestamp, tx_hash, project_contract_address as contract_address, \
          token_pair as pool_name, arrow_cast('Swap', 'Utf8View') as event_name, \
          token_sold_amount_raw as amount_in_unadj, token_sold_amount as amount_in, amount_usd as amount_in_usd, \
          token_bought_amount_raw as amount_out_unadj, token_bought_amount as amount_out, amount_usd as amount_out_usd, \
          taker as tx_to, evt_index as event_index, \
          arrow_cast(project || '-v' || version, 'Utf8View') as platform, \
          token_sold_address as token_in, token_bought_address as token_out, \
          token_sold_symbol as symbol_in, token_bought_symbol as symbol_out from dex.trades",
};
