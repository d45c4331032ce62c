//! Functions that make rows: what they make of one row, as a list of structs with one field a column.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray, StructArray, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{concat, take};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, ReturnFieldArgs, ScalarUDF, lit};

use super::cast;
use crate::simple::Simple;
use quarry_types::invalid;

/// Names of the functions that make rows.
pub const GENERATORS: [&str; 10] = [
    "explode",
    "explode_outer",
    "posexplode",
    "posexplode_outer",
    "inline",
    "inline_outer",
    "stack",
    "json_tuple",
    "parse_url_tuple",
    "replicate_rows",
];
/// Rows that `replicate_rows` makes of a batch at most.
const MOST_ROWS: usize = 10_000_000;

/// The list of structs that a generator makes of its arguments; `outer` makes null of an empty list.
pub fn rows_of(generator: &str, mut args: Vec<Expr>, outer: bool) -> Result<Expr> {
    let function = match generator {
        "explode" => explode(),
        "posexplode" => posexplode(),
        "inline" => inline(),
        "stack" => stack(),
        "replicate_rows" => replicate(),
        _ => return Err(invalid(format!("{generator} makes no rows."))),
    };
    args.push(lit(outer));
    Ok(function.call(args))
}

fn explode() -> ScalarUDF {
    Simple::udf(
        "hive_explode",
        2..=2,
        None,
        |args| match args.arg_fields[0].data_type() {
            DataType::List(item) => Ok(list_of(vec![named("col", item)])),
            DataType::Map(entries, _) => Ok(list_of(entry_fields(entries)?)),
            _ => Err(invalid("explode takes an array or a map.")),
        },
        |arrays, field| make(arrays, field, false),
    )
}

fn posexplode() -> ScalarUDF {
    Simple::udf(
        "hive_posexplode",
        2..=2,
        None,
        |args| {
            let position = Arc::new(Field::new("pos", DataType::Int32, true));
            match args.arg_fields[0].data_type() {
                DataType::List(item) => Ok(list_of(vec![position, named("val", item)])),
                DataType::Map(entries, _) => Ok(list_of([vec![position], entry_fields(entries)?].concat())),
                _ => Err(invalid("posexplode takes an array or a map.")),
            }
        },
        |arrays, field| make(arrays, field, true),
    )
}

fn inline() -> ScalarUDF {
    Simple::udf(
        "hive_inline",
        2..=2,
        None,
        |args| match args.arg_fields[0].data_type() {
            DataType::List(item) => match item.data_type() {
                DataType::Struct(fields) => {
                    let fields = fields.iter().map(|field| named(field.name(), field)).collect();
                    Ok(list_of(fields))
                }
                _ => Err(invalid("inline takes an array of structs.")),
            },
            _ => Err(invalid("inline takes an array of structs.")),
        },
        |arrays, field| {
            let lists = arrays[0].as_list::<i32>();
            let columns = lists.values().as_struct().columns().to_vec();
            rebuild(lists.offsets().clone(), lists.nulls().cloned(), columns, field, outer(arrays))
        },
    )
}

/// `stack(n, v1, v2, …)`: the values in n rows.
fn stack() -> ScalarUDF {
    Simple::udf(
        "hive_stack",
        3..=250,
        None,
        |args: &ReturnFieldArgs| {
            let count = args.scalar_arguments.first().copied().flatten().and_then(whole);
            let count = count
                .filter(|count| (1..=250).contains(count))
                .ok_or_else(|| invalid("The first argument of stack is a number of rows from 1 on."))?;
            let width = (args.arg_fields.len() - 2).div_ceil(count as usize);
            let values = &args.arg_fields[1..args.arg_fields.len() - 1];
            let column = |at: usize| {
                let mut types = values.iter().skip(at).step_by(width).map(|field| field.data_type());
                let found = types.find(|data_type| !data_type.is_null()).cloned().unwrap_or(DataType::Utf8);
                Arc::new(Field::new(format!("col{at}"), found, true))
            };
            Ok(list_of((0..width).map(column).collect()))
        },
        |arrays, field| {
            let rows = arrays[0].len();
            let DataType::List(item) = field.data_type() else { return Err(invalid("stack makes a list.")) };
            let DataType::Struct(fields) = item.data_type() else { return Err(invalid("stack makes structs.")) };
            let values = &arrays[1..arrays.len() - 1];
            let height = values.len().div_ceil(fields.len());
            let mut columns = Vec::new();
            for (at, field) in fields.iter().enumerate() {
                let mut parts: Vec<ArrayRef> = Vec::new();
                for place in 0..height {
                    parts.push(match values.get(place * fields.len() + at) {
                        Some(value) => cast::to_type(value, field.data_type())?,
                        None => arrow::array::new_null_array(field.data_type(), rows),
                    });
                }
                let all = concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<&dyn Array>>())?;
                // From one column after the other to one row after the other.
                let order: Int32Array =
                    (0..rows).flat_map(|row| (0..height).map(move |place| (place * rows + row) as i32)).collect();
                columns.push(take(&all, &order, None)?);
            }
            rebuild(OffsetBuffer::from_repeated_length(height, rows), None, columns, field, false)
        },
    )
}

