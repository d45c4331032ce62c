//! Users at work for hours: the memory of the server does not grow.

use std::time::{Duration, Instant};

use quarry_tests::asked::{asked, seed};
use quarry_tests::load::Load;
use quarry_tests::node::Node;
use quarry_tests::quarry::Home;
use quarry_tests::server_log::{end_of, panics};
use quarry_tests::wait::wait_for;

use crate::killed_server::serve;

/// Default duration in minutes.
const MINUTES: u64 = 120;
/// What the server may take until its memory is what it stays at: caches, threads and lists of limited length fill up.
const WARM_UP: Duration = Duration::from_secs(600);
/// Most that memory may grow after that, in percent.
const GROWTH: u64 = 5;
/// Between two looks at the memory.
const LOOK: Duration = Duration::from_secs(1);

#[test]
#[ignore = "it takes hours: `make soak` runs it"]
fn memory_does_not_grow() {
    let length = Duration::from_secs(60 * asked("QUARRY_TEST_LOAD_MINUTES").unwrap_or(MINUTES));
    let warm_up = WARM_UP.min(length / 6);
    let seed = seed(20_261_201);
    let node = Node::start();
    node.make_chain(2);
    let home = Home::new();
    let logs = tempfile::tempdir().expect("a folder");
    let log = logs.path().join("log");
    let server = serve(&home, &node, &log);
    let mut load = Load::new(&server, &node, seed);
    let (mut samples, mut writes, mut ended) = (Vec::new(), 0, None);
    load.work(server, |mut server, progress| {
        let begun = Instant::now();
        while begun.elapsed() < length {
            let next = LOOK * u32::try_from(samples.len()).expect("seconds of a test");
            wait_for("the next look", LOOK * 60, || (begun.elapsed() >= next).then_some(()));
            assert!(server.is_running(), "the server ended: {}", end_of(&log));
            samples.push(server.process().resident());
            if samples.len() % 60 == 0 {
                let minute = &samples[samples.len() - 60..];
                println!(
                    "minute {}: {} MB, {} writes",
                    samples.len() / 60,
                    usual(minute) >> 20,
                    progress.acknowledged()
                );
            }
        }
        writes = progress.acknowledged();
        ended = Some(server);
    });
    // The same length of time at both ends: what comes and goes with single queries is in neither.
    let span = usize::try_from(warm_up.as_secs()).expect("seconds of a test").min(samples.len() / 2).max(1);
    let early = usual(&samples[span..(2 * span).min(samples.len())]);
    let late = usual(&samples[samples.len() - span..]);
    println!("{writes} writes; memory {} MB after the first {warm_up:?}, {} MB at the end", early >> 20, late >> 20);
    let server = ended.expect("the server runs");
    load.check(&server, true);
    assert_eq!(panics(&log), Vec::<String>::new());
    assert!(late <= early + early * GROWTH / 100, "memory grew from {early} to {late} bytes");
    assert!(server.stop(), "it stops as asked");
}

/// The median.
fn usual(samples: &[u64]) -> u64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
