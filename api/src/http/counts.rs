//! Figures of the running server for `/metrics`, in the Prometheus text format.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Requests answered, by the first digit of their status.
#[derive(Debug, Default)]
pub struct Counts {
    by_class: [AtomicU64; 5],
}

impl Counts {
    fn answered(&self, status: u16) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.by_class[class].fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts every answer.
pub async fn count(state: State<App>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    state.counts.answered(response.status().as_u16());
    response
}

/// The figures as text.
pub fn text(app: &App) -> String {
    let mut out =
        String::from("# HELP quarry_requests_total Requests answered.\n# TYPE quarry_requests_total counter\n");
    for (class, count) in app.counts.by_class.iter().enumerate() {
        // Writing into a string can't fail.
        let _ = writeln!(out, "quarry_requests_total{{status=\"{}xx\"}} {}", class + 1, count.load(Ordering::Relaxed));
    }
    out.push_str("# HELP quarry_jobs_active Jobs that wait or run.\n# TYPE quarry_jobs_active gauge\n");
    let _ = writeln!(out, "quarry_jobs_active {}", app.engine.active_jobs().len());
    out.push_str("# HELP quarry_sockets_open Open websockets.\n# TYPE quarry_sockets_open gauge\n");
    let _ = writeln!(out, "quarry_sockets_open {}", app.hub.all_sockets());
    out
}
