//! Built-in functions whose result grows with the value of an argument, with a limit, so that one call can't fill the memory.

use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use datafusion::functions::{string, unicode};
use datafusion::functions_nested::array_has::array_has_all_udf;
use datafusion::functions_nested::concat::array_concat_udf;
use datafusion::functions_nested::range::{gen_series_udf, range_udf};
use datafusion::functions_nested::repeat::array_repeat_udf;
use datafusion::functions_nested::resize::array_resize_udf;
use datafusion::functions_nested::string::array_to_string_udf;
use quarry_runtime::check_free;
use quarry_types::byte_columns::memory_of;

use super::null_lists::of_null_lists;
use super::null_propagation::null_where_any_is;
use super::overload::{When, overloaded};
use super::wrapper::{Wrapper, wrapped};
use crate::bytes::bytearray::{bytearray_lpad, bytearray_rpad};
use crate::prelude::*;

/// The most bytes or items that one call makes of one batch of rows.
const MAX_MADE: i128 = 64 << 20;
/// The same for functions that only combine existing values.
const MAX_COMBINED: i128 = 512 << 20;
/// The most steps of work of one call, a second or two.
const MAX_STEPS: i128 = 1 << 30;
/// Arguments with fewer bytes are not measured row by row.
const SMALL: usize = 1 << 20;

/// How the size of a result follows from the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    /// The first argument as often as the second says.
    Times,
    /// As long as the second argument says.
    Length,
    /// As wide as the second argument says, where a negative width is none.
    Width,
    /// From the first to the second argument in steps of the third.
    Steps,
    /// The first argument with the third in each place of the second.
    Replaced,
    /// The items of the first argument with the second between them.
    Joined,
    /// A step of work for each pair of letters or items of two arguments; the result is small.
    Pairs,
    /// All arguments, one behind the other.
    Total,
}

fn bounded(builtin: Arc<ScalarUDF>, growth: Growth) -> ScalarUDF {
    wrapped(builtin, Bounded { growth })
}

pub(crate) fn udfs() -> Vec<ScalarUDF> {
    let functions = [
        (array_resize_udf(), Growth::Length),
        (array_to_string_udf(), Growth::Joined),
        (array_has_all_udf(), Growth::Pairs),
        (gen_series_udf(), Growth::Steps),
        (range_udf(), Growth::Steps),
        (array_repeat(), Growth::Times),
    ];
    // `repeat(text, times)` is a text in most products; `repeat(element, times)` of anything else is a list, as in Trino.
    let repeat = overloaded(
        bounded(string::repeat(), Growth::Times),
        When::FirstIsNoText,
        Arc::new(bounded(array_repeat(), Growth::Times)),
    );
    functions.into_iter().map(|(builtin, growth)| bounded(builtin, growth)).chain([repeat]).collect()
}

/// `array_repeat` of lists, of which some are null.
fn array_repeat() -> Arc<ScalarUDF> {
    Arc::new(of_null_lists(array_repeat_udf()))
}

/// `lpad` and `rpad`, of texts and of bytes.
pub(crate) fn pads() -> [(ScalarUDF, Arc<ScalarUDF>); 2] {
    let text = |builtin| bounded(builtin, Growth::Width);
    [(text(unicode::lpad()), bytearray_lpad()), (text(unicode::rpad()), bytearray_rpad())]
}

pub(crate) fn replace() -> Arc<ScalarUDF> {
    Arc::new(bounded(string::replace(), Growth::Replaced))
}

pub(crate) fn levenshtein() -> ScalarUDF {
    bounded(string::levenshtein(), Growth::Pairs)
}

pub(crate) fn concat() -> Arc<ScalarUDF> {
    Arc::new(bounded(string::concat(), Growth::Total))
}

pub(crate) fn array_concat() -> Arc<ScalarUDF> {
    shared!(bounded(array_concat_udf(), Growth::Total))
}

