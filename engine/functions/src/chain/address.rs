//! Addresses as text for people: `checksum(address)` and `short_address(address)`.

use alloy_primitives::Address;

use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let checksum = doc(
        "checksum(address)",
        "An address as a string in the mixed case of EIP-55.",
        "select checksum(from_address) from transactions limit 1",
    )
    .udf(1..=1, returns(DataType::Utf8), |args, _| {
        map_rows::<StringArray, _, _>(bytes_of(&args[0])?, |bytes| match Address::try_from(bytes) {
            Ok(address) => Ok(address.to_checksum(None)),
            Err(_) => Err(invalid("checksum expects a 20-byte address.")),
        })
    });
    let short_address = doc(
        "short_address(address)",
        "The first and last four hex digits of an address or hash, for charts and narrow columns.",
        "select short_address(from_address) from transactions limit 1",
    )
    .udf(1..=1, returns(DataType::Utf8), |args, _| {
        map_rows::<StringArray, _, _>(bytes_of(&args[0])?, |bytes| {
            let digits = hex::encode(bytes);
            Ok(match digits.len() {
                ..=8 => format!("0x{digits}"),
                length => format!("0x{}…{}", &digits[..4], &digits[length - 4..]),
            })
        })
    });
    [checksum, short_address]
}
