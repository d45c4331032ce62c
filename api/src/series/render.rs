//! Points as JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write;

use axum::http::HeaderValue;
use quarry_metrics::{Metric, Point, Series};
use sha2::{Digest, Sha256};

use super::{Body, Wanted};
use crate::http::ApiError;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    Json,
    Csv,
}

pub(super) fn body(series: &Series, wanted: &Wanted) -> Result<Body, ApiError> {
    let all: Vec<(&Metric, Vec<Point>)> = wanted
        .metrics
        .iter()
        .map(|metric| (*metric, series.points(metric, wanted.resolution, wanted.since, wanted.until)))
        .collect();
    let text = match (wanted.form, wanted.bulk) {
        (Form::Json, true) => {
            let one =
                |(metric, points): &(&Metric, Vec<Point>)| format!("\"{}\":{}", metric.path(), json(metric, points));
            format!("{{{}}}", all.iter().map(one).collect::<Vec<_>>().join(","))
        }
        (Form::Json, false) => all.iter().map(|(metric, points)| json(metric, points)).collect(),
        (Form::Csv, true) => wide(&all),
        (Form::Csv, false) => all.iter().map(|(metric, points)| csv(metric, points)).collect(),
    };
    let hash = hex::encode(&Sha256::digest(&text)[..16]);
    let etag = HeaderValue::try_from(format!("\"{hash}\"")).map_err(ApiError::internal)?;
    let closed = series.open(wanted.resolution).is_some_and(|open| wanted.until <= open);
    Ok(Body { bytes: text.into(), etag, closed })
}

fn json(metric: &Metric, points: &[Point]) -> String {
    let mut text = String::with_capacity(points.len() * 40 + 2);
    text.push('[');
    for (place, point) in points.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let value = point.value.map_or_else(|| "null".to_string(), |value| metric.json(value));
        let partial = if point.partial { ",\"partial\":true" } else { "" };
        // Writing to a text can't fail.
        let _ = write!(text, "{comma}{{\"t\":{},\"v\":{value}{partial}}}", point.start);
    }
    text.push(']');
    text
}

fn csv(metric: &Metric, points: &[Point]) -> String {
    let mut text = "t,v,partial\r\n".to_string();
    for point in points {
        let value = point.value.map(|value| metric.text(value)).unwrap_or_default();
        let partial = if point.partial { "true" } else { "" };
        let _ = write!(text, "{},{value},{partial}\r\n", point.start);
    }
    text
}

/// A row per start and a column per metric.
fn wide(all: &[(&Metric, Vec<Point>)]) -> String {
    let mut text = "t".to_string();
    let mut rows: BTreeMap<i64, (Vec<String>, bool)> = BTreeMap::new();
    for (place, (metric, points)) in all.iter().enumerate() {
        let _ = write!(text, ",{}", metric.path());
        for point in points {
            let (cells, partial) = rows.entry(point.start).or_insert_with(|| (vec![String::new(); all.len()], false));
            cells[place] = point.value.map(|value| metric.text(value)).unwrap_or_default();
            *partial |= point.partial;
        }
    }
    text.push_str(",partial\r\n");
    for (start, (cells, partial)) in rows {
        let _ = write!(text, "{start},{},{}\r\n", cells.join(","), if partial { "true" } else { "" });
    }
    text
}
