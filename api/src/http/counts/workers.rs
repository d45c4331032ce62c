//! Figures of the workers of a cluster.

use std::fmt::Write;

use quarry_cluster::{WorkerReport, WorkerState};

use crate::config::{Address, Value};

/// The states of workers with their names in the figures.
const STATES: [(WorkerState, &str); 4] = [
    (WorkerState::Alive, "alive"),
    (WorkerState::Draining, "draining"),
    (WorkerState::OtherBuild, "other_build"),
    (WorkerState::Lost, "lost"),
];

/// Adds the figures to `out`. A lost worker is counted, and has none of its own: its last ones are out of date.
pub(super) fn write(workers: &[WorkerReport], out: &mut String) {
    out.push_str("# HELP quarry_cluster_workers Workers of the cluster by their state.\n");
    out.push_str("# TYPE quarry_cluster_workers gauge\n");
    for (state, name) in STATES {
        let count = workers.iter().filter(|worker| worker.state == state).count();
        // Writing into a string can't fail, here and below.
        let _ = writeln!(out, "quarry_cluster_workers{{state=\"{name}\"}} {count}");
    }
    let mut gauge = |name: &str, help: &str, value: fn(&WorkerReport) -> u64| {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge");
        for worker in workers.iter().filter(|worker| worker.state != WorkerState::Lost) {
            // An address has nothing that would have to be escaped.
            let address = Address(worker.url.clone()).show();
            let _ = writeln!(out, "{name}{{worker=\"{address}\"}} {}", value(worker));
        }
    };
    gauge("quarry_cluster_worker_runs", "Queries with parts on the worker.", |worker| worker.runs);
    gauge("quarry_cluster_worker_memory_bytes", "Memory of the queries on the worker.", |worker| worker.memory);
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn worker(url: &str, state: WorkerState) -> WorkerReport {
        WorkerReport {
            url: Url::parse(url).unwrap(),
            state,
            build: String::new(),
            runs: 2,
            memory: 4096,
            memory_limit: 8192,
            last_failure: None,
        }
    }

    #[test]
    fn workers_are_counted_by_state_and_tell_what_they_do() {
        let mut out = String::new();
        let workers = [worker("http://10.0.0.5:8790", WorkerState::Alive), worker("http://b:1", WorkerState::Lost)];
        write(&workers, &mut out);
        let figures: Vec<&str> = out.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            figures,
            [
                "quarry_cluster_workers{state=\"alive\"} 1",
                "quarry_cluster_workers{state=\"draining\"} 0",
                "quarry_cluster_workers{state=\"other_build\"} 0",
                "quarry_cluster_workers{state=\"lost\"} 1",
                "quarry_cluster_worker_runs{worker=\"http://10.0.0.5:8790\"} 2",
                "quarry_cluster_worker_memory_bytes{worker=\"http://10.0.0.5:8790\"} 4096",
            ]
        );
    }
}
