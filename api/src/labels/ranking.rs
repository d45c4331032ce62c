//! DApps by users, transactions and volume, over the last day, week or month before the head. Counted once for each state of
//! the chain and the registry, whoever asks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use quarry_lake::SnapshotId;
use quarry_runtime::job::Schemas;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;
use utoipa::ToSchema;

use super::registry::DappType;
use crate::app::App;
use crate::http::ApiError;
use crate::jobs::ask;

const OWNER: &str = "dapp-ranking";

/// How far back it is counted: 1, 7 or 30 days before the head.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    #[default]
    Day,
    Week,
    Month,
}

impl Period {
    pub fn days(self) -> u32 {
        match self {
            Period::Day => 1,
            Period::Week => 7,
            Period::Month => 30,
        }
    }
}

/// What decides the order; the largest comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    #[default]
    Users,
    Transactions,
    Volume,
}

/// One DApp in a period.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ranked {
    /// Counted from 1, in the order that was asked for.
    pub rank: i64,
    pub name: String,
    /// `games`, `finance`, `betting`, `market`, `social`, `others`, `utilities` or `high-risk`.
    pub dapp_type: String,
    /// Contracts of the registry.
    pub contracts: i64,
    /// Senders of transactions to a contract of it.
    pub users: i64,
    pub transactions: i64,
    /// Wei that successful transactions sent along, as a decimal text.
    pub volume: String,
    /// Against the period of the same length before, in per cent; null when there was nothing.
    pub users_change: Option<f64>,
    pub transactions_change: Option<f64>,
    pub volume_change: Option<f64>,
}

/// What was counted last.
#[derive(Default)]
pub struct Kept {
    /// Of which lake and registry.
    version: (SnapshotId, u64),
    periods: BTreeMap<Period, Arc<Vec<Counted>>>,
}

/// Numbers of one DApp, in the period and in the one before.
struct Counted {
    name: String,
    dapp_type: String,
    contracts: i64,
    users: [i64; 2],
    transactions: [i64; 2],
    volume: [i128; 2],
}

/// The DApps of a type, or all, in this order.
pub async fn ranking(app: &App, of: Option<DappType>, period: Period, order: Order) -> Result<Vec<Ranked>, ApiError> {
    let counted = counted(app, period).await?;
    let mut chosen: Vec<&Counted> =
        counted.iter().filter(|dapp| of.is_none_or(|of| of.name() == dapp.dapp_type)).collect();
    let key = |dapp: &Counted| match order {
        Order::Users => i128::from(dapp.users[0]),
        Order::Transactions => i128::from(dapp.transactions[0]),
        Order::Volume => dapp.volume[0],
    };
    chosen.sort_by(|a, b| key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name)));
    Ok((1..).zip(chosen).map(|(rank, dapp)| dapp.ranked(rank)).collect())
}

impl Counted {
    fn ranked(&self, rank: i64) -> Ranked {
        let wide = |pair: [i64; 2]| pair.map(i128::from);
        Ranked {
            rank,
            name: self.name.clone(),
            dapp_type: self.dapp_type.clone(),
            contracts: self.contracts,
            users: self.users[0],
            transactions: self.transactions[0],
            volume: self.volume[0].to_string(),
            users_change: change(wide(self.users)),
            transactions_change: change(wide(self.transactions)),
            volume_change: change(self.volume),
        }
    }
}

fn change([now, before]: [i128; 2]) -> Option<f64> {
    (before > 0).then(|| ((now as f64 / before as f64 - 1.0) * 10_000.0).round() / 100.0)
}

async fn counted(app: &App, period: Period) -> Result<Arc<Vec<Counted>>, ApiError> {
    let version = (app.engine.lake().snapshot().await?.id, app.labels.registry.load(Ordering::Relaxed));
    // Held while it is counted: who comes meanwhile waits for the same numbers.
    let mut kept = app.labels.ranking.lock().await;
    if kept.version != version {
        *kept = Kept { version, periods: BTreeMap::new() };
    }
    if let Some(known) = kept.periods.get(&period) {
        return Ok(known.clone());
    }
    let counted = Arc::new(count(app, period).await?);
    kept.periods.insert(period, counted.clone());
    Ok(counted)
}

async fn count(app: &App, period: Period) -> Result<Vec<Counted>, ApiError> {
    let days = period.days();
    let text = format!(
        "select name, sum(case when now then 1 else 0 end), sum(case when now then 0 else 1 end),
  count(distinct case when now then who end), count(distinct case when now then null else who end),
  cast(sum(case when now then wei else 0 end) as varchar), cast(sum(case when now then 0 else wei end) as varchar)
from (
  select d.name, t.from_address as who, t.block_timestamp > now() - interval '{days}' day as now,
    case when t.receipt_status = 1 then t.value else cast(0 as decimal(38, 0)) end as wei
  from transactions t join labels.dapps d on d.address = t.to_address
  where t.block_timestamp > now() - interval '{}' day) used
group by name",
        2 * days
    );
    let rows = ask::rows(&app.engine, OWNER, Schemas::default(), text).await?;
    let used: BTreeMap<&str, &Vec<Value>> = rows.iter().filter_map(|row| Some((row.first()?.as_str()?, row))).collect();
    let registry = sqlx::query(
        "select name, dapp_type, (select count(*) from dapp_addresses where dapp_name = dapps.name) as contracts
         from dapps order by name",
    )
    .fetch_all(app.db.pool())
    .await?;
    let mut counted = Vec::with_capacity(registry.len());
    for row in registry {
        let name: String = row.try_get(0)?;
        let numbers = used.get(name.as_str());
        let number = |at: usize| numbers.and_then(|row| row.get(at)).map_or(0, whole);
        let small = |at: usize| i64::try_from(number(at)).unwrap_or(i64::MAX);
        counted.push(Counted {
            dapp_type: row.try_get(1)?,
            contracts: row.try_get(2)?,
            transactions: [small(1), small(2)],
            users: [small(3), small(4)],
            volume: [number(5), number(6)],
            name,
        });
    }
    Ok(counted)
}

/// A whole number, as JSON or as a text.
fn whole(value: &Value) -> i128 {
    match value {
        Value::Number(number) => number.as_i64().map_or(0, i128::from),
        Value::String(digits) => digits.parse().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_against_something() {
        assert_eq!(change([150, 100]), Some(50.0));
        assert_eq!(change([1, 3]), Some(-66.67));
        assert_eq!(change([0, 3]), Some(-100.0));
        assert_eq!(change([5, 0]), None);
    }
}
