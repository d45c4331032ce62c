//! `to_eth(wei)` and `to_gwei(wei)`: the same amount in a larger unit, exact.

use datafusion::logical_expr::ScalarUDF;

use crate::numbers::divide;
use crate::simple::{Doc, Simple};

pub(super) fn udf(name: &'static str, digits: u8, text: &'static str) -> ScalarUDF {
    let (signature, example) = match name {
        "to_eth" => ("to_eth(wei)", "select sum(to_eth(value)) from transactions"),
        _ => ("to_gwei(wei)", "select max(to_gwei(gas_price)) from transactions"),
    };
    let doc = Doc { signature, text, example };
    match digits {
        18 => Simple::udf(
            name,
            1..=1,
            Some(doc),
            |args| divide::shifted_field(&args.arg_fields[0], 18),
            divide::shift_array,
        ),
        _ => Simple::udf(
            name,
            1..=1,
            Some(doc),
            |args| divide::shifted_field(&args.arg_fields[0], 9),
            divide::shift_array,
        ),
    }
}
