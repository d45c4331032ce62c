//! What must be true of an answer: what other engines answer, and what Quarry answers when it runs the query in another way.

use quarry_engine::Engine;
use quarry_sql::{Variant, VariantRunner};
use quarry_types::{Error, ErrorCode};

use super::ast::{Body, Expr, Form, Group, Item, Kind, Query, Select};
use super::compare::same;
use super::peers::{Peers, Rows};
use super::print::Printer;
use super::tables::Table;
use super::values::{Dialect, Type};

/// A query over tables, and how it is written.
#[derive(Clone)]
pub struct Question {
    pub query: Query,
    pub tables: Vec<Table>,
    /// Whether the tables are inlined in the text.
    pub inline: bool,
    /// Whether redundant parentheses are left out.
    pub sparse: bool,
}

impl Question {
    /// The text in a dialect; `None` if the dialect lacks a part of it.
    pub fn text(&self, dialect: Dialect) -> Option<String> {
        self.text_of(&self.query, dialect)
    }

    pub fn text_of(&self, query: &Query, dialect: Dialect) -> Option<String> {
        let printer = Printer { dialect, sparse: self.sparse };
        let text = printer.query(query)?;
        if !self.inline || self.tables.is_empty() {
            return Some(text);
        }
        let tables: Vec<String> = self.tables.iter().map(|table| table.inline(dialect)).collect();
        let rest = match text.strip_prefix("with ") {
            Some(rest) => format!(", {rest}"),
            None => format!(" {text}"),
        };
        Some(format!("with {}{rest}", tables.join(", ")))
    }
}

/// What an answer is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// Nothing: the query must only not fail with an internal error.
    Alone,
    Peer(Dialect),
    /// The variant at this index.
    Variant(usize),
    /// The rows for which a condition is true, false or unknown are together all rows (TLP).
    Partitions,
    /// A filter keeps as many rows as its condition is true for (NoREC).
    Counted,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Same,
    /// Quarry refused the query with this message.
    Refused(String),
    /// The other side refused the query: its name and message.
    NotTaken(String),
    /// The dialect lacks a part of the query, or the oracle does not apply to it.
    NotAsked,
    /// One of DuckDB and PostgreSQL gives another answer, but the other agrees with Quarry.
    Outvoted,
    Different {
        ours: Rows,
        theirs: Rows,
    },
    /// Quarry failed with an internal error.
    Failed(String),
}

/// Everything that answers queries: Quarry, its variants and other products.
pub struct Judge {
    pub usual: VariantRunner,
    pub variants: Vec<(String, VariantRunner)>,
    pub peers: Peers,
}

/// Variants with other settings.
const SETTINGS: [(&str, &[(&str, &str)]); 4] = [
    ("one partition", &[("datafusion.execution.target_partitions", "1")]),
    (
        "batches of 2 rows in 3 partitions",
        &[("datafusion.execution.batch_size", "2"), ("datafusion.execution.target_partitions", "3")],
    ),
    (
        "joins of sorted rows, one row a batch",
        &[("datafusion.optimizer.prefer_hash_join", "false"), ("datafusion.execution.batch_size", "1")],
    ),
    (
        "hash joins of shared out rows",
        &[
            ("datafusion.optimizer.hash_join_single_partition_threshold", "0"),
            ("datafusion.optimizer.hash_join_single_partition_threshold_rows", "0"),
            ("datafusion.execution.batch_size", "3"),
        ],
    ),
];

