//! The labels of one address, each with why.

use std::collections::HashMap;

use quarry_runtime::job::Schemas;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::seen_by;
use crate::app::App;
use crate::creations::access::Reader;
use crate::http::ApiError;
use crate::jobs::ask;

/// Whose the questions are for the engine's fairness: nobody's.
const OWNER: &str = "address-pages";

/// What an address is known as.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressLabel {
    pub label: String,
    /// `EOA`, `CONTRACT`, `DAPP`, `NETWORK`, `TOKEN`, `MINER` or `NFT`.
    pub label_type: String,
    /// `basic`, `monthly-report`, `dapp-monthly-report`, `algorithm`, or `known` for labels assigned by people.
    pub category: String,
    /// The exchange, DApp or group that the label refers to.
    pub entity: Option<String>,
    /// The number behind the label, as a decimal text; what it counts is told by the rule.
    pub value: Option<String>,
    /// The month, or first and last day.
    pub period: Option<String>,
    /// The rule that found it: `A1`.
    pub rule: Option<String>,
    pub rule_version: Option<i64>,
    /// The job that found it.
    pub job_id: Option<String>,
    /// `rule`, `hand`, `csv`, `admin` or `shipped`.
    pub source: String,
    /// Who ran the job or wrote the label.
    pub author: Option<String>,
    /// The facts behind it.
    #[schema(value_type = Option<Object>)]
    pub why: Option<Value>,
    /// `YYYY-MM-DD HH:mm:ss`, UTC.
    pub time: String,
}

/// Answers that are kept.
const KEPT: usize = 1_000;

/// Labels by address and schema of the reader, with the version of all labels that they were read from.
pub type Kept = HashMap<(String, Option<String>), (String, Vec<AddressLabel>)>;

/// The labels of an address of 0x and 40 small hexadecimal digits as this reader sees them: what people say first, then what
/// was found last. Read once, until some label changes that the reader sees.
pub async fn read(app: &App, reader: &Reader, address: &str) -> Result<Vec<AddressLabel>, ApiError> {
    let schemas = seen_by(reader);
    let version = app.engine.labels().version(&schemas)?;
    let key = (address.to_string(), schemas.own.clone());
    if let Some((of, labels)) = app.labels.of_addresses.lock().await.get(&key)
        && *of == version
    {
        return Ok(labels.clone());
    }
    let labels = find(app, schemas, address).await?;
    let mut kept = app.labels.of_addresses.lock().await;
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, (version, labels.clone()));
    Ok(labels)
}

async fn find(app: &App, schemas: Schemas, address: &str) -> Result<Vec<AddressLabel>, ApiError> {
    let text = format!(
        "select label, label_type, category, entity, cast(value as varchar) as value, period, rule, rule_version, job_id,
  source, author, why, date_trunc('second', created_at) as time
from labels.addresses where address = {address}
order by case when rule is null then 0 else 1 end, created_at desc, rule, label, period limit 500"
    );
    let _turn = app.labels.gate.acquire().await.map_err(ApiError::internal)?;
    let rows = ask::rows(&app.engine, OWNER, schemas, text).await?;
    Ok(rows.iter().map(|row| label(row)).collect())
}

fn label(row: &[Value]) -> AddressLabel {
    let text = |at: usize| row.get(at).and_then(Value::as_str).map(str::to_string);
    let needed = |at: usize| text(at).unwrap_or_default();
    AddressLabel {
        label: needed(0),
        label_type: needed(1),
        category: needed(2),
        entity: text(3),
        value: text(4).map(|value| plain(&value).to_string()),
        period: text(5),
        rule: text(6),
        rule_version: row.get(7).and_then(Value::as_i64),
        job_id: text(8),
        source: needed(9),
        author: text(10).filter(|author| !author.is_empty()),
        why: text(11).and_then(|why| serde_json::from_str(&why).ok()),
        time: needed(12),
    }
}

/// A decimal text without needless zeros.
fn plain(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
