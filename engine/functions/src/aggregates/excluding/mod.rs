//! `EXCLUDE` at the end of a window's frame: an aggregate of the rows of the frame but for some about its own row. The stock
//! windows know no such frames. What is left of one are up to three runs of rows, which [`blocks`] puts together, so that a
//! long frame costs little more than a short one.

mod blocks;

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{and, filter, is_not_null, partition, prep_null_mask_filter};
use arrow::datatypes::{DataType, FieldRef, Schema};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::function::{AccumulatorArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{
    AggregateUDF, LimitEffect, PartitionEvaluator, ScalarUDF, Signature, Volatility, WindowFunctionDefinition,
    WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Column, Literal};

use super::exact::recomputed::Made;
use crate::simple::Simple;
use blocks::Blocks;
use quarry_types::invalid;

/// The call by which a window says what its frames leave out; people don't write it.
pub const EXCLUDED_ROWS: &str = "excluded_rows";

pub(super) fn udf() -> ScalarUDF {
    Simple::udf(EXCLUDED_ROWS, 1..=1, None, |args| Ok(args.arg_fields[0].clone()), |args, _| Ok(args[0].clone()))
}

/// What a frame leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Excluded {
    /// Its own row.
    CurrentRow,
    /// Its own row and those of the same key.
    Group,
    /// The other rows of the same key.
    Ties,
}

impl Excluded {
    /// By the words behind `EXCLUDE`.
    pub fn named(words: &str) -> Option<Excluded> {
        match words {
            "current row" => Some(Excluded::CurrentRow),
            "group" => Some(Excluded::Group),
            "ties" => Some(Excluded::Ties),
            _ => None,
        }
    }

    /// The rows of a frame that are left, as runs without gaps; `peers` are the rows of the same key as `row`.
    fn left(self, frame: &Range<usize>, row: usize, peers: &Range<usize>) -> Vec<Range<usize>> {
        let [first, second] = match self {
            Excluded::CurrentRow => [row..row + 1, row + 1..row + 1],
            Excluded::Group => [peers.clone(), peers.end..peers.end],
            Excluded::Ties => [peers.start..row, row + 1..peers.end],
        };
        [frame.start..first.start, first.end..second.start, second.end..frame.end]
            .into_iter()
            .map(|run| run.start.max(frame.start)..run.end.min(frame.end))
            .filter(|run| !run.is_empty())
            .collect()
    }
}

/// A call over a window whose frames leave rows out. What looks at no frame (`row_number`) stays as it is.
pub fn excluding(call: WindowFunction, excluded: Excluded) -> WindowFunction {
    let WindowFunction { fun, mut params } = call;
    let told = match &fun {
        WindowFunctionDefinition::AggregateUDF(function) => {
            Told::Aggregate { function: Arc::clone(function), distinct: params.distinct }
        }
        WindowFunctionDefinition::WindowUDF(function) => match function.name() {
            "first_value" => Told::Item(Place::First),
            "last_value" => Told::Item(Place::Last),
            "nth_value" => Told::Item(Place::Nth),
            _ => return WindowFunction { fun, params },
        },
    };
    let filtered = params.filter.is_some();
    params.args.extend(params.filter.take().map(|condition| *condition));
    params.distinct = false;
    let signature = Signature::any(params.args.len(), Volatility::Immutable);
    let function = WindowUDF::new_from_impl(Excluding { told, excluded, filtered, signature });
    WindowFunction { fun: WindowFunctionDefinition::WindowUDF(Arc::new(function)), params }
}

/// What is told of the rows that are left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Told {
    Aggregate { function: Arc<AggregateUDF>, distinct: bool },
    Item(Place),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    First,
    Last,
    /// The second argument says which, from the other end where it is below zero.
    Nth,
}

/// A window function whose last argument is a condition where it is `filtered`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Excluding {
    told: Told,
    excluded: Excluded,
    filtered: bool,
    signature: Signature,
}

impl Excluding {
    /// Its arguments but for the condition.
    fn own<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        &all[..all.len() - usize::from(self.filtered)]
    }
}

impl WindowUDFImpl for Excluding {
    fn name(&self) -> &str {
        "excluding"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        let fields = self.own(args.input_fields());
        let field = match &self.told {
            Told::Aggregate { function, .. } => function.return_field(fields)?.as_ref().clone(),
            Told::Item(_) => fields[0].as_ref().clone().with_nullable(true),
        };
        Ok(Arc::new(field.with_name(args.name())))
    }

    fn partition_evaluator(&self, args: PartitionEvaluatorArgs) -> Result<Box<dyn PartitionEvaluator>> {
        let (exprs, fields) = (self.own(args.input_exprs()), self.own(args.input_fields()));
        let (made, place) = match &self.told {
            Told::Aggregate { function, distinct } => {
                let name = |place: usize| format!("value_{place}");
                let columns = fields.iter().enumerate();
                let columns = columns.map(|(place, field)| field.as_ref().clone().with_name(name(place)));
                let schema = Schema::new(columns.collect::<Vec<_>>());
                // Some aggregates look at what is written out, a share say; the rest are columns of their own.
                let exprs = exprs.iter().enumerate().map(|(place, expr)| match expr.downcast_ref::<Literal>() {
                    Some(_) => Arc::clone(expr),
                    None => Arc::new(Column::new(&name(place), place)) as Arc<dyn PhysicalExpr>,
                });
                let accumulator = AccumulatorArgs {
                    return_field: function.return_field(fields)?,
                    schema: &schema,
                    ignore_nulls: args.ignore_nulls(),
                    order_bys: &[],
                    is_reversed: false,
                    name: function.name(),
                    is_distinct: *distinct,
                    exprs: &exprs.collect::<Vec<_>>(),
                    expr_fields: fields,
                };
                (Some(Made::of(function, &accumulator)), 0)
            }
            Told::Item(Place::First) => (None, 1),
            Told::Item(Place::Last) => (None, -1),
            Told::Item(Place::Nth) => (None, place_of(exprs.get(1))?),
        };
        Ok(Box::new(Evaluator {
            excluded: self.excluded,
            filtered: self.filtered,
            only_known: args.ignore_nulls() && made.is_none(),
            arguments: exprs.len(),
            made,
            place,
            row: 0,
            partition: None,
        }))
    }