/// Bytes of all arguments of a call together; below [`SMALL`] an upper bound.
pub(crate) fn total_bytes(args: &ScalarFunctionArgs) -> Result<usize> {
    let rows = args.number_rows;
    let at_most = |arg: &ColumnarValue| match arg {
        ColumnarValue::Array(array) => array.get_array_memory_size(),
        ColumnarValue::Scalar(value) => value.size().saturating_mul(rows),
    };
    let at_most = args.args.iter().map(at_most).fold(0, usize::saturating_add);
    if at_most < SMALL {
        return Ok(at_most);
    }
    let columns = args.args.iter().map(Column::new).collect::<Result<Vec<Column>>>()?;
    let sizes = |column: &Column| {
        let sizes = column.sizes();
        (0..rows).map(sizes).sum::<i128>()
    };
    Ok(usize::try_from(columns.iter().map(sizes).sum::<i128>()).unwrap_or(usize::MAX))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    growth: Growth,
}

impl Bounded {
    fn check(&self, name: &str, args: &ScalarFunctionArgs) -> Result<()> {
        if let (Growth::Length, Some(length)) = (self.growth, args.args.get(1))
            && integers(&length.to_array(args.number_rows)?).iter().any(|length| *length < 0)
        {
            return Err(invalid(format!("{name} expects a length of 0 or more.")));
        }
        let size = self.size(args)?;
        if size <= self.limit() {
            let bytes = if self.growth == Growth::Pairs { 0 } else { usize::try_from(size).unwrap_or(usize::MAX) };
            return Ok(check_free(bytes)?);
        }
        let message = match self.growth {
            Growth::Pairs => format!("{name} would take more than {} steps at once.", self.limit()),
            _ => format!("{name} would produce more than {} bytes or items at once.", self.limit()),
        };
        Err(refuse(ErrorCode::TooComplex, message))
    }

    fn limit(&self) -> i128 {
        match self.growth {
            Growth::Pairs => MAX_STEPS,
            Growth::Total | Growth::Replaced => MAX_COMBINED,
            _ => MAX_MADE,
        }
    }

    fn size(&self, args: &ScalarFunctionArgs) -> Result<i128> {
        if self.growth == Growth::Total {
            return Ok(i128::try_from(total_bytes(args)?).unwrap_or(i128::MAX));
        }
        let columns = args.args.iter().map(Column::new).collect::<Result<Vec<Column>>>()?;
        let rows = args.number_rows;
        let sizes = |index: usize| columns[index].sizes();
        let sum = |size: &dyn Fn(usize) -> i128| (0..rows).map(size).sum();
        Ok(match (self.growth, columns.as_slice()) {
            (Growth::Times, [_, times, ..]) => {
                let (each, times) = (sizes(0), times.numbers());
                sum(&|row| each(row) * times(row).max(0))
            }
            (Growth::Length, [_, count, value @ ..]) => {
                let (each, count) = (value.first().map(Column::sizes), count.numbers());
                sum(&|row| each.as_ref().map_or(1, |each| each(row)) * count(row).max(0))
            }
            (Growth::Width, [_, count, ..]) => {
                let count = count.numbers();
                sum(&|row| count(row).max(0))
            }
            (Growth::Steps, [only]) => {
                let last = only.numbers();
                sum(&|row| last(row).abs())
            }
            (Growth::Steps, [..]) => {
                let arrays = ColumnarValue::values_to_arrays(&args.args)?;
                steps(&arrays[0], &arrays[1], arrays.get(2))
            }
            (Growth::Replaced, [_, _, _, ..]) => {
                let (text, part, to) = (sizes(0), sizes(1), sizes(2));
                let longest = sum(&|row| text(row) + (text(row) + 1) / part(row).max(1) * to(row));
                // Counted only where there may be too many places.
                if longest <= self.limit() {
                    return Ok(longest);
                }
                let places = places(&columns[0], &columns[1], rows)?;
                sum(&|row| text(row) + places[row] * to(row))
            }
            (Growth::Joined, [_, _, ..]) => {
                let (items, between) = (columns[0].counts(), sizes(1));
                let all_items = sizes(0);
                sum(&|row| all_items(row) + items(row) * between(row))
            }
            (Growth::Pairs, [left, right, ..]) => {
                let (left, right) = (left.counts(), right.counts());
                sum(&|row| left(row) * right(row))
            }
            _ => 0,
        })
    }
}

