//! Reads the labels of each address into memory, for the functions `label` and `labels`; again when labels change.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray};
use datafusion::catalog::TableProvider;
use datafusion::physical_plan::SendableRecordBatchStream;
use datafusion::prelude::{SessionContext, col, lit};
use futures::StreamExt;

use super::Labels;
use super::index::Index;
use quarry_runtime::job::Schemas;
use quarry_types::{Error, Result};

/// Owners whose labels are kept at a time.
const OWNERS: usize = 16;

impl Labels {
    /// Whether the registry has a DApp of this name.
    pub async fn has_dapp(&self, name: &str) -> Result<bool> {
        let [_, (_, dapps)] = self.providers(&Schemas::default())?;
        let frame = SessionContext::new().read_table(dapps).map_err(Error::internal)?;
        let frame = frame.filter(col("name").eq(lit(name))).map_err(Error::internal)?;
        Ok(frame.count().await.map_err(Error::internal)? > 0)
    }

    /// The labels of each address as this owner sees them, in memory.
    pub async fn index(&self, schemas: &Schemas) -> Result<Arc<Index>> {
        let version = self.version(schemas)?;
        let mut kept = self.kept.lock().await;
        if let Some((made_of, index)) = kept.0.get(&schemas.own)
            && *made_of == version
        {
            return Ok(index.clone());
        }
        let index = Arc::new(read(self, schemas).await?);
        if kept.0.len() >= OWNERS {
            kept.0.clear();
        }
        kept.0.insert(schemas.own.clone(), (version, index.clone()));
        Ok(index)
    }
}

async fn read(labels: &Labels, schemas: &Schemas) -> Result<Index> {
    let [(_, table), (_, dapps)] = labels.providers(schemas)?;
    let mut stream = columns(table, &["address", "label", "rule"]).await?;
    let mut places: HashMap<String, u32> = HashMap::new();
    let mut index = Index::default();
    while let Some(batch) = stream.next().await {
        let batch = batch.map_err(Error::internal)?;
        let (addresses, words) = (batch.column(0).as_fixed_size_binary(), batch.column(1).as_string_view());
        let rules = batch.column(2).as_string_view();
        for row in 0..batch.num_rows() {
            let Ok(address) = <[u8; 20]>::try_from(addresses.value(row)) else { continue };
            let word = words.value(row);
            let place = *places.entry(word.to_string()).or_insert_with(|| {
                index.words.push(word.to_string());
                (index.words.len() - 1) as u32
            });
            let rule = rules.is_valid(row).then(|| rules.value(row));
            index.entries.push((address, rank(rule), place));
        }
    }
    let mut stream = columns(dapps, &["address"]).await?;
    while let Some(batch) = stream.next().await {
        let batch = batch.map_err(Error::internal)?;
        let addresses = batch.column(0).as_fixed_size_binary().iter().flatten();
        index.dapps.extend(addresses.filter_map(|address| <[u8; 20]>::try_from(address).ok()));
    }
    index.dapps.sort_unstable();
    let Index { words, entries, .. } = &mut index;
    entries.sort_unstable_by(|a, b| (a.0, a.1, &words[a.2 as usize]).cmp(&(b.0, b.1, &words[b.2 as usize])));
    entries.dedup_by(|a, b| (a.0, a.2) == (b.0, b.2));
    Ok(index)
}

async fn columns(table: Arc<dyn TableProvider>, names: &[&str]) -> Result<SendableRecordBatchStream> {
    let frame = SessionContext::new().read_table(table).map_err(Error::internal)?;
    let frame = frame.select_columns(names).map_err(Error::internal)?;
    frame.execute_stream().await.map_err(Error::internal)
}

/// How telling labels of a rule are: what people say first, then what few addresses have, last what all have.
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
