//! The report of a run: each difference, shrunk and written as a test case, and the reasons why queries were refused.

use std::collections::BTreeMap;
use std::fmt::Write;

use sqllogictest::ColumnType;

use super::compare::normal;
use super::oracles::{Judge, Oracle, Outcome, Question};
use super::shrink;
use super::values::Dialect;
use crate::slt::column_type;

/// A run ends after this many findings.
const MOST: usize = 200;
/// Most queries that are tried to shrink a finding.
const STEPS: usize = 2_000;

#[derive(Default)]
pub struct Report {
    seed: u64,
    /// Queries sent to Quarry.
    pub asked: u64,
    /// Comparisons whose answers were equal.
    pub compared: u64,
    /// Comparisons that do not apply to the query or the dialect.
    pub not_asked: u64,
    /// Comparisons in which only DuckDB gave another answer.
    pub outvoted: u64,
    refused: u64,
    not_taken: u64,
    /// The number of queries at the last finding.
    since: u64,
    /// Reasons for refusals, each with its count and the shortest example.
    reasons: BTreeMap<String, (u64, String)>,
    found: Vec<String>,
}

impl Report {
    pub fn new(seed: u64) -> Report {
        Report { seed, ..Report::default() }
    }

    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Queries since the last finding.
    fn since_last(&self) -> u64 {
        self.asked - self.since
    }

    pub fn summary(&self) -> String {
        let share = |count: u64| 100.0 * count as f64 / self.asked.max(1) as f64;
        let mut text = format!(
            "seed {}: {} queries, {} comparisons alike, {} findings, {} queries since the last; Quarry refused {} ({:.1} %), \
             others {} comparisons ({:.1} %); DuckDB or PostgreSQL was alone with {} answers\n",
            self.seed,
            self.asked,
            self.compared,
            self.found.len(),
            self.since_last(),
            self.refused,
            share(self.refused),
            self.not_taken,
            share(self.not_taken),
            self.outvoted,
        );
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (reason, (count, example)) in reasons.into_iter().take(60) {
            let _ = writeln!(text, "{count} × {reason}\n    {example}");
        }
        text
    }

    pub fn findings(&self) -> String {
        format!("{} findings\n\n{}", self.found.len(), self.found.join("\n\n"))
    }

    /// Counts a refusal of Quarry; `taken` says whether DuckDB answered.
    pub fn refused(&mut self, question: &Question, outcome: &Outcome, taken: Option<bool>) {
        let Outcome::Refused(reason) = outcome else { return };
        self.refused += 1;
        let elsewhere = match taken {
            Some(true) => "DuckDB answers",
            Some(false) => "so does DuckDB",
            None => "DuckDB is not asked",
        };
        self.count(format!("Quarry refuses, {elsewhere}: {}", shape(reason)), question, Dialect::Quarry);
    }

    /// Counts a refusal of another side.
    pub fn not_taken(&mut self, question: &Question, outcome: &Outcome) {
        let Outcome::NotTaken(reason) = outcome else { return };
        self.not_taken += 1;
        let dialect = if reason.starts_with("DuckDb") { Dialect::DuckDb } else { Dialect::Postgres };
        self.count(shape(reason), question, dialect);
    }

    fn count(&mut self, reason: String, question: &Question, dialect: Dialect) {
        let text = || question.text(dialect).unwrap_or_default();
        let (count, example) = self.reasons.entry(reason).or_insert_with(|| (0, text()));
        *count += 1;
        // Keep the shortest example.
        let text = text();
        if !text.is_empty() && text.len() < example.len() {
            *example = text;
        }
    }

    /// Shrinks a finding and records it as a test case.
    pub async fn found(&mut self, judge: &mut Judge, question: Question, oracle: Oracle, outcome: Outcome) {
        self.since = self.asked;
        let (question, outcome) = smallest(judge, question, oracle, outcome).await;
        let case = case(judge, &question, oracle, &outcome);
        println!("finding {} at query {}\n{case}\n", self.found.len() + 1, self.asked);
        self.found.push(case);
    }
}

