//! `EXCLUDE` of a window frame, which the built-in windows do not have: an aggregate of the rows of the frame without some
//! around the current row. Up to three runs of rows remain. [`block_tree`] aggregates them: a long frame costs little more than
//! a short one.

mod block_tree;

use std::ops::Range;

use arrow::compute::{and, filter, is_not_null, partition, prep_null_mask_filter};
use arrow::datatypes::Schema;
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::function::{AccumulatorArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{
    AggregateUDF, LimitEffect, PartitionEvaluator, WindowFunctionDefinition, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Column, Literal};

use super::sliding::recomputed::AggregateCall;
use crate::aggregates::methods::name_and_signature;
use crate::prelude::*;
use block_tree::BlockTree;

/// The call by which a window names its exclusion; people don't write it.
pub const EXCLUDED_ROWS: &str = "excluded_rows";

pub(super) fn udf() -> ScalarUDF {
    scalar_udf(EXCLUDED_ROWS, 1..=1, |args| Ok(args.arg_fields[0].clone()), |args, _| Ok(args[0].clone()))
}

/// The rows that a frame excludes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameExclusion {
    /// The current row.
    CurrentRow,
    /// The current row and its peers.
    Group,
    /// The peers of the current row.
    Ties,
}

impl FrameExclusion {
    /// Parses the words after `EXCLUDE`.
    pub fn from_words(words: &str) -> Option<FrameExclusion> {
        match words {
            "current row" => Some(FrameExclusion::CurrentRow),
            "group" => Some(FrameExclusion::Group),
            "ties" => Some(FrameExclusion::Ties),
            _ => None,
        }
    }

    /// The words after `EXCLUDE`.
    pub fn words(self) -> &'static str {
        match self {
            FrameExclusion::CurrentRow => "current row",
            FrameExclusion::Group => "group",
            FrameExclusion::Ties => "ties",
        }
    }

    /// The rows of a frame that remain, as runs without gaps; `peers` are the rows of the same key as `row`.
    fn remaining(self, frame: &Range<usize>, row: usize, peers: &Range<usize>) -> Vec<Range<usize>> {
        let [first, second] = match self {
            FrameExclusion::CurrentRow => [row..row + 1, row + 1..row + 1],
            FrameExclusion::Group => [peers.clone(), peers.end..peers.end],
            FrameExclusion::Ties => [peers.start..row, row + 1..peers.end],
        };
        [frame.start..first.start, first.end..second.start, second.end..frame.end]
            .into_iter()
            .map(|run| run.start.max(frame.start)..run.end.min(frame.end))
            .filter(|run| !run.is_empty())
            .collect()
    }
}

/// A call over a window whose frames exclude rows. Functions that ignore the frame (`row_number`) stay as they are.
pub fn exclude_rows(call: WindowFunction, exclusion: FrameExclusion) -> WindowFunction {
    let WindowFunction { fun, mut params } = call;
    let function = match &fun {
        WindowFunctionDefinition::AggregateUDF(aggregate) => {
            FrameFunction::Aggregate { aggregate: Arc::clone(aggregate), distinct: params.distinct }
        }
        WindowFunctionDefinition::WindowUDF(window) => match FrameItem::from_name(window.name()) {
            Some(item) => FrameFunction::Item(item),
            None => return WindowFunction { fun, params },
        },
    };
    let filtered = params.filter.is_some();
    params.args.extend(params.filter.take().map(|condition| *condition));
    params.distinct = false;
    let window = ExcludingFunction { function, exclusion, filtered, arguments: params.args.len() }.udwf();
    WindowFunction { fun: WindowFunctionDefinition::WindowUDF(Arc::new(window)), params }
}

/// A function of the remaining rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FrameFunction {
    Aggregate { aggregate: Arc<AggregateUDF>, distinct: bool },
    Item(FrameItem),
}

/// The item that a function picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameItem {
    First,
    Last,
    /// The item at the position in the second argument, from the end if it is negative.
    Nth,
}

impl FrameItem {
    /// The item that the built-in function of a name picks; `None` for other functions.
    pub fn from_name(name: &str) -> Option<FrameItem> {
        match name {
            "first_value" => Some(FrameItem::First),
            "last_value" => Some(FrameItem::Last),
            "nth_value" => Some(FrameItem::Nth),
            _ => None,
        }
    }

    /// The name of the built-in function that picks it.
    pub fn name(self) -> &'static str {
        match self {
            FrameItem::First => "first_value",
            FrameItem::Last => "last_value",
            FrameItem::Nth => "nth_value",
        }
    }
}

/// What a window function with an exclusion is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExcludingFunction {
    pub function: FrameFunction,
    pub exclusion: FrameExclusion,
    /// Whether the last argument is the condition of FILTER.
    pub filtered: bool,
    /// The number of arguments, the condition included.
    pub arguments: usize,
}

