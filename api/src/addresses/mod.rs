//! What the lake says of one address, for its page. Everybody may ask, so the cost is bounded: few at a time, each with a
//! deadline, and an answer is kept as long as the lake stays as it is.

mod sql;

use std::collections::HashMap;
use std::sync::Arc;

use quarry_engine::Engine;
use quarry_lake::SnapshotId;
use quarry_runtime::job::Schemas;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Mutex, Semaphore};
use utoipa::ToSchema;

use crate::http::ApiError;
use crate::jobs::ask;
use crate::labels::of_address::AddressLabel;

/// Addresses that are looked up at the same time.
const AT_ONCE: usize = 2;
/// Answers that are kept.
const KEPT: usize = 1_000;
/// Whose the queries are for the engine's fairness: nobody's.
const OWNER: &str = "address-pages";

/// What an address holds and did. Amounts are decimal texts of wei.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressFigures {
    pub balance: String,
    /// Whether internal moves are in the balance; a lake without traces does not know them.
    pub complete: bool,
    pub received: String,
    pub sent: String,
    /// Gas and blob gas that its transactions paid.
    pub fees: String,
    /// Withdrawals, rewards and tips of proposers.
    pub earned: String,
    pub sent_count: i64,
    pub received_count: i64,
    pub token_transfers: i64,
    pub is_contract: bool,
    /// `YYYY-MM-DD HH:mm:ss`; null without a transaction.
    pub first_seen: Option<String>,
    pub last_seen: Option<String>,
    pub activity: Vec<AddressDay>,
    /// The newest 25, newest first.
    pub transactions: Vec<AddressTransaction>,
    /// As this reader sees them.
    pub labels: Vec<AddressLabel>,
}

/// Transactions of one day.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AddressDay {
    /// `YYYY-MM-DD`.
    pub day: String,
    pub sent: i64,
    pub received: i64,
}

/// One transaction.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AddressTransaction {
    pub hash: String,
    pub time: String,
    pub from: String,
    /// Null when it makes a contract.
    pub to: Option<String>,
    /// Wei.
    pub value: String,
    pub succeeded: bool,
}

/// Looks addresses up.
pub struct Addresses {
    engine: Arc<Engine>,
    gate: Semaphore,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    snapshot: Option<SnapshotId>,
    figures: HashMap<String, Arc<AddressFigures>>,
}

impl Kept {
    fn find(&mut self, snapshot: SnapshotId, address: &str) -> Option<Arc<AddressFigures>> {
        if self.snapshot != Some(snapshot) {
            *self = Kept { snapshot: Some(snapshot), figures: HashMap::new() };
        }
        self.figures.get(address).cloned()
    }

    /// Keeps what was read, unless the lake has changed meanwhile.
    fn keep(&mut self, snapshot: SnapshotId, address: &str, figures: &Arc<AddressFigures>) {
        if self.snapshot != Some(snapshot) {
            return;
        }
        if self.figures.len() >= KEPT {
            self.figures.clear();
        }
        self.figures.insert(address.to_string(), figures.clone());
    }
}

impl Addresses {
    pub fn new(engine: Arc<Engine>) -> Addresses {
        Addresses { engine, gate: Semaphore::new(AT_ONCE), kept: Mutex::default() }
    }

    /// What the lake says of an address of 0x and 40 small hexadecimal digits.
    pub async fn figures(&self, address: &str) -> Result<Arc<AddressFigures>, ApiError> {
        let snapshot = self.engine.lake().snapshot().await?.id;
        if let Some(found) = self.kept(snapshot, address).await {
            return Ok(found);
        }
        let _turn = self.gate.acquire().await.map_err(ApiError::internal)?;
        if let Some(found) = self.kept(snapshot, address).await {
            return Ok(found);
        }
        let figures = Arc::new(self.read(address).await?);
        self.kept.lock().await.keep(snapshot, address, &figures);
        Ok(figures)
    }

    async fn kept(&self, snapshot: SnapshotId, address: &str) -> Option<Arc<AddressFigures>> {
        self.kept.lock().await.find(snapshot, address)
    }

    async fn read(&self, address: &str) -> Result<AddressFigures, ApiError> {
        let mut figures = match self.rows(sql::figures(address)).await?.first() {
            Some(row) => sql::read_figures(row)?,
            None => AddressFigures::default(),
        };
        figures.activity = self.rows(sql::activity(address)).await?.iter().map(|row| sql::read_day(row)).collect();
        figures.transactions =
            self.rows(sql::transactions(address)).await?.iter().map(|row| sql::read_transaction(row)).collect();
        Ok(figures)
    }

    async fn rows(&self, text: String) -> Result<Vec<Vec<Value>>, ApiError> {
        ask::rows(&self.engine, OWNER, Schemas::default(), text).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_of_a_former_lake_is_not_kept_for_the_next() {
        let mut kept = Kept::default();
        let figures = Arc::new(AddressFigures::default());
        assert!(kept.find(1, "0xa").is_none());
        kept.keep(1, "0xa", &figures);
        assert!(kept.find(1, "0xa").is_some());
        // The lake changes while another address is read.
        assert!(kept.find(1, "0xb").is_none());
        assert!(kept.find(2, "0xa").is_none());
        kept.keep(1, "0xb", &figures);
        assert!(kept.find(2, "0xb").is_none());
    }
}
