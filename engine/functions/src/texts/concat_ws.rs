//! `concat_ws(separator, …)` of texts and lists of texts.

use crate::prelude::*;

/// The most bytes that one call makes of one batch of rows.
const MAX_BYTES: usize = 512 << 20;

pub(crate) fn udf() -> Arc<ScalarUDF> {
    Arc::new(scalar_udf("concat_ws", 1..=MANY, returns(DataType::Utf8), |args, _| concat_ws(args)))
}

fn concat_ws(args: &[ArrayRef]) -> Result<ArrayRef> {
    let texts = |array: &ArrayRef| match array.data_type() {
        DataType::List(_) => strict_cast(array, &DataType::new_list(DataType::Utf8, true)),
        _ => strict_cast(array, &DataType::Utf8),
    };
    let columns = args[1..].iter().map(texts).collect::<std::result::Result<Vec<ArrayRef>, _>>()?;
    let separators = strict_cast(&args[0], &DataType::Utf8)?;
    let mut total = 0;
    let rows = separators.as_string::<i32>().iter().enumerate().map(|(row, separator)| Some((row, separator?)));
    map_rows::<StringArray, _, _>(rows, |(row, separator)| {
        let (mut text, mut first) = (String::new(), true);
        let mut add = |part: &str| {
            text.push_str(if first { "" } else { separator });
            text.push_str(part);
            first = false;
            total += separator.len() + part.len();
            match total > MAX_BYTES {
                true => {
                    let message = format!("concat_ws would produce more than {MAX_BYTES} bytes at once.");
                    Err(refuse(ErrorCode::TooComplex, message))
                }
                false => Ok(()),
            }
        };
        for column in columns.iter().filter(|column| column.is_valid(row)) {
            match column.as_list_opt::<i32>() {
                Some(lists) => lists.value(row).as_string::<i32>().iter().flatten().try_for_each(&mut add)?,
                None => add(column.as_string::<i32>().value(row))?,
            }
        }
        Ok(text)
    })
}
