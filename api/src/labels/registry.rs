//! The registry of DApps as the engine sees it: a copy of the administrators' tables.

use std::sync::atomic::Ordering;

use quarry_ingest::sample::known;
use quarry_labels::DappContract;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use utoipa::ToSchema;

use super::known::bytes;
use crate::app::App;
use crate::http::ApiError;
use crate::time::now_ms;

/// Kind of a dapp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DappType {
    Games,
    Finance,
    Betting,
    Market,
    Social,
    Others,
    Utilities,
    HighRisk,
}

impl DappType {
    pub fn name(self) -> &'static str {
        match self {
            DappType::Games => "games",
            DappType::Finance => "finance",
            DappType::Betting => "betting",
            DappType::Market => "market",
            DappType::Social => "social",
            DappType::Others => "others",
            DappType::Utilities => "utilities",
            DappType::HighRisk => "high-risk",
        }
    }
}

/// Type of a DApp of which only addresses are known.
const UNKNOWN_TYPE: &str = "others";
/// Under which name the shipped registry is remembered as loaded.
const SHIPPED: &str = "starter-dapps";

/// Gives the engine the registry as it is now.
pub async fn copy(app: &App) -> Result<(), ApiError> {
    let _turn = app.labels.turn.lock().await;
    let rows = sqlx::query(
        "select a.dapp_name, coalesce(d.dapp_type, $1) as dapp_type, a.address
         from dapp_addresses a left join dapps d on d.name = a.dapp_name order by a.dapp_name, a.address",
    )
    .bind(UNKNOWN_TYPE)
    .fetch_all(app.db.pool())
    .await?;
    let mut contracts = Vec::with_capacity(rows.len());
    for row in rows {
        contracts.push(DappContract {
            name: row.try_get(0)?,
            dapp_type: row.try_get(1)?,
            address: bytes(row.try_get(2)?)?,
        });
    }
    let engine = app.engine.clone();
    let written = tokio::task::spawn_blocking(move || engine.labels().put_dapps(&contracts));
    written.await.map_err(ApiError::internal)??;
    app.labels.registry.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Brings the DApps of a sample chain into the administrators' tables, once; what was removed later stays removed.
pub async fn load_shipped(app: &App) -> Result<(), ApiError> {
    let db = &app.db;
    let loaded: i64 = sqlx::query_scalar("select count(*) from starter_loaded where id = $1")
        .bind(SHIPPED)
        .fetch_one(db.pool())
        .await?;
    if loaded > 0 {
        return Ok(());
    }
    let Some(known) = known(app.engine.lake()).await? else { return Ok(()) };
    let first = db.next_ids("dapps", i64::try_from(known.dapps.len()).unwrap_or(i64::MAX)).await?;
    let now = now_ms();
    let mut transaction = db.begin().await?;
    // Written first: two servers that start at once on one database must not both go on.
    sqlx::query("insert into starter_loaded (id) values ($1)").bind(SHIPPED).execute(&mut *transaction).await?;
    for (id, dapp) in (first..).zip(&known.dapps) {
        sqlx::query(
            "insert into dapps (id, name, dapp_type, website, note, updated_at) values ($1, $2, $3, '', $4, $5)
             on conflict (name) do nothing",
        )
        .bind(id)
        .bind(&dapp.name)
        .bind(&dapp.kind)
        .bind("A DApp of the sample chain.")
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        for contract in &dapp.contracts {
            sqlx::query(
                "insert into dapp_addresses (address, dapp_name, note, updated_at) values ($1, $2, '', $3)
                 on conflict (address) do nothing",
            )
            .bind(format!("0x{}", hex::encode(contract)))
            .bind(&dapp.name)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        }
    }
    Ok(transaction.commit().await?)
}