/// How often the text of each row has the part.
fn places(text: &Column, part: &Column, rows: usize) -> Result<Vec<i128>> {
    let (texts, parts) = (text_of(&text.array)?, text_of(&part.array)?);
    let row = |column: &Column, row: usize| if column.is_constant { 0 } else { row };
    let count = |at: usize| match (texts[row(text, at)], parts[row(part, at)]) {
        (Some(text), Some(part)) => text.matches(part).count() as i128,
        _ => 0,
    };
    Ok((0..rows).map(count).collect())
}

/// A number for each row.
type PerRow<'a> = Box<dyn Fn(usize) -> i128 + 'a>;

/// An argument: a row for each of the call, or a constant.
struct Column {
    array: ArrayRef,
    is_constant: bool,
}

impl Column {
    fn new(arg: &ColumnarValue) -> Result<Column> {
        Ok(match arg {
            ColumnarValue::Array(array) => Column { array: array.clone(), is_constant: false },
            ColumnarValue::Scalar(value) => Column { array: value.to_array()?, is_constant: true },
        })
    }

    fn per_row(&self, values: Vec<i128>) -> PerRow<'_> {
        match self.is_constant {
            true => Box::new(move |_| values.first().copied().unwrap_or_default()),
            false => Box::new(move |row| values.get(row).copied().unwrap_or_default()),
        }
    }

    fn numbers(&self) -> PerRow<'_> {
        self.per_row(integers(&self.array))
    }

    /// Bytes of a text, or of the items of a list; anything else counts as one.
    fn sizes(&self) -> PerRow<'_> {
        let kind = self.array.data_type();
        match is_text(kind) || is_bytes(kind) || kind.is_nested() {
            true => self.per_row(bytes(&self.array)),
            false => self.per_row(vec![1; self.array.len()]),
        }
    }

    /// Letters of a text or items of a list.
    fn counts(&self) -> PerRow<'_> {
        match self.array.as_list_opt::<i32>() {
            Some(lists) => self.per_row((0..lists.len()).map(|row| lists.value_length(row).into()).collect()),
            None => self.sizes(),
        }
    }
}

/// Bytes of each row of a column; of a list or a struct, the sum of its values.
fn bytes(array: &ArrayRef) -> Vec<i128> {
    let rows = array.len();
    let length = |length: usize| i128::try_from(length).unwrap_or(i128::MAX);
    match array.data_type() {
        kind if is_text(kind) => {
            let texts = text_of(array).unwrap_or_default();
            texts.into_iter().map(|text| length(text.map_or(0, str::len))).collect()
        }
        kind if is_bytes(kind) => {
            let values = memory_of(array).unwrap_or_default();
            values.into_iter().map(|value| length(value.map_or(0, <[u8]>::len))).collect()
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            item_bytes(lists.value_offsets(), lists.values())
        }
        DataType::Map(..) => {
            let maps = array.as_map();
            let entries: ArrayRef = Arc::new(maps.entries().clone());
            item_bytes(maps.value_offsets(), &entries)
        }
        DataType::Struct(_) => {
            let columns: Vec<Vec<i128>> = array.as_struct().columns().iter().map(bytes).collect();
            (0..rows).map(|row| columns.iter().map(|column| column[row]).sum()).collect()
        }
        kind => match kind.primitive_width() {
            Some(width) => vec![length(width); rows],
            // Rare types: the average of all rows.
            None => vec![length(array.get_array_memory_size() / rows.max(1)); rows],
        },
    }
}