    fn limit_effect(&self, _: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        LimitEffect::Unknown
    }
}

/// The place of `nth_value`, which is written out.
fn place_of(expr: Option<&Arc<dyn PhysicalExpr>>) -> Result<i64> {
    let literal = expr.and_then(|expr| expr.downcast_ref::<Literal>());
    match literal.map(|literal| literal.value().cast_to(&DataType::Int64)) {
        Some(Ok(ScalarValue::Int64(Some(place)))) => Ok(place),
        _ => Err(invalid("The place of nth_value is a whole number that is written out.")),
    }
}

/// Answers for one partition, row by row.
#[derive(Debug)]
struct Evaluator {
    excluded: Excluded,
    filtered: bool,
    /// Whether values that are null don't count.
    only_known: bool,
    arguments: usize,
    /// The aggregate that is asked for.
    made: Option<Made>,
    /// The place of the item that is asked for instead: the first one is 1, the last one -1.
    place: i64,
    /// The row that is asked for next.
    row: usize,
    partition: Option<Partition>,
}

#[derive(Debug)]
struct Partition {
    /// The arguments in the rows that count.
    values: Vec<ArrayRef>,
    /// How many of the rows above each one count, and of all of them; nothing where all do.
    counting: Option<Vec<usize>>,
    /// Rows of the same key, and which of them the row that was asked for last is among.
    groups: Vec<Range<usize>>,
    group: usize,
    blocks: Option<Blocks>,
}

impl Evaluator {
    fn read(&self, columns: &[ArrayRef]) -> Result<Partition> {
        let (values, rest) = columns.split_at(self.arguments);
        let (conditions, keys) = rest.split_at(usize::from(self.filtered));
        let condition = conditions.first().map(|condition| match condition.as_boolean() {
            condition if condition.null_count() == 0 => condition.clone(),
            condition => prep_null_mask_filter(condition),
        });
        let known = if self.only_known { Some(is_not_null(&values[0])?) } else { None };
        let counts = match (condition, known) {
            (Some(condition), Some(known)) => Some(and(&condition, &known)?),
            (condition, known) => condition.or(known),
        };
        let rows = values[0].len();
        let groups = if keys.is_empty() { std::iter::once(0..rows).collect() } else { partition(keys)?.ranges() };
        let (values, counting) = match counts {
            None => (values.to_vec(), None),
            Some(counts) => {
                let mut above = vec![0];
                above.extend(counts.values().iter().scan(0, |above, counts| {
                    *above += usize::from(counts);
                    Some(*above)
                }));
                (values.iter().map(|column| filter(column, &counts)).collect::<Result<_, _>>()?, Some(above))
            }
        };
        let blocks = self.made.as_ref().map(|made| Blocks::of(made.clone(), values.clone())).transpose()?;
        Ok(Partition { values, counting, groups, group: 0, blocks })
    }
}

impl Partition {
    /// The rows that count of those that a frame leaves.
    fn left(&mut self, excluded: Excluded, frame: &Range<usize>, row: usize) -> Vec<Range<usize>> {
        while self.groups[self.group].end <= row {
            self.group += 1;
        }
        let mut runs = excluded.left(frame, row, &self.groups[self.group]);
        if let Some(above) = &self.counting {
            runs.iter_mut().for_each(|run| *run = above[run.start]..above[run.end]);
            runs.retain(|run| !run.is_empty());
        }
        runs
    }

    /// The value at a place among rows.
    fn item(&self, runs: &[Range<usize>], place: i64) -> Result<ScalarValue> {
        let count: usize = runs.iter().map(Range::len).sum();
        let from_start = usize::try_from(place - 1).ok().filter(|_| place > 0);
        let from_end = usize::try_from(place.unsigned_abs()).ok().and_then(|back| count.checked_sub(back));
        let at = if place > 0 { from_start } else { from_end };
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
        let runs = partition.left(self.excluded, frame, self.row);
        let answer = match &partition.blocks {
            Some(blocks) => blocks.answer(&runs),
            None => partition.item(&runs, self.place),
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
    fn what_a_frame_leaves_out_is_cut_out_of_it() {
        let left = |excluded: Excluded, frame: Range<usize>, row| -> Vec<(usize, usize)> {
            excluded.left(&frame, row, &(4..7)).into_iter().map(|run| (run.start, run.end)).collect()
        };
        assert_eq!(left(Excluded::CurrentRow, 2..9, 5), [(2, 5), (6, 9)]);
        assert_eq!(left(Excluded::Group, 2..9, 5), [(2, 4), (7, 9)]);
        assert_eq!(left(Excluded::Ties, 2..9, 5), [(2, 4), (5, 6), (7, 9)]);
        assert_eq!(left(Excluded::Ties, 2..9, 4), [(2, 4), (4, 5), (7, 9)]);
        // The frame ends within the key, or holds nothing of it.
        assert_eq!(left(Excluded::Group, 5..6, 5), []);
        assert_eq!(left(Excluded::Ties, 6..9, 5), [(7, 9)]);
        assert_eq!(left(Excluded::CurrentRow, 0..3, 5), [(0, 3)]);
        assert_eq!(left(Excluded::Group, 8..8, 5), []);
    }
}