/// Removes parts as long as the difference remains.
async fn smallest(
    judge: &mut Judge,
    mut question: Question,
    oracle: Oracle,
    mut outcome: Outcome,
) -> (Question, Outcome) {
    let mut steps = 0;
    // With its tables inlined, a case needs no files.
    let inline = Question { inline: true, ..question.clone() };
    if let Some(still) = shows(judge, &inline, oracle, &outcome).await {
        (question, outcome) = (inline, still);
    }
    'smaller: while steps < STEPS {
        let text = question.text(Dialect::Quarry).unwrap_or_default();
        let mut candidates: Vec<Question> = Vec::new();
        if question.inline {
            let fewer = shrink::tables(&question.tables, &text).into_iter();
            candidates.extend(fewer.map(|tables| Question { tables, ..question.clone() }));
        }
        candidates
            .extend(shrink::queries(&question.query).into_iter().map(|query| Question { query, ..question.clone() }));
        for candidate in candidates {
            steps += 1;
            if let Some(still) = shows(judge, &candidate, oracle, &outcome).await {
                (question, outcome) = (candidate, still);
                continue 'smaller;
            }
            if steps >= STEPS {
                break 'smaller;
            }
        }
        break;
    }
    (question, outcome)
}

/// The outcome of a candidate if it still shows the finding.
async fn shows(judge: &mut Judge, question: &Question, oracle: Oracle, found: &Outcome) -> Option<Outcome> {
    if question.query.has_outer_aggregate() {
        return None;
    }
    let outcome = match judge.ours(question).await {
        Ok(ours) => judge.ask(oracle, question, &ours).await,
        Err(outcome) => outcome,
    };
    let alike = match (&outcome, found) {
        (Outcome::Different { .. }, Outcome::Different { .. }) => true,
        (Outcome::Failed(one), Outcome::Failed(other)) => shape(one) == shape(other),
        _ => false,
    };
    alike.then_some(outcome)
}

/// A finding as a case for `tests/slt`, under a comment with the query of the other side.
fn case(judge: &Judge, question: &Question, oracle: Oracle, outcome: &Outcome) -> String {
    let text = question.text(Dialect::Quarry).unwrap_or_default();
    let mut case = format!("# {}", judge.name(oracle));
    if !question.inline {
        case += ", of tables in files";
        for table in question.tables.iter().filter(|table| text.contains(&table.name)) {
            let _ = write!(case, "\n# {}", table.inline(Dialect::Quarry));
        }
    }
    if let Oracle::Peer(dialect) = oracle {
        let _ = write!(case, "\n# {}", question.text(dialect).unwrap_or_default());
    }
    let types = question.query.types().into_iter();
    let types: String = types.map(|of| column_type(of.name(Dialect::Quarry)).to_char()).collect();
    match outcome {
        Outcome::Different { ours, theirs } => {
            let ours = normal(ours, &question.query, 9);
            let theirs = normal(theirs, &question.query, 9);
            let _ = write!(case, "\n# found:\n# {}", ours.join("\n# "));
            let _ = write!(case, "\nquery {types}\n{text}\n----\n{}", theirs.join("\n"));
        }
        other => {
            let _ = write!(case, "\nquery {types}\n{text}\n----\n{other:?}");
        }
    }
    case
}

/// The first line of a message with its numbers masked, to count similar messages together.
fn shape(sentence: &str) -> String {
    let first = sentence.lines().next().unwrap_or_default();
    let mut shape = String::new();
    for letter in first.chars() {
        match letter {
            '0'..='9' if shape.ends_with('#') => {}
            '0'..='9' => shape.push('#'),
            letter => shape.push(letter),
        }
    }
    shape.chars().take(160).collect()
}
