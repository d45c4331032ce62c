//! Trades on pools of the Uniswap kinds, from their own events.

use super::View;
use super::columns::{
    BLOCK_DATE, BLOCK_MONTH, BLOCK_NUMBER, BLOCK_TIME, BLOCKCHAIN, TX_FROM, TX_HASH, TX_TO, swap_worth,
};
use super::prices::ether_in_dollars;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

pub(super) const TRADES: View = View {
    schema: "dex",
    name: "trades",
    doc: "One row per swap on a Uniswap V2 or V3 style pool whose creation is in the lake.",
    columns: &[
        BLOCKCHAIN,
        col(
            "project",
            Text,
            "Project of the factory that created the pool, if the lake knows it, such as `uniswap`; otherwise `other`.",
        ),
        col("version", Text, "Kind of the pool: `2` or `3`."),
        BLOCK_TIME,
        BLOCK_DATE,
        BLOCK_MONTH,
        BLOCK_NUMBER,
        opt("token_bought_symbol", Text, "Symbol of the token that left the pool."),
        opt("token_sold_symbol", Text, "Symbol of the token that went into the pool."),
        opt("token_pair", Text, "Both symbols in alphabetical order, joined by a hyphen."),
        opt(
            "token_bought_amount",
            Decimal,
            "Amount that left the pool, in whole tokens; null if the decimals are unknown.",
        )
        .unit("tokens"),
        opt(
            "token_sold_amount",
            Decimal,
            "Amount that went into the pool, in whole tokens; null if the decimals are unknown.",
        )
        .unit("tokens"),
        opt("token_bought_amount_raw", Uint256, "The same amount in the token's smallest unit.").unit("smallest unit"),
        opt("token_sold_amount_raw", Uint256, "The same amount in the token's smallest unit.").unit("smallest unit"),
        swap_worth("amount_usd"),
        opt("token_bought_address", Address, "Token that left the pool."),
        opt("token_sold_address", Address, "Token that went into the pool."),
        opt("taker", Address, "Receiver of the tokens according to the pool."),
        col("project_contract_address", Address, "The pool."),
        TX_HASH,
        TX_FROM,
        TX_TO,
        col("evt_index", Int64, "Index of the log among the logs of the block."),
    ],
    // Any contract may emit a creation event for any pool; the first one for an address is that of its factory.
    // Amounts beyond those of any real token are null, so that a forged pool does not make the whole table fail.
    // The tables joined last have unique keys that the planner knows, so that it drops joins whose columns are not used.
    // Ether has its price of the minute, or the newest one of the last 24 hours; a dollar token is worth one.
    // The event of V2 has the amounts in and out of each token; in that of V3, amounts that leave the pool are negative.
    sql: concat!(
        "with ",
        ether_in_dollars!(),
        ", prices as ( \
            select minute, price, lead(minute) over (order by minute) as next from in_dollars \
          ), minutes as ( \
            select minute, max(price) as price from ( \
              select unnest(sequence(minute, least(coalesce(next, minute + interval '1 day'), minute + interval '1 day') \
                - interval '1 minute', interval '1 minute')) as minute, price from prices) \
            group by 1 \
          ), announced as ( \
            select abi_address(abi_word(data, 0)) as pool, abi_address(topic1) as token0, abi_address(topic2) as token1, \
              address as factory, '2' as version, block_number, log_index \
            from ethereum.logs \
            where topic0 = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9' \
            union all \
            select abi_address(abi_word(data, 1)), abi_address(topic1), abi_address(topic2), address, '3', \
              block_number, log_index \
            from ethereum.logs \
            where topic0 = '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118' \
          ), markets as ( \
            select pool, token0, token1, factory, version from (select *, \
              row_number() over (partition by pool order by block_number, log_index) as place from announced) \
            where place = 1 \
          ), swaps as ( \
            select block_timestamp, block_number, transaction_index, log_index, transaction_hash, \
              address as pool, '2' as version, \
              abi_address(topic2) as taker, \
              uint256(abi_word(data, 2)) > 0 as buys0, \
              (uint256(abi_word(data, 0)) > 0 and uint256(abi_word(data, 3)) > 0) as sells0, \
              uint256(abi_word(data, 0)) as in0, uint256(abi_word(data, 1)) as in1, \
              uint256(abi_word(data, 2)) as out0, uint256(abi_word(data, 3)) as out1 \
            from ethereum.logs \
            where topic0 = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822' \
            union all \
            select block_timestamp, block_number, transaction_index, log_index, transaction_hash, \
              address, '3', abi_address(topic2), \
              abi_word(data, 0) >= '0x8000000000000000000000000000000000000000000000000000000000000000', \
              abi_word(data, 0) < '0x8000000000000000000000000000000000000000000000000000000000000000', \
              abi_magnitude(abi_word(data, 0)), abi_magnitude(abi_word(data, 1)), \
              abi_magnitude(abi_word(data, 0)), abi_magnitude(abi_word(data, 1)) \
            from ethereum.logs \
            where topic0 = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67' \
          ), sides as ( \
            select s.*, p.factory, \
              case when buys0 then token0 else token1 end as bought, \
              case when sells0 then token0 else token1 end as sold, \
              uint256(case when buys0 then out0 else out1 end) as bought_raw, \
              uint256(case when sells0 then in0 else in1 end) as sold_raw \
            from swaps as s join markets as p on s.pool = p.pool and s.version = p.version \
          ) \
          select arrow_cast('ethereum', 'Utf8View') as blockchain, \
            arrow_cast({project}, 'Utf8View') as project, \
            arrow_cast(version, 'Utf8View') as version, \
            block_timestamp as block_time, cast(block_timestamp as date) as block_date, \
            cast(date_trunc('month', block_timestamp) as date) as block_month, block_number, \
            b.symbol as token_bought_symbol, s.symbol as token_sold_symbol, \
            arrow_cast(case when b.symbol < s.symbol then b.symbol || '-' || s.symbol \
              else s.symbol || '-' || b.symbol end, 'Utf8View') as token_pair, \
            case when bought_raw < uint256('1000000000000000000000000000000000000000000000000000000000') and b.decimals between 0 and 75 then \
              bought_raw / try_cast('1' || repeat('0', b.decimals) as decimal(76,0)) end as token_bought_amount, \
            case when sold_raw < uint256('1000000000000000000000000000000000000000000000000000000000') and s.decimals between 0 and 75 then \
              sold_raw / try_cast('1' || repeat('0', s.decimals) as decimal(76,0)) end as token_sold_amount, \
            bought_raw as token_bought_amount_raw, sold_raw as token_sold_amount_raw, \
            cast(case \
              when db.address is not null and bought_raw < uint256('1000000000000000000000000000000000') then \
                bought_raw / try_cast('1' || repeat('0', db.decimals) as decimal(76,0)) \
              when ds.address is not null and sold_raw < uint256('1000000000000000000000000000000000') then \
                sold_raw / try_cast('1' || repeat('0', ds.decimals) as decimal(76,0)) \
              when eb.address is not null and bought_raw < uint256('1000000000000000000000000000000000') then \
                (bought_raw / try_cast('1000000000000000000' as decimal(76,0))) * minutes.price \
              when es.address is not null and sold_raw < uint256('1000000000000000000000000000000000') then \
                (sold_raw / try_cast('1000000000000000000' as decimal(76,0))) * minutes.price \
              end as decimal(76,18)) as amount_usd, \
            bought as token_bought_address, sold as token_sold_address, taker, pool as project_contract_address, \
            transaction_hash as tx_hash, tx_from, tx_to, log_index as evt_index \
          from sides left join tokens.erc20 as b on b.contract_address = bought \
            left join tokens.erc20 as s on s.contract_address = sold \
            left join dollars as db on db.address = bought left join dollars as ds on ds.address = sold \
            left join ether as eb on eb.address = bought left join ether as es on es.address = sold \
            left join minutes on minutes.minute = date_trunc('minute', block_timestamp) \
            left join (select block_timestamp as of_time, block_number as of_block, transaction_index as of_index, \
              from_address as tx_from, to_address as tx_to from ethereum.transactions) as t \
              on of_time = block_timestamp and of_block = block_number and of_index = transaction_index"
    ),
};
