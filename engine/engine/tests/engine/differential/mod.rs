//! Random queries over small random tables, answered by Quarry, by DuckDB, by PostgreSQL, and by Quarry with other plans.
//! Differences are shrunk and printed as cases for `tests/slt`
//! (`docs/decisions/0057-differential-testing.md`).

mod ast;
mod compare;
mod findings;
mod generate;
mod oracles;
mod peers;
mod print;
mod shrink;
mod tables;
mod values;

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use self::findings::Report;
use self::generate::Generator;
use self::oracles::{Judge, Oracle, Outcome, Question};
use self::peers::Peers;
use self::tables::{Table, any_table};
use self::values::Dialect;
use crate::fixture::Home;

/// Sets of tables in a round; a query reads tables of one set.
const SETS: usize = 12;
/// Tables in a set.
const TABLES: usize = 4;
/// Queries in a round, which has tables of its own.
const ROUND: u64 = 3_000;

/// Queries in a normal test run.
const QUERIES: u64 = 1_200;

#[tokio::test]
async fn random_queries_are_answered_as_elsewhere() {
    let report = run(number("QUARRY_TEST_SEED").unwrap_or(20_261_128), QUERIES, None).await;
    println!("{}", report.summary());
    assert!(report.is_clean(), "{}", report.findings());
}

/// Runs for `QUARRY_TEST_QUERY_MINUTES`, or until `QUARRY_TEST_QUERIES` queries have been asked.
#[tokio::test]
#[ignore = "it takes as long as it is told to: `make soak`"]
async fn random_queries_for_long() {
    let minutes = number("QUARRY_TEST_QUERY_MINUTES").unwrap_or(20);
    let seed = number("QUARRY_TEST_SEED").unwrap_or_else(rand::random);
    println!("the seed is {seed}: QUARRY_TEST_SEED={seed} repeats this run");
    let queries = number("QUARRY_TEST_QUERIES").unwrap_or(u64::MAX);
    let report = run(seed, queries, Some(Duration::from_secs(60 * minutes))).await;
    println!("{}", report.summary());
    assert!(report.is_clean(), "{}", report.findings());
}

/// The number in an environment variable, if it is set.
#[allow(clippy::disallowed_methods, reason = "how often a test repeats is no setting of the product")]
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not {text}")))
}

/// Asks this many queries, or as many as fit in the time.
async fn run(seed: u64, queries: u64, time: Option<Duration>) -> Report {
    let (mut report, begun) = (Report::new(seed), Instant::now());
    let over = |report: &Report| {
        report.asked >= queries || report.is_full() || time.is_some_and(|time| begun.elapsed() > time)
    };
    // Runs with neighboring seeds have no round in common.
    let mut seeds = StdRng::seed_from_u64(seed);
    while !over(&report) {
        round(seeds.random(), &mut report, &over).await;
    }
    report
}

/// Creates new tables and asks queries over them.
async fn round(seed: u64, report: &mut Report, over: &impl Fn(&Report) -> bool) {
    let mut random = StdRng::seed_from_u64(seed);
    let home = Home::with(|config| config.threads = 2);
    let mut peers = Peers::start();
    let sets: Vec<Vec<Table>> =
        (0..SETS).map(|set| (0..TABLES).map(|at| any_table(format!("s{set}t{at}"), &mut random)).collect()).collect();
    for table in sets.iter().flatten() {
        let folder = home.dir.path().join("attached").join(&table.name);
        table.write(&folder);
        home.engine.attach(&table.name, &folder).unwrap();
        for dialect in [Dialect::DuckDb, Dialect::Postgres] {
            peers.run(dialect, &table.statements(dialect)).unwrap();
        }
    }
    let mut judge = Judge::new(&home.engine, peers).await;
    for _ in 0..ROUND {
        if over(report) {
            return;
        }
        let set = &sets[random.random_range(0..SETS)];
        let query = Generator::new(random.random(), set).top();
        if query.has_outer_aggregate() {
            continue;
        }
        let question = Question {
            query,
            tables: set.clone(),
            inline: random.random_ratio(1, 10),
            sparse: random.random_ratio(1, 3),
        };
        let oracles = oracles(&judge, &mut random);
        ask(&mut judge, question, &oracles, report).await;
    }
}

/// The oracles for one query.
fn oracles(judge: &Judge, random: &mut StdRng) -> Vec<Oracle> {
    let mut oracles = vec![Oracle::Peer(Dialect::DuckDb)];
    if random.random_ratio(1, 3) {
        oracles.push(Oracle::Peer(Dialect::Postgres));
    }
    oracles.push(match random.random_range(0..8) {
        0 => Oracle::Partitions,
        1 => Oracle::Counted,
        2..6 => Oracle::Variant(random.random_range(0..judge.settings())),
        _ => Oracle::Variant(random.random_range(0..judge.variants.len())),
    });
    oracles
}

async fn ask(judge: &mut Judge, question: Question, oracles: &[Oracle], report: &mut Report) {
    report.asked += 1;
    let ours = match judge.ours(&question).await {
        Ok(ours) => ours,
        Err(outcome) => {
            let mut taken = None;
            if let Outcome::Refused(_) = outcome {
                // Whether DuckDB answers tells gaps of Quarry from invalid queries.
                let text = question.text(Dialect::DuckDb);
                taken = text.map(|text| judge.peers.run(Dialect::DuckDb, &[text]).is_ok());
            }
            report.refused(&question, &outcome, taken);
            if let Outcome::Failed(_) = outcome {
                report.found(judge, question, Oracle::Alone, outcome).await;
            }
            return;
        }
    };
    for oracle in oracles {
        match judge.ask(*oracle, &question, &ours).await {
            Outcome::Same => report.compared += 1,
            Outcome::NotAsked => report.not_asked += 1,
            Outcome::Outvoted => report.outvoted += 1,
            outcome @ Outcome::NotTaken(_) => report.not_taken(&question, &outcome),
            outcome => return report.found(judge, question, *oracle, outcome).await,
        }
    }
}
