//! Parts of lists: `combinations`, `ngrams`, `slice`, `trim_array`, and `contains_sequence`, which looks for one.

use std::ops::Range;

use arrow::array::{ListArray, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::common::utils::normalize_float_zero_scalar;

use super::build::{ListRows, item_range, list_array, list_field, list_item};
use crate::prelude::*;

/// The longest combinations, and the most of one list, as in Trino.
const MAX_LENGTH: i64 = 5;
const MAX_COMBINATIONS: usize = 100_000;
/// Most items of the answers for one batch of rows.
const MAX_ITEMS: usize = 16 << 20;

const COMBINATIONS_DOC: Doc = Doc {
    signature: "combinations(list, length)",
    text: "All combinations of the given number of elements (at most 5) of a list, each in the order of the list.",
    example: "select combinations(['a', 'b', 'c'], 2)",
};
const NGRAMS_DOC: Doc = Doc {
    signature: "ngrams(list, length)",
    text: "All n-grams of a list: its runs of the given number of consecutive elements, or the whole list if it is shorter.",
    example: "select ngrams(['approve', 'swap', 'transfer'], 2)",
};
const TRIM_DOC: Doc = Doc {
    signature: "trim_array(list, count)",
    text: "A list without the given number of elements at its end.",
    example: "select trim_array([1, 2, 3], 1)",
};
const SEQUENCE_DOC: Doc = Doc {
    signature: "contains_sequence(list, sequence)",
    text: "Whether the elements of the second list occur in the first one consecutively and in the same order.",
    example: "select contains_sequence([1, 2, 3, 4], [2, 3])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        SEQUENCE_DOC.udf(2..=2, two_lists, |args, _| contains_sequence(args)),
        COMBINATIONS_DOC.udf(2..=2, lists_of_lists, |args, to| sublists(args, to, combinations)),
        NGRAMS_DOC.udf(2..=2, lists_of_lists, |args, to| sublists(args, to, ngrams)),
        doc(
            "slice(list, first, length)",
            "A slice of a list; positions start at 1, and negative ones count from the end.",
            "select slice([10, 20, 30, 40], 2, 2)",
        )
        .fallible()
        .udf(3..=3, list_and_numbers, |args, _| slices(args)),
        TRIM_DOC.udf(2..=2, list_and_numbers, |args, _| trim(args)),
    ]
}

/// The field of a call that takes a list and whole numbers: that of the list.
fn list_and_numbers(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(list_and_number(args)?.clone())
}

/// The list of a call that takes one and whole numbers.
fn list_and_number<'a>(args: &'a ReturnFieldArgs) -> Result<&'a FieldRef> {
    let (list, numbers) = (&args.arg_fields[0], &args.arg_fields[1..]);
    let is_whole = |number: &FieldRef| number.data_type().is_integer() || number.data_type().is_null();
    match (list.data_type(), numbers.iter().all(is_whole)) {
        (DataType::List(_) | DataType::Null, true) => Ok(list),
        _ => Err(invalid("Expected a list and an integer here.")),
    }
}

fn two_lists(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.iter().all(|field| matches!(field.data_type(), DataType::List(_) | DataType::Null)) {
        true => Ok(Arc::new(Field::new("contains", DataType::Boolean, true))),
        false => Err(invalid("Expected two lists here.")),
    }
}

fn contains_sequence(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (Some(lists), Some(sequences)) = (args[0].as_list_opt::<i32>(), args[1].as_list_opt::<i32>()) else {
        return Ok(new_null_array(&DataType::Boolean, args[0].len()));
    };
    let to = lists.value_type();
    let items = |lists: &ListArray, row: usize| {
        let items = lists.value(row);
        let item = |index| normalize_float_zero_scalar(ScalarValue::try_from_array(&items, index)?).cast_to(&to);
        (0..items.len()).map(item).collect::<Result<Vec<ScalarValue>>>()
    };
    let contains = |row: usize| {
        if lists.is_null(row) || sequences.is_null(row) {
            return Ok(None);
        }
        let (items, sequence) = (items(lists, row)?, items(sequences, row)?);
        Ok(Some(sequence.is_empty() || items.windows(sequence.len()).any(|window| window == sequence)))
    };
    Ok(Arc::new((0..lists.len()).map(contains).collect::<Result<BooleanArray>>()?))
}

fn lists_of_lists(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let list = list_and_number(args)?.data_type();
    let inner = if list.is_null() { DataType::new_list(DataType::Null, true) } else { list.clone() };
    Ok(list_field("pieces", inner))
}

fn too_many_items() -> DataFusionError {
    refuse(ErrorCode::TooComplex, format!("This would create more than {MAX_ITEMS} items at once."))
}

/// Lists of parts of each list; `parts` makes the positions of their items from the length of the list and the number.
fn sublists(args: &[ArrayRef], to: &FieldRef, parts: fn(usize, i64) -> Result<Vec<Vec<usize>>>) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else {
        return Ok(new_null_array(to.data_type(), args[0].len()));
    };
    let numbers = int64s(&args[1])?;
    let (mut inner, mut lengths, mut valid) = (ListRows::default(), Vec::new(), Vec::with_capacity(lists.len()));
    for row in 0..lists.len() {
        valid.push(lists.is_valid(row) && numbers.is_valid(row));
        let items = item_range(lists, row);
        let parts = if valid[row] { parts(items.len(), numbers.value(row))? } else { Vec::new() };
        lengths.push(parts.len());
        for part in parts {
            inner.push(part.into_iter().map(|position| items.start + position as u32));
            if inner.rows.len() > MAX_ITEMS {
                return Err(too_many_items());
            }
        }
    }
    let inner = inner.finish(list_item(to.data_type())?.data_type(), lists.values())?;
    list_array(to.data_type(), OffsetBuffer::from_lengths(lengths), inner, Some(NullBuffer::from(valid)))
}