/// Optimizer rules, ours and DataFusion's, that only make queries faster. Without the other rules queries are refused or answered
/// wrongly: plans depend on them, or they correct assumptions of DataFusion. So does NOT IN on `extract_equijoin_predicate`: its join
/// takes null into account only in keys.
const FASTER: [&str; 32] = [
    "share_common_subplans",
    "share_count_distinct",
    "eliminate_unused_joins",
    "deduplicate_semi_join_build",
    "pull_up_null_filters",
    "use_sliding_windows",
    "yield_by_time",
    "common_sub_expression_eliminate",
    "eliminate_cross_join",
    "eliminate_duplicated_expr",
    "eliminate_filter",
    "eliminate_group_by_constant",
    "eliminate_join",
    "eliminate_limit",
    "eliminate_outer_join",
    "filter_null_join_keys",
    "optimize_projections",
    "optimize_unions",
    "propagate_empty_relation",
    "push_down_filter",
    "push_down_limit",
    "single_distinct_aggregation_to_group_by",
    "unions_to_filter",
    "CombinePartialFinalAggregate",
    "LimitAggregation",
    "LimitPushdown",
    "LimitedDistinctAggregation",
    "OptimizeAggregateOrder",
    "ProjectionPushdown",
    "TopKRepartition",
    "WindowTopN",
    "aggregate_statistics",
];

impl Judge {
    pub async fn new(engine: &Engine, peers: Peers) -> Judge {
        let usual = engine.variant(&Variant::default()).await.unwrap();
        let mut variants = Vec::new();
        for (name, settings) in SETTINGS {
            let settings = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            let runner = engine.variant(&Variant { settings, without: None }).await.unwrap();
            variants.push((name.to_string(), runner));
        }
        let mut rules = usual.rules();
        rules.sort();
        rules.dedup();
        for rule in rules.into_iter().filter(|rule| FASTER.contains(&rule.as_str())) {
            let variant = Variant { settings: Vec::new(), without: Some(rule.clone()) };
            variants.push((format!("without {rule}"), engine.variant(&variant).await.unwrap()));
        }
        Judge { usual, variants, peers }
    }

    /// The number of variants with other settings; the variants after them leave out a rule.
    pub fn settings(&self) -> usize {
        SETTINGS.len()
    }

    pub fn name(&self, oracle: Oracle) -> String {
        match oracle {
            Oracle::Alone => "alone".to_string(),
            Oracle::Peer(dialect) => format!("{dialect:?}"),
            Oracle::Variant(at) => self.variants[at].0.clone(),
            Oracle::Partitions => "partitions by a condition".to_string(),
            Oracle::Counted => "count of a filter".to_string(),
        }
    }

    /// The answer of Quarry.
    pub async fn ours(&self, question: &Question) -> Result<Rows, Outcome> {
        let text = question.text(Dialect::Quarry).expect("Quarry has every form");
        self.usual.rows(&text).await.map_err(outcome)
    }

    /// Compares an answer of Quarry with that of an oracle.
    pub async fn ask(&mut self, oracle: Oracle, question: &Question, ours: &Rows) -> Outcome {
        match oracle {
            Oracle::Alone => Outcome::Same,
            Oracle::Peer(dialect) => {
                let Some(text) = question.text(dialect) else { return Outcome::NotAsked };
                match self.peers.run(dialect, &[text]) {
                    Ok(theirs) => {
                        let outcome = compared(ours, theirs, &question.query);
                        let third = if dialect == Dialect::DuckDb { Dialect::Postgres } else { Dialect::DuckDb };
                        match outcome != Outcome::Same && self.agrees(third, question, ours) {
                            true => Outcome::Outvoted,
                            false => outcome,
                        }
                    }
                    Err(error) => Outcome::NotTaken(format!("{dialect:?}: {error}")),
                }
            }
            Oracle::Variant(at) => {
                let text = question.text(Dialect::Quarry).expect("Quarry has every form");
                match self.variants[at].1.rows(&text).await {
                    Ok(theirs) => compared(ours, theirs, &question.query),
                    Err(error) => Outcome::NotTaken(format!("{}: {}", self.variants[at].0, sentence(&error))),
                }
            }
            Oracle::Partitions => self.own(question, partitions(&question.query)).await,
            Oracle::Counted => self.own(question, counts(&question.query)).await,
        }
    }

