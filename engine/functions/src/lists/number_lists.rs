//! Stock functions of lists of numbers, which take lists of anything and fail while they run.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::functions_nested::array_add::array_add_udf;
use datafusion::functions_nested::array_normalize::array_normalize_udf;
use datafusion::functions_nested::array_product::array_product_udf;
use datafusion::functions_nested::array_scale::array_scale_udf;
use datafusion::functions_nested::array_subtract::array_subtract_udf;
use datafusion::functions_nested::distance::array_distance_udf;
use datafusion::functions_nested::inner_product::inner_product_udf;
use datafusion::logical_expr::ScalarUDF;

use crate::stock::adapt::coerced;
use crate::stock::wrapped::{Wrapper, wrapped};
use quarry_types::invalid;

pub(crate) fn udfs() -> Vec<ScalarUDF> {
    let stock = [
        array_add_udf(),
        array_normalize_udf(),
        array_product_udf(),
        array_scale_udf(),
        array_subtract_udf(),
        inner_product_udf(),
    ];
    let distance = OfNumbers { stock: array_distance_udf(), aliases: vec!["euclidean_distance".to_string()] };
    let plain = stock.into_iter().map(|stock| OfNumbers { aliases: stock.aliases().to_vec(), stock });
    plain.chain([distance]).map(wrapped).collect()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct OfNumbers {
    stock: Arc<ScalarUDF>,
    aliases: Vec<String>,
}

impl Wrapper for OfNumbers {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let of_numbers = |data_type: &DataType| match data_type {
            DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
                item.data_type().is_numeric() || item.data_type().is_null()
            }
            // What stands beside a list is the stock function's to judge.
            other => !other.is_nested(),
        };
        match types.iter().all(of_numbers) {
            true => coerced(&self.stock, types),
            false => Err(invalid(format!("{} takes lists of numbers.", self.stock.name()))),
        }
    }
}
