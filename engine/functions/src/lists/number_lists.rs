//! Built-in functions of lists of numbers, which accept lists of anything and fail while they run.

use datafusion::functions_nested::array_add::array_add_udf;
use datafusion::functions_nested::array_normalize::array_normalize_udf;
use datafusion::functions_nested::array_product::array_product_udf;
use datafusion::functions_nested::array_scale::array_scale_udf;
use datafusion::functions_nested::array_subtract::array_subtract_udf;
use datafusion::functions_nested::distance::array_distance_udf;
use datafusion::functions_nested::inner_product::inner_product_udf;

use crate::prelude::*;
use crate::wrappers::adapt::coerced;
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(crate) fn udfs() -> Vec<ScalarUDF> {
    let builtin = [
        array_add_udf(),
        array_normalize_udf(),
        array_product_udf(),
        array_scale_udf(),
        array_subtract_udf(),
        inner_product_udf(),
    ];
    let distance = wrapped(array_distance_udf(), OfNumbers { aliases: vec!["euclidean_distance".to_string()] });
    let others = builtin.into_iter().map(|builtin| {
        let aliases = builtin.aliases().to_vec();
        wrapped(builtin, OfNumbers { aliases })
    });
    others.chain([distance]).collect()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct OfNumbers {
    aliases: Vec<String>,
}

impl Wrapper for OfNumbers {
    const OWN_TYPES: bool = true;

    fn aliases<'a>(&'a self, _: &'a ScalarUDF) -> &'a [String] {
        &self.aliases
    }

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        let of_numbers = |data_type: &DataType| match data_type {
            DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
                item.data_type().is_numeric() || item.data_type().is_null()
            }
            // The built-in function checks other arguments.
            other => !other.is_nested(),
        };
        match types.iter().all(of_numbers) {
            true => coerced(builtin, types),
            false => Err(invalid(format!("{} expects lists of numbers.", builtin.name()))),
        }
    }
}
