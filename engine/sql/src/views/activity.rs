//! The number of active addresses, from the roll-ups by day.

use super::View;
use quarry_lake::tables::column::{ColumnType::*, col};

pub(super) const ACTIVE_ADDRESSES: View = View {
    schema: "rollups",
    name: "active_addresses",
    doc: "One row per day: how many addresses sent or received a transaction.",
    columns: &[
        col("day", Time, "Start of the day, UTC."),
        col("addresses", Int64, "Number of addresses that sent or received a transaction."),
        col("senders", Int64, "Number of addresses that sent a transaction."),
        col("receivers", Int64, "Number of addresses that received a transaction."),
    ],
    // Several ranges of a day may have the same address, so counts are only used for days of one range.
    sql: "with parts as (select day, count(*) as parts, min(addresses) as addresses, min(senders) as senders, \
          min(receivers) as receivers from rollups.days group by day) \
          select day, addresses, senders, receivers from parts where parts = 1 and addresses is not null union all \
          select day, count(distinct address), count(distinct case when sent > 0 then address end), \
          count(distinct case when received > 0 then address end) from rollups.address_days \
          where day in (select day from parts where parts > 1 or addresses is null) group by day",
};
