//! Metrics as the developer API answers them: kept up with the lake beside the requests, and written out once for all who
//! ask the same.

mod render;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use bytes::Bytes;
use quarry_engine::Engine;
use quarry_lake::SnapshotId;
use quarry_metrics::{Metric, Resolution, Series};
use tokio_util::sync::CancellationToken;

use crate::http::ApiError;

pub use render::Form;

/// Between two looks at whether the lake has changed.
const LOOK: Duration = Duration::from_secs(1);
/// Longest wait of a request for the first series after a start.
const PATIENCE: Duration = Duration::from_secs(20);
/// Bytes of bodies that are kept.
const MOST_BYTES: usize = 64 << 20;
/// Bytes that a body takes beside its own: there may be a million empty ones, each of another time.
const ENTRY: usize = 512;

/// What a request asks for.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub metrics: Vec<&'static Metric>,
    /// Several metrics in one answer, even when there is only one.
    pub bulk: bool,
    pub resolution: Resolution,
    /// Milliseconds since 1970; the first start that is in it and the first that is not.
    pub since: i64,
    pub until: i64,
    pub form: Form,
}

/// A finished answer.
#[derive(Debug)]
pub struct Body {
    pub bytes: Bytes,
    /// Of exactly these bytes, in quotes.
    pub etag: HeaderValue,
    /// Whether no block that comes after the head can change it.
    pub closed: bool,
}

/// What makes two requests equal: metrics, whether they came as a bulk, resolution, times, form.
type Key = (Vec<usize>, bool, Resolution, i64, i64, Form);

#[derive(Debug, Default)]
struct Kept {
    version: SnapshotId,
    bytes: usize,
    bodies: HashMap<Key, Arc<Body>>,
}

impl Kept {
    fn keep(&mut self, key: Key, body: Arc<Body>) {
        let bytes = body.bytes.len() + ENTRY;
        if self.bytes + bytes > MOST_BYTES {
            self.bodies.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.bodies.insert(key, body);
    }
}

/// The series of the engine and the answers made of them.
pub struct MetricSeries {
    engine: Arc<Engine>,
    kept: Mutex<Kept>,
}

impl MetricSeries {
    pub fn new(engine: Arc<Engine>) -> MetricSeries {
        MetricSeries { engine, kept: Mutex::default() }
    }

    /// Follows the lake until the server stops.
    pub async fn follow(engine: Arc<Engine>, stop: CancellationToken) {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let following = async {
            let mut told = None;
            loop {
                look.tick().await;
                let outcome = engine.metrics().update().await.map(drop).map_err(|error| error.to_string());
                // The same failure every second is one line in the log.
                if let Err(error) = outcome.as_ref()
                    && told.as_ref() != Some(error)
                {
                    tracing::error!(error, "the metrics could not be brought up to date");
                }
                told = outcome.err();
            }
        };
        stop.run_until_cancelled(following).await;
    }

    /// The newest series. Only the first request after a start may have to wait.
    pub async fn current(&self) -> Result<Arc<Series>, ApiError> {
        if let Some(series) = self.engine.metrics().current() {
            return Ok(series);
        }
        match tokio::time::timeout(PATIENCE, self.engine.metrics().update()).await {
            Ok(series) => Ok(series?),
            Err(_) => {
                let msg = "The metrics are being computed; please try again in a moment.";
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "metrics_preparing", msg).retry_after(10))
            }
        }
    }

    /// The answer to a request, made now or before.
    pub async fn body(&self, wanted: &Wanted) -> Result<Arc<Body>, ApiError> {
        let series = self.current().await?;
        let places = wanted.metrics.iter().filter_map(|metric| metric.index()).collect();
        let key = (places, wanted.bulk, wanted.resolution, wanted.since, wanted.until, wanted.form);
        if let Some(body) = self.held(series.version, &key) {
            return Ok(body);
        }
        let body = Arc::new(render::body(&series, wanted)?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.version == series.version {
            kept.keep(key, body.clone());
        }
        Ok(body)
    }

    fn held(&self, version: SnapshotId, key: &Key) -> Option<Arc<Body>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.version != version {
            *kept = Kept { version, ..Kept::default() };
        }
        kept.bodies.get(key).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_answers_are_kept_in_a_bounded_number_too() {
        let body = Body { bytes: Bytes::from_static(b"[]"), etag: HeaderValue::from_static("x"), closed: true };
        let (mut kept, body) = (Kept::default(), Arc::new(body));
        let most = MOST_BYTES / (ENTRY + 2);
        for since in 0..=most {
            let since = i64::try_from(since).unwrap();
            kept.keep((vec![0], false, Resolution::Day, since, i64::MAX, Form::Json), body.clone());
            assert!(kept.bodies.len() <= most && kept.bytes <= MOST_BYTES);
        }
        assert_eq!((kept.bodies.len(), kept.bytes), (1, ENTRY + 2), "all are dropped for the one that is too many");
    }
}