fn combinations(count: usize, length: i64) -> Result<Vec<Vec<usize>>> {
    let length = match length {
        0..=MAX_LENGTH => length as usize,
        _ => return Err(invalid(format!("A combination can have 0 to {MAX_LENGTH} items."))),
    };
    let mut all = Vec::new();
    let mut positions: Vec<usize> = (0..length).collect();
    if length > count {
        return Ok(all);
    }
    loop {
        if all.len() == MAX_COMBINATIONS {
            return Err(refuse(
                ErrorCode::TooComplex,
                format!("A list has more than {MAX_COMBINATIONS} combinations."),
            ));
        }
        all.push(positions.clone());
        // Advances the last position that can be, and lets the ones after it follow directly.
        let Some(moved) = (0..length).rev().find(|index| positions[*index] < count - length + index) else {
            return Ok(all);
        };
        let first = positions[moved] + 1;
        positions.truncate(moved);
        positions.extend(first..first + length - moved);
    }
}

fn ngrams(count: usize, length: i64) -> Result<Vec<Vec<usize>>> {
    let length = usize::try_from(length).ok().filter(|length| *length > 0);
    let length = length.ok_or_else(|| invalid("The length of ngrams must be greater than 0."))?.min(count);
    // Refused before they are made: the n-grams of a list repeat its items.
    if (count - length + 1).saturating_mul(length) > MAX_ITEMS {
        return Err(too_many_items());
    }
    Ok((0..=count - length).map(|first| (first..first + length).collect()).collect())
}

fn slices(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else { return Ok(args[0].clone()) };
    let (firsts, lengths) = (int64s(&args[1])?, int64s(&args[2])?);
    let mut slices = ListRows::default();
    for row in 0..lists.len() {
        if lists.is_null(row) || firsts.is_null(row) || lengths.is_null(row) {
            slices.push_null();
            continue;
        }
        slices.push(slice(item_range(lists, row), firsts.value(row), lengths.value(row))?);
    }
    slices.finish(args[0].data_type(), lists.values())
}

/// The items of a slice of these; none where it starts outside of the list, as in Trino.
fn slice(items: Range<u32>, first: i64, length: i64) -> Result<Range<u32>> {
    if length < 0 {
        return Err(invalid("slice expects a length of 0 or more."));
    }
    let (start, end) = (i64::from(items.start), i64::from(items.end));
    let from = match first {
        0 => return Err(invalid("List indexes start at 1.")),
        1.. => start.saturating_add(first - 1),
        _ => end.saturating_add(first),
    };
    if !(start..end).contains(&from) {
        return Ok(items.start..items.start);
    }
    Ok(from as u32..from.saturating_add(length).min(end) as u32)
}

fn trim(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else { return Ok(args[0].clone()) };
    let counts = int64s(&args[1])?;
    let mut trimmed = ListRows::default();
    for row in 0..lists.len() {
        if lists.is_null(row) || counts.is_null(row) {
            trimmed.push_null();
            continue;
        }
        let (items, count) = (item_range(lists, row), counts.value(row));
        let end =
            u32::try_from(count).ok().and_then(|count| items.end.checked_sub(count)).filter(|end| *end >= items.start);
        let end =
            end.ok_or_else(|| invalid(format!("A list of {} items can't be trimmed by {count}.", items.len())))?;
        trimmed.push(items.start..end);
    }
    trimmed.finish(args[0].data_type(), lists.values())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_inside_of_the_list() {
        for (first, length, wanted) in [
            (1, 2, 5..7),
            (2, 9, 6..9),
            (5, 1, 5..5),
            (-5, 2, 5..5),
            (-4, 2, 5..7),
            (-1, 9, 8..9),
            (2, 0, 6..6),
            (i64::MAX, i64::MAX, 5..5),
            (i64::MIN, i64::MAX, 5..5),
            (4, i64::MAX, 8..9),
        ] {
            assert_eq!(slice(5..9, first, length).unwrap(), wanted, "{first}, {length}");
        }
        assert!(slice(5..9, 0, 1).is_err() && slice(5..9, 1, -1).is_err());
    }

    #[test]
    fn positions_of_combinations_and_ngrams() {
        assert_eq!(combinations(3, 2).unwrap(), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(combinations(4, 4).unwrap(), [vec![0, 1, 2, 3]]);
        assert_eq!(combinations(2, 0).unwrap(), [Vec::<usize>::new()]);
        assert_eq!(combinations(9, 5).unwrap().len(), 126);
        assert!(combinations(1, 2).unwrap().is_empty());
        assert!(combinations(9, 6).is_err() && combinations(9, -1).is_err() && combinations(200, 5).is_err());
        assert_eq!(ngrams(3, 2).unwrap(), [vec![0, 1], vec![1, 2]]);
        assert_eq!(ngrams(2, 9).unwrap(), [vec![0, 1]]);
        assert_eq!(ngrams(0, 1).unwrap(), [Vec::<usize>::new()]);
        assert!(ngrams(3, 0).is_err() && ngrams(100_000, 50_000).is_err());
    }
}
