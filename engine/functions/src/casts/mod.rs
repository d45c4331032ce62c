//! Casts that DataFusion does not have, and columns of types of other tools.
//!
//! Casts to nested types and to JSON: `cast(json_parse(x) as array(json))`, `cast(row(1, 'a') as row(n bigint, name varchar))`,
//! `cast(map(…) as json)`. They are calls before they are planned: a JSON text is read, and a list, a map or a struct is cast value
//! by value, each as a cast of its own would be.

pub mod column;
pub mod foreign;
pub mod numbers;
pub(super) mod opaque;
mod read;
mod target;
pub(super) mod to_json;
mod type_of;

use arrow::array::{ListArray, StructArray, new_null_array};
use arrow::buffer::OffsetBuffer;

use self::target::{Target, map};
use self::to_json::json_of;
use crate::casts::column::cast_column;
use crate::json::is_json_field;
use crate::prelude::*;

/// The call of such a cast; its second argument is the type as it is written.
pub const CAST_AS: &str = "cast_as";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    to_json::udfs().into_iter().chain([cast_as().as_ref().clone(), type_of::udf()]).collect()
}

pub fn cast_as() -> Arc<ScalarUDF> {
    shared!(undocumented(CAST_AS).fallible().udf(2..=2, cast_field, |args, to| match text_of(&args[1])?.first() {
        Some(Some(written)) => {
            let field = Field::new("value", args[0].data_type().clone(), true);
            value(&args[0], &field, &Target::parse(written)?)
        }
        _ => Ok(new_null_array(to.data_type(), args[0].len())),
    }))
}

fn cast_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let written = args.scalar_arguments.get(1).copied().flatten().and_then(|value| value.try_as_str().flatten());
    let Some(written) = written else { return Err(invalid("Expected a type here.")) };
    let target = Target::parse(written)?;
    let from = &args.arg_fields[0];
    if target == Target::Json && is_text(from.data_type()) && !is_json_field(from) {
        let message = "Casting a string to JSON is ambiguous; use json_parse(text) to parse it, or to_json(text) to \
                       make a JSON string of it.";
        return Err(invalid(message));
    }
    check_cast(from.data_type(), &target)?;
    Ok(target.field(CAST_AS))
}

/// Refuses a cast that no value could pass, before any row is read.
fn check_cast(from: &DataType, to: &Target) -> Result<()> {
    let refuse = || {
        let to = type_name(&to.data_type(), false);
        Err(invalid(format!("{} can't be cast to {to}.", type_name(from, false))))
    };
    match (from, to) {
        (DataType::Null, _) | (_, Target::Json) => Ok(()),
        (text, Target::List(_) | Target::Map(..) | Target::Row(_)) if is_text(text) => Ok(()),
        (DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _), Target::List(to)) => {
            check_cast(item.data_type(), to)
        }
        (DataType::Map(entries, _), Target::Map(key, value)) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                check_cast(fields[0].data_type(), key)?;
                check_cast(fields[1].data_type(), value)
            }
            _ => refuse(),
        },
        (DataType::Struct(from), Target::Row(to)) => {
            if from.len() != to.len() {
                let message = format!("A row of {} values can't be cast to a row of {}.", from.len(), to.len());
                return Err(invalid(message));
            }
            // Values keep their order; the same names in another order would be mixed up.
            let place = |from: &FieldRef| to.iter().position(|(to, _)| from.name().eq_ignore_ascii_case(to));
            if from.iter().enumerate().any(|(index, from)| place(from).is_some_and(|place| place != index)) {
                let message = "A cast can't reorder the values of a row; write their names in the same order.";
                return Err(invalid(message));
            }
            from.iter().zip(to).try_for_each(|(from, (_, to))| check_cast(from.data_type(), to))
        }
        (from, Target::Arrow(_) | Target::Number { .. }) if !from.is_nested() => Ok(()),
        _ => refuse(),
    }
}

/// A column as another type.
fn value(array: &ArrayRef, field: &Field, to: &Target) -> Result<ArrayRef> {
    match (array.data_type(), to) {
        (DataType::Null, _) => Ok(new_null_array(&to.data_type(), array.len())),
        (from, Target::Json) if is_text(from) && is_json_field(field) => Ok(cast(array, &DataType::Utf8)?),
        (_, Target::Json) => json_of(array, field),
        (from, Target::List(_) | Target::Map(..) | Target::Row(_)) if is_text(from) => {
            read::values(text_of(array)?, to)
        }
        (DataType::LargeList(item) | DataType::FixedSizeList(item, _), Target::List(_)) => {
            let list = cast(array, &DataType::List(item.clone()))?;
            value(&list, field, to)
        }
        (DataType::List(item), Target::List(to)) => {
            let lists = array.as_list::<i32>();
            let (items, offsets) = visible_items(lists.values(), lists.offsets());
            let items = value(&items, item, to)?;
            Ok(Arc::new(ListArray::try_new(to.field("item"), offsets, items, lists.nulls().cloned())?))
        }
        (DataType::Map(..), Target::Map(key, item)) => {
            let maps = array.as_map();
            let (entries, offsets) = visible_items(&(Arc::new(maps.entries().clone()) as ArrayRef), maps.offsets());
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

/// The items that a column of lists refers to, and their offsets.
fn visible_items(items: &ArrayRef, offsets: &OffsetBuffer<i32>) -> (ArrayRef, OffsetBuffer<i32>) {
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    let visible = items.slice(first as usize, (last - first) as usize);
    let shifted: Vec<i32> = offsets.iter().map(|offset| offset - first).collect();
    (visible, OffsetBuffer::new(shifted.into()))
}