/// `replicate_rows(n, …)`: the arguments, with the number, as many times as it says.
fn replicate() -> ScalarUDF {
    Simple::udf(
        "hive_replicate_rows",
        2..=250,
        None,
        |args| {
            let given = args.arg_fields[..args.arg_fields.len() - 1].iter().enumerate();
            Ok(list_of(given.map(|(at, field)| named(&format!("col{at}"), field)).collect()))
        },
        |arrays, field| {
            let counts = cast::to_type(&arrays[0], &DataType::Int64)?;
            let lengths = counts.as_primitive::<Int64Type>().iter();
            let lengths: Vec<usize> =
                lengths.map(|count| usize::try_from(count.unwrap_or(0).max(0)).unwrap_or(usize::MAX)).collect();
            if lengths.iter().fold(0, |sum: usize, length| sum.saturating_add(*length)) > MOST_ROWS {
                return Err(invalid("replicate_rows makes too many rows."));
            }
            let places: Int32Array =
                lengths.iter().enumerate().flat_map(|(row, length)| std::iter::repeat_n(row as i32, *length)).collect();
            let given = &arrays[..arrays.len() - 1];
            let columns = given.iter().map(|array| Ok(take(array, &places, None)?)).collect::<Result<Vec<_>>>()?;
            rebuild(OffsetBuffer::from_lengths(lengths), None, columns, field, outer(arrays))
        },
    )
}

fn whole(value: &ScalarValue) -> Option<i64> {
    match value.cast_to(&DataType::Int64) {
        Ok(ScalarValue::Int64(value)) => value,
        _ => None,
    }
}

fn named(name: &str, field: &Field) -> FieldRef {
    Arc::new(field.clone().with_name(name).with_nullable(true))
}

fn entry_fields(entries: &Field) -> Result<Vec<FieldRef>> {
    match entries.data_type() {
        DataType::Struct(fields) if fields.len() == 2 => Ok(vec![named("key", &fields[0]), named("value", &fields[1])]),
        _ => Err(invalid("a map without keys and values")),
    }
}

fn list_of(fields: Vec<FieldRef>) -> FieldRef {
    let item = Field::new_list_field(DataType::Struct(Fields::from(fields)), true);
    Arc::new(Field::new("rows", DataType::List(Arc::new(item)), true))
}

fn outer(arrays: &[ArrayRef]) -> bool {
    arrays.last().is_some_and(|last| !last.is_empty() && last.as_boolean().value(0))
}

fn make(arrays: &[ArrayRef], field: &FieldRef, positions: bool) -> Result<ArrayRef> {
    let (offsets, nulls, mut columns) = match arrays[0].data_type() {
        DataType::Map(..) => {
            let maps = arrays[0].as_map();
            (maps.offsets().clone(), maps.nulls().cloned(), maps.entries().columns().to_vec())
        }
        _ => {
            let lists = arrays[0].as_list::<i32>();
            (lists.offsets().clone(), lists.nulls().cloned(), vec![Arc::clone(lists.values())])
        }
    };
    if positions {
        let count = columns.first().map_or(0, |column| column.len());
        let mut places = vec![0i32; count];
        for (start, end) in offsets.iter().zip(offsets.iter().skip(1)) {
            (*start..*end).for_each(|at| places[at as usize] = at - start);
        }
        columns.insert(0, Arc::new(Int32Array::from(places)));
    }
    rebuild(offsets, nulls, columns, field, outer(arrays))
}

/// Columns as a list of structs; with `outer`, an empty list becomes null.
fn rebuild(
    offsets: OffsetBuffer<i32>,
    nulls: Option<NullBuffer>,
    columns: Vec<ArrayRef>,
    field: &FieldRef,
    outer: bool,
) -> Result<ArrayRef> {
    let DataType::List(item) = field.data_type() else { return Err(invalid("rows are a list")) };
    let DataType::Struct(fields) = item.data_type() else { return Err(invalid("rows are structs")) };
    let nulls = if outer {
        let there = offsets.iter().zip(offsets.iter().skip(1)).map(|(start, end)| end > start);
        let there: NullBuffer = there
            .enumerate()
            .map(|(row, there)| there && nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)))
            .collect();
        Some(there)
    } else {
        nulls
    };
    let values: ArrayRef = if fields.is_empty() {
        new_empty_array(item.data_type())
    } else {
        Arc::new(StructArray::try_new(fields.clone(), columns, None)?)
    };
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, values, nulls)?))
}
