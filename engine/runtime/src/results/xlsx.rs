//! Excel workbooks. Numbers that a double holds exactly are numbers, all others are text; no cell is a formula. A new sheet starts
//! after the last row that Excel allows.

use std::io::Write;

use arrow::datatypes::Field;
use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};
use serde_json::Value;

use super::StoredResult;
use quarry_types::cell;
use quarry_types::uint256::is_uint256;
use quarry_types::{Error, Result};

/// Rows of a sheet, including the header.
const ROWS: u32 = 1_048_576;
/// Columns of a sheet.
const COLUMNS: usize = 16_384;
/// Characters of a cell.
const CHARACTERS: usize = 32_767;
/// Largest integer that a double holds exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Digits that a double always holds.
const DIGITS: usize = 15;

/// Writes a whole result. Rows are buffered on disk and written at the end, so `is_gone` is checked before each batch.
fn write(result: &StoredResult, rows_per_sheet: u32, out: impl Write + Send, is_gone: impl Fn() -> bool) -> Result<()> {
    let schema = result.schema()?;
    if schema.fields().len() > COLUMNS {
        let message = format!("An Excel sheet has at most {COLUMNS} columns; CSV has no limit.");
        return Err(Error::new(quarry_types::ErrorCode::ResultLimit, message));
    }
    let mut workbook = Workbook::new();
    let mut batches = result.batches()?.peekable();
    let mut pending = None;
    loop {
        let sheet = workbook.add_worksheet_with_constant_memory().map_err(Error::internal)?;
        for (column, field) in schema.fields().iter().enumerate() {
            write_text(sheet, 0, column as u16, field.name()).map_err(Error::internal)?;
        }
        let mut row = 1;
        while let Some((batch, first)) = match pending.take() {
            Some(pending) => Some(pending),
            None if is_gone() => return Ok(()),
            None => batches.next().transpose()?.map(|batch| (batch, 0)),
        } {
            let room = (rows_per_sheet - row) as usize;
            let last = batch.num_rows().min(first + room);
            for index in first..last {
                for (column, (values, field)) in batch.columns().iter().zip(schema.fields()).enumerate() {
                    let value = cell::value(values, field, index);
                    write_cell(sheet, row, column as u16, value, field).map_err(Error::internal)?;
                }
                row += 1;
            }
            if last < batch.num_rows() {
                pending = Some((batch, last));
                break;
            }
        }
        if pending.is_none() && batches.peek().is_none() {
            break;
        }
    }
    workbook.save_to_writer(out).map_err(Error::internal)
}

/// The same with the rows of an Excel sheet.
pub(super) fn export(result: &StoredResult, out: impl Write + Send, is_gone: impl Fn() -> bool) -> Result<()> {
    write(result, ROWS, out, is_gone)
}

fn write_cell(sheet: &mut Worksheet, row: u32, column: u16, value: Value, field: &Field) -> Result<(), XlsxError> {
    match value {
        Value::Null => Ok(()),
        Value::Bool(value) => sheet.write_boolean(row, column, value).map(|_| ()),
        Value::Number(number) => match number.as_f64() {
            Some(number) => sheet.write_number(row, column, number).map(|_| ()),
            None => write_text(sheet, row, column, &number.to_string()),
        },
        Value::String(value) => match exact(&value, field) {
            Some(number) => sheet.write_number(row, column, number).map(|_| ()),
            None => write_text(sheet, row, column, &value),
        },
        // Lists and structs are JSON inside the cell.
        other => write_text(sheet, row, column, &other.to_string()),
    }
}

/// Writes text, never as a formula. Text that is too long is cut and ends with an ellipsis.
fn write_text(sheet: &mut Worksheet, row: u32, column: u16, value: &str) -> Result<(), XlsxError> {
    let units = value.encode_utf16().count();
    if units <= CHARACTERS {
        return sheet.write_string(row, column, value).map(|_| ());
    }
    let mut left = CHARACTERS - 1;
    let kept = value.chars().take_while(|c| {
        let fits = c.len_utf16() <= left;
        left -= c.len_utf16().min(left);
        fits
    });
    sheet.write_string(row, column, kept.chain(['…']).collect::<String>()).map(|_| ())
}

/// The number if a double holds it exactly.
fn exact(digits: &str, field: &Field) -> Option<f64> {
    let numeric = field.data_type().is_integer() || field.data_type().is_decimal() || is_uint256(field);
    if !numeric {
        return None;
    }
    let number: f64 = digits.parse().ok()?;
    let significant = digits.bytes().filter(u8::is_ascii_digit).count();
    // 9007199254740993 reads as the double before it, so equality is not enough.
    let whole = !digits.contains('.') && number.abs() <= EXACT && format!("{number:.0}") == digits;
    (whole || significant <= DIGITS).then_some(number)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array};
    use arrow::datatypes::{DataType, Schema};
    use arrow::record_batch::RecordBatch;

    use super::super::{ResultLimits, ResultStore};
    use super::*;

    /// Number of sheets, by the uncompressed names of the files in the workbook.
    fn sheets(workbook: &[u8]) -> usize {
        let has = |number: usize| {
            let name = format!("xl/worksheets/sheet{number}.xml");
            workbook.windows(name.len()).any(|window| window == name.as_bytes())
        };
        (1..).take_while(|number| has(*number)).count()
    }

    #[test]
    fn full_sheets_continue_on_a_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let store = ResultStore::open(dir.path()).unwrap();
        let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, true)]));
        let limits = ResultLimits { rows: 100, bytes: 1 << 20 };
        for (id, rows, wanted) in [("none", 0, 1), ("one", 2, 1), ("two", 3, 2), ("full", 4, 2), ("three", 5, 3)] {
            let mut writer = store.writer(id, &schema, limits).unwrap();
            let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows));
            writer.write(RecordBatch::try_new(schema.clone(), vec![numbers]).unwrap()).unwrap();
            writer.finish().unwrap();
            let mut workbook = Vec::new();
            // Two rows and the header.
            write(&store.get(id).unwrap(), 3, &mut workbook, || false).unwrap();
            assert_eq!(sheets(&workbook), wanted, "{rows} rows");
        }
        // The receiver leaves after the first batch.
        let asked = std::cell::Cell::new(0);
        let leaves = || asked.replace(asked.get() + 1) > 0;
        let mut workbook = Vec::new();
        write(&store.get("three").unwrap(), 3, &mut workbook, leaves).unwrap();
        assert_eq!((workbook.len(), asked.get()), (0, 2));
    }

    #[test]
    fn only_exact_doubles_are_numbers() {
        let whole = Field::new("n", DataType::Int64, true);
        let decimal = Field::new("n", DataType::Decimal128(38, 18), true);
        let word = Field::new("n", DataType::Utf8, true);
        assert_eq!(exact("9007199254740992", &whole), Some(EXACT));
        assert_eq!(exact("9007199254740993", &whole), None);
        assert_eq!(exact("-42", &whole), Some(-42.0));
        assert_eq!(exact("1.5", &decimal), Some(1.5));
        assert_eq!(exact("0.000000000000000001", &decimal), None);
        assert_eq!(exact("5", &word), None);
    }
}
