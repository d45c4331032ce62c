//! The cast of Arrow, with null for what does not fit.

use arrow::array::ArrayRef;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::DataType;
use arrow::util::display::FormatOptions;
use datafusion::common::Result;

use super::types;
use quarry_types::invalid;

pub(super) fn arrow_cast(array: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: true, format_options: FormatOptions::default() };
    cast_with_options(array, to, &options)
        .map_err(|_| invalid(format!("{} can't be cast to {}.", types::name(array.data_type()), types::name(to))))
}
