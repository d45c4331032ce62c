//! The call that says what the lake holds.

use std::sync::Arc;

use axum::extract::State;
use quarry_engine::recent_blocks::RecentBlock as EngineBlock;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Origin, ScrubPass, ScrubStatus, Snapshot, TableStatus};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{
    ChainOrigin, ChainStatus, DamagedFileView, FailureView, GasByKind, LakeMonitor, RecentBlock, ReorgView,
    ScrubPassView, ScrubView, TableFiles, TableRows,
};
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::rights::DataLink;
use crate::checking::Blocks;
use crate::http::{Answer, ApiError, Failure, Reply, Success};
use crate::time::milliseconds;
use crate::ws::message::ChainHead;

/// Blocks of the strip on the home page; the ticker shows the last of them.
const RECENT_BLOCKS: u32 = 96;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status)).routes(routes!(monitor))
}

/// Head, origin, rows per table and the newest blocks. Open to visitors.
#[utoipa::path(get, path = "/api/chain/status", tag = "chain", operation_id = "chainStatus",
    responses((status = 200, body = Success<ChainStatus>), (status = "default", body = Failure)))]
async fn status(state: State<App>) -> Answer<ChainStatus> {
    let lake = state.engine.lake();
    let info = lake.info().await?;
    let snapshot = lake.snapshot().await?;
    let blocks = newest_blocks(&state, &snapshot).await?;
    let tables = Table::ALL.map(|table| TableRows { name: table.name().to_string(), rows: snapshot.rows(table) });
    Ok(Reply(ChainStatus {
        chain_id: info.chain_id,
        origin: info.origin.map(|origin| match origin {
            Origin::Sample => ChainOrigin::Sample,
            Origin::Node => ChainOrigin::Node,
        }),
        head: snapshot.head.map(ChainHead::from),
        finalised: snapshot.finalized,
        data_as_of: snapshot.head.map(|head| milliseconds(head.time)),
        tables: tables.into(),
        recent_blocks: blocks.iter().rev().map(block).collect(),
    }))
}

fn scrub(status: ScrubStatus) -> ScrubView {
    let pass = |pass: ScrubPass| ScrubPassView {
        started: pass.started,
        ended: pass.ended,
        files: pass.files,
        bytes: pass.bytes,
        damaged: pass.damaged,
    };
    let damaged = status.damaged.into_iter().map(|file| DamagedFileView {
        path: file.path,
        blocks: Blocks { from: file.blocks.from, to: file.blocks.to },
        time: file.time,
        detail: file.detail,
    });
    ScrubView { current: status.current.map(pass), last: status.last.map(pass), damaged: damaged.collect() }
}

/// Files, gaps, speed, reorganisations and failures of the lake. For the back office.
#[utoipa::path(get, path = "/api/chain/monitor", tag = "chain", operation_id = "chainMonitor", security(("bearer" = [])),
    responses((status = 200, body = Success<LakeMonitor>), (status = "default", body = Failure)))]
async fn monitor(state: State<App>, _by: Allowed<DataLink>) -> Answer<LakeMonitor> {
    let status = state.engine.lake().status().await?;
    let blocks = |range: BlockRange| Blocks { from: range.from, to: range.to };
    let table = |table: TableStatus| TableFiles {
        name: table.name.to_string(),
        rows: table.rows,
        bytes: table.bytes,
        files: table.files,
        head: table.head,
    };
    Ok(Reply(LakeMonitor {
        snapshot: status.snapshot,
        head: status.head.map(ChainHead::from),
        finalised: status.finalized,
        covered: status.covered.into_iter().map(blocks).collect(),
        gaps: status.gaps.into_iter().map(blocks).collect(),
        tables: status.tables.into_iter().map(table).collect(),
        reorgs: status
            .reorgs
            .into_iter()
            .map(|reorg| ReorgView { time: reorg.time, blocks: blocks(reorg.blocks) })
            .collect(),
        blocks_per_second: status.blocks_per_second,
        verification_failures: status.verification_failures,
        last_failures: status
            .last_failures
            .into_iter()
            .map(|failure| FailureView { time: failure.time, block: failure.block, detail: failure.detail })
            .collect(),
        replaced_files: status.retired.files,
        replaced_bytes: status.retired.bytes,
        scrub: scrub(status.scrub),
    }))
}

/// Waiting for the lock is waiting for the one who reads the blocks.
async fn newest_blocks(app: &App, snapshot: &Snapshot) -> Result<Arc<[EngineBlock]>, ApiError> {
    let mut kept = app.newest_blocks.lock().await;
    if let Some((_, blocks)) = kept.as_ref().filter(|(id, _)| *id == snapshot.id) {
        return Ok(blocks.clone());
    }
    let blocks: Arc<[EngineBlock]> = app.engine.recent_blocks(RECENT_BLOCKS).await?.into();
    *kept = Some((snapshot.id, blocks.clone()));
    Ok(blocks)
}

fn block(block: &EngineBlock) -> RecentBlock {
    let gas = block.gas_by_kind;
    RecentBlock {
        number: block.number,
        time: milliseconds(block.time),
        gas_used: block.gas_used,
        gas_limit: block.gas_limit,
        transaction_count: block.transaction_count,
        base_fee: block.base_fee.map(|fee| fee.to_string()),
        gas_by_kind: GasByKind {
            creation: gas.creation,
            swap: gas.swap,
            nft: gas.nft,
            token: gas.token,
            transfer: gas.transfer,
            other: gas.other,
        },
    }
}
