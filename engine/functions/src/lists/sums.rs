//! Sums and means of the items of a list, as exact as those of a group. The built-in functions sum everything as doubles.

use arrow::array::{ListArray, new_null_array};
use arrow::compute::{cast_with_options, nullif};
use datafusion::common::format::DEFAULT_CAST_OPTIONS;
use datafusion::logical_expr::{AggregateUDF, EmitTo, GroupsAccumulator};

use crate::aggregates::avg::{avg, group_means};
use crate::aggregates::sum::{group_sums, sum};
use crate::prelude::*;

const SUM_DOC: Doc = Doc {
    signature: "array_sum(list)",
    text: "The exact sum of the elements of a list. Nulls are ignored; returns null for an empty list.",
    example: "select array_sum([1, 2, 3])",
};
const MEAN_DOC: Doc = Doc {
    signature: "array_avg(list)",
    text: "The mean of the elements of a list. Nulls are ignored; returns null for an empty list.",
    example: "select array_avg([1, 2, 3])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        SUM_DOC
            .udf(
                1..=1,
                |args| aggregate_field(args, &sum()),
                |args, to| aggregate_items(&args[0], to, &sum(), group_sums),
            )
            .with_aliases(["list_sum"]),
        MEAN_DOC
            .udf(
                1..=1,
                |args| aggregate_field(args, &avg()),
                |args, to| aggregate_items(&args[0], to, &avg(), group_means),
            )
            .with_aliases(["list_avg", "array_average"]),
    ]
}

/// The items of a list, as the field of the aggregate's argument.
fn argument_field(list: &DataType, aggregate: &AggregateUDF) -> Result<FieldRef> {
    let item = match list {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => item,
        DataType::Null => return Ok(Arc::new(Field::new("item", DataType::Float64, true))),
        _ => return Err(invalid("Expected a list of numbers here.")),
    };
    let from = item.data_type();
    if !from.is_numeric() && !from.is_null() && !is_number(from) {
        return Err(invalid("Expected a list of numbers here."));
    }
    let to = aggregate.coerce_types(std::slice::from_ref(from))?.remove(0);
    Ok(Arc::new(item.as_ref().clone().with_data_type(to)))
}

fn aggregate_field(args: &ReturnFieldArgs, aggregate: &AggregateUDF) -> Result<FieldRef> {
    aggregate.return_field(&[argument_field(args.arg_fields[0].data_type(), aggregate)?])
}

/// Makes an accumulator of values of a type to answers of another; `None` for doubles.
type Groups = fn(&DataType, &DataType) -> Option<Box<dyn GroupsAccumulator>>;

fn aggregate_items(lists: &ArrayRef, to: &FieldRef, aggregate: &AggregateUDF, groups: Groups) -> Result<ArrayRef> {
    if lists.data_type().is_null() {
        return Ok(new_null_array(to.data_type(), lists.len()));
    }
    let from = argument_field(lists.data_type(), aggregate)?;
    let list = DataType::new_list(from.data_type().clone(), true);
    let lists = cast_with_options(lists, &list, &DEFAULT_CAST_OPTIONS)?;
    let lists = lists.as_list::<i32>();
    let Some(mut answers) = groups(from.data_type(), to.data_type()) else {
        return Ok(aggregate_doubles(lists, aggregate.name() == avg().name()));
    };
    let (first, last) = (lists.value_offsets()[0] as usize, lists.value_offsets()[lists.len()] as usize);
    let rows = (0..lists.len()).flat_map(|row| std::iter::repeat_n(row, lists.value_length(row) as usize));
    let rows: Vec<usize> = rows.collect();
    answers.update_batch(&[lists.values().slice(first, last - first)], &rows, None, lists.len())?;
    let answers = answers.evaluate(EmitTo::All)?;
    // A null list may still have items.
    match lists.nulls() {
        None => Ok(answers),
        Some(valid) => Ok(nullif(&answers, &BooleanArray::new(!valid.inner(), None))?),
    }
}

fn aggregate_doubles(lists: &ListArray, mean: bool) -> ArrayRef {
    let answers = lists.iter().map(|items| {
        let items = items?;
        let items = items.as_primitive_opt::<Float64Type>()?;
        let count = items.len() - items.null_count();
        let by = if mean { count as f64 } else { 1.0 };
        (count > 0).then(|| items.iter().flatten().sum::<f64>() / by)
    });
    Arc::new(answers.collect::<Float64Array>())
}
