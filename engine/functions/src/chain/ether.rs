//! `to_eth(wei)` and `to_gwei(wei)`: the same amount in a larger unit, exact.

use crate::numbers::divide;
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let to_eth = doc("to_eth(wei)", "Wei as ether, exact.", "select sum(to_eth(value)) from transactions");
    let to_gwei = doc("to_gwei(wei)", "Wei as gwei, exact.", "select max(to_gwei(gas_price)) from transactions");
    [(to_eth, 18), (to_gwei, 9)].map(|(doc, digits)| {
        doc.udf(1..=1, move |args| divide::shifted_field(&args.arg_fields[0], digits), divide::shift_array)
    })
}