impl ExcludingFunction {
    /// The function of these parts.
    pub(crate) fn udwf(self) -> WindowUDF {
        let signature = Signature::any(self.arguments, Volatility::Immutable);
        WindowUDF::new_from_impl(ExcludingWindow { parts: self, signature })
    }

    /// The parts of such a function; `None` for other functions.
    pub(crate) fn from_function(function: &WindowUDF) -> Option<&ExcludingFunction> {
        function.inner().downcast_ref::<ExcludingWindow>().map(|window| &window.parts)
    }
}

/// A window function with an exclusion.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ExcludingWindow {
    parts: ExcludingFunction,
    signature: Signature,
}

impl ExcludingWindow {
    /// The arguments of the function itself.
    fn arguments<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        &all[..all.len() - usize::from(self.parts.filtered)]
    }
}

impl WindowUDFImpl for ExcludingWindow {
    name_and_signature!("excluding");

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        let fields = self.arguments(args.input_fields());
        let field = match &self.parts.function {
            FrameFunction::Aggregate { aggregate, .. } => aggregate.return_field(fields)?.as_ref().clone(),
            FrameFunction::Item(_) => fields[0].as_ref().clone().with_nullable(true),
        };
        Ok(Arc::new(field.with_name(args.name())))
    }

    fn partition_evaluator(&self, args: PartitionEvaluatorArgs) -> Result<Box<dyn PartitionEvaluator>> {
        let (exprs, fields) = (self.arguments(args.input_exprs()), self.arguments(args.input_fields()));
        let (call, position) = match &self.parts.function {
            FrameFunction::Aggregate { aggregate, distinct } => {
                let name = |index: usize| format!("value_{index}");
                let columns = fields.iter().enumerate();
                let columns = columns.map(|(index, field)| field.as_ref().clone().with_name(name(index)));
                let schema = Schema::new(columns.collect::<Vec<_>>());
                // Some aggregates read literals, such as the share of a percentile; other arguments become columns.
                let exprs = exprs.iter().enumerate().map(|(index, expr)| match expr.downcast_ref::<Literal>() {
                    Some(_) => Arc::clone(expr),
                    None => Arc::new(Column::new(&name(index), index)) as Arc<dyn PhysicalExpr>,
                });
                let accumulator = AccumulatorArgs {
                    return_field: aggregate.return_field(fields)?,
                    schema: &schema,
                    ignore_nulls: args.ignore_nulls(),
                    order_bys: &[],
                    is_reversed: false,
                    name: aggregate.name(),
                    is_distinct: *distinct,
                    exprs: &exprs.collect::<Vec<_>>(),
                    expr_fields: fields,
                };
                (Some(AggregateCall::new(aggregate, &accumulator)), 0)
            }
            FrameFunction::Item(FrameItem::First) => (None, 1),
            FrameFunction::Item(FrameItem::Last) => (None, -1),
            FrameFunction::Item(FrameItem::Nth) => (None, literal_position(exprs.get(1))?),
        };
        Ok(Box::new(Evaluator {
            exclusion: self.parts.exclusion,
            filtered: self.parts.filtered,
            skips_nulls: args.ignore_nulls() && call.is_none(),
            arguments: exprs.len(),
            call,
            position,
            row: 0,
            partition: None,
        }))
    }

    fn limit_effect(&self, _: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        LimitEffect::Unknown
    }
}

/// The position of `nth_value`, which is a literal.
fn literal_position(expr: Option<&Arc<dyn PhysicalExpr>>) -> Result<i64> {
    let literal = expr.and_then(|expr| expr.downcast_ref::<Literal>());
    match literal.map(|literal| literal.value().cast_to(&DataType::Int64)) {
        Some(Ok(ScalarValue::Int64(Some(position)))) => Ok(position),
        _ => Err(invalid("The position of nth_value must be an integer literal.")),
    }
}

/// Answers for one partition, row by row.
#[derive(Debug)]
struct Evaluator {
    exclusion: FrameExclusion,
    filtered: bool,
    skips_nulls: bool,
    arguments: usize,
    /// The aggregate; `None` for `first_value`, `last_value` and `nth_value`.
    call: Option<AggregateCall>,
    /// The position of the item for those: the first one is 1, the last one -1.
    position: i64,
    /// The row that is evaluated next.
    row: usize,
    partition: Option<Partition>,
}

#[derive(Debug)]
struct Partition {
    /// The arguments in the rows that pass the filter.
    values: Vec<ArrayRef>,
    /// The number of passing rows before each row, and at the end the total; `None` if all rows pass.
    passing: Option<Vec<usize>>,
    /// Runs of peers.
    groups: Vec<Range<usize>>,
    /// The run of the last evaluated row.
    group: usize,
    tree: Option<BlockTree>,
}

