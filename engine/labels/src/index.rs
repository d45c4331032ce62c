//! Labels of all addresses in memory, for the functions `label` and `labels`. Rebuilt after labels change.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray};
use datafusion::catalog::TableProvider;
use datafusion::common::Result as PlanResult;
use datafusion::physical_plan::SendableRecordBatchStream;
use datafusion::prelude::SessionContext;
use futures::StreamExt;

/// Owners whose indexes are cached; one more empties the cache.
const MAX_OWNERS: usize = 16;

/// Indexes by owner, with the version of the labels from which they were built.
#[derive(Debug, Default)]
pub(super) struct IndexCache(HashMap<Option<String>, (String, Arc<Index>)>);

impl IndexCache {
    pub(super) fn get(&self, owner: &Option<String>, version: &str) -> Option<Arc<Index>> {
        self.0.get(owner).filter(|(cached, _)| cached == version).map(|(_, index)| index.clone())
    }

    pub(super) fn insert(&mut self, owner: Option<String>, version: String, index: Arc<Index>) {
        if self.0.len() >= MAX_OWNERS {
            self.0.clear();
        }
        self.0.insert(owner, (version, index));
    }
}

/// The labels of addresses, ordered from specific to general ones.
#[derive(Debug, Default)]
pub struct Index {
    labels: Vec<String>,
    /// Address, rank and index in `labels`, sorted by address and rank.
    entries: Vec<([u8; 20], u8, u32)>,
    /// Contracts of the registry, sorted.
    dapps: Vec<[u8; 20]>,
}

impl Index {
    /// The labels of an address, the most specific first.
    pub fn labels_of(&self, address: &[u8]) -> impl Iterator<Item = &str> {
        self.label_numbers_of(address).map(|label| self.labels[label as usize].as_str())
    }

    /// The same as indices in [`Index::labels`].
    pub fn label_numbers_of(&self, address: &[u8]) -> impl Iterator<Item = u32> {
        let start = self.entries.partition_point(|(entry, ..)| entry.as_slice() < address);
        let entries = self.entries[start..].iter();
        entries.take_while(move |(entry, ..)| entry.as_slice() == address).map(|(.., label)| *label)
    }

    /// Whether an address is a contract of the registry.
    pub fn is_dapp(&self, address: &[u8]) -> bool {
        self.dapps.binary_search_by(|contract| contract.as_slice().cmp(address)).is_ok()
    }

    /// All distinct labels.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
}

/// Builds the index from the tables of labels and DApps.
pub(super) async fn build(labels: Arc<dyn TableProvider>, dapps: Arc<dyn TableProvider>) -> PlanResult<Index> {
    let mut rows = read(labels, &["address", "label", "rule"]).await?;
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut index = Index::default();
    while let Some(batch) = rows.next().await.transpose()? {
        let (addresses, labels) = (batch.column(0).as_fixed_size_binary(), batch.column(1).as_string_view());
        let rules = batch.column(2).as_string_view();
        for row in 0..batch.num_rows() {
            let Ok(address) = <[u8; 20]>::try_from(addresses.value(row)) else { continue };
            let label = labels.value(row);
            let number = *numbers.entry(label.to_string()).or_insert_with(|| {
                index.labels.push(label.to_string());
                (index.labels.len() - 1) as u32
            });
            let rule = rules.is_valid(row).then(|| rules.value(row));
            index.entries.push((address, rank(rule), number));
        }
    }
    let mut rows = read(dapps, &["address"]).await?;
    while let Some(batch) = rows.next().await.transpose()? {
        let addresses = batch.column(0).as_fixed_size_binary().iter().flatten();
        index.dapps.extend(addresses.filter_map(|address| <[u8; 20]>::try_from(address).ok()));
    }
    index.dapps.sort_unstable();
    let Index { labels, entries, .. } = &mut index;
    entries.sort_unstable_by(|a, b| (a.0, a.1, &labels[a.2 as usize]).cmp(&(b.0, b.1, &labels[b.2 as usize])));
    entries.dedup_by(|a, b| (a.0, a.2) == (b.0, b.2));
    Ok(index)
}

async fn read(table: Arc<dyn TableProvider>, columns: &[&str]) -> PlanResult<SendableRecordBatchStream> {
    SessionContext::new().read_table(table)?.select_columns(columns)?.execute_stream().await
}

/// Rank of the labels of a rule: first labels by hand, then labels that few addresses have, last general ones.
fn rank(rule: Option<&str>) -> u8 {
    match rule {
        None => 0,
        Some("B8" | "D5") => 1,
        Some("B4" | "B3") => 2,
        Some(rule) if rule.starts_with('A') => 3,
        Some("B7") => 4,
        Some(rule) if rule.starts_with('D') => 5,
        Some("B2") => 6,
        Some(rule) if rule.starts_with('M') => 7,
        Some("B9" | "B5") => 8,
        Some("B6") => 9,
        Some(_) => 10,
    }
}