    fn agrees(&mut self, peer: Dialect, question: &Question, ours: &Rows) -> bool {
        let Some(text) = question.text(peer) else { return false };
        self.peers.run(peer, &[text]).is_ok_and(|theirs| same(ours, &theirs, &question.query))
    }

    /// Compares the answers of two queries that must be equal.
    async fn own(&self, question: &Question, pair: Option<(Query, Query)>) -> Outcome {
        let Some((one, other)) = pair else { return Outcome::NotAsked };
        let mut answers = Vec::new();
        for query in [&one, &other] {
            let text = question.text_of(query, Dialect::Quarry).expect("Quarry has every form");
            match self.usual.rows(&text).await {
                Ok(rows) => answers.push(rows),
                Err(error) => return Outcome::NotTaken(format!("of parts: {}", sentence(&error))),
            }
        }
        let theirs = answers.pop().expect("there are two");
        compared(&answers[0], theirs, &one)
    }
}

fn compared(ours: &Rows, theirs: Rows, query: &Query) -> Outcome {
    if same(ours, &theirs, query) { Outcome::Same } else { Outcome::Different { ours: ours.clone(), theirs } }
}

fn outcome(error: Error) -> Outcome {
    let text = sentence(&error);
    if error.code == ErrorCode::Internal { Outcome::Failed(text) } else { Outcome::Refused(text) }
}

/// The message of an error, with its sources if it is internal.
fn sentence(error: &Error) -> String {
    let mut text = error.message.clone();
    if error.code == ErrorCode::Internal {
        let mut next = std::error::Error::source(error);
        while let Some(source) = next {
            text += &format!(" < {source}");
            next = source.source();
        }
    }
    text
}

/// The SELECT of a query that maps each row on its own, so that its rows can also be computed in parts.
fn of_rows(query: &Query) -> Option<&Select> {
    let Body::Select(select) = &query.body else { return None };
    let other = |kind: Kind| select.items.iter().any(|item| item.expr.has(kind));
    let plain = matches!(select.group, Group::None) && !select.distinct && select.qualify.is_none();
    let whole = query.limit.is_none() && query.offset.is_none();
    (plain && whole && !other(Kind::Aggregate) && !other(Kind::Window)).then_some(select)
}

/// All rows; and the union of those for which the filter is true, false and unknown.
fn partitions(query: &Query) -> Option<(Query, Query)> {
    let select = of_rows(query)?;
    let filter = select.filter.clone()?;
    let whole = |body: Body| Query { body, order: Vec::new(), ..query.clone() };
    let with = |filter: Option<Expr>| Body::Select(Box::new(Select { filter, ..select.clone() }));
    let part = |text: &str, level: u8| with(Some(Expr::Form(Form::new(text, level), vec![filter.clone()], Type::Bool)));
    let all = "union all".to_string();
    let two = Body::Set(all.clone(), Box::new(with(Some(filter.clone()))), Box::new(part("not {0:3}", 3)));
    let three = Body::Set(all, Box::new(two), Box::new(part("{0:5} is null", 4)));
    Some((whole(with(None)), whole(three)))
}

/// The number of rows that pass the filter: counted after it, and by evaluating it for each row.
fn counts(query: &Query) -> Option<(Query, Query)> {
    let select = of_rows(query)?;
    let filter = select.filter.clone()?;
    let count = |text: &str, parts: Vec<Expr>, filter: Option<Expr>| {
        let expr = Expr::Form(Form::new(text, super::ast::ATOM).kind(Kind::Aggregate), parts, Type::Int);
        let items = vec![Item { expr, name: "x0".to_string() }];
        let body = Body::Select(Box::new(Select { items, filter, ..select.clone() }));
        Query { body, order: Vec::new(), ..query.clone() }
    };
    let asked = "coalesce(sum(case when {0} then 1 else 0 end), 0)";
    Some((count("count(*)", Vec::new(), Some(filter.clone())), count(asked, vec![filter], None)))
}
