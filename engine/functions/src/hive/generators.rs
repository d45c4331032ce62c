//! Functions that make rows (UDTFs): the rows that they make of one row are a list of structs with one field a column.

use arrow::array::{Int32Array, StructArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{concat, take};
use arrow::datatypes::Fields;
use datafusion::logical_expr::lit;

use super::cast;
use crate::lists::build::{list_array, list_field, list_item, struct_fields};
use crate::maps::map_entry;
use crate::prelude::*;

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
/// Most rows that `replicate_rows` makes of a batch.
const MAX_ROWS: usize = 10_000_000;

/// The rows that a generator makes of its arguments; with `outer`, none become null.
pub fn rows_of(generator: &str, mut args: Vec<Expr>, outer: bool) -> Result<Expr> {
    let function = match generator {
        "explode" => shared!(explode_udf("hive_explode", false)),
        "posexplode" => shared!(explode_udf("hive_posexplode", true)),
        "inline" => shared!(scalar_udf("hive_inline", 2..=2, inline_field, inline)),
        "stack" => shared!(scalar_udf("hive_stack", 3..=250, stack_field, stack)),
        "replicate_rows" => shared!(scalar_udf("hive_replicate_rows", 2..=250, replicate_field, replicate)),
        _ => return Err(invalid(format!("{generator} does not return rows."))),
    };
    args.push(lit(outer));
    Ok(function.call(args))
}

fn named(name: &str, field: &Field) -> FieldRef {
    Arc::new(field.clone().with_name(name).with_nullable(true))
}

fn rows_field(columns: Vec<FieldRef>) -> FieldRef {
    list_field("rows", DataType::Struct(Fields::from(columns)))
}

fn explode_udf(name: &'static str, positions: bool) -> ScalarUDF {
    let returns = move |args: &ReturnFieldArgs<'_>| explode_field(args, positions);
    scalar_udf(name, 2..=2, returns, move |args, to| explode(args, to, positions))
}

fn explode_field(args: &ReturnFieldArgs, positions: bool) -> Result<FieldRef> {
    let mut columns = Vec::new();
    if positions {
        columns.push(Arc::new(Field::new("pos", DataType::Int32, true)));
    }
    match (args.arg_fields[0].data_type(), map_entry(args.arg_fields[0].data_type())) {
        (DataType::List(item), _) => columns.push(named(if positions { "val" } else { "col" }, item)),
        (_, Some((key, value))) => columns.extend([named("key", key), named("value", value)]),
        _ if positions => return Err(invalid("posexplode expects an array or a map.")),
        _ => return Err(invalid("explode expects an array or a map.")),
    }
    Ok(rows_field(columns))
}

fn explode(arrays: &[ArrayRef], to: &FieldRef, positions: bool) -> Result<ArrayRef> {
    let (offsets, nulls, mut columns) = match arrays[0].as_map_opt() {
        Some(maps) => (maps.offsets(), maps.nulls(), maps.entries().columns().to_vec()),
        None => {
            let lists = arrays[0].as_list::<i32>();
            (lists.offsets(), lists.nulls(), vec![Arc::clone(lists.values())])
        }
    };
    if positions {
        let mut positions = vec![0; columns[0].len()];
        for (start, end) in offsets.iter().zip(offsets.iter().skip(1)) {
            (*start..*end).for_each(|at| positions[at as usize] = at - start);
        }
        columns.insert(0, Arc::new(Int32Array::from(positions)));
    }
    rows(offsets.clone(), nulls, columns, to, is_outer(arrays))
}

fn inline_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fields = list_item(args.arg_fields[0].data_type()).ok().and_then(|item| struct_fields(item.data_type()));
    let fields = fields.ok_or_else(|| invalid("inline expects an array of structs."))?;
    Ok(rows_field(fields.iter().map(|field| named(field.name(), field)).collect()))
}

fn inline(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let lists = arrays[0].as_list::<i32>();
    let columns = lists.values().as_struct().columns().to_vec();
    rows(lists.offsets().clone(), lists.nulls(), columns, to, is_outer(arrays))
}