/// The bytes of the items between each two offsets.
fn item_bytes(offsets: &[i32], items: &ArrayRef) -> Vec<i128> {
    let mut sums = vec![0];
    for item in bytes(items) {
        sums.push(sums[sums.len() - 1] + item);
    }
    let before = |offset: i32| usize::try_from(offset).ok().and_then(|offset| sums.get(offset)).copied().unwrap_or(0);
    offsets.windows(2).map(|ends| before(ends[1]) - before(ends[0])).collect()
}

/// The integer of each row; zero for nulls and for what is no number.
fn integers(array: &ArrayRef) -> Vec<i128> {
    match cast(array, &DataType::Int64) {
        Ok(numbers) => {
            numbers.as_primitive::<Int64Type>().iter().map(|number| number.unwrap_or_default().into()).collect()
        }
        Err(_) => vec![0; array.len()],
    }
}

/// The numbers, zero in place of negative ones. Arrays of other types stay as they are.
fn not_negative(widths: &ArrayRef) -> ArrayRef {
    match widths.as_primitive_opt::<Int64Type>() {
        Some(numbers) => Arc::new(numbers.unary::<_, Int64Type>(|number| number.max(0))),
        None => widths.clone(),
    }
}

/// Items between two ends, of numbers or of times.
fn steps(first: &ArrayRef, last: &ArrayRef, step: Option<&ArrayRef>) -> i128 {
    let micros = |array: &ArrayRef| {
        let zone = match array.data_type() {
            DataType::Timestamp(_, zone) => zone.clone(),
            _ => None,
        };
        let times = cast(array, &DataType::Timestamp(TimeUnit::Microsecond, zone));
        times.map_or_else(|_| vec![0; array.len()], |times| integers(&times))
    };
    let length = |step: IntervalMonthDayNano| {
        let days = i128::from(step.months) * 28 + i128::from(step.days);
        days * 86_400_000_000 + i128::from(step.nanoseconds) / 1_000
    };
    let interval = step.filter(|step| matches!(step.data_type(), DataType::Interval(_)));
    let (first, last, step) = match interval {
        None => (integers(first), integers(last), step.map(integers)),
        Some(step) => {
            let lengths = match cast(step, &DataType::Interval(IntervalUnit::MonthDayNano)) {
                Err(_) => vec![0; step.len()],
                Ok(steps) => {
                    let steps = steps.as_primitive::<IntervalMonthDayNanoType>().iter();
                    steps.map(|step| step.map_or(0, length)).collect()
                }
            };
            (micros(first), micros(last), Some(lengths))
        }
    };
    let rows = first.into_iter().zip(last).enumerate();
    rows.map(|(row, (first, last))| {
        let step = step.as_ref().and_then(|steps| steps.get(row)).copied().unwrap_or(1);
        // The built-in function refuses a step of zero itself.
        (last - first).checked_div(step).unwrap_or(0).max(0)
    })
    .sum()
}

impl Wrapper for Bounded {
    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.check(builtin.name(), &args)?;
        if self.growth == Growth::Pairs {
            return null_where_any_is(args, |args| builtin.invoke_with_args(args));
        }
        if let (Growth::Width, Some(width)) = (self.growth, args.args.get_mut(1)) {
            // The built-in functions reserve the sum of all widths, and a negative one overflows it.
            *width = ColumnarValue::Array(not_negative(&width.to_array(args.number_rows)?));
        }
        builtin.invoke_with_args(args)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::ListArray;
    use arrow::buffer::OffsetBuffer;

    use super::*;

    #[test]
    fn bytes_of_a_row_are_those_of_its_values() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("bcd"), Some("efgh")]));
        let field = Arc::new(Field::new_list_field(DataType::Utf8, true));
        let offsets = OffsetBuffer::from_lengths([3, 0, 1]);
        let lists: ArrayRef = Arc::new(ListArray::new(field, offsets, texts, None));
        assert_eq!(bytes(&lists), [4, 0, 4]);
        assert_eq!(bytes(&lists.slice(1, 2)), [0, 4]);
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        assert_eq!(bytes(&numbers), [8, 8]);
    }
}
