//! `array_insert(array, place, item)`: the array with one item more, as in Spark.

use arrow::array::new_null_array;
use arrow::compute::concat;

use super::cast;
use super::constructors::common_type_of;
use crate::lists::build::{ListRows, item_range, list_field, list_item};
use crate::prelude::*;

/// Most items of all arrays of one batch of rows: the gap before a place far after the end is filled with nulls.
const MAX_ITEMS: i64 = 16 << 20;

pub(super) fn udf() -> ScalarUDF {
    scalar_udf("array_insert", 3..=3, array_field, insert)
}

fn array_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let null_item = Arc::new(Field::new_list_field(DataType::Null, true));
    let item = match args.arg_fields[0].data_type() {
        DataType::List(item) => item,
        DataType::Null => &null_item,
        _ => return Err(invalid("array_insert expects an array, an index and an item.")),
    };
    let place = args.arg_fields[1].data_type();
    if !place.is_integer() && !place.is_null() {
        return Err(invalid("An array index must be an integer."));
    }
    let common = common_type_of([item, &args.arg_fields[2]].into_iter())?;
    Ok(list_field("array", common.unwrap_or(DataType::Null)))
}

fn insert(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let item_type = list_item(to.data_type())?.data_type();
    let places = cast::to_type(&arrays[1], &DataType::Int64)?;
    let places = places.as_primitive::<Int64Type>();
    let Some(lists) = arrays[0].as_list_opt::<i32>() else {
        return Ok(new_null_array(to.data_type(), arrays[0].len()));
    };
    let items = cast::to_type(lists.values(), item_type)?;
    let new = cast::to_type(&arrays[2], item_type)?;
    let column = concat(&[items.as_ref(), new.as_ref(), new_null_array(item_type, 1).as_ref()])?;
    let (first_new, null) = (items.len() as u32, column.len() as u32 - 1);
    let (mut longer, mut count) = (ListRows::default(), 0_i64);
    for row in 0..lists.len() {
        if lists.is_null(row) || places.is_null(row) {
            longer.push_null();
            continue;
        }
        let old = item_range(lists, row);
        let Place { at, nulls_before, nulls_after } = Place::new(places.value(row), old.len() as i64)?;
        count = count.saturating_add(old.len() as i64 + nulls_before + nulls_after + 1);
        if count > MAX_ITEMS {
            return Err(refuse(ErrorCode::TooComplex, "array_insert would create arrays that are too long."));
        }
        let nulls = |count: i64| std::iter::repeat_n(null, count as usize);
        let inserted = nulls(nulls_before).chain([first_new + row as u32]).chain(nulls(nulls_after));
        let split = old.start + at as u32;
        longer.push((old.start..split).chain(inserted).chain(split..old.end));
    }
    longer.finish(to.data_type(), &column)
}

/// The place of a new item: the number of items before it, and the nulls that fill a gap before or after it.
struct Place {
    at: i64,
    nulls_before: i64,
    nulls_after: i64,
}

impl Place {
    /// Places are counted from 1, or below zero from the end, where -1 is after the last item.
    fn new(place: i64, count: i64) -> Result<Place> {
        let within = |at| Place { at, nulls_before: 0, nulls_after: 0 };
        Ok(match place {
            0 => return Err(invalid("Array indexes start at 1, or at -1 from the end.")),
            1.. if place - 1 <= count => within(place - 1),
            1.. => Place { at: count, nulls_before: (place - 1 - count).min(MAX_ITEMS), nulls_after: 0 },
            below if below.saturating_neg() <= count + 1 => within(count + 1 + below),
            below => Place { at: 0, nulls_before: 0, nulls_after: (below.saturating_neg() - count - 1).min(MAX_ITEMS) },
        })
    }
}
