//! Types of values: casts that the planner has none for, columns of types of other tools, and what a type is called.
//!
//! Casts to types of many parts and to JSON: `cast(json_parse(x) as array(json))`, `cast(row(1, 'a') as row(n bigint,
//! name varchar))`, `cast(map(…) as json)`. They are calls before they are planned, since the planner has no such casts:
//! a JSON text is read, a list, a map or a row is cast part by part, each part as a cast of its own would be.

pub mod column;
pub mod foreign;
pub mod numerals;
mod read;
pub(super) mod settled;
mod target;
pub(super) mod to_json;
mod type_of;

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, ListArray, StructArray, new_null_array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use self::target::{Target, map};
use self::to_json::written;
use super::json::is_json_field;
use super::simple::Simple;
use crate::casts::column::cast_column;
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// The call that stands for such a cast; its second argument is the type as it is written.
pub const CAST_AS: &str = "cast_as";

static CAST: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(udf()));

/// The shared function, for rewrites.
pub fn cast_as() -> Arc<ScalarUDF> {
    CAST.clone()
}

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![udf(), type_of::udf(), to_json::udf()];
    all.extend(to_json::objects());
    all
}

fn udf() -> ScalarUDF {
    Simple::udf(CAST_AS, 2..=2, None, returns, |args, to| {
        let Some(Some(written)) = text_of(&args[1])?.first().copied() else {
            return Ok(new_null_array(to.data_type(), args[0].len()));
        };
        let field = Field::new("value", args[0].data_type().clone(), true);
        value(&args[0], &field, &Target::parse(written)?)
    })
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let written = match args.scalar_arguments.get(1) {
        Some(Some(ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)))) => text,
        _ => return Err(invalid("A type is needed here.")),
    };
    let target = Target::parse(written)?;
    let from = &args.arg_fields[0];
    if target == Target::Json && is_text(from.data_type()) && !is_json_field(from) {
        let message = "A text as JSON is not clear: json_parse(text) reads it, to_json(text) makes a JSON text of it.";
        return Err(invalid(message));
    }
    possible(from.data_type(), &target)?;
    Ok(target.field(CAST_AS))
}

/// Refuses what no value could be turned into, before any row is read.
fn possible(from: &DataType, to: &Target) -> Result<()> {
    let refuse = || {
        let to = type_name(&to.data_type(), false);
        Err(invalid(format!("{} can't be cast to {to}.", type_name(from, false))))
    };
    match (from, to) {
        (DataType::Null, _) | (_, Target::Json) => Ok(()),
        (text, Target::List(_) | Target::Map(..) | Target::Row(_)) if is_text(text) => Ok(()),
        (DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _), Target::List(to)) => {
            possible(item.data_type(), to)
        }
        (DataType::Map(entries, _), Target::Map(key, value)) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                possible(fields[0].data_type(), key)?;
                possible(fields[1].data_type(), value)
            }
            _ => refuse(),
        },
        (DataType::Struct(from), Target::Row(to)) => {
            if from.len() != to.len() {
                let message = format!("A row of {} values can't be cast to a row of {}.", from.len(), to.len());
                return Err(invalid(message));
            }
            // Values keep their places; the same names in another order would be taken for each other.
            let place = |from: &FieldRef| to.iter().position(|(to, _)| from.name().eq_ignore_ascii_case(to));
            if from.iter().enumerate().any(|(index, from)| place(from).is_some_and(|place| place != index)) {
                let message = "The values of a row keep their places in a cast; write its names in their order.";
                return Err(invalid(message));
            }
            from.iter().zip(to).try_for_each(|(from, (_, to))| possible(from.data_type(), to))
        }
        (from, Target::Plain(_) | Target::Number { .. }) if !from.is_nested() => Ok(()),
        _ => refuse(),
    }
}

/// A column as another type.
fn value(array: &ArrayRef, field: &Field, to: &Target) -> Result<ArrayRef> {
    match (array.data_type(), to) {
        (DataType::Null, _) => Ok(new_null_array(&to.data_type(), array.len())),
        (from, Target::Json) if is_text(from) && is_json_field(field) => Ok(cast(array, &DataType::Utf8)?),
        (_, Target::Json) => written(array, field),
        (from, Target::List(_) | Target::Map(..) | Target::Row(_)) if is_text(from) => {
            read::values(text_of(array)?, to)
        }
        (DataType::LargeList(item) | DataType::FixedSizeList(item, _), Target::List(_)) => {
            let list = cast(array, &DataType::List(item.clone()))?;
            value(&list, field, to)
        }
        (DataType::List(item), Target::List(to)) => {
            let lists = array.as_list::<i32>();
            let (items, offsets) = visible(lists.values(), lists.offsets());
            let items = value(&items, item, to)?;
            Ok(Arc::new(ListArray::try_new(to.field("item"), offsets, items, lists.nulls().cloned())?))
        }
        (DataType::Map(..), Target::Map(key, item)) => {
            let maps = array.as_map();
            let (entries, offsets) = visible(&(Arc::new(maps.entries().clone()) as ArrayRef), maps.offsets());
            let entries = entries.as_struct();
            let fields = entries.fields();
            let keys = value(entries.column(0), &fields[0], key)?;
            let items = value(entries.column(1), &fields[1], item)?;
            map(keys, items, offsets, maps.nulls().cloned(), to)
        }
        (DataType::Struct(from), Target::Row(to)) => {
            let rows = array.as_struct();
            let columns = rows.columns().iter().zip(from).zip(to);
            let columns = columns.map(|((column, field), (_, to))| value(column, field, to));
            let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
            Ok(Arc::new(StructArray::try_new_with_length(
                Target::fields(to),
                columns,
                rows.nulls().cloned(),
                rows.len(),
            )?))
        }
        (_, Target::Number { signed }) => {
            cast_column(array, field, &to.field(if *signed { "int256" } else { "uint256" }))
        }
        (_, to) => cast_column(array, field, &to.field("value")),
    }
}

/// What a column of lists shows of the column of their items.
fn visible(items: &ArrayRef, offsets: &OffsetBuffer<i32>) -> (ArrayRef, OffsetBuffer<i32>) {
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let shown = items.slice(first as usize, (last - first) as usize);
    let shifted: Vec<i32> = offsets.iter().map(|offset| offset - first).collect();
    (shown, OffsetBuffer::new(shifted.into()))
}
