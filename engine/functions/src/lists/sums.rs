//! Sums and means of the items of a list, as exact as those of a group. The stock functions add up everything as doubles.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, ListArray, new_null_array};
use arrow::compute::{CastOptions, cast_with_options, nullif};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{AggregateUDF, EmitTo, GroupsAccumulator, ReturnFieldArgs, ScalarUDF};

use crate::aggregates::avg::{avg, means};
use crate::aggregates::sum::{groups, sum};
use crate::simple::{Doc, Simple};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

const SUM_DOC: Doc = Doc {
    signature: "array_sum(list)",
    text: "The exact sum of the items of a list; nulls are left out, and there is none of a list without items.",
    example: "select array_sum([1, 2, 3])",
};
const MEAN_DOC: Doc = Doc {
    signature: "array_avg(list)",
    text: "The mean of the items of a list; nulls are left out, and there is none of a list without items.",
    example: "select array_avg([1, 2, 3])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "array_sum",
            1..=1,
            Some(SUM_DOC),
            |args| answer(args, &sum()),
            |args, to| of_items(&args[0], to, &sum(), |from, to| groups(from, to).ok()),
        )
        .with_aliases(["list_sum"]),
        Simple::udf(
            "array_avg",
            1..=1,
            Some(MEAN_DOC),
            |args| answer(args, &avg()),
            |args, to| of_items(&args[0], to, &avg(), means),
        )
        .with_aliases(["list_avg", "array_average"]),
    ]
}

/// The items of a list, as the field of the aggregate's argument.
fn items(list: &DataType, aggregate: &AggregateUDF) -> Result<FieldRef> {
    let item = match list {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => item,
        DataType::Null => return Ok(Arc::new(Field::new("item", DataType::Float64, true))),
        _ => return Err(invalid("A list of numbers is needed here.")),
    };
    let known = |from: &DataType| from.is_numeric() || from.is_null() || is_number(from);
    if !known(item.data_type()) {
        return Err(invalid("A list of numbers is needed here."));
    }
    let to = aggregate.coerce_types(&[item.data_type().clone()])?.remove(0);
    Ok(Arc::new(item.as_ref().clone().with_data_type(to)))
}

fn answer(args: &ReturnFieldArgs, aggregate: &AggregateUDF) -> Result<FieldRef> {
    aggregate.return_field(&[items(args.arg_fields[0].data_type(), aggregate)?])
}

/// What adds up items of a type to an answer of another; `None` for doubles.
type Groups = fn(&DataType, &DataType) -> Option<Box<dyn GroupsAccumulator>>;

fn of_items(lists: &ArrayRef, to: &FieldRef, aggregate: &AggregateUDF, groups: Groups) -> Result<ArrayRef> {
    if lists.data_type().is_null() {
        return Ok(new_null_array(to.data_type(), lists.len()));
    }
    let from = items(lists.data_type(), aggregate)?;
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let list = DataType::List(Arc::new(Field::new_list_field(from.data_type().clone(), true)));
    let lists = cast_with_options(lists, &list, &options)?;
    let lists = lists.as_list::<i32>();
    let Some(mut sums) = groups(from.data_type(), to.data_type()) else {
        return Ok(of_doubles(lists, aggregate.name() == avg().name()));
    };
    let (first, last) = (lists.value_offsets()[0] as usize, lists.value_offsets()[lists.len()] as usize);
    let of = (0..lists.len()).flat_map(|row| std::iter::repeat_n(row, lists.value_length(row) as usize));
    let of: Vec<usize> = of.collect();
    sums.update_batch(&[lists.values().slice(first, last - first)], &of, None, lists.len())?;
    let sums = sums.evaluate(EmitTo::All)?;
    // A list that is null may have items behind it.
    match lists.nulls() {
        None => Ok(sums),
        Some(nulls) => {
            let missing = BooleanArray::new(!nulls.inner(), None);
            Ok(nullif(&sums, &missing)?)
        }
    }
}

fn of_doubles(lists: &ListArray, mean: bool) -> ArrayRef {
    let answers = lists.iter().map(|items| {
        let items = items?;
        let items = items.as_primitive_opt::<Float64Type>()?;
        let count = items.len() - items.null_count();
        let by = if mean { count as f64 } else { 1.0 };
        (count > 0).then(|| items.iter().flatten().sum::<f64>() / by)
    });
    Arc::new(answers.collect::<Float64Array>())
}