/// `stack(n, v1, v2, …)`: the values in n rows.
fn stack_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let count = args.scalar_arguments.first().copied().flatten().map(|count| count.cast_to(&DataType::Int64));
    let Some(Ok(ScalarValue::Int64(Some(count @ 1..=250)))) = count else {
        return Err(invalid("The first argument of stack must be a number of rows of at least 1."));
    };
    let values = &args.arg_fields[1..args.arg_fields.len() - 1];
    let width = values.len().div_ceil(count as usize);
    let column = |at: usize| {
        let mut types = values.iter().skip(at).step_by(width).map(|field| field.data_type());
        let data_type = types.find(|data_type| !data_type.is_null()).cloned().unwrap_or(DataType::Utf8);
        Arc::new(Field::new(format!("col{at}"), data_type, true))
    };
    Ok(rows_field((0..width).map(column).collect()))
}

fn stack(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let count = arrays[0].len();
    let fields = row_fields(to)?;
    let values = &arrays[1..arrays.len() - 1];
    let height = values.len().div_ceil(fields.len());
    // From the order of columns to the order of rows.
    let order = (0..count).flat_map(|row| (0..height).map(move |place| (place * count + row) as i32));
    let order: Int32Array = order.collect();
    let column = |(at, field): (usize, &FieldRef)| {
        let parts = (0..height).map(|place| match values.get(place * fields.len() + at) {
            Some(value) => cast::to_type(value, field.data_type()),
            None => Ok(new_null_array(field.data_type(), count)),
        });
        let parts = parts.collect::<Result<Vec<ArrayRef>>>()?;
        let all = concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<&dyn Array>>())?;
        Ok(take(&all, &order, None)?)
    };
    let columns = fields.iter().enumerate().map(column).collect::<Result<Vec<ArrayRef>>>()?;
    rows(OffsetBuffer::from_repeated_length(height, count), None, columns, to, false)
}

/// `replicate_rows(n, …)`: the arguments, with the number, n times.
fn replicate_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let values = args.arg_fields[..args.arg_fields.len() - 1].iter().enumerate();
    Ok(rows_field(values.map(|(at, field)| named(&format!("col{at}"), field)).collect()))
}

fn replicate(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let counts = cast::to_type(&arrays[0], &DataType::Int64)?;
    let lengths = counts.as_primitive::<Int64Type>().iter();
    let lengths: Vec<usize> = lengths.map(|count| count.unwrap_or(0).max(0) as usize).collect();
    if lengths.iter().fold(0, |sum: usize, length| sum.saturating_add(*length)) > MAX_ROWS {
        return Err(invalid("replicate_rows would produce too many rows."));
    }
    let row_numbers = lengths.iter().enumerate().flat_map(|(row, length)| std::iter::repeat_n(row as i32, *length));
    let row_numbers: Int32Array = row_numbers.collect();
    let values = arrays[..arrays.len() - 1].iter();
    let columns = values.map(|array| Ok(take(array, &row_numbers, None)?)).collect::<Result<Vec<_>>>()?;
    rows(OffsetBuffer::from_lengths(lengths), None, columns, to, is_outer(arrays))
}

fn is_outer(arrays: &[ArrayRef]) -> bool {
    arrays.last().is_some_and(|last| !last.is_empty() && last.as_boolean().value(0))
}

fn row_fields(to: &FieldRef) -> Result<&Fields> {
    struct_fields(list_item(to.data_type())?.data_type()).ok_or_else(|| invalid("rows are structs"))
}

/// Columns as lists of structs; with `outer`, an empty list becomes null.
fn rows(
    offsets: OffsetBuffer<i32>,
    nulls: Option<&NullBuffer>,
    columns: Vec<ArrayRef>,
    to: &FieldRef,
    outer: bool,
) -> Result<ArrayRef> {
    let nulls = match outer {
        true => {
            let is_valid = |row| nulls.is_none_or(|nulls| nulls.is_valid(row));
            Some(offsets.lengths().enumerate().map(|(row, length)| length > 0 && is_valid(row)).collect())
        }
        false => nulls.cloned(),
    };
    let length = columns.first().map_or(0, |column| column.len());
    let rows = StructArray::try_new_with_length(row_fields(to)?.clone(), columns, None, length)?;
    list_array(to.data_type(), offsets, Arc::new(rows), nulls)
}
