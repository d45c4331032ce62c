//! The values of all metrics by period: settled ones, and those that the newest blocks may still change.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::period::{ChainState, Period};
use super::resolution::Resolution;
use super::{Metric, all};
use quarry_lake::SnapshotId;

/// Values of every metric at one resolution, in time order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ResolutionValues {
    /// Starts of the periods in seconds since 1970.
    starts: Vec<i64>,
    /// By metric, in the order of [`all`].
    values: Vec<Vec<Option<i128>>>,
}

/// The same for every resolution.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SeriesValues([ResolutionValues; Resolution::ALL.len()]);

impl SeriesValues {
    /// Appends the values of a period.
    pub fn push(&mut self, resolution: Resolution, start: i64, period: &Period, standing: &ChainState) {
        let track = &mut self.0[resolution as usize];
        track.starts.push(start);
        track.values.resize_with(all().len(), Vec::new);
        for (values, metric) in track.values.iter_mut().zip(all()) {
            values.push((metric.value)(period, standing));
        }
    }

    /// Whether every current metric has values.
    pub fn fits(&self) -> bool {
        let fits = |track: &ResolutionValues| {
            let whole = track.values.iter().all(|values| values.len() == track.starts.len());
            whole && (track.starts.is_empty() || track.values.len() == all().len())
        };
        self.0.iter().all(fits)
    }
}

/// One value of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Start of the period in milliseconds since 1970.
    pub start: i64,
    /// In units of `10^-scale` of the metric; `None` for a mean without values.
    pub value: Option<i128>,
    /// Whether blocks of the period are missing: after the head, or before the first block of the lake.
    pub partial: bool,
}

/// All metrics at one version of the lake.
#[derive(Debug, Clone)]
pub struct Series {
    /// Changes whenever a value may have.
    pub version: SnapshotId,
    /// Newest block, and its time in milliseconds since 1970; `None` for an empty lake.
    pub head: Option<(i64, i64)>,
    /// First block: balances and new addresses are counted from there.
    pub from: i64,
    pub(super) settled: Arc<SeriesValues>,
    pub(super) rest: SeriesValues,
}

impl Series {
    pub(super) fn empty(version: SnapshotId) -> Series {
        Series { version, head: None, from: 0, settled: Arc::default(), rest: SeriesValues::default() }
    }

    /// The points of a metric whose periods start at or after `since` and before `until`, in milliseconds.
    pub fn points(&self, metric: &Metric, resolution: Resolution, since: i64, until: i64) -> Vec<Point> {
        let Some(index) = metric.index() else { return Vec::new() };
        let (settled, rest) = (&self.settled.0[resolution as usize], &self.rest.0[resolution as usize]);
        let count = settled.starts.len() + rest.starts.len();
        let starts = settled.starts.iter().chain(&rest.starts).enumerate();
        let value = |at: usize| match at.checked_sub(settled.starts.len()) {
            None => settled.values[index][at],
            Some(at) => rest.values[index][at],
        };
        let point = |(at, start): (usize, &i64)| Point {
            start: start * 1_000,
            value: value(at),
            partial: at + 1 == count || (at == 0 && self.from > 0),
        };
        starts.map(point).filter(|point| (since..until).contains(&point.start)).collect()
    }

    /// Start of the open period, in milliseconds; earlier periods are closed.
    pub fn open(&self, resolution: Resolution) -> Option<i64> {
        let tracks = [&self.rest, &*self.settled];
        tracks.iter().find_map(|tracks| tracks.0[resolution as usize].starts.last()).map(|start| start * 1_000)
    }
}
