//! Protocols.

use quarry_lake::KnownContracts;

use crate::metric::{Both, Category, Kind, Metric};

pub(super) const ALL: [&Metric; 1] = [&UNISWAP_TRANSACTIONS];

const UNISWAP_TRANSACTIONS: Metric = Metric {
    category: Category::Protocols,
    name: "uniswap-transactions",
    title: Both { en: "Uniswap transactions", zh: "Uniswap 交易数" },
    definition: Both {
        en: "Transactions that swapped on a pool which Uniswap V2 or V3 made; on the sample chain, on any pool of these kinds.",
        zh: "在 Uniswap V2 或 V3 创建的池中发生兑换的交易；样例链上则为任何同类池。",
    },
    formula: "count(distinct transaction_hash) of Swap events of pools named by PairCreated or PoolCreated of the factories",
    unit: "transactions",
    kind: Kind::Sum,
    sources: &["logs"],
    needs: KnownContracts::names_uniswap,
    sql: "with created as (select abi_address(abi_word(data, 0)) as pool, '2' as version from logs where topic0 = \
          '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9' and {uniswap} union select \
          abi_address(abi_word(data, 1)), '3' from logs where topic0 = \
          '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118' and {uniswap}), swaps as (select \
          date_trunc('{unit}', block_timestamp) as t, transaction_hash, address, case when topic0 = \
          '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67' then '3' else '2' end as version from \
          logs where topic0 in ('0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', \
          '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67')) select t, count(distinct \
          transaction_hash) as v from swaps join created on pool = address and created.version = swaps.version group \
          by t",
    value: |period, _| Some(period.swaps.into()),
    ..Metric::BASE
};
