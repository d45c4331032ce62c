//! Labels of addresses: what rules find, what ships, and what people say. The platform database holds what people say and
//! the registry of DApps; the engine gets a copy after every change, so that queries and rules see both.

pub mod first;
pub mod known;
pub mod of_address;
pub mod ranking;
pub mod registry;
pub mod shipped;
pub mod truth;

use std::sync::atomic::AtomicU64;

use quarry_runtime::job::Schemas;
use tokio::sync::{Mutex, Semaphore};

use crate::app::App;
use crate::creations::access::Reader;
use crate::http::ApiError;
use crate::jobs::shares::schema_of;
use ranking::Kept;

const AT_ONCE: usize = 2;

/// What labels need while the server runs.
pub struct LabelDesk {
    /// One copy goes to the engine at a time, so that none overtakes a newer one.
    turn: Mutex<()>,
    ranking: Mutex<Kept>,
    /// Grows with every change of the registry of DApps.
    registry: AtomicU64,
    /// Addresses that are looked up at the same time: everybody may ask, so the cost is bounded.
    gate: Semaphore,
    of_addresses: Mutex<of_address::Kept>,
}

impl Default for LabelDesk {
    fn default() -> LabelDesk {
        LabelDesk {
            turn: Mutex::default(),
            ranking: Mutex::default(),
            registry: AtomicU64::default(),
            gate: Semaphore::new(AT_ONCE),
            of_addresses: Mutex::default(),
        }
    }
}

/// Brings what ships into the registry, and gives the engine what the platform database holds.
pub async fn start(app: &App) -> anyhow::Result<()> {
    shipped::load(&app.engine).await?;
    let copied = async {
        registry::load_shipped(app).await?;
        registry::copy(app).await?;
        known::copy_all(app).await
    };
    copied.await.map_err(|error: ApiError| anyhow::anyhow!("labels can't be prepared: {}", error.msg))
}

/// The labels that a reader sees: everybody's, and their own.
pub fn seen_by(reader: &Reader) -> Schemas {
    Schemas { own: reader.user.as_ref().map(|user| schema_of(&user.name)), ..Schemas::default() }
}