impl Evaluator {
    fn read(&self, columns: &[ArrayRef]) -> Result<Partition> {
        let (values, rest) = columns.split_at(self.arguments);
        let (conditions, keys) = rest.split_at(usize::from(self.filtered));
        let condition = conditions.first().map(|condition| match condition.as_boolean() {
            condition if condition.null_count() == 0 => condition.clone(),
            condition => prep_null_mask_filter(condition),
        });
        let not_null = if self.skips_nulls { Some(is_not_null(&values[0])?) } else { None };
        let passing = match (condition, not_null) {
            (Some(condition), Some(not_null)) => Some(and(&condition, &not_null)?),
            (condition, not_null) => condition.or(not_null),
        };
        let rows = values[0].len();
        let groups = if keys.is_empty() { std::iter::once(0..rows).collect() } else { partition(keys)?.ranges() };
        let (values, passing) = match passing {
            None => (values.to_vec(), None),
            Some(passing) => {
                let mut above = vec![0];
                above.extend(passing.values().iter().scan(0, |above, passes| {
                    *above += usize::from(passes);
                    Some(*above)
                }));
                (values.iter().map(|column| filter(column, &passing)).collect::<Result<_, _>>()?, Some(above))
            }
        };
        let tree = self.call.as_ref().map(|call| BlockTree::new(call.clone(), values.clone())).transpose()?;
        Ok(Partition { values, passing, groups, group: 0, tree })
    }
}

impl Partition {
    /// The remaining rows of a frame that pass the filter.
    fn remaining(&mut self, exclusion: FrameExclusion, frame: &Range<usize>, row: usize) -> Vec<Range<usize>> {
        while self.groups[self.group].end <= row {
            self.group += 1;
        }
        let mut runs = exclusion.remaining(frame, row, &self.groups[self.group]);
        if let Some(above) = &self.passing {
            runs.iter_mut().for_each(|run| *run = above[run.start]..above[run.end]);
            runs.retain(|run| !run.is_empty());
        }
        runs
    }

    /// The value at a position among rows.
    fn item(&self, runs: &[Range<usize>], position: i64) -> Result<ScalarValue> {
        let count: usize = runs.iter().map(Range::len).sum();
        let from_start = usize::try_from(position - 1).ok().filter(|_| position > 0);
        let from_end = usize::try_from(position.unsigned_abs()).ok().and_then(|back| count.checked_sub(back));
        let at = if position > 0 { from_start } else { from_end };
        match at.and_then(|at| runs.iter().cloned().flatten().nth(at)) {
            Some(row) => ScalarValue::try_from_array(&self.values[0], row),
            None => ScalarValue::try_from(self.values[0].data_type()),
        }
    }
}

impl PartitionEvaluator for Evaluator {
    fn evaluate(&mut self, columns: &[ArrayRef], frame: &Range<usize>) -> Result<ScalarValue> {
        let mut partition = match self.partition.take() {
            Some(partition) => partition,
            None => self.read(columns)?,
        };
        let runs = partition.remaining(self.exclusion, frame, self.row);
        let answer = match &partition.tree {
            Some(tree) => tree.aggregate(&runs),
            None => partition.item(&runs, self.position),
        };
        self.row += 1;
        self.partition = Some(partition);
        answer
    }

    fn uses_window_frame(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_exclude_rows() {
        let remaining = |exclusion: FrameExclusion, frame: Range<usize>, row| -> Vec<(usize, usize)> {
            exclusion.remaining(&frame, row, &(4..7)).into_iter().map(|run| (run.start, run.end)).collect()
        };
        assert_eq!(remaining(FrameExclusion::CurrentRow, 2..9, 5), [(2, 5), (6, 9)]);
        assert_eq!(remaining(FrameExclusion::Group, 2..9, 5), [(2, 4), (7, 9)]);
        assert_eq!(remaining(FrameExclusion::Ties, 2..9, 5), [(2, 4), (5, 6), (7, 9)]);
        assert_eq!(remaining(FrameExclusion::Ties, 2..9, 4), [(2, 4), (4, 5), (7, 9)]);
        // The frame ends among the peers, or holds none of them.
        assert_eq!(remaining(FrameExclusion::Group, 5..6, 5), []);
        assert_eq!(remaining(FrameExclusion::Ties, 6..9, 5), [(7, 9)]);
        assert_eq!(remaining(FrameExclusion::CurrentRow, 0..3, 5), [(0, 3)]);
        assert_eq!(remaining(FrameExclusion::Group, 8..8, 5), []);
    }
}
