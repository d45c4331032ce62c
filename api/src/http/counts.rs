//! Figures of the running server for `/metrics`, in the Prometheus text format.

mod workers;

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Upper ends of the classes that times of answers are counted in, in seconds; slower ones count only in all.
const TIMES: [f64; 7] = [0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];

/// Requests answered, by the first digit of their status and by the time until the answer began.
#[derive(Debug, Default)]
pub struct Counts {
    by_class: [AtomicU64; 5],
    by_time: [AtomicU64; TIMES.len()],
    microseconds: AtomicU64,
}

impl Counts {
    fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.by_class[class].fetch_add(1, Ordering::Relaxed);
        let time = TIMES.iter().position(|end| took.as_secs_f64() <= *end);
        if let Some(time) = time {
            self.by_time[time].fetch_add(1, Ordering::Relaxed);
        }
        self.microseconds.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn times(&self, out: &mut String) {
        out.push_str("# HELP quarry_request_seconds Time until an answer began.\n");
        out.push_str("# TYPE quarry_request_seconds histogram\n");
        let mut below = 0;
        for (end, count) in TIMES.iter().zip(&self.by_time) {
            below += count.load(Ordering::Relaxed);
            // Writing into a string can't fail, here and below.
            let _ = writeln!(out, "quarry_request_seconds_bucket{{le=\"{end}\"}} {below}");
        }
        let all: u64 = self.by_class.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        let seconds = self.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "quarry_request_seconds_bucket{{le=\"+Inf\"}} {all}");
        let _ = writeln!(out, "quarry_request_seconds_sum {seconds}\nquarry_request_seconds_count {all}");
    }
}

/// Counts every answer.
pub async fn count(state: State<App>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let response = next.run(request).await;
    state.counts.answered(response.status().as_u16(), begin.elapsed());
    response
}

/// The figures as text.
pub fn text(app: &App) -> String {
    let mut out =
        String::from("# HELP quarry_requests_total Requests answered.\n# TYPE quarry_requests_total counter\n");
    for (class, count) in app.counts.by_class.iter().enumerate() {
        let _ = writeln!(out, "quarry_requests_total{{status=\"{}xx\"}} {}", class + 1, count.load(Ordering::Relaxed));
    }
    app.counts.times(&mut out);
    out.push_str("# HELP quarry_jobs_active Jobs that wait or run.\n# TYPE quarry_jobs_active gauge\n");
    let _ = writeln!(out, "quarry_jobs_active {}", app.engine.active_jobs().len());
    out.push_str("# HELP quarry_sockets_open Open websockets.\n# TYPE quarry_sockets_open gauge\n");
    let _ = writeln!(out, "quarry_sockets_open {}", app.hub.all_sockets());
    if let Some(members) = app.cluster.get() {
        workers::write(&members.report(), &mut out);
    }
    out
}
