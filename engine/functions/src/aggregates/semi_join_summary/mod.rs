//! Aggregates that summarize a group so that a semi join with two comparisons can be answered from the summary, and the
//! functions that answer it. The optimizer adds them (`deduplicate_semi_join_build`); people don't call them.
//!
//! - [`pareto_frontier`]: the pairs of which no other is better in both, for `a < x and b > y`, say;
//! - [`best_and_second_best`]: the best row, and the best of those with another second value, for `a < x and b <> y`.

mod best_and_second_best;
mod pareto_frontier;
mod summary;

use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, Operator};

use super::per_group::PerGroupAccumulator;
use super::single_group::SingleGroup;
use crate::aggregates::methods::name_and_signature;
use crate::prelude::*;
use best_and_second_best::BestAndSecondBest;
use pareto_frontier::ParetoFrontier;
use summary::{Ranking, Summary};

pub use pareto_frontier::has_order;

/// The Pareto frontier of two values of a group, for comparisons `x op value`.
pub fn pareto_frontier(values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    summarize(ParetoFrontier(ops.map(Ranking::from_operator)), values)
}

/// Whether a group has a pair for which both comparisons hold.
pub fn pareto_frontier_reaches(frontier: Expr, values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    reaches(ParetoFrontier(ops.map(Ranking::from_operator)), frontier, values)
}

/// The two rows of a group, for comparisons `x op best` and `y <> other`.
pub fn best_and_second_best(best: Expr, other: Expr, op: Operator) -> Expr {
    summarize(BestAndSecondBest(Ranking::from_operator(op)), [best, other])
}

/// Whether a group has a row for which both comparisons hold.
pub fn best_and_second_best_reaches(rows: Expr, best: Expr, other: Expr, op: Operator) -> Expr {
    reaches(BestAndSecondBest(Ranking::from_operator(op)), rows, [best, other])
}

fn summarize<S: Summary>(summary: S, values: [Expr; 2]) -> Expr {
    summarize_udaf(summary).call(values.into())
}

fn reaches<S: Summary>(summary: S, encoded: Expr, [x, y]: [Expr; 2]) -> Expr {
    reaches_udf(summary).call(vec![encoded, x, y])
}

fn summarize_udaf<S: Summary>(summary: S) -> AggregateUDF {
    let signature = Signature::any(2, Volatility::Immutable);
    AggregateUDF::new_from_impl(Summarize { summary, signature })
}

fn reaches_udf<S: Summary>(summary: S) -> ScalarUDF {
    let signature = Signature::any(3, Volatility::Immutable);
    ScalarUDF::new_from_impl(Reaches { summary, signature })
}

/// The summary that an aggregate computes, as text such as `pareto_frontier < >=`; `None` for other aggregates.
pub(crate) fn summary_of_aggregate(function: &AggregateUDF) -> Option<String> {
    fn summary_text<S: Summary>(function: &AggregateUDF) -> Option<String> {
        function.inner().downcast_ref::<Summarize<S>>().map(|function| to_text(&function.summary))
    }
    summary_text::<ParetoFrontier>(function).or_else(|| summary_text::<BestAndSecondBest>(function))
}

/// The summary that a function reads, as the same text; `None` for other functions.
pub(crate) fn summary_of_answer(function: &ScalarUDF) -> Option<String> {
    fn summary_text<S: Summary>(function: &ScalarUDF) -> Option<String> {
        function.inner().downcast_ref::<Reaches<S>>().map(|function| to_text(&function.summary))
    }
    summary_text::<ParetoFrontier>(function).or_else(|| summary_text::<BestAndSecondBest>(function))
}

/// The aggregate that computes a summary, from the text of [`summary_of_aggregate`].
pub(crate) fn aggregate_for_summary(summary: &str) -> Option<AggregateUDF> {
    let frontier = from_text::<ParetoFrontier>(summary).map(summarize_udaf);
    frontier.or_else(|| from_text::<BestAndSecondBest>(summary).map(summarize_udaf))
}

/// The function that reads a summary, from the text of [`summary_of_answer`].
pub(crate) fn answer_for_summary(summary: &str) -> Option<ScalarUDF> {
    let frontier = from_text::<ParetoFrontier>(summary).map(reaches_udf);
    frontier.or_else(|| from_text::<BestAndSecondBest>(summary).map(reaches_udf))
}

fn to_text<S: Summary>(summary: &S) -> String {
    let signs: Vec<&str> = summary.rankings().iter().map(|ranking| ranking.sign()).collect();
    format!("{} {}", S::NAME, signs.join(" "))
}

fn from_text<S: Summary>(summary: &str) -> Option<S> {
    let signs = summary.strip_prefix(S::NAME)?.strip_prefix(' ')?.split(' ');
    S::from_rankings(&signs.map(Ranking::from_sign).collect::<Option<Vec<Ranking>>>()?)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Summarize<S: Summary> {
    summary: S,
    signature: Signature,
}

impl<S: Summary> AggregateUDFImpl for Summarize<S> {
    name_and_signature!(S::NAME);

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(SingleGroup::new(PerGroupAccumulator::new(self.summary), &args)))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(PerGroupAccumulator::new(self.summary)))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reaches<S: Summary> {
    summary: S,
    signature: Signature,
}

impl<S: Summary> ScalarUDFImpl for Reaches<S> {
    name_and_signature!(S::REACHES_NAME);

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let (summaries, rows) = (arrays[0].as_binary_view(), self.summary.columns(&arrays[1..])?);
        let reaches = |row| summaries.is_valid(row) && self.summary.reaches(summaries.value(row), &rows, row);
        let answers: Vec<bool> = (0..summaries.len()).map(reaches).collect();
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::from(answers))))
    }
}
